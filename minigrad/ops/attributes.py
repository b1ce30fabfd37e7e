"""Attributes and methods that record nothing: sizes, memory, conversion to numbers, text, arrays.

Those that need views or grad modes exist from the chapters on that build them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.grad_mode import is_grad_enabled
from ..core.node import Node
from ..core.tensor import Tensor, new_tensor
from ..support import errors, observers
from ..support.checks import check_new_data
from ..support.version_counters import counts_no_versions
from ..rows.declarations import export
from ..support.devices import CPU, device, strided
from ..support.dtypes import Size
from ..support.methods import method_of, property_of, refusing
from ..rows.operands import as_array
from ..support.shapes import wrap_dim

FACTS = {
    "name": None, "layout": strided, "is_cpu": True, "is_cuda": False, "is_meta": False,
    "is_mps": False, "is_quantized": False, "is_sparse": False, "is_xpu": False,
}  # fmt: skip


def same_for_all(value: Any) -> Any:
    """A property that has this value for every tensor."""
    return property(lambda self: value)


for _name, _value in FACTS.items():
    setattr(Tensor, _name, refusing(_name, same_for_all(_value)))


@property_of(Tensor)
def output_nr(self: Tensor) -> int:
    """The index of this tensor among the outputs of its `grad_fn`."""
    return self._output_nr


@method_of(Node)
def _sequence_nr(self: Node) -> int:
    """The sequence number of a node, which is larger for newer nodes."""
    return self._seq


@property_of(Tensor, "ndim")
@method_of(Tensor, "dim", "ndimension")
def dim(self: Tensor) -> int:
    """The number of dimensions."""
    return len(self._data.shape)


@method_of(Tensor)
def size(self: Tensor, dim: int | None = None) -> Size | int:
    """The shape, or the length of one dimension. IndexError if there is no such dimension."""
    if dim is None:
        return self.shape
    if self.ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return int(self.shape[wrap_dim(dim, self.ndim)])


@export()
@method_of(Tensor, "numel", "nelement")
def numel(self: Tensor) -> int:
    """The number of elements."""
    return int(self._data.size)


@property_of(Tensor)
def nbytes(self: Tensor) -> int:
    """The size of all elements in bytes."""
    return int(self._data.nbytes)


@property_of(Tensor, "device")
def device_(self: Tensor) -> device:
    """The device of the tensor, which is always the CPU."""
    return CPU


@method_of(Tensor)
def storage_offset(self: Tensor) -> int:  #@11
    """The offset of the first element from that of its base, in elements."""
    base = self if self._view is None else self._view.base
    if not np.may_share_memory(base._data, self._data):  # `.data` was assigned other memory
        return 0
    return (self.data_ptr() - base.data_ptr()) // self.dtype.itemsize


@property_of(Tensor, "itemsize")
@method_of(Tensor)
def element_size(self: Tensor) -> int:
    """The size of an element in bytes."""
    return self.dtype.itemsize


@export()
@method_of(Tensor)
def is_floating_point(self: Tensor) -> bool:
    """Whether the elements are floating-point numbers."""
    return self.dtype.is_floating_point


@method_of(Tensor)
def is_contiguous(self: Tensor) -> bool:
    """Whether the elements are in memory in the order of their indices, without gaps."""
    return bool(self._data.flags.c_contiguous)


@method_of(Tensor)
def data_ptr(self: Tensor) -> int:
    """The memory address of the first element."""
    address: int = as_array(self).ctypes.data
    return address


@method_of(Tensor)
def stride(self: Tensor, dim: int | None = None) -> tuple[int, ...] | int:
    """The strides of all dimensions, or the stride of `dim`, in elements."""
    steps = tuple(step // self.dtype.itemsize for step in self._data.strides)
    return steps if dim is None else steps[wrap_dim(dim, len(steps))]


# Autograd: flags, versions and views


@method_of(Tensor)
def requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Set `requires_grad` in place and return the tensor. RuntimeError as for an assignment."""
    if not isinstance(requires_grad, bool):
        raise errors.argument_type("requires_grad_", "requires_grad", 1, "bool", requires_grad)
    if requires_grad and not self.dtype.is_floating_point:
        raise errors.only_floats_require_grad("only", "floating point")
    if not (requires_grad and self._requires_grad and not counts_no_versions(self)):
        self.requires_grad = requires_grad
    return self


@property_of(Tensor)
def retains_grad(self: Tensor) -> bool:
    """Whether this non-leaf keeps its gradient (see `retain_grad`)."""
    retaining = getattr(self._node, "_retaining", {})
    reference = retaining.get(getattr(self, "_output_nr", 0))
    return reference is not None and reference() is self


def data_of(self: Tensor) -> Tensor:  #@11
    """A tensor on the same memory without history and version counter, so changes are unnoticed."""
    out = new_tensor(as_array(self))
    if counts_no_versions(self):
        out._counter = self._counter
    if observers.results:
        out = observers.made("data", (self,), out)
    return out


