"""The tensor: an array, and what autograd needs to know about it.

A `Tensor` is a NumPy array with flags (does it require a gradient, which node made it) and a place
for its gradient. Arithmetic, functions and views are not here: they are rows of the table in
`minigrad.ops`, which are attached to the class as methods.

A 0-d result is kept as a NumPy scalar (`np.float32(5.)`): arithmetic on those is six times faster
than on 0-d arrays. A scalar has no memory to share, so `as_array` makes it an array when something
has to be shared.

Source: https://docs.pytorch.org/docs/2.13/tensors.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import copying, dtypes, errors
from .devices import CPU, device
from .dtypes import Size, dtype
from .formatting import format_number, tensor_repr

if TYPE_CHECKING:
    import weakref

    from .hooks import LeafHooks, RemovableHandle
    from .inplace import View
    from .node import AccumulateGrad, Edge, Node

new = object.__new__


class Tensor:
    """An n-dimensional array that can record how it was computed.

    Attributes:
        dtype: the type of the elements.
        _data: the values: a NumPy array, or a NumPy scalar for a 0-d tensor.
        _requires_grad: whether gradients flow to, or through, this tensor.
        _edge: where they flow on to: the node that made it; None for a leaf.
        _grad: the gradient, once backward has brought one.
        _counter: [how often the memory was changed in place, by which operation]; shared by all
            tensors that share the memory; None until somebody asks, which means 0.
        _accumulator: weak reference to the AccumulateGrad of a leaf.
        _view: for a view of another tensor, of which one and how.
        _hooks: the hooks of a leaf.
    """

    __slots__ = (
        "__dict__", "__weakref__", "_accumulator", "_counter", "_data", "_edge", "_grad", "_hooks",
        "_requires_grad", "_view", "dtype",
    )  # fmt: skip

    dtype: dtype
    _data: Any
    _requires_grad: bool
    _edge: Edge
    _grad: Tensor | None
    _counter: list[Any] | None
    _accumulator: weakref.ref[AccumulateGrad] | None
    _view: View | None
    _hooks: LeafHooks | None

    __array_priority__ = 1000  # np.array([1., 2.]) * tensor is ours to compute

    def __new__(cls, *values: Any) -> Tensor:
        """`Tensor([1., 2.])`: float32 with these values; `Tensor(2, 3)`: of this shape."""
        tensor: Tensor = creation.legacy_constructor(dtypes.default)(*values)
        return tensor if cls is Tensor else recast(tensor, cls)

    # What it is

    @property
    def shape(self) -> Size:
        """The lengths of the dimensions, as a `torch.Size`."""
        return Size(self._data.shape)

    @property
    def ndim(self) -> int:
        return len(self._data.shape)

    def dim(self) -> int:
        """The number of dimensions."""
        return self.ndim

    def size(self, dim: int | None = None) -> Size | int:
        """The shape, or the length of one dimension. IndexError if there is no such dimension."""
        if dim is None:
            return self.shape
        if self.ndim == 0:
            raise errors.no_dimensions(dim)
        return int(self.shape[wrap_dim(dim, self.ndim)])

    def numel(self) -> int:
        """The number of elements."""
        return int(self._data.size)

    nelement = numel

    ndimension = dim

    @property
    def device(self) -> device:
        """Where the tensor lives: on the CPU."""
        return CPU

    is_cuda = False

    def is_inference(self) -> bool:
        """Whether it was made in inference mode."""
        return self._counter is grad_mode.UNTRACKED

    def storage_offset(self) -> int:
        """How many elements lie in memory before the first one: those of its base."""
        base = self if self._view is None else self._view.base
        return (self.data_ptr() - base.data_ptr()) // self.dtype.itemsize

    def element_size(self) -> int:
        """Bytes an element."""
        return self.dtype.itemsize

    def is_floating_point(self) -> bool:
        return self.dtype.is_floating_point

    def is_contiguous(self) -> bool:
        return bool(self._data.flags.c_contiguous)

    def data_ptr(self) -> int:
        """The address of the first element."""
        return as_array(self).ctypes.data

    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """Steps between neighbours along each dimension, in elements; or along one of them."""
        steps = tuple(step // self.dtype.itemsize for step in self._data.strides)
        return steps if dim is None else steps[wrap_dim(dim, len(steps))]

    @property
    def class_of_results(self) -> type[Tensor]:
        """The class of what operations on it give: its own; Tensor for a Parameter."""
        return type(self)

    # What autograd knows about it

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        view = self._view
        return self._requires_grad or (view is not None and view.base._requires_grad)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if self._edge is not None:
            raise errors.flag_of_non_leaf(value)
        if value and not self.dtype.is_floating_point:
            raise errors.only_floats_require_grad("only")
        if value and self.is_inference() and not grad_mode.is_inference_mode_enabled():
            raise errors.flag_of_inference_tensor()
        self._requires_grad = value

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set `requires_grad` in place and return the tensor. RuntimeError as on assignment."""
        if not isinstance(requires_grad, bool):
            raise errors.argument_type("requires_grad_", "requires_grad", 1, "bool", requires_grad)
        if requires_grad and not self.dtype.is_floating_point:
            raise errors.only_floats_require_grad("only", "floating point")
        if not (requires_grad and self.requires_grad and not self.is_inference()):
            self.requires_grad = requires_grad
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor; None for a leaf."""
        if self._view is not None:
            self._view.refresh(self, strict=True)
        edge = self._edge
        return edge[0] if isinstance(edge, tuple) else edge

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this tensor is."""
        return self._edge[1] if isinstance(self._edge, tuple) else 0

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made it; only leaves get a `.grad` by themselves."""
        return self.grad_fn is None

    @property
    def retains_grad(self) -> bool:
        """Whether this non-leaf keeps its gradient (see `retain_grad`)."""
        node = self.grad_fn
        if node is None or node.extra is None:
            return False
        reference = node.extra.retaining.get(self.output_nr)
        return reference is not None and reference() is self

    @property
    def grad(self) -> Tensor | None:
        """The gradient that has accumulated; None before backward, and for most non-leaves."""
        if self._grad is None and self._edge is not None and not self.retains_grad:
            errors.warn_grad_of_non_leaf()
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            check_grad(self, value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def retain_grad(self) -> None:
        """Keep this non-leaf's gradient in `.grad`. RuntimeError without requires_grad."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        node = self.grad_fn
        if node is not None:
            node.extras().retaining[self.output_nr] = weakref.ref(self)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
        """Call `hook(grad)` when this tensor's gradient is there; what it returns replaces it."""
        if not self.requires_grad:
            raise errors.nothing_to_hook()
        node = self.grad_fn
        if node is None:
            return hooks.RemovableHandle(leaf_hooks(self).pre, hook)
        registered = node.extras().tensor_hooks.setdefault(self.output_nr, hooks.HookDict())
        return hooks.RemovableHandle(registered, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call `hook(leaf)` each time backward has added to this leaf's `.grad`."""
        if not self.requires_grad:
            raise errors.nothing_to_hook()
        if self._edge is not None:
            raise errors.no_leaf_to_hook()
        return hooks.RemovableHandle(leaf_hooks(self).post_accumulate, hook)

    def backward(
        self,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensor | Sequence[Tensor] | None = None,
    ) -> None:
        """Add the gradient of this tensor to the `.grad` of the leaves it was computed from.

        Args:
            gradient: the cotangent, of this tensor's shape; a 0-d one by default, for one-element
                tensors.
            retain_graph: keep the saved values for another backward (default: `create_graph`).
            create_graph: record backward itself, for higher derivatives.
            inputs: accumulate into these tensors only.

        Raises:
            RuntimeError: no graph, a freed graph, a wrong cotangent shape, or none where one is
                needed.
        """
        engine.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    # Memory: what is shared, what is changed

    @property
    def _version(self) -> int:
        """How often this tensor's memory has been changed in place."""
        if self._counter is grad_mode.UNTRACKED:
            raise RuntimeError("Inference tensors do not track version counter.")
        return self._counter[0] if self._counter is not None else 0

    @property
    def _base(self) -> Tensor | None:
        """The tensor that this one is a view of."""
        return self._view.base if self._view is not None else None

    def _is_view(self) -> bool:
        return self._view is not None

    @property
    def data(self) -> Tensor:
        """The same memory without graph and version counter: edits through it go unnoticed."""
        return recast(new_tensor(as_array(self)), self.class_of_results)

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise errors.data_type(value)
        if self._requires_grad and not value.dtype.is_floating_point:
            raise errors.data_dtype()
        self._data, self.dtype = as_array(value), value.dtype

    def detach(self) -> Tensor:
        """A tensor outside the graph that shares this one's memory and version counter."""
        tensor = new_tensor(as_array(self))
        tensor._counter = version_counter(self)
        return recast(tensor, self.class_of_results)

    def detach_(self) -> Tensor:
        """Cut this tensor out of its graph: it becomes a leaf. RuntimeError for a view."""
        if self._view is not None:
            raise errors.view_detached_in_place()
        self._edge, self._requires_grad = None, False
        return self

    # Out of the tensor

    def item(self) -> float | int | bool:
        """The value of a one-element tensor as a Python number. RuntimeError for others."""
        if self._data.size != 1:
            raise errors.item_of_many(self._data.size)
        number: float | int | bool = self._data.item()
        return number

    def tolist(self) -> Any:
        """The values as nested lists of Python numbers; a number for a 0-d tensor."""
        return self._data.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray[Any, Any]:
        """The array itself, sharing memory. RuntimeError if it requires grad, unless `force`."""
        if self.requires_grad and not force and grad_mode.is_grad_enabled():
            raise errors.needs_detach_for_numpy()
        return as_array(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.numpy(), dtype, copy=copy)

    def __array_wrap__(
        self, array: np.ndarray[Any, Any], context: Any = None, return_scalar: bool = False
    ) -> Tensor:
        return new_tensor(array)  # what np.sin(tensor), or tensor * array, gives

    def __repr__(self) -> str:
        prefix = "tensor(" if self.class_of_results is Tensor else f"{type(self).__name__}("
        suffixes = []
        try:
            node = self.grad_fn
            if node is not None:
                suffixes = [f"grad_fn=<{type(node).__name__}>"]
            elif self._requires_grad:
                suffixes = ["requires_grad=True"]
        except RuntimeError:  # a view that cannot follow what was done to its base
            suffixes = ["grad_fn=<Invalid>"]
        return tensor_repr(self._data, suffixes, prefix=prefix)

    def __format__(self, specification: str) -> str:
        if self._data.ndim == 0 and type(self) is Tensor:
            return format_number(self._data, specification)
        return object.__format__(self, specification)

    def __float__(self) -> float:
        if self._requires_grad:
            errors.warn_number_of_recorded()
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())  # in silence, unlike `float`

    def __index__(self) -> int:
        if self._data.size != 1 or self.dtype.category == 2:
            raise errors.no_index()
        return int(self._data.item())

    def _number(self) -> float | int | bool:
        if self._data.size != 1:
            raise errors.number_of_many()
        return self.item()

    def __bool__(self) -> bool:
        if self._data.size != 1:
            raise errors.truth_of_many(self._data.size)
        return bool(self._data)

    def __len__(self) -> int:
        if self._data.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._data)

    def __iter__(self) -> Iterator[Tensor]:
        if self._data.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, value: Any) -> bool:
        if not isinstance(value, (Tensor, bool, int, float, np.number, np.bool_)):
            raise errors.membership_type(value)
        equal: Any = self == value
        return bool(equal.any())

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __hash__(self) -> int:
        return id(self)  # by identity, although == compares elements

    __reduce_ex__ = copying.reduce_ex
    __deepcopy__ = copying.deepcopy

    def as_subclass(self, cls: type[Tensor]) -> Tensor:
        """A view of the whole tensor that is an instance of `cls`, a subclass (else TypeError)."""
        if not issubclass(cls, Tensor):
            raise errors.no_subclass()
        return recast(ops.indexing.alias(self), cls)

    if TYPE_CHECKING:  # the operations are attached by minigrad.ops
        T: Tensor
        mT: Tensor  # noqa: N815

        def __getattr__(self, name: str) -> Callable[..., Tensor]: ...
        def __pos__(self) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

        __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __add__
        __pow__ = __rpow__ = __matmul__ = __lt__ = __le__ = __gt__ = __ge__ = __getitem__ = __add__


