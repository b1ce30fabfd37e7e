"""The accelerator: the same operations and the same engine, in a fraction of the time.

Everything here replaces something in the plain library, which is what the course teaches, and which
runs on its own with `MINIGRAD_FAST=0` or without this folder. The accelerator handles the common
cases and falls back to the plain code for everything else: operands of different dtypes,
subclasses, hooks, wrong arguments, anything that has an observer. So each rare case is written only
once, in the plain library, and every module here can be read next to the one that it replaces:

- `operations` generates a Python function for each row of the table, which replaces
  `Operation.__call__`, and a node class that computes gradients with NumPy arrays (`writer`,
  `nodes`, `sources`);
- `engine` runs backward through graphs of such nodes without counting dependencies, and leaves the
  rest of a pass to `BackwardPass.execute`;
- `leaves`, `views`, `inplace` and `modes` are shortcuts for what operations do most often;
- `arrays` translates the functions that a rule calls from tensors to arrays;
- `kernels` has array versions of some of the helpers that rules call.

Importing it fills the slots of `support.extension_points`, and gives `Node` and `Absent` the
attributes that generated code reads. Both must happen before the table of operations is built.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..support import extension_points
from . import engine, inplace, leaves, memory, modes, operations
from .operations import source

__all__ = ["off", "source"]

extension_points.operation, extension_points.in_place = operations.operation, inplace.in_place
extension_points.leaf, extension_points.run = leaves.fast_leaf, engine.run
extension_points.mode = modes.note_mode
memory.keep_freed_pages()


@contextmanager
def off() -> Iterator[None]:
    """In this block the plain library computes, records and runs every pass, in all threads.

    The accelerator falls back to the plain code whenever there is an observer, so all this has to
    do is count as one. To step through an operation with a debugger, start in
    `core.operation.Operation.__call__`: a function that was already generated is still called
    first. Leaves still get the nodes of `fast.leaves`. You can use a graph that was recorded
    outside the block inside it, and vice versa. Without the accelerator (`MINIGRAD_FAST=0`) there
    is no `minigrad.fast`.
    """
    modes.switch_off(+1)
    try:
        yield
    finally:
        modes.switch_off(-1)
