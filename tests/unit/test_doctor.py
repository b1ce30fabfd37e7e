"""`diagnose` names the cause of each fault, says when it cannot tell, and changes nothing."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.doctor import Diagnosis, Finding, diagnose
from minigrad.doctor.causes import CAUSES
from minigrad.support import observers
from minigrad_course.kernel import stages
from tests.faulty import EXPECTED, Found

KEYS = {cause: key for key, cause in CAUSES.items()}


def found(diagnosis: Diagnosis) -> Found:
    """What was found, in the form of `tests.faulty`."""
    return {
        each.name: (each.gradient, *(() if each.certain else ("?",)), *map(KEYS.get, each.causes))  # type: ignore[arg-type]
        for each in (*diagnosis.loss, *diagnosis.findings)
    }


@pytest.fixture
def lib() -> Any:
    """The library that runs the programs; `tests/parity/test_doctor.py` has PyTorch here."""
    return torch


@pytest.mark.parametrize("name", EXPECTED)
@pytest.mark.filterwarnings("ignore:Converting a tensor")
def test_the_fault_is_found(lib: Any, name: str) -> None:
    program, expected, lines = EXPECTED[name]
    diagnosis = diagnose(*program(lib))
    assert found(diagnosis) == expected
    places = " ".join(
        place for each in (*diagnosis.loss, *diagnosis.findings) for place in each.places
    )
    for line in lines:
        assert line in places


def network(lib: Any) -> Any:
    return lib.nn.Sequential(
        lib.nn.Linear(3, 4), lib.nn.BatchNorm1d(4), lib.nn.Dropout(0.5), lib.nn.Linear(4, 1)
    )


def test_everything_is_left_as_it_was(lib: Any) -> None:
    model, x = network(lib), lib.randn(5, 3)
    model.seen = None
    earlier = model(x).exp().mean()
    weight = model[0].weight
    weight.grad = gradient = lib.ones(4, 3)
    calls: list[Any] = []
    weight.register_post_accumulate_grad_hook(calls.append)
    state = {name: value.clone() for name, value in model.state_dict().items()}
    versions = [each._version for each in model.parameters()]
    lib.manual_seed(3)
    expected = lib.rand(2).tolist()
    lib.manual_seed(3)
    states = random.getstate(), np.random.get_state()[2]  # noqa: NPY002

    def loss_of() -> Any:
        np.random.rand()  # noqa: NPY002
        random.random()
        model.seen = model(lib.randn(5, 3))
        loss = model.seen.mean()
        weight.grad.add_(1)
        weight.grad = None
        lib.set_grad_enabled(False)
        model[3].bias.add_(2)
        return loss

    assert diagnose(loss_of, model)["0.weight"].gradient == "yes"
    assert model.seen is None
    assert weight.grad is gradient
    assert gradient.tolist() == [[1.0] * 3] * 4
    assert all(each.grad is None for each in model.parameters() if each is not weight)
    assert calls == []
    assert list(model.state_dict()) == list(state)
    for name, value in model.state_dict().items():
        assert value.tolist() == state[name].tolist(), name
    assert lib.rand(2).tolist() == expected
    assert (random.getstate(), np.random.get_state()[2]) == states  # noqa: NPY002
    assert [each._version for each in model.parameters()][:-1] == versions[:-1]
    assert lib.is_grad_enabled()
    earlier.backward()  # its graph is whole
    assert len(calls) == 1


def test_a_whole_training_step_changes_nothing(lib: Any) -> None:
    model, x = network(lib), lib.randn(5, 3)
    optimizer = lib.optim.Adam(model.parameters(), lr=0.1)

    def step() -> Any:
        optimizer.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] *= 0.5
        return loss

    step()
    before = copy.deepcopy((optimizer.state_dict(), model.state_dict()))
    gradients = [(each.grad, each.grad.tolist()) for each in model.parameters()]
    diagnosis = diagnose(step, model, optimizer)
    assert found(diagnosis)["loss"] == ("raises", "freed inside")
    assert repr((optimizer.state_dict(), model.state_dict())) == repr(before)
    for each, (gradient, values) in zip(model.parameters(), gradients, strict=True):
        assert each.grad is gradient
        assert gradient.tolist() == values


def test_a_loss_is_only_looked_at(lib: Any) -> None:
    model, x = network(lib), lib.randn(5, 3)
    opened: list[Any] = []

    def unpack(tensor: Any) -> Any:
        opened.append(tensor)
        return tensor

    with lib.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        loss = model(x).mean()
    assert all(each.gradient == "reaches" for each in diagnose(loss, model).findings)
    assert opened == []
    assert all(each.grad is None for each in model.parameters())
    loss.backward()
    assert opened


def test_a_loss_with_several_elements_is_refused_as_backward_refuses_it(lib: Any) -> None:
    w = lib.ones(2, requires_grad=True)
    for loss in (w * 2, lambda: w * 2):
        with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
            diagnose(loss, w)


def test_nothing_is_watched_afterwards() -> None:
    before = len(observers.active), len(observers.results), {**vars(torch.Tensor)}
    w = torch.ones(2, requires_grad=True)
    with pytest.raises(ZeroDivisionError):
        diagnose(lambda: w.sum() / (1 // 0), w)
    assert (len(observers.active), len(observers.results), {**vars(torch.Tensor)}) == before


def test_a_graph_that_was_there_before_is_not_freed() -> None:
    w = torch.ones(2, requires_grad=True)
    h = w.exp()
    assert diagnose(lambda: (h * h).sum(), w).findings[0].gradient == "yes"
    (h * h).sum().backward()


def test_what_may_be_given() -> None:
    a, b = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    layer = torch.nn.Linear(1, 1)
    loss = (a * b).sum() + layer(a).sum()
    assert [each.name for each in diagnose(loss, a, [b]).findings] == ["a", "b"]
    assert [each.name for each in diagnose(loss, {"first": a}).findings] == ["first"]
    assert [each.name for each in diagnose(loss, layer).findings] == ["weight", "bias"]
    optimizer = torch.optim.SGD([a, b], lr=0.1)
    assert len(diagnose(loss, optimizer).findings) == 2
    assert len(diagnose(loss).findings) == 4
    with pytest.raises(TypeError, match="not int"):
        diagnose(loss, 3)
    reader = stages.load(8).tensor([1.0], requires_grad=True)
    assert diagnose((reader * reader).sum(), reader).findings[0].gradient == "reaches"
    with pytest.raises(TypeError, match="pass the loss"):
        diagnose(lambda: (reader * reader).sum(), reader)
    with pytest.raises(KeyError):
        diagnose(loss, a)["other"]


def test_tensors_have_names_of_their_own() -> None:
    made = [torch.ones(1, requires_grad=True) for _ in range(2)]
    names = [each.name for each in diagnose(torch.ones(1), [*(each for each in made)]).findings]
    assert names == ["made[0]", "made[1]"]
    names = [each.name for each in diagnose(torch.ones(1), {"a": [*made]}).findings]
    assert names == ["a", "a #2"]


def test_many_cuts_take_a_moment() -> None:
    w = torch.ones(2, requires_grad=True)
    u = torch.ones(2, requires_grad=True)

    def loss_of() -> Any:
        h = w.detach()
        for _ in range(60):
            h = (h * u).detach() + (h + u).detach() * u.detach()
        return (h * u).sum()

    finding = diagnose(loss_of, w, u)["w"]
    assert CAUSES["detach"] in finding.causes


def test_buffers_of_modules_in_a_dictionary_are_restored() -> None:
    norm = torch.nn.BatchNorm1d(2)
    diagnose(lambda: norm(torch.randn(4, 2)).sum(), {"norm": norm})
    assert norm.num_batches_tracked.item() == 0


def test_the_table_puts_problems_first_and_alike_tensors_together() -> None:
    model = torch.nn.Sequential(*[torch.nn.Linear(1, 1) for _ in range(10)])
    model[9].weight.requires_grad_(False)
    diagnosis = diagnose(model(torch.ones(1, 1)).sum(), model)
    text = repr(diagnosis)
    assert text.startswith("A gradient reaches 19 of 20 tensors.")
    assert text.index("9.weight") < text.index("0.weight, 0.bias, 1.weight")
    assert "and 16 more" in text
    assert "chapter 10" in text
    shown = diagnosis._repr_html_()
    assert shown.count("<tr>") == 3
    assert "&lt;" in Diagnosis([Finding("<b>", "yes")], [])._repr_html_()


def test_what_may_return_none_is_counted_apart() -> None:
    loss, tensors = EXPECTED["graph_through_a_function"][0](torch)
    assert repr(diagnose(loss, tensors)).startswith("A gradient reaches 2 of 3 tensors, perhaps 3.")


def test_a_mask_of_infinities_is_not_blamed_for_what_begins_later() -> None:
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    mask = torch.tensor([0.0, -torch.inf])

    def loss_of() -> Any:
        p = (w + mask).softmax(0) + w.masked_fill(mask < 0, -torch.inf).softmax(0)
        return p[1].log()

    (place,) = diagnose(loss_of, w)["w"].places
    assert place.startswith("log at ")


def test_certain_findings_say_what_to_change_and_others_list_what_looks_alike() -> None:
    w = torch.ones(1, requires_grad=True)
    certain = Finding("w", "None", (CAUSES["detach"],), places=("line 3",)).lines()
    assert certain[0] == CAUSES["detach"].why
    assert "line 3" in certain[1]
    assert CAUSES["detach"].fix in certain[2]
    loss = torch.ones(1, requires_grad=True).sum()
    assert "cannot tell" in repr(diagnose(loss, w))
