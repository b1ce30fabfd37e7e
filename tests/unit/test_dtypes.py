"""Dtypes: their names, type promotion, and conversion to and from NumPy's."""

import copy
import pickle

import numpy as np
import pytest

import minigrad
from minigrad.support import dtypes
from minigrad.support.dtypes import ALL, Size, bool_, dtype, float32, float64, int32, int64


@pytest.mark.parametrize("kind", ALL, ids=str)
def test_each_dtype_is_one_object_with_pytorchs_name(kind: dtype) -> None:
    assert repr(kind) == f"torch.{kind.numpy.name}"
    assert getattr(dtypes, "bool_" if kind is bool_ else kind.name) is kind
    assert dtypes.from_numpy_dtype(kind.numpy) is kind
    assert pickle.loads(pickle.dumps(minigrad.zeros(1, dtype=kind))).dtype is kind
    assert kind.itemsize == kind.numpy.itemsize


@pytest.mark.parametrize("kind", ALL, ids=str)
def test_each_dtype_is_copied_by_reference(kind: dtype) -> None:
    assert copy.deepcopy(kind) is kind
    assert pickle.loads(pickle.dumps(kind)) is kind


def test_only_floats_can_require_gradients() -> None:
    assert [kind.name for kind in ALL if kind.is_floating_point] == [
        "float16",
        "float32",
        "float64",
    ]


def test_other_names_in_the_package() -> None:
    assert minigrad.float is float32
    assert minigrad.double is float64
    assert minigrad.half is dtypes.float16
    assert minigrad.int is int32
    assert minigrad.long is int64
    assert minigrad.bool is bool_


@pytest.mark.parametrize("code", "?bBhilqefd")
def test_every_c_type_of_numpy_finds_its_dtype(code: str) -> None:
    assert dtypes.from_numpy_dtype(np.dtype(code)).numpy == np.dtype(code)


@pytest.mark.parametrize("name", ["complex64", "datetime64[s]", "U3", "object"])
def test_types_without_a_dtype_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=r"^can't convert np\.ndarray of type numpy\."):
        dtypes.from_numpy_dtype(np.dtype(name))


def test_dtypes_of_python_numbers() -> None:
    assert [dtypes.of_number(value) for value in (True, 1, 1.0)] == [bool_, int64, float32]


@pytest.mark.parametrize(
    ("operands", "expected"),
    [
        ([(float32, 2), (float64, 2)], float64),
        ([(float32, 2), (float64, 1)], float32),  # a 0-d tensor widens nothing of its category
        ([(float32, 2), (float32, 0)], float32),
        ([(int64, 2), (float32, 2)], float32),  # an integer never widens a float
        ([(int32, 2), (float32, 0)], float32),  # a higher category counts
        ([(int32, 2), (float64, 1)], float64),
        ([(int32, 2), (int64, 0)], int32),
        ([(bool_, 2), (int64, 0)], int64),
        ([(bool_, 2), (bool_, 0)], bool_),
        ([(float32, 1), (float64, 1)], float64),
        ([(float64, 1), (float32, 0)], float64),
        ([(dtypes.uint8, 2), (dtypes.int8, 2)], dtypes.int16),
    ],
)
def test_result_type(operands: list[tuple[dtype, int]], expected: dtype) -> None:
    assert dtypes.result_type(operands) is expected
    assert dtypes.result_type(operands[::-1]) is expected


def test_size_is_a_tuple_that_prints_as_pytorchs() -> None:
    size = Size((2, 3))
    assert (size, repr(size), repr(Size())) == ((2, 3), "torch.Size([2, 3])", "torch.Size([])")
    assert (size.numel(), Size((2, 0)).numel(), Size().numel()) == (6, 0, 1)
