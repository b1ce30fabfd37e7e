"""Dtypes: their names, and conversion to and from NumPy's."""

import copy
import pickle

import numpy as np
import pytest

import minigrad
from minigrad.support import dtypes
from minigrad.support.dtypes import ALL, bool_, dtype


@pytest.mark.parametrize("kind", ALL, ids=str)
def test_each_dtype_is_one_object_with_pytorchs_name(kind: dtype) -> None:
    assert repr(kind) == f"torch.{kind.numpy.name}"
    assert getattr(dtypes, "bool_" if kind is bool_ else kind.name) is kind
    assert dtypes.from_numpy_dtype(kind.numpy) is kind
    assert pickle.loads(pickle.dumps(minigrad.zeros(1, dtype=kind))).dtype is kind
    assert kind.itemsize == kind.numpy.itemsize
    assert copy.deepcopy(kind) is kind


@pytest.mark.parametrize("code", "?bBhilqefd")
def test_every_c_type_of_numpy_finds_its_dtype(code: str) -> None:
    assert dtypes.from_numpy_dtype(np.dtype(code)).numpy == np.dtype(code)


@pytest.mark.parametrize("name", ["complex64", "datetime64[s]", "U3", "object"])
def test_types_without_a_dtype_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=r"^can't convert np\.ndarray of type numpy\."):
        dtypes.from_numpy_dtype(np.dtype(name))
