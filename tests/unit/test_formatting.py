"""Printing and formatting: what the recorded programs do not show."""

import numpy as np
import pytest

import minigrad
from minigrad.support.formatting import tensor_repr


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool"])
def test_numpy_scalar_prints_as_0d_array(dtype: str) -> None:
    scalar = np.dtype(dtype).type(1)
    assert tensor_repr(scalar) == tensor_repr(np.array(1, dtype))


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
