"""Copies of tensors by `copy.deepcopy` and `pickle`.

A copy is a leaf, because the graph is not copied. `deepcopy` copies the gradient as well, but
pickling drops it. Tensors that share memory get copies that share memory, too, if they are part of
the same `deepcopy`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.tensor import Tensor, as_array, new_tensor
from ..support import errors
from ..support.methods import method_of
from .subclasses import recast


@method_of(Tensor, "__reduce_ex__")
def reduce_ex(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    """`Tensor.__reduce_ex__`, which tells pickle and `copy.copy` how to rebuild the tensor."""
    for hook in (self._hooks or {}).values():
        errors.warn(
            f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you"
            " can decorate the function with @torch.utils.hooks.unserializable_hook to suppress"
            " this warning"
        )
    return rebuild, (type(self), as_array(self), self.requires_grad, self.__dict__)


@method_of(Tensor, "__deepcopy__")
def deepcopy(self: Tensor, memo: dict[int, Any]) -> Tensor:
    """`Tensor.__deepcopy__`. RuntimeError for a non-leaf."""
    import copy  # late, to keep `import minigrad` fast; the caller has imported it already

    if self._node is not None:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy"
            " protocol at the moment.  If you were attempting to deepcopy a module, this may be"
            " because of a torch.nn.utils.weight_norm usage, see"
            " https://github.com/pytorch/pytorch/pull/103001"
        )
    data = copy_of_memory(as_array(self), memo)
    clone = memo[id(self)] = rebuild(type(self), data, self.requires_grad, {})
    for name, value in copy.deepcopy(self.__dict__, memo).items():
        setattr(clone, name, value)
    clone._grad = copy.deepcopy(self._grad, memo)
    return clone


def rebuild(
    cls: type[Tensor], data: Any, requires_grad: bool, attributes: dict[str, Any]
) -> Tensor:
    """Rebuild a tensor; called by pickle and copy."""
    made = recast(new_tensor(data, requires_grad), cls)
    made._counter = [1]  # PyTorch sets the memory of the new tensor, which counts as a change
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def copy_of_memory(array: np.ndarray[Any, Any], memo: dict[int, Any]) -> np.ndarray[Any, Any]:
    """A copy of an array, which shares memory with the copies of arrays that share it now.

    `memo` is that of `copy.deepcopy`.
    """
    import copy

    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    memory = copy.deepcopy(owner, memo).ravel("K")
    offset = array.ctypes.data - owner.ctypes.data
    part: np.ndarray[Any, Any] = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    part.flags.writeable = array.flags.writeable
    return part
