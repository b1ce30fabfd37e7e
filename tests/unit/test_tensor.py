"""Tensors as NumPy, copies and pickles see them."""

import copy
import pickle

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, tensor


def test_numpy_reads_tensors() -> None:
    x = tensor([[1.0, 2.0]])
    assert np.asarray(x).dtype == np.float32
    assert np.array(x, np.float64).dtype == np.float64
    copied = np.array(x)
    copied[0, 0] = 5.0
    assert x.tolist() == [[1.0, 2.0]]


def test_deepcopy_of_a_tensor_that_refers_to_itself() -> None:
    x = tensor([1.0])
    x.me = x  # type: ignore[attr-defined]
    y = copy.deepcopy(x)
    assert y is not x
    assert y.me is y  # type: ignore[attr-defined]
    del x.me, y.me  # type: ignore[attr-defined]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "x",
    [
        tensor([[1.0, 2.0]], requires_grad=True),
        tensor(3.0),
        tensor([1, 2]),
        tensor([True]),
        minigrad.zeros(0, 3, dtype=minigrad.float64),
        minigrad.arange(6.0).reshape(2, 3).T,
    ],
    ids=str,
)
def test_pickle_returns_an_equal_leaf(x: Tensor, protocol: int) -> None:
    y = pickle.loads(pickle.dumps(x, protocol))
    assert (y.dtype, y.shape, y.requires_grad) == (x.dtype, x.shape, x.requires_grad)
    assert y.tolist() == x.tolist()
    assert y.dtype is x.dtype


class Tagged(Tensor):
    """A subclass that declares an attribute."""

    tag: str


def test_dict_has_the_users_attributes_only_declared_or_not() -> None:
    x = tensor([1.0], requires_grad=True)
    x.sum().backward()
    assert vars(x) == {}
    tagged = Tagged([1.0])
    tagged.tag, tagged.note = "a", 5  # type: ignore[attr-defined]
    assert vars(tagged) == {"tag": "a", "note": 5}
    assert vars(copy.copy(tagged)) == vars(copy.deepcopy(tagged)) == {"tag": "a", "note": 5}
