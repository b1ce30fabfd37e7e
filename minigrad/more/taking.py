"""The first gradient of a leaf: taken as it is if nobody else holds it, else copied.

PyTorch lets a gradient become `.grad` without a copy if no one else refers to it. It can be seen:
what the hooks of the AccumulateGrad get then shows later changes of `.grad`. Either way it is laid
out in memory as the leaf is.

Source: torch/csrc/autograd/functions/accumulate_grad.h
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..core.grad_mode import no_grad
from ..core.node import AccumulateGrad
from ..core.tensor import Tensor, as_array, new_tensor
from ..support.methods import method_of
from ..support.sharing import copied_as_gradient, is_gradient_of, is_whole


@method_of(AccumulateGrad)
def first(self: AccumulateGrad, grad: Tensor) -> Tensor:
    """What the leaf's `.grad` becomes: the memory of `grad`, or a copy."""
    like = as_array(self.variable)
    data = as_array(grad)
    held = sys.getrefcount(grad) > ALONE or sys.getrefcount(data) > DATA_ALONE
    if held or not is_whole(data) or not is_gradient_of(data, like):
        data = copied_as_gradient(data, like)
    return new_tensor(data)


def counted() -> tuple[int, int]:
    """How often a gradient, and its array, are held on their way to `first`, if only there."""
    counts: Any = []

    class Counting(AccumulateGrad):
        def first(self, grad: Tensor) -> Tensor:
            data = as_array(grad)
            counts.append((sys.getrefcount(grad), sys.getrefcount(data)))
            return grad

    node = Counting(new_tensor(np.zeros(1), requires_grad=True))
    grads = [new_tensor(np.zeros(1))]
    with no_grad():
        node.backward(*grads)  # as `Pass.fire` does
    return counts[0]  # type: ignore[no-any-return]


ALONE, DATA_ALONE = counted()
