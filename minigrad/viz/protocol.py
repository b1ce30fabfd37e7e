"""What the drawings ask of a tensor and of a node: PyTorch's public protocol, and nothing else.

Nothing here imports a tensor library, so that the same code draws the graphs of minigrad, of
PyTorch and of the drafts that a notebook writes on the way.
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

    What it has saved is found under `_saved_<name>`, or `saved_tensors` in the user's operations.
    Source: https://docs.pytorch.org/docs/stable/notes/autograd.html#saved-tensors
    """

    @property
    def next_functions(self) -> tuple[tuple["NodeLike | None", int], ...]:
        """Where the gradient of each input goes on to, with the output number of that node."""

    def register_hook(self, hook: Any, /) -> Any:
        """Call `hook(grad_inputs, grad_outputs)` whenever the node has run backward."""


class ArrayLike(Protocol):
    """What the numbers of a drawing are read from: a tensor, or an array of NumPy's."""

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
    """Tell whether `thing` keeps to the protocol, without running any code of its own.

    The caller's variables may be anything (lazy modules, mocks), so they are only looked at.
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
    """Return which output of its `grad_fn` a tensor is; drafts have only one."""
    return getattr(tensor, "output_nr", 0)


def variable_of(accumulator: NodeLike) -> TensorLike:
    """Return the leaf that an AccumulateGrad belongs to."""
    leaf: TensorLike = accumulator.variable  # type: ignore[attr-defined]
    return leaf


def hooks_of(thing: NodeLike | TensorLike, register: str) -> dict[int, Any]:
    """Return the hooks that were registered on `thing` by its method `register`, as they are kept.

    PyTorch shows them nowhere, but the handle of one more hook knows where all of them are.
    """
    try:
        handle = getattr(thing, register)(lambda *gradients: None)
    except Exception:  # a tensor that cannot have such hooks, or a draft of whatever kind
        return {}
    kept: dict[int, Any] = getattr(handle, "hooks_dict_ref", dict)()
    handle.remove()
    return kept


def name_of_hook(hook: Any) -> str:
    """Return what a hook is called: its function's name, or its class."""
    name: str = getattr(hook, "__name__", type(hook).__name__)
    return name.strip("<>")  # "<lambda>"


def shares_memory(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors see the same memory, as a tensor and its `detach()` do."""
    first, second = memory_of(one), memory_of(other)
    arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return np.may_share_memory(first, second) if arrays else False


def is_same_data(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors are one in all but the Python object, as a saved tensor may be."""
    return data_key(one) == data_key(other)


def data_key(tensor: TensorLike) -> Hashable:
    """Return what only tensors of the same data have in common, as long as one of them lives."""
    memory = memory_of(tensor)
    if isinstance(memory, np.ndarray):
        return memory.__array_interface__["data"], memory.shape, memory.strides, memory.dtype.str
    return id(tensor if memory is None else memory)


def elements_of(tensor: ArrayLike) -> Any:
    """Return the elements as nested lists, None where there are none to show (device "meta")."""
    try:
        return tensor.tolist()  # type: ignore[attr-defined]
    except (AttributeError, NotImplementedError, RuntimeError):
        data = getattr(tensor, "_data", None)  # of a library that has no `tolist` yet
        return None if data is None else data.tolist()


def memory_of(tensor: TensorLike) -> Any:
    """Return the array behind `tensor`, None where there is none to see.

    A 0-d tensor of minigrad may hold a NumPy scalar, which becomes an array when it is shared.
    Asking for `detach()` would make it one; looking at `_data` leaves the caller's tensor as it is.
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
    """Tell whether `module` is a library that can be watched by its own means."""
    autograd = getattr(module, "autograd", None)
    return hasattr(autograd, "grad") and hasattr(getattr(module, "Tensor", None), "register_hook")
