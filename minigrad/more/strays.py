"""Views that require grad and have no graph.

A view that was made under `no_grad`, or before its base began to require grad, requires grad
because its base does. But nothing leads from it to the base, and it is no leaf that could get a
`.grad`: what is computed of it has a node, with an edge to nowhere in the view's place.

Source: DifferentiableViewMeta in torch/csrc/autograd/variable.h
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..core.grad_mode import mode
from ..core.node import NOWHERE
from ..core.operation import Operation
from ..core.tensor import Tensor
from ..support.arguments import BEFORE_ERRORS
from ..support.checks import check_followed, is_stray
from ..support.methods import method_of

plain_record = Operation.record


@method_of(Operation)
def record(self: Operation, args: Sequence[Any], out: Tensor) -> None:
    """Leave a node, also if all that requires grad is a stray view.

    As in PyTorch it saves the result, and what every gradient needs or more than one; what only one
    of several inputs needs it would save if that led somewhere, and none does.
    """
    plain_record(self, args, out)
    inputs = dict(zip(self.inputs, args, strict=True))
    if out._node is None and mode.recording and any(is_stray(inputs[name]) for name in self.rules):
        node = self.node_class()
        uses = Counter(itertools.chain.from_iterable(self.needs[name] for name in self.rules))
        enough = min(len(self.rules), 2)
        needs = [
            need for need in self.needed(*self.rules)
            if need == "result" or uses[need] >= enough
        ]  # fmt: skip
        node._saved = {need: self.to_save(need, inputs, out) for need in needs}
        node.record([NOWHERE] * len(self.rules), [out])


# What PyTorch makes of other operations, or has no derivative of: these look at arguments first.
CHECKING_FIRST = {
    "all", "any", "argmax", "argmin", "chunk", "count_nonzero", "diff", "einsum", "flatten",
    "movedim", "narrow", "outer", "take_along_dim", "to",
}  # fmt: skip


def look_behind(name: str, args: Sequence[Any]) -> None:
    """RuntimeError for a view that cannot follow a change of its base: PyTorch asks for histories
    before it looks whether the arguments of an operation fit. In-place forms have looked.
    """
    if mode.recording and name not in CHECKING_FIRST and not name.endswith("_"):
        lists = [each for each in args if isinstance(each, (list, tuple))]
        check_followed([*args, *itertools.chain.from_iterable(lists)])


BEFORE_ERRORS.append(look_behind)
