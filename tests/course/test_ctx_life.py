"""The life of a `ctx` that chapter 08 cannot draw; those that it draws are stored there."""

from __future__ import annotations

from typing import Any

import pytest

import minigrad as torch
from minigrad_course.pictures.ctx_life import life


class Saved(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad * ctx.saved_tensors[0]


def test_a_ctx_that_something_else_holds_is_no_cycle() -> None:
    seen = []

    class Seen(Saved):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            seen.append(ctx)
            return Saved.forward(ctx, x)

    with pytest.raises(ValueError, match="something else holds"):
        life(Seen, torch.tensor(1.0, requires_grad=True))
