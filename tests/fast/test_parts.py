"""The gradient of an edited part, by memory, is what the core finds by positions."""

from collections.abc import Callable
from typing import Any

import pytest

import minigrad as torch
from minigrad.core.inplace import Part
from minigrad.fast import inplace

BASES = [
    torch.arange(12.0).reshape(3, 4).clone(),
    torch.arange(12.0).reshape(4, 3).t().detach() * 1,
    torch.arange(24.0).reshape(3, 8)[:, ::2].detach(),
]
VIEWS: list[Callable[[Any], Any]] = [
    lambda x: x[1],
    lambda x: x[:, ::2].t(),
    lambda x: x.t()[1:, None],
    lambda x: x[2, 3],
    lambda x: x.diagonal(),
]


@pytest.mark.parametrize("base", BASES, ids=["rows", "columns", "gaps"])
@pytest.mark.parametrize("view", VIEWS, ids=["row", "transposed", "deeper", "element", "diagonal"])
def test_parts_are_those_of_the_core(base: Any, view: Callable[[Any], Any]) -> None:
    shown = view(base)
    part = Part(shown)
    grad = torch.arange(100.0, 112.0).reshape(4, 3).t()
    assert torch.equal(inplace.part_of(part, grad), inplace.of(part, grad))
    for values in (0, torch.full(shown.shape, -1.0)):
        by_memory = inplace.put_into_part(part, grad, values)
        assert torch.equal(by_memory, inplace.put_into(part, grad, values))
    assert grad[0, 0] == 100.0
