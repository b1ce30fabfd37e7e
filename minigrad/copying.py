"""Copies of tensors by `copy.deepcopy` and `pickle`.

A copy is a leaf: the graph does not come along. `deepcopy` copies the gradient, pickling leaves it
behind. Tensors that share memory have copies that share it, if one `deepcopy` makes them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors

if TYPE_CHECKING:
    from .tensor import Tensor


def reduce_ex(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    """How to make the tensor anew: what `Tensor.__reduce_ex__` tells pickle and `copy.copy`."""
    for hook in self._hooks.pre.values() if self._hooks is not None else ():
        errors.warn_hook_not_pickled(hook)
    return rebuild, (type(self), tensor.as_array(self), self._requires_grad, self.__dict__)


def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """`Tensor.__deepcopy__`: RuntimeError for a tensor that an operation made."""
    import copy  # late, to keep `import minigrad` short; whoever calls this has it

    if self._edge is not None:
        raise errors.copy_of_non_leaf()
    data = self._data
    if data.__class__ is np.ndarray:
        data = copy_of_memory(data, memo)
    clone = memo[id(self)] = rebuild(type(self), data, self._requires_grad, {})
    clone.__dict__.update(copy.deepcopy(self.__dict__, memo))
    clone._grad = copy.deepcopy(self._grad, memo)
    return clone


def rebuild(
    cls: type[Tensor], data: Any, requires_grad: bool, attributes: dict[str, Any]
) -> Tensor:
    """What unpickling and copying call."""
    made = tensor.recast(tensor.new_tensor(data, requires_grad), cls)
    made._counter = [1]  # PyTorch puts the memory into the tensor after making it
    made.__dict__.update(attributes)
    return made


def copy_of_memory(array: np.ndarray[Any, Any], memo: dict[int, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array; in one deepcopy, arrays that share memory have copies that share it."""
    import copy

    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = copy.deepcopy(owner, memo).ravel("K")
    offset = array.ctypes.data - owner.ctypes.data
    part: np.ndarray[Any, Any] = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    part.flags.writeable = array.flags.writeable
    return part


from . import tensor  # noqa: E402 - which puts these functions on the class
