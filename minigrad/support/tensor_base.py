"""A tensor without autograd: an array of one dtype, with a shape and a repr."""

from __future__ import annotations

from typing import Any

from .checks import check_one_element
from .dtypes import Size, dtype
from .formatting import show_tensor
from .methods import refuses_changes


@refuses_changes
class TensorBase:
    """The data of a tensor: `_data` is the array, `dtype` the type of its elements.

    PyTorch's class of the same name is written in C++.
    """

    _data: Any
    dtype: dtype

    @property
    def shape(self) -> Size:
        """The lengths of the dimensions."""
        return Size(self._data.shape)

    def item(self) -> float | int | bool:
        """The value of a one-element tensor as a Python number. RuntimeError for other tensors."""
        check_one_element(self)
        number: float | int | bool = self._data.item()
        return number

    def __repr__(self) -> str:
        return show_tensor(self)
