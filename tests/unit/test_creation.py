"""Making tensors: arrays that are copied or shared, and flags that are refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, float32, tensor
from minigrad.core import tensor as core
from minigrad.support import errors

SLOW = "Creating a tensor from a list of numpy.ndarrays is extremely slow"


def test_a_list_of_arrays_warns_once_in_a_process() -> None:
    errors.warn_slow_arrays.cache_clear()
    tensor([np.zeros(0), [1.0, 2.0][:0]])  # nothing to copy, so nothing is slow
    with pytest.warns(UserWarning, match=SLOW) as caught:
        [tensor(rows) for rows in ([np.zeros(2), np.ones(2)], [[0.0, 0.0], np.ones(2)])]
    assert [each.filename for each in caught] == [__file__]


def test_as_tensor_and_from_numpy_share() -> None:
    array = np.array([1.0, 2.0])
    x, y = minigrad.as_tensor(array), minigrad.from_numpy(array)
    array[0] = 9.0
    assert x.tolist() == y.tolist() == [9.0, 2.0]
    assert minigrad.as_tensor(x) is x
    assert minigrad.as_tensor(array, dtype=float32).dtype is float32
    assert minigrad.as_tensor([1, 2]).tolist() == [1, 2]
    with pytest.raises(TypeError, match=r"^expected np\.ndarray \(got list\)"):
        minigrad.from_numpy([1.0])  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [tensor, core.tensor])
@pytest.mark.parametrize(("flag", "kind"), [("maybe", "str"), (1, "int"), (None, "NoneType")])
def test_a_flag_that_is_not_a_bool_is_refused(
    make: Callable[..., Tensor], flag: Any, kind: str
) -> None:
    words = rf"^tensor\(\): argument 'requires_grad' must be bool, not {kind}$"
    for data in ([1.0], [1]):
        with pytest.raises(TypeError, match=words):
            make(data, requires_grad=flag)
