"""Adam: steps of about the same length in every direction.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adam.html
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..tensor import Tensor, as_array, new_tensor
from .optimizer import Array, Group, Optimizer, regularized


class Adam(Optimizer):
    """A step against a running mean of the gradient, divided by the root of that of its square.

    Args:
        params: the tensors to optimize, or groups of them with options of their own.
        lr: how far to go.
        betas: which shares of the two running means remain at each step.
        eps: added to the root, so that nothing is divided by zero.
        weight_decay: how much of the parameter is added to its gradient.
        maximize: go up, not down.

    Raises:
        ValueError: a negative number, or a beta of 1 or more.
    """

    def __init__(
        self,
        params: Iterable[Tensor] | Iterable[Group],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        *,
        maximize: bool = False,
    ) -> None:
        if not lr >= 0.0:
            raise ValueError(f"Invalid learning rate: {lr}")
        if not eps >= 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for index in (0, 1):
            if not 0.0 <= betas[index] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            # PyTorch's variants and other ways to compute the same; to be seen, not to be set.
            amsgrad=False,
            maximize=maximize,
            foreach=None,
            capturable=False,
            differentiable=False,
            fused=None,
            decoupled_weight_decay=False,
        )
        super().__init__(params, defaults)

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        grad = regularized(values, grad, group)
        state = self.state[param] or self._first_state(param)
        state["step"] += 1
        step, (beta1, beta2) = state["step"].item(), group["betas"]
        mean, square = as_array(state["exp_avg"]), as_array(state["exp_avg_sq"])
        mean += (1 - beta1) * (grad - mean)
        square *= beta2
        square += (1 - beta2) * grad * grad
        # Both means start from zero and are too small at first: by these factors.
        correction1, correction2 = 1 - beta1**step, math.sqrt(1 - beta2**step)
        root = np.sqrt(square) / correction2 + group["eps"]
        values -= float(group["lr"]) / correction1 * (mean / root)

    def _first_state(self, param: Tensor) -> dict[str, Any]:
        state = self.state[param] = {
            "step": new_tensor(np.float32(0)),
            "exp_avg": new_tensor(np.zeros_like(param._data)),
            "exp_avg_sq": new_tensor(np.zeros_like(param._data)),
        }
        return state
