"""RMSprop, which divides the gradient by a running root mean square of itself.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.RMSprop.html
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.tensor import Tensor, as_array
from .optimizer import (
    Array,
    Group,
    Optimizer,
    Params,
    check_lr,
    check_not_negative,
    check_unsupported,
    with_weight_decay,
)


class RMSprop(Optimizer):
    """Steps against gradient / sqrt(mean squared gradient), where the mean is a running one.

    Args:
        params: the tensors to optimize, or groups of them with separate options.
        lr: the learning rate.
        alpha: the decay factor of the running mean.
        eps: added to the square root, to avoid division by zero.
        weight_decay: the multiple of the parameter that is added to its gradient.
        momentum: the factor by which a running sum of the steps decays.
        centered: subtract the squared running mean of the gradient, which leaves its variance.
        foreach: selects an implementation in PyTorch; no effect here.
        maximize: maximize the objective instead of minimizing it.

    Raises:
        ValueError: a negative number, or a lr with several elements.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check_not_negative(epsilon=eps, momentum=momentum, weight_decay=weight_decay, alpha=alpha)
        check_unsupported(capturable=capturable, differentiable=differentiable)
        defaults: dict[str, Any] = dict(lr=lr, momentum=momentum, alpha=alpha, eps=eps)
        defaults |= dict(centered=centered, weight_decay=weight_decay, capturable=capturable)
        defaults |= dict(foreach=foreach, maximize=maximize, differentiable=differentiable)
        super().__init__(params, defaults)

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        grad = with_weight_decay(values, grad, group)
        names = ["square_avg"] + ["momentum_buffer"] * bool(group["momentum"] > 0)
        names += ["grad_avg"] * group["centered"]
        state, decay = self.state[param] or self._first_state(param, *names), 1 - group["alpha"]
        state["step"] += 1
        square = as_array(state["square_avg"])
        square *= group["alpha"]
        square += decay * grad * grad
        if group["centered"]:
            mean = as_array(state["grad_avg"])
            mean += decay * (grad - mean)
            square = square - mean * mean
        step = grad / (np.sqrt(square) + group["eps"])
        if group["momentum"] > 0:
            total = as_array(state["momentum_buffer"])
            total *= group["momentum"]
            total += step
            step = total
        values -= float(group["lr"]) * step