def set_data(self: Tensor, value: Tensor) -> None:  #@11
    """Make the tensor use the memory of `value`."""
    check_new_data(self, value)
    self._data, self.dtype = as_array(value), value.dtype


method_of(Tensor, "data")(refusing("data", property(data_of, set_data)))  #@11


@property_of(Tensor)
def _version(self: Tensor) -> int:  #@11
    """How often this tensor's memory has been changed in place."""
    return 0 if self._counter is None else self._counter[0]


@property_of(Tensor)
def _base(self: Tensor) -> Tensor | None:  #@11
    """The tensor that this one is a view of, or None."""
    return self._view.base if self._view is not None else None


@method_of(Tensor)
def _is_view(self: Tensor) -> bool:  #@11
    return self._view is not None


@method_of(Tensor)
def detach_(self: Tensor) -> Tensor:  #@07
    """Cut this tensor out of its graph: it becomes a leaf. RuntimeError for a view."""
    if self._view is not None:  #@rare
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using"
            " DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as"
            " True, gradients are views of DDP buckets, and hence detach_() cannot be called on"
            " these gradients. To fix this error, please refer to the Optimizer.zero_grad()"
            " function in torch/optim/optimizer.py as the solution."
        )
    if self._node is not None:  # the hooks move to the leaf  #@15
        self._hooks = self._node._tensor_hooks.get(self._output_nr)
    self._node, self._output_nr, self._requires_grad = None, 0, False
    return self


# Conversion to numbers, arrays and text


@method_of(Tensor)
def tolist(self: Tensor) -> Any:
    """The values as nested lists of Python numbers, or as one number for a 0-d tensor."""
    return self._data.tolist()


@method_of(Tensor)
def numpy(self: Tensor, *, force: bool = False) -> np.ndarray[Any, Any]:
    """An array on the same memory. RuntimeError if the tensor requires grad, unless `force`."""
    array: np.ndarray[Any, Any] = as_array(self).view()
    if self.requires_grad and not force:
        if not is_grad_enabled():  #@10
            return array
        raise errors.needs_detach_for_numpy()
    return array


@method_of(Tensor)
def __array__(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
    return np.array(self.numpy(), dtype, copy=copy)


@method_of(Tensor)
def __array_wrap__(
    self: Tensor, array: np.ndarray[Any, Any], context: Any = None, return_scalar: bool = False
) -> Tensor:
    return new_tensor(np.asarray(array))  # the result of np.sin(tensor)


@method_of(Tensor)
def __format__(self: Tensor, specification: str) -> str:
    if self._data.ndim == 0 and type(self) is Tensor:
        return format(self._data.item(), specification)  # float32 0.6 is 0.6000000238418579
    return object.__format__(self, specification)


@method_of(Tensor)
def __float__(self: Tensor) -> float:
    if self.requires_grad:
        errors.warn(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected"
            " behavior.\nConsider using tensor.detach() first."
        )
    return float(number_in(self))


@method_of(Tensor)
def __int__(self: Tensor) -> int:
    return int(number_in(self))  # without the warning of `float`, as in PyTorch


@method_of(Tensor)
def __index__(self: Tensor) -> int:
    if self._data.size != 1 or self.dtype.category == 2:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(self._data.item())


def number_in(tensor: Tensor) -> float | int | bool:
    """The number in a one-element tensor. ValueError for other tensors."""
    if tensor._data.size != 1:
        raise ValueError("only one element tensors can be converted to Python scalars")
    return tensor.item()


@method_of(Tensor)
def __bool__(self: Tensor) -> bool:
    if self._data.size != 1:
        what = "more than one value" if self._data.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    return bool(self._data)


@method_of(Tensor)
def __len__(self: Tensor) -> int:
    if self._data.ndim == 0:
        raise TypeError("len() of a 0-d tensor")
    return len(self._data)


@method_of(Tensor)
def __iter__(self: Tensor) -> Iterator[Tensor]:
    if self._data.ndim == 0:
        raise TypeError("iteration over a 0-d tensor")
    parts: Iterator[Tensor] = iter(self.unbind(0))
    return parts


@method_of(Tensor)
def __contains__(self: Tensor, value: Any) -> bool:
    if not isinstance(value, (Tensor, bool, int, float, np.number, np.bool_)):
        raise RuntimeError(
            "Tensor.__contains__ only supports Tensor or scalar, but you passed in a"
            f" {type(value)}."
        )
    equal: Any = self == value
    return bool(equal.any())


@method_of(Tensor)
def __delitem__(self: Tensor, index: Any) -> None:
    raise TypeError("Tensor does not support deleting items")


@method_of(Tensor)
def __hash__(self: Tensor) -> int:
    return id(self)  # by identity, although == compares elements


def is_tensor(value: Any) -> bool:
    """Whether `value` is a tensor."""
    return isinstance(value, Tensor)
