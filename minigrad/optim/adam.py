"""Adam and AdamW, which scale the step of each element by the size of its recent gradients.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.Adam.html
"""

from __future__ import annotations

import math

import numpy as np

from ..core.tensor import Tensor, as_array, count_change
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


class Adam(Optimizer):
    """Steps against mean gradient / sqrt(mean squared gradient), both exponential running means.

    Args:
        params: the tensors to optimize, or groups of them with separate options.
        lr: the learning rate.
        betas: the decay factors of the two running means.
        eps: added to the square root, to avoid division by zero.
        weight_decay: the multiple of the parameter that is added to its gradient.
        amsgrad: use the largest mean squared gradient so far.
        maximize: maximize the objective instead of minimizing it.
        decoupled_weight_decay: scale the parameter by 1 - lr * weight_decay instead, like `AdamW`.
        foreach, fused: select an implementation in PyTorch; no effect here.

    Raises:
        ValueError: a negative number, a lr with several elements, a beta that is not a float
            below 1.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_lr(lr)
        check_not_negative(epsilon=eps)
        for index in (0, 1):
            if not 0.0 <= betas[index] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {index}: {betas[index]}")
        check_not_negative(weight_decay=weight_decay)
        if not all(isinstance(beta, float) for beta in betas):
            raise ValueError("betas must be either both floats or both Tensors")
        check_unsupported(capturable=capturable, differentiable=differentiable)
        defaults = dict(
            lr=lr,
            betas=betas,
            eps=eps,
            weight_decay=weight_decay,
            amsgrad=amsgrad,
            maximize=maximize,
            foreach=foreach,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=decoupled_weight_decay,
        )
        super().__init__(params, defaults)

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        lr = float(group["lr"])
        if group["decoupled_weight_decay"]:
            grad = -grad if group["maximize"] else grad
            if group["weight_decay"]:
                values *= 1 - lr * group["weight_decay"]
                count_change(param)
        else:
            grad = with_weight_decay(values, grad, group)
        largest = ["max_exp_avg_sq"] * group["amsgrad"]
        state = self.state[param] or self._first_state(param, "exp_avg", "exp_avg_sq", *largest)
        state["step"] += 1
        step, (beta1, beta2) = state["step"].item(), group["betas"]
        mean, square = as_array(state["exp_avg"]), as_array(state["exp_avg_sq"])
        mean += (1 - beta1) * (grad - mean)
        square *= beta2
        square += (1 - beta2) * grad * grad
        if group["amsgrad"]:
            max_square = as_array(state["max_exp_avg_sq"])
            square = np.maximum(max_square, square, out=max_square)
        # Both means start at zero, so they are too small initially, by these factors.
        bias_correction1, bias_correction2 = 1 - beta1**step, math.sqrt(1 - beta2**step)
        root = np.sqrt(square) / bias_correction2 + group["eps"]
        values -= lr / bias_correction1 * (mean / root)


class AdamW(Adam):
    """`Adam` with decoupled weight decay, which does not go through the gradient and its means.

    Source: https://docs.pytorch.org/docs/2.13/generated/torch.optim.AdamW.html
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
