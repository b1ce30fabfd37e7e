"""Stochastic gradient descent.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.SGD.html
"""

from __future__ import annotations

import numpy as np

from ..core.tensor import Tensor, as_array, new_tensor
from .optimizer import (
    Array,
    Group,
    Optimizer,
    Params,
    check_lr,
    check_unsupported,
    with_weight_decay,
)


class SGD(Optimizer):
    """Steps against the gradient, or with momentum against a running sum of gradients.

    Args:
        params: the tensors to optimize, or groups of them with separate options.
        lr: the learning rate.
        momentum: the factor by which the running sum decays at each step.
        dampening: the fraction of the gradient that is not added to the running sum.
        weight_decay: the multiple of the parameter that is added to its gradient.
        nesterov: use Nesterov momentum, the gradient plus the decayed running sum.
        maximize: maximize the objective instead of minimizing it.
        foreach, fused: select an implementation in PyTorch; no effect here.

    Raises:
        ValueError: a negative number, a lr with several elements, or nesterov without momentum or
            with dampening.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check_unsupported(differentiable=differentiable)
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        defaults = dict(
            lr=lr,
            momentum=momentum,
            dampening=dampening,
            weight_decay=weight_decay,
            nesterov=nesterov,
            maximize=maximize,
            foreach=foreach,
            differentiable=differentiable,
            fused=fused,
        )
        super().__init__(params, defaults)

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        grad = with_weight_decay(values, grad, group)
        if group["momentum"]:
            total = self._running_sum(param, grad, group)
            grad = grad + group["momentum"] * total if group["nesterov"] else total
        values -= float(group["lr"]) * grad

    def _running_sum(self, param: Tensor, grad: Array, group: Group) -> Array:
        """The decaying sum of the gradients so far. The first one is added without dampening."""
        state = self.state[param]
        if state.get("momentum_buffer") is None:
            state["momentum_buffer"] = new_tensor(np.array(grad))
            return grad
        total = as_array(state["momentum_buffer"])
        total *= group["momentum"]
        total += (1 - group["dampening"]) * grad if group["dampening"] else grad
        return total
