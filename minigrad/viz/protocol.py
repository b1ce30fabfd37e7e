"""The part of PyTorch's public protocol through which drawings read tensors and nodes.

Nothing here imports a tensor library, so the same code draws the graphs of minigrad, of PyTorch,
and of the first versions of a tensor that a notebook writes.
"""

import inspect
import sys
from collections.abc import Hashable, Iterator
from types import ModuleType
from typing import Any, Protocol, TypeGuard

import numpy as np

_MISSING = object()


class NodeLike(Protocol):
    """A recorded operation, PyTorch's `torch.autograd.graph.Node`.

    What it has saved is under `_saved_<name>`, or in `saved_tensors` for a user's `Function`.
    Source: https://docs.pytorch.org/docs/stable/notes/autograd.html#saved-tensors
    """

    @property
    def next_functions(self) -> tuple[tuple["NodeLike | None", int], ...]:
        """For each input, the node that receives its gradient, and which of its outputs that is."""

    def register_hook(self, hook: Any, /) -> Any:
        """Call `hook(grad_inputs, grad_outputs)` each time the node has run."""


class ArrayLike(Protocol):
    """Anything that numbers are read from: a tensor or a NumPy array."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""

    @property
    def dtype(self) -> Any:
        """The element type; its `str` ends in a name like "float32"."""


class TensorLike(ArrayLike, Protocol):
    """A tensor of minigrad, of PyTorch, or of a notebook's draft."""

    @property
    def requires_grad(self) -> bool:
        """Whether operations on the tensor are recorded."""

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded operation made the tensor."""

    @property
    def grad_fn(self) -> NodeLike | None:
        """The operation that made the tensor."""

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` the tensor is."""

    grad: Any


class ModuleLike(Protocol):
    """A network or a part of one, PyTorch's `torch.nn.Module`."""

    def named_parameters(self) -> Iterator[tuple[str, TensorLike]]:
        """Every parameter with its path, such as "0.weight"."""

    def named_children(self) -> Iterator[tuple[str, "ModuleLike"]]:
        """The modules that this one is made of, by name."""


def is_tensor(thing: object) -> TypeGuard[TensorLike]:
    """Tell whether `thing` follows the protocol, without running any of its code.

    The caller's variables may be anything, such as lazy modules and mocks.
    """
    return not isinstance(thing, type) and all(
        inspect.getattr_static(thing, name, _MISSING) is not _MISSING
        for name in ("grad_fn", "is_leaf", "requires_grad")
    )


def is_module(thing: object) -> TypeGuard[ModuleLike]:
    """Tell whether `thing` is a network or a part of one."""
    return callable(getattr(type(thing), "named_children", None))


def is_node(thing: object) -> bool:
    """Tell whether `thing` is a recorded operation, or the AccumulateGrad of a leaf."""
    return hasattr(thing, "next_functions")


def is_accumulator(node: NodeLike) -> bool:
    """Tell whether `node` is the AccumulateGrad of a leaf."""
    return type(node).__name__ == "AccumulateGrad"


def output_of(tensor: TensorLike) -> int:
    """Return which output of its `grad_fn` a tensor is; a draft's node has only one."""
    return getattr(tensor, "output_nr", 0)


def variable_of(accumulator: NodeLike) -> TensorLike:
    """Return the leaf that an AccumulateGrad belongs to."""
    leaf: TensorLike = accumulator.variable  # type: ignore[attr-defined]
    return leaf


def hooks_of(thing: NodeLike | TensorLike, register: str) -> dict[int, Any]:
    """Return the dictionary of the hooks that the method `register` of `thing` has registered.

    PyTorch does not show it, but the handle of one more hook refers to it.
    """
    try:
        handle = getattr(thing, register)(lambda *gradients: None)
    except Exception:  # a tensor that cannot have such hooks, or a draft
        return {}
    kept: dict[int, Any] = getattr(handle, "hooks_dict_ref", dict)()
    handle.remove()
    return kept


def name_of_hook(hook: Any) -> str:
    """Return what a hook is called: its function's name, or its class."""
    name: str = getattr(hook, "__name__", type(hook).__name__)
    return name.strip("<>")  # "<lambda>"


def shares_memory(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors share memory, as a tensor and its `detach()` do."""
    first, second = memory_of(one), memory_of(other)
    arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return np.may_share_memory(first, second) if arrays else False


def is_same_data(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors have the same data, as a saved tensor and its original do."""
    return data_key(one) == data_key(other)


def data_key(tensor: TensorLike) -> Hashable:
    """Return a key that is equal for two living tensors only if they have the same data."""
    memory = memory_of(tensor)
    if isinstance(memory, np.ndarray):
        return memory.__array_interface__["data"], memory.shape, memory.strides, memory.dtype.str
    return id(tensor if memory is None else memory)


def elements_of(tensor: ArrayLike) -> Any:
    """Return the elements as nested lists, None if there are none (on the device "meta")."""
    try:
        return tensor.tolist()  # type: ignore[attr-defined]
    except (AttributeError, NotImplementedError, RuntimeError):
        data = getattr(tensor, "_data", None)  # in a library without `tolist` so far
        return None if data is None else data.tolist()


def memory_of(tensor: TensorLike) -> Any:
    """Return the array behind `tensor`, None if it cannot be read.

    A 0-d tensor of minigrad may hold a NumPy scalar, which `detach()` would turn into an array, so
    `_data` is read first: that leaves the caller's tensor as it is.
    """
    data = getattr(tensor, "_data", None)
    if data is not None:
        return data
    try:
        return tensor.detach().numpy()  # type: ignore[attr-defined]
    except (AttributeError, RuntimeError, TypeError):  # a draft, or not in the CPU's memory
        return None


def library_of(tensor: TensorLike) -> ModuleType | None:
    """Return the library of `tensor`, None for a draft, or for a library without hooks so far."""
    for base in type(tensor).__mro__:
        place = base.__module__.split(".")
        for length in range(1, len(place) + 1):
            module = sys.modules.get(".".join(place[:length]))
            if base.__name__ == "Tensor" and _is_complete(module):
                return module
    return None


def _is_complete(module: ModuleType | None) -> bool:
    """Tell whether `module` is a library with the hooks to watch a pass."""
    autograd = getattr(module, "autograd", None)
    return hasattr(autograd, "grad") and hasattr(getattr(module, "Tensor", None), "register_hook")
