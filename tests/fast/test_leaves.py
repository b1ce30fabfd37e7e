"""A 0-d tensor holds a NumPy scalar until somebody shares its memory."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad as torch


@pytest.mark.parametrize("requires_grad", [False, True])
def test_an_unshared_number_is_a_scalar(requires_grad: bool) -> None:
    x = torch.tensor(3.0, requires_grad=requires_grad)
    assert (x * 2).item() == 6.0
    assert type(x._data) is np.float32


SHARING: list[Callable[[torch.Tensor], Any]] = [
    lambda x: x.data,
    lambda x: x.detach(),
    lambda x: x.detach().numpy(),
    lambda x: x.detach().view(1),
]


@pytest.mark.parametrize("share", SHARING, ids=["data", "detach", "numpy", "view"])
def test_what_was_shared_before_the_first_operation_stays_shared(share: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    other = share(x)
    assert (x * 2).item() == 6.0
    other[...] = 7.0
    assert x.item() == 7.0


def test_a_leaf_made_from_an_array_keeps_sharing_it() -> None:
    array = np.array(3.0, np.float32)
    x = torch.from_numpy(array).requires_grad_()
    assert (x * 2).item() == 6.0
    array[()] = 7.0
    assert x.item() == 7.0
