"""Backward inside backward: a Function's backward may call another.

Each takes stack, and Python limits how many calls can be nested; beyond `DEEPEST` of them the next
one gets a stack of its own, so thousands can be nested.

Source: "reentrant backwards" in torch/csrc/autograd/engine.cpp
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..core.engine import Pass
from ..support.methods import method_of

DEEPEST = 30


class Nesting(threading.local):
    """The backwards of this thread that are under way.

    Attributes:
        depth: how many there are.
        innermost: the latest of them.
    """

    depth = 0
    innermost: Pass | None = None


nesting = Nesting()


run_alone = Pass.run


@method_of(Pass)
def run(self: Pass, roots: Any) -> None:
    """Run as the innermost backward of this thread."""
    if nesting.depth == DEEPEST:
        on_a_new_stack(run, self, roots)
        return
    outer, nesting.innermost = nesting.innermost, self
    nesting.depth += 1
    try:
        run_alone(self, roots)
    finally:
        nesting.depth -= 1
        nesting.innermost = outer


def on_a_new_stack(function: Callable[..., None], *args: Any) -> None:
    """Call `function` in a thread of its own, where Python's limit on nested calls starts anew."""
    errors_there: list[BaseException] = []

    def call() -> None:
        try:
            function(*args)
        except BaseException as error:
            errors_there.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if errors_there:
        raise errors_there[0]