def new_tensor(data: Any, requires_grad: bool = False) -> Tensor:
    """A leaf around a NumPy array or scalar, without a copy."""
    tensor: Tensor = new(Tensor)
    tensor._data = data
    tensor.dtype = dtypes.from_numpy_dtype(data.dtype)
    tensor._requires_grad = requires_grad
    tensor._edge = tensor._grad = tensor._counter = None
    tensor._accumulator = tensor._view = tensor._hooks = None
    return tensor


def recast(tensor: Tensor, cls: type[Tensor]) -> Tensor:
    """A fresh tensor that nobody else holds yet, as an instance of `cls`."""
    if cls is Tensor:
        return tensor
    made: Tensor = new(cls)
    for name in ("dtype", "_data", "_requires_grad", "_edge", "_counter", "_view"):
        setattr(made, name, getattr(tensor, name))
    made._grad = made._accumulator = made._hooks = None
    return made


def is_tensor(value: Any) -> bool:
    return isinstance(value, Tensor)


def as_array(tensor: Tensor) -> np.ndarray[Any, Any]:
    """The tensor's memory as an array, which can be shared; a scalar becomes one."""
    data = tensor._data
    if data.__class__ is not np.ndarray:
        data = tensor._data = np.array(data)
    array: np.ndarray[Any, Any] = data
    return array


