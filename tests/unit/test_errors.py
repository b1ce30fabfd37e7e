"""Warnings point at the user's line, however deep in the library they are given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from minigrad.autograd import Function, backward, grad

LEAF = minigrad.tensor([1.0, 2.0], requires_grad=True)


class Twice(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient * 2


class MarksResult(Twice):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x * 2
        ctx.mark_dirty(result)
        return result


def hooked() -> Any:
    leaf = minigrad.ones(2, requires_grad=True)
    leaf.register_hook(print)
    return leaf


WARNINGS: dict[str, tuple[type[Warning], Callable[[], Any]]] = {
    "grad of a non-leaf": (UserWarning, lambda: (LEAF * 2).grad),
    "float of a recorded tensor": (UserWarning, lambda: float((LEAF * 2)[0])),
    "create_graph": (UserWarning, lambda: LEAF.sum().backward(create_graph=True)),
    "the same, as a function": (UserWarning, lambda: backward(LEAF.sum(), create_graph=True)),
    "only_inputs": (FutureWarning, lambda: grad(LEAF.sum(), LEAF, only_inputs=False)),
    "pickled hooks": (UserWarning, lambda: hooked().__reduce_ex__(2)),
    "an instance of a Function": (DeprecationWarning, lambda: Twice()),
    "saved_variables": (DeprecationWarning, lambda: Twice.apply(LEAF).grad_fn.saved_variables),
    "mark_dirty of a result": (UserWarning, lambda: MarksResult.apply(LEAF)),
    "a decorated class": (FutureWarning, lambda: minigrad.no_grad()(dict)),
    "a decorated class, no parentheses": (FutureWarning, lambda: minigrad.no_grad(dict)),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_points_at_the_users_line(name: str) -> None:
    category, action = WARNINGS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    assert [each.category for each in caught] == [category]
    assert caught[0].filename == __file__
    assert caught[0].lineno == action.__code__.co_firstlineno
