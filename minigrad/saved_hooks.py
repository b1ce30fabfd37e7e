"""Saved-tensor hooks: the user decides in which form a node keeps what it has saved.

Inside `with saved_tensors_hooks(pack, unpack)`, whatever a new node has saved is given to `pack`,
and the node keeps what that returns: a rounded copy, the name of a file. When the tensor is needed,
`unpack` turns it back. A node with packed values changes its class to a subclass that unpacks
first; other nodes know nothing of this and lose no time.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#torch.autograd.graph.saved_tensors_hooks
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import grad_mode, watching
from .function import FunctionNode
from .node import FREED, Node, PackedValue
from .ops.runtime import NUMBERS, saved_tensor
from .tensor import Tensor


class _Disabled(threading.local):
    def __init__(self) -> None:
        self.reasons: list[str] = []  # why hooks must not be used now


_disabled = _Disabled()


class saved_tensors_hooks:  # noqa: N801 - PyTorch's spelling
    """In this block, nodes keep `pack_hook(tensor)` and backward gets `unpack_hook` of that."""

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        if _disabled.reasons:
            raise RuntimeError(_disabled.reasons[-1])
        for hook in (self.pack_hook, self.unpack_hook):
            if not callable(hook):
                raise TypeError(f"saved-tensor hooks are functions, not {type(hook).__name__}")
        watching.add(self.pack_node)

    def __exit__(self, *error: object) -> None:
        watching.remove(self.pack_node)

    def pack_node(self, node: Node) -> None:
        """Replace what `node` has just saved by its packed form."""
        if isinstance(node, FunctionNode):
            for saved in filter(None, node._kept):
                saved.data, saved.original = Packed(self, saved.unpack(node)), None
                saved.counter, saved.version = [0], 0  # a packed value is not checked for edits
            return
        names = [name for name in packable(node) if holds_tensor(node, name)]
        self.pack(node, {name: saved_tensor(node, name) for name in names})

    def pack(self, node: Node, tensors: dict[str, Tensor]) -> None:
        """Replace saved tensors of `node`: all of these or, if a hook raises, none."""
        packed = {name: Packed(self, tensor) for name, tensor in tensors.items()}
        for name, value in packed.items():
            setattr(node, f"saved_{name}", value)
        if packed:
            cls: Any = type(node)
            node.__class__ = packed_class(cls)
            node.extras()  # backward calls code of the user's


def packable(node: Node) -> list[str]:
    """The names of what a node may have saved as tensors: inputs first, then the result."""
    return sorted(node.saved, key="result".__eq__)


def holds_tensor(node: Node, name: str) -> bool:
    """Whether the saved value is a tensor that no hook has packed yet."""
    value = getattr(node, f"saved_{name}", None)
    return value is not FREED and value.__class__ not in (type(None), Packed, *NUMBERS)


class SavedTensor:
    """What `node._raw_saved_self` shows: one saved tensor, which can have hooks of its own."""

    def __init__(self, node: Node, name: str) -> None:
        self.node, self.name = node, name

    def register_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Keep `pack_hook(tensor)`, at once. RuntimeError if it is freed, None or has hooks."""
        value = getattr(self.node, f"saved_{self.name}", None)
        if value is FREED:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved"
                " intermediate values of the graph are freed when you call .backward() or"
                " autograd.grad(). Specify retain_graph=True if you need to backward through the"
                " graph a second time or if you need to access saved variables after calling"
                " backward."
            )
        if isinstance(value, Packed):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint:"
                " only one pair of hooks is allowed at a time."
            )
        if not holds_tensor(self.node, self.name):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor with value None is forbidden"
            )
        tensor = saved_tensor(self.node, self.name).detach()
        saved_tensors_hooks(pack_hook, unpack_hook).pack(self.node, {self.name: tensor})


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 - PyTorch's spelling
    """In this block, nodes keep what they save on the CPU, where it already is."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor, lambda packed: packed)


class Packed(PackedValue):
    """What a pack hook returned, and the hooks that will turn it back."""

    __slots__ = ("content", "hooks")

    def __init__(self, hooks: saved_tensors_hooks, tensor: Tensor) -> None:
        version = tensor._version
        with grad_mode.no_grad():
            self.content = hooks.pack_hook(tensor)
        self.hooks = hooks
        if tensor._version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as"
                " input to pack hook cannot be modified by in-place operations as this can lead to"
                " unexpected side-effects. Please open an issue if you need to perform in-place"
                " operations on the input to a pack hook."
            )

    def open(self) -> Tensor:
        with grad_mode.no_grad():
            tensor = self.hooks.unpack_hook(self.content)
        if not isinstance(tensor, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type"
                f" {type(tensor).__name__}"
            )
        return tensor


@functools.cache
def packed_class(cls: Any) -> type[Node]:
    """The subclass of a node class, of the same name, whose backward unpacks first; its own too."""
    if getattr(cls, "unpacks", False):
        return cls  # type: ignore[no-any-return]

    def unpacking(method: Callable[..., Any]) -> Callable[..., Any]:
        def backward(node: Node, grad: Any, keep: bool) -> Any:
            packed = {
                name: value
                for name in packable(node)
                if isinstance(value := getattr(node, f"saved_{name}", None), Packed)
            }
            for name, value in packed.items():
                setattr(node, f"saved_{name}", value.open()._data)
                setattr(node, f"version_{name}", getattr(node, f"counter_{name}")[0])
            try:
                return method(node, grad, keep)
            finally:
                for name, value in packed.items():
                    if getattr(node, f"saved_{name}") is not FREED:
                        setattr(node, f"saved_{name}", value)

        return backward

    return type(
        cls.__name__,
        (cls,),
        {
            "__slots__": (),
            "unpacks": True,
            "__module__": cls.__module__,
            "backward": unpacking(cls.backward),
            "backward_graph": unpacking(cls.backward_graph),
        },
    )


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, using saved-tensor hooks raises RuntimeError with `error_message`."""
    owners = [getattr(watcher, "__self__", None) for watcher in watching.watchers()]
    if any(isinstance(owner, saved_tensors_hooks) for owner in owners):
        raise RuntimeError(error_message)
    _disabled.reasons.append(error_message)
    try:
        yield
    finally:
        _disabled.reasons.pop()
