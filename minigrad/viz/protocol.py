"""What the drawings ask of a tensor and of a node: PyTorch's public protocol, and nothing else.

Nothing here imports a tensor library, so that the same code draws the graphs of minigrad, of
PyTorch and of the drafts that a notebook writes on the way.
"""

import inspect
import sys
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


class TensorLike(Protocol):
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
    def shape(self) -> tuple[int, ...]:
        """The length of each dimension."""

    @property
    def dtype(self) -> Any:
        """The element type; its `str` ends in a name like "float32"."""

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` the tensor is."""

    grad: Any


def is_tensor(thing: object) -> TypeGuard[TensorLike]:
    """Tell whether `thing` keeps to the protocol, without running any code of its own.

    The caller's variables may be anything (lazy modules, mocks), so they are only looked at.
    """
    return not isinstance(thing, type) and all(
        inspect.getattr_static(thing, name, _MISSING) is not _MISSING
        for name in ("grad_fn", "is_leaf", "requires_grad")
    )


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


def shares_memory(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors see the same memory, as a tensor and its `detach()` do."""
    first, second = _memory(one), _memory(other)
    arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return np.may_share_memory(first, second) if arrays else False


def is_same_data(one: TensorLike, other: TensorLike) -> bool:
    """Tell whether two tensors are one in all but the Python object, as a saved tensor may be."""
    first, second = _memory(one), _memory(other)
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return bool(first.__array_interface__ == second.__array_interface__)
    return first is not None and first is second


def _memory(tensor: TensorLike) -> Any:
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
    """Return the module (minigrad, torch) that `tensor` belongs to, None for a draft."""
    for base in type(tensor).__mro__:
        module = sys.modules.get(base.__module__.partition(".")[0])
        if base.__name__ == "Tensor" and hasattr(module, "autograd"):
            return module
    return None