def version_counter(tensor: Tensor) -> list[Any]:
    """The counter of the tensor's memory; made now if nobody needed it before."""
    if tensor._counter is None:
        tensor._counter = [0]
    return tensor._counter


def leaf_hooks(leaf: Tensor) -> LeafHooks:
    if leaf._hooks is None:
        leaf._hooks = hooks.LeafHooks()
        node = None if leaf._accumulator is None else leaf._accumulator()
        if node is not None:
            node.extras()  # the engine looks there for hooks
    return leaf._hooks


def wrap_dim(dim: int, ndim: int) -> int:
    """`dim` counted from the front. IndexError if out of range; a 0-d tensor has -1 and 0."""
    rank = max(ndim, 1)
    if not -rank <= dim < rank:
        raise errors.no_such_dim(dim, rank)
    return dim % rank


def check_grad(tensor: Tensor, grad: Any) -> None:
    """Raise unless `grad` may stand in `tensor.grad`."""
    if not isinstance(grad, Tensor):
        raise errors.grad_type(grad)
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad.dtype is not tensor.dtype:
        raise errors.grad_dtype(grad, tensor)
    if grad.shape != tensor.shape:
        raise errors.grad_shape(grad, tensor)


# Everything below needs the class above: the modules import each other.
import weakref  # noqa: E402

from . import creation, engine, grad_mode, hooks, ops  # noqa: E402
