"""The accelerator: the same operations and the same engine, in a fraction of the time.

Everything here stands for something in the plain library, which is what the course teaches and
which runs alone with `MINIGRAD_FAST=0`, or without this folder. It takes what is usual, and leaves
the rest to the plain code: operands of several dtypes, subclasses, hooks, wrong arguments, anything
that somebody watches. So the unusual is written down once, and what is written here can be read
beside what it stands for:

- `operations` writes a Python function for each row of the table, in place of `Operation.__call__`,
  and a node class whose gradients are computed with bare arrays (`writer`, `nodes`, `sources`);
- `engine` walks graphs of such nodes without counting, and leaves the rest of a pass to
  `BackwardPass.execute`;
- `leaves`, `views`, `inplace` and `modes` are short ways for what operations ask most often;
- `arrays` says what the functions that a rule names mean on arrays;
- `kernels` are what some helpers of rules are on arrays.

Importing it puts it into the slots of `support.extension_points`, and gives `Node` and `Absent` the
attributes that written code reads. That must happen before the table of operations is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..support import extension_points
from . import engine, inplace, leaves, memory, modes, operations
from .operations import source

__all__ = ["off", "source"]

extension_points.operation, extension_points.in_place = operations.operation, inplace.in_place
extension_points.leaf, extension_points.run = leaves.leaf, engine.run
extension_points.mode = modes.note_mode
memory.keep_freed_pages()


@contextmanager
def off() -> Iterator[None]:
    """In this block the plain library computes, records and runs every pass, in all threads.

    What is written here asks anyway whether somebody watches, and leaves everything to the plain
    code then; so this only has to be one more who watches. To step through an operation, begin in
    `core.operation.Operation.__call__`: a function that was written before is still called first.
    Leaves have the nodes of `fast.leaves`. Graphs from before can be used in the block, and the
    other way round. Without the accelerator (`MINIGRAD_FAST=0`) there is no `minigrad.fast`.
    """
    modes.switch_off(+1)
    try:
        yield
    finally:
        modes.switch_off(-1)
