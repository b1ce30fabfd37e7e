"""The tensor: an array, and what autograd needs to know about it.

Arithmetic, functions and views are rows of the table in `minigrad.ops`, which attaches them to this
class as methods. What a later chapter adds to the class is in the module that the chapter builds.

Source: https://docs.pytorch.org/docs/2.13/tensors.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any, TYPE_CHECKING

from ..support import observers
from ..support.checks import check_flag, check_grad, check_grad_read, check_requires_grad
from ..support.errors import only_floats_require_grad
from ..support.version_counters import counts_no_versions
from ..support.methods import UsersAttributes, refuses_changes
from ..rows.data import to_array
from ..support.dtypes import dtype, from_numpy_dtype
from ..rows.operands import as_array as as_array  #@03
from ..support.tensor_base import TensorBase

if TYPE_CHECKING:
    import weakref

    from ..support.hook_handles import HookDict, RemovableHandle
    from .inplace import View
    from .node import AccumulateGrad, Node


@refuses_changes  #@rare
class Tensor(TensorBase):
    """An n-dimensional array that can record how it was computed."""

    _requires_grad: bool = False  # whether operations on it are recorded
    _grad: Tensor | None = None  # the gradient, once backward has computed one
    _node: Node | None = None  # the node of the operation that computed it
    _output_nr: int = 0  # which output of its node it is  #@03
    _accumulator: weakref.ref[AccumulateGrad] | None = None  # the node of a leaf  #@03
    _counter: list[int] | None = None  # [how often its memory was changed], shared by views  #@11
    _view: View | None = None  # the base, if it is a view  #@11
    _hooks: HookDict | None = None  # the hooks of a leaf, None before the first  #@15
    _after_hooks: HookDict | None = None  # those that run after `.grad` is updated  #@15

    __dict__ = UsersAttributes()  #@rare

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        if self._view is not None and self._view.base._requires_grad:  #@22
            return True
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        check_requires_grad(self, value)
        self._requires_grad = value

    @property
    def grad(self) -> Tensor | None:
        """The gradient that backward computed; None before that, and for most non-leaves."""
        check_grad_read(self)
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        check_grad(self, value)
        self._grad = value

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that computed this tensor; None for a leaf."""
        if self._view is not None:  #@22
            self._view.refresh(self)
        return self._node

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation computed it; only leaves get a `.grad` on their own."""
        return self.grad_fn is None

    def detach(self) -> Tensor:  #@10
        """A tensor outside the graph that shares this one's memory, and its version counter."""
        out = without_graph(self)
        if observers.results:  #@rare
            out = observers.made("detach", (self,), out)
        return out

    if TYPE_CHECKING:  # what later chapters, `ops` and `more` attach  #@rare
        ndim: int
        data: Tensor
        _version: int
        retains_grad: bool
        _class_of_results: type[Tensor]

        def __getattr__(self, name: str) -> Callable[..., Tensor]: ...
        def tolist(self) -> Any: ...
        def numpy(self, *, force: bool = False) -> Any: ...
        def register_hook(self, hook: Any) -> RemovableHandle: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __len__(self) -> int: ...
        def numel(self) -> int: ...
        def data_ptr(self) -> int: ...
        def stride(self) -> tuple[int, ...]: ...
        def storage_offset(self) -> int: ...
        def unbind(self, dim: int = 0) -> tuple[Tensor, ...]: ...
        def __neg__(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __pow__ = __rpow__ = __matmul__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __add__


def tensor(data: Any, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """A new tensor that holds a copy of `data`: a number, nested lists, an array or a tensor.

    By default Python's floats become float32 and its ints int64, and an array keeps its dtype.
    Raises RuntimeError if `requires_grad` is True and the elements are not floats, ValueError for
    ragged lists, TypeError for elements that are not numbers and a flag that is not a bool.
    """
    check_flag(requires_grad)
    array = copy(to_array(data, dtype))
    if requires_grad and array.dtype.kind != "f":
        raise only_floats_require_grad()
    return new_tensor(array, requires_grad)


def new_tensor(array: Any, requires_grad: bool = False) -> Tensor:
    """A tensor around an array, without a copy."""
    made = object.__new__(Tensor)
    made._data = array
    made.dtype = from_numpy_dtype(array.dtype)
    made._requires_grad = requires_grad
    return made


def without_graph(tensor: Tensor) -> Tensor:  #@03
    """A tensor with the same memory that is not part of any graph."""
    made = new_tensor(as_array(tensor))
    made._counter = version_counter(tensor)  #@11
    return made


def version_counter(tensor: Tensor) -> list[int]:  #@11
    """The version counter of the tensor's memory, created when it is first needed."""
    if tensor._counter is None:
        tensor._counter = [0]
    return tensor._counter


def count_change(tensor: Tensor) -> None:  #@11
    """Count one more change of the tensor's memory."""
    if counts_no_versions(tensor):  #@rare
        return
    version_counter(tensor)[0] += 1
