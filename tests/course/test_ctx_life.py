"""The life of a `ctx`, which chapter 08 draws."""

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


class Attribute(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, factor: float) -> torch.Tensor:
        ctx.factor = factor
        ctx.result = x * factor
        return ctx.result

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> tuple[torch.Tensor, None]:
        return grad * ctx.factor, None


def test_a_ctx_is_freed_with_its_result() -> None:
    moments = life(Saved, torch.tensor(1.0, requires_grad=True))
    assert [holder for _, holder, _, _ in moments] == ["apply", "apply", "y", "y", ""]
    assert moments[2][2] == ["an edge to x", "saved: array of y"]
    assert moments[3][2] == ["an edge to x", "saved: freed"]
    assert moments[-1][3] == "freed"


def test_a_ctx_that_holds_its_result_is_kept() -> None:
    moments = life(Attribute, torch.tensor(1.0, requires_grad=True), 2.0)
    assert moments[-1][2] == ["an edge to x", "factor: 2.0", "result: y"]
    assert moments[-1][3] == "kept"


def test_a_ctx_that_something_else_holds_is_no_cycle() -> None:
    seen = []

    class Seen(Saved):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            seen.append(ctx)
            return Saved.forward(ctx, x)

    with pytest.raises(ValueError, match="something else holds"):
        life(Seen, torch.tensor(1.0, requires_grad=True))
