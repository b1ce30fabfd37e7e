"""`diagnose` finds in PyTorch's programs what it finds in minigrad's, and changes nothing."""

from __future__ import annotations

import copy
import subprocess
import sys
from typing import Any

import pytest
import torch
from torch.utils.checkpoint import checkpoint

import minigrad
from minigrad.doctor import diagnose
from minigrad.doctor.causes import ALIKE
from tests.faulty import two
from tests.unit.test_doctor import (  # noqa: F401 - these tests run here with PyTorch as `lib`
    found,
    test_a_loss_is_only_looked_at,
    test_a_loss_with_several_elements_is_refused_as_backward_refuses_it,
    test_a_whole_training_step_changes_nothing,
    test_everything_is_left_as_it_was,
    test_the_fault_is_found,
)


@pytest.fixture
def lib() -> Any:
    return torch


def test_a_reentrant_checkpoint_hides_leaves_and_the_pass_finds_them() -> None:
    w, x = two(torch)

    def loss_of(inputs: Any) -> Any:
        return checkpoint(lambda t: (t * w).sum(), inputs, use_reentrant=True)

    tensors = {"w": w, "x": x}
    looked = found(diagnose(loss_of(x), tensors))
    assert looked == {"w": ("unknown", "?", "checkpoint", *ALIKE), "x": ("perhaps", "Function")}
    assert found(diagnose(lambda: loss_of(x), tensors)) == {"w": ("yes",), "x": ("yes",)}


@pytest.mark.filterwarnings("ignore:None of the inputs have requires_grad=True")
def test_a_reentrant_checkpoint_whose_inputs_do_not_require_grad() -> None:
    w, u = two(torch)

    def loss_of() -> Any:
        h = checkpoint(lambda t: t * w, torch.ones(2), use_reentrant=True)
        return (h * u).sum()

    assert found(diagnose(loss_of, {"w": w}))["w"] == ("None", "checkpoint")


def test_copies() -> None:
    w, u = two(torch)
    watched = diagnose(lambda: (copy.deepcopy(w) * u).sum(), {"w": w})
    assert found(watched)["w"] == ("None", "rebuilt")
    watched = diagnose(lambda: (torch.nn.Parameter(w * 2) * u).sum(), {"w": w})
    assert found(watched)["w"] == ("None", "memory")


def test_results_do_not_depend_on_what_only_gives_a_shape() -> None:
    w, u = two(torch)
    watched = diagnose(lambda: (w.detach() * u.detach().expand_as(w * 2) * u).sum(), {"w": w})
    assert found(watched)["w"] == ("None", "detach")
    watched = diagnose(lambda: (w.to(torch.int64) * u).sum(), {"w": w})
    assert found(watched)["w"] == ("None", "integer")


def test_a_view_whose_history_pytorch_refuses_to_show() -> None:
    w, u = two(torch)
    base = w * 1
    with torch.no_grad():
        view = base[:1]
    base.mul_(2)
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode"):
        diagnose(lambda: u.sum(), {"view": view})
    assert found(diagnose(lambda: (view.detach() * u).sum(), {"u": u}))["u"] == ("yes",)


def test_sampling() -> None:
    w, u = two(torch)
    normal = torch.distributions.Normal
    watched = diagnose(lambda: (normal(w, torch.ones(2)).sample() * u).sum(), {"w": w})
    assert found(watched)["w"] == ("None", "sampled")
    assert found(diagnose(lambda: normal(w, torch.ones(2)).rsample().sum(), {"w": w}))["w"] == (
        "yes",
    )


def test_a_transposed_weight_is_an_operation() -> None:
    w = torch.ones(2, 2, requires_grad=True)

    @torch.no_grad()
    def layer() -> Any:
        return torch.ones(2) @ w.T

    watched = diagnose(lambda: layer().sum() + w.detach().sum(), {"w": w})
    assert found(watched)["w"] == ("None", "no_grad", "detach")


def test_parameters_in_one_piece_of_memory_are_not_taken_for_each_other() -> None:
    flat = torch.ones(4)
    a, b = (torch.nn.Parameter(part) for part in flat.chunk(2))
    assert found(diagnose(a.sum(), {"b": b}))["b"] == ("None", "?", *ALIKE)
    assert found(diagnose(lambda: a.sum(), {"b": b}))["b"][0:3] == ("None", "?", "unused")


def test_the_module_does_not_import_pytorch() -> None:
    program = (
        "import sys, minigrad; from minigrad.doctor import diagnose; w = minigrad.ones(1,"
        " requires_grad=True); diagnose(lambda: w.sum(), w); print('torch' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert shown.stdout.strip() == "False", shown.stderr


def test_both_libraries_in_one_program() -> None:
    (w, _), (v, _) = two(torch), two(minigrad)
    assert found(diagnose(lambda: (v * float(w[0].detach())).sum(), {"v": v})) == {"v": ("yes",)}
    assert found(diagnose(lambda: (w.detach() * v[0].item()).sum() + w.sum(), {"w": w})) == {
        "w": ("yes",)
    }
