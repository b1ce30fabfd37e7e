"""Tensors print as recorded from PyTorch, and print options behave like PyTorch's."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad.support import formatting
from minigrad.support.formatting import set_printoptions, tensor_repr

GOLDENS = Path(__file__).parents[1] / "goldens" / "formatting.json"
DEFAULTS = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}


def options() -> dict[str, Any]:
    return formatting._options._asdict()


@pytest.fixture(autouse=True)
def _default_options() -> Iterator[None]:
    yield
    set_printoptions(profile="default")


@pytest.mark.parametrize("case", json.loads(GOLDENS.read_text(encoding="utf-8")))
def test_prints_what_pytorch_prints(case: dict[str, Any]) -> None:
    data = np.resize(np.array(case["values"], case["dtype"]), case["shape"])
    set_printoptions(**case["options"])
    text = tensor_repr(data, case["suffixes"], prefix=case["prefix"])
    assert text.split("\n") == case["text"]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_numpy_scalar_prints_as_0d_array(dtype: str) -> None:
    scalar = np.dtype(dtype).type(1)
    assert tensor_repr(scalar) == tensor_repr(np.array(1, dtype))


def test_memory_layout_does_not_show() -> None:
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    for view in (data.T, data[::-1, :, ::-2], np.broadcast_to(data[0, 0], (3, 2, 4))):
        assert tensor_repr(view) == tensor_repr(view.copy())


def test_printing_leaves_data_as_it_was() -> None:
    data = np.array([[1.5, -0.0], [np.inf, 3.0]], np.float32)
    before = data.tobytes()
    tensor_repr(data)
    assert data.tobytes() == before


def test_a_summary_reads_only_the_elements_it_shows() -> None:
    a_million_squared = np.broadcast_to(np.float32(0.5), (10**6, 10**6))  # 4 TB if it were copied
    row = "[0.5000, 0.5000, 0.5000,  ..., 0.5000, 0.5000, 0.5000]"
    between = ",\n        "
    assert tensor_repr(a_million_squared) == (
        f"tensor([{between.join([row] * 3 + ['...'] + [row] * 3)}])"
    )


def test_extreme_ratio_is_scientific() -> None:
    assert tensor_repr(np.array([1e300, 1e-300])) == (
        "tensor([1.0000e+300, 1.0000e-300], dtype=torch.float64)"
    )


@pytest.mark.parametrize(
    ("scalar", "spec", "text"),
    [
        (np.float32(0.6), "", "0.6000000238418579"),
        (np.float64(0.6), "", "0.6"),
        (np.float32(0.6), ".3f", "0.600"),
        (np.array(0.6, np.float32), ">8.2e", "6.00e-01"),
        (np.float32("nan"), "", "nan"),
        (np.int64(3), "5", "    3"),
        (np.bool_(True), "", "True"),
        (np.bool_(True), ">5", "    1"),
    ],
)
def test_a_0d_tensor_formats_as_its_number(scalar: np.generic, spec: str, text: str) -> None:
    assert format(minigrad.tensor(scalar), spec) == text


def test_options_start_from_defaults() -> None:
    assert options() == DEFAULTS


def test_set_printoptions_keeps_the_other_options() -> None:
    set_printoptions(precision=2, linewidth=40)
    set_printoptions(edgeitems=1, threshold=7)
    assert options() == {
        "precision": 2, "threshold": 7, "edgeitems": 1, "linewidth": 40, "sci_mode": None,
    }  # fmt: skip


def test_every_call_sets_sci_mode() -> None:
    set_printoptions(sci_mode=True)
    assert tensor_repr(np.float32(1.5)) == "tensor(1.5000e+00)"
    set_printoptions()
    assert tensor_repr(np.float32(1.5)) == "tensor(1.5000)"


@pytest.mark.parametrize(
    ("profile", "changes"),
    [
        ("default", {}),
        ("short", {"precision": 2, "edgeitems": 2}),
        ("full", {"threshold": float("inf")}),
        ("no such profile", {"linewidth": 40}),
    ],
)
def test_profile_replaces_earlier_options(profile: str, changes: dict[str, float]) -> None:
    set_printoptions(linewidth=40)
    set_printoptions(profile=profile)
    assert options() == DEFAULTS | changes


def test_arguments_override_profile() -> None:
    set_printoptions(profile="short", precision=6)
    assert options() == DEFAULTS | {"precision": 6, "edgeitems": 2}
