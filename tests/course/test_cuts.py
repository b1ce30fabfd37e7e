"""`cut_inputs` of chapter 19 names modules whose inputs are cut from the graph, and no others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minigrad as torch
from minigrad_course.pictures.cut_inputs import cut_inputs


class Model(torch.nn.Module):
    """Two layers, connected by the function that a test gives."""

    def __init__(self, joined: Callable[[Any, Any], Any]) -> None:
        super().__init__()
        torch.manual_seed(1)
        self.first, self.second = torch.nn.Linear(3, 3), torch.nn.Linear(3, 3)
        self.pair, self.dropout = Pair(), torch.nn.Dropout()
        self.joined = joined

    def forward(self, x: Any) -> Any:
        return self.joined(self, x)


class Pair(torch.nn.Module):
    """A module without parameters that takes several tensors, also in a list or by keyword."""

    def forward(self, tensors: list[Any], other: Any) -> Any:
        return tensors[0] + other


def unrecorded(model: Any, x: Any) -> Any:
    with torch.no_grad():
        return model.first(x)


@pytest.mark.parametrize(
    ("joined", "named"),
    [
        (lambda m, x: m.second(m.first(x).relu().detach()), ["second"]),
        (lambda m, x: m.second(m.first(x).data * 2), ["second"]),
        (lambda m, x: m.second(torch.tensor(m.first(x).tolist())), ["second"]),
        (lambda m, x: m.second(x * m.first(x).sum().item()), ["second"]),
        (lambda m, x: m.second(unrecorded(m, x)), ["second"]),
        (lambda m, x: m.dropout(m.second(m.first(x).detach())), ["second"]),
        (lambda m, x: m.second(m.first(x).detach().requires_grad_()), ["second"]),
        (lambda m, x: m.pair([m.first(x)], other=m.second(x).detach()), ["pair"]),
        (lambda m, x: m.pair([m.first(x).detach()], m.second(x)), ["pair"]),
    ],
)
def test_a_cut_is_named(joined: Callable[[Any, Any], Any], named: list[str]) -> None:
    assert cut_inputs(Model(joined), torch.rand(4, 3)) == named


@pytest.mark.parametrize(
    "joined",
    [
        lambda m, x: m.second(m.first(x).relu()),
        lambda m, x: m.first(x / 255) + m.second(x[:, [0, 0, 1]] * 2),  # depends on the batch only
        lambda m, x: m.first(x) + m.second(torch.randn(4, 3)),  # noise
        lambda m, x: m.first(x) + m.second(m.dropout(x)),
        lambda m, x: m.second(m.dropout(m.first(x))),
        lambda m, x: m.pair([m.first(x)], m.second.bias),  # a trainable leaf has no history
        lambda m, x: m.second(x.clone().requires_grad_()) + m.first(x),
        lambda m, x: m.pair([m.first(x)], (100 * m.second(x)).to(torch.int64)),
    ],
)
def test_uncut_inputs_are_not_named(joined: Callable[[Any, Any], Any]) -> None:
    assert cut_inputs(Model(joined), torch.rand(4, 3)) == []


def test_frozen_layers_and_unrecorded_runs() -> None:
    model = Model(lambda m, x: m.second(m.first(x)))
    model.first.requires_grad_(False)
    assert cut_inputs(model, torch.rand(4, 3)) == []
    cut = Model(lambda m, x: m.second(m.first(x).detach()))
    with torch.no_grad():
        assert cut_inputs(cut, torch.rand(4, 3)) == []


def test_the_first_name_is_the_cut_and_hooks_can_cut() -> None:
    layers = [torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Tanh()) for _ in range(3)]
    model = torch.nn.Sequential(*layers)
    assert cut_inputs(model, torch.rand(4, 3)) == []
    model[1].register_forward_pre_hook(lambda module, inputs: inputs[0].detach())
    assert cut_inputs(model, torch.rand(4, 3)) == ["1", "1.0"]


def test_the_model_is_unchanged() -> None:
    model = Model(lambda m, x: m.second(m.first(x)))
    before = [each.tolist() for each in model.parameters()]
    cut_inputs(model, torch.rand(4, 3))
    assert [each.tolist() for each in model.parameters()] == before
    assert all(each.grad is None for each in model.parameters())
    assert all("forward" not in vars(module) for module in model.modules())


def test_a_cut_is_found_for_any_seed() -> None:
    for seed in range(20):
        torch.manual_seed(seed)
        model = Model(lambda m, x: m.second(m.first(x).relu().detach()))
        assert cut_inputs(model, torch.rand(32, 3)) == ["second"]
