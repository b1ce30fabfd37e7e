"""Saved-tensor hooks: the user decides in which form a node stores its saved tensors.

Inside `with saved_tensors_hooks(pack, unpack)`, every tensor that a new node saves is passed to
`pack`, and the node stores the result instead, for example a rounded copy or the name of a file.
When backward needs the tensor, `unpack` restores it.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#torch.autograd.graph.saved_tensors_hooks
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core.function import FunctionNode
from ..core.grad_mode import no_grad
from ..core.node import FREED, NOWHERE, AccumulateGrad, Node, SavedTensor
from ..core.node import gradient_edge, set_history
from ..core.tensor import Tensor, new_tensor
from ..ops.indexing import Indices
from ..support import errors, observers
from ..support.methods import property_of


class _Disabled(threading.local):
    def __init__(self) -> None:
        self.reasons: list[str] = []  # the error messages of the enclosing disabled blocks


_disabled = _Disabled()


class saved_tensors_hooks:  # noqa: N801 - PyTorch's spelling
    """In this block, nodes save `pack_hook(tensor)`, and backward gets `unpack_hook` of that."""

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
        observers.add(self.pack_node)

    def __exit__(self, *error: object) -> None:
        observers.remove(self.pack_node)

    def pack_node(self, node: Node, outputs: Sequence[Any]) -> None:
        """Pack the values that `node` has just saved: all of them or, if a hook raises, none."""
        edited, saved = observers.edited(), node._saved
        if edited is not None:
            self.pack_later(node, edited)
        packed: dict[str, SavedTensor] = {}
        for name, value in saved.items():
            if isinstance(value, Indices):
                packed[name] = PackedIndices(self, value)
            elif holds_tensor(value):
                made_here = value.number is not None
                tensor = outputs[value.number] if made_here else value.unpack(node)
                packed[name] = PackedTensor(self, tensor, value)
        if packed:
            saved.update(packed)

    def packed(self, tensor: Tensor) -> Any:
        """The result of the pack hook. RuntimeError if the hook changes `tensor` in place."""
        version = tensor._version
        with no_grad():
            content = self.pack_hook(tensor)
        if tensor._version != version:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as"
                " input to pack hook cannot be modified by in-place operations as this can lead to"
                " unexpected side-effects. Please open an issue if you need to perform in-place"
                " operations on the input to a pack hook."
            )
        return content

    def unpacked(self, content: Any) -> Tensor:
        """The result of the unpack hook. TypeError if it is not a tensor."""
        with no_grad():
            opened = self.unpack_hook(content)
        if not isinstance(opened, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type"
                f" {type(opened).__name__}"
            )
        return opened

    def pack_later(self, node: Node, edited: Tensor) -> None:
        """Prepare `node` for packing around an in-place change of `edited`.

        The input has to be copied before it changes, and the result cannot be packed until then.
        """
        own = node._saved.get("self")
        if own is not None and holds_tensor(own) and own.tensor._counter is edited._counter:
            node._saved["self"] = SavedTensor(edited.clone())
        if holds_tensor(node._saved.get("result")):
            node._saved["result"] = AwaitedResult(self, node)


def holds_tensor(value: Any) -> bool:
    """Whether the saved value is a tensor that no hook has packed yet."""
    return isinstance(value, SavedTensor) and not isinstance(value, (PackedTensor, AwaitedResult))


class RawSavedTensor:
    """The value of `node._raw_saved_self`: a saved tensor, on which users can register hooks."""

    def __init__(self, node: Node, name: str) -> None:
        self.node, self.name = node, name

    @property
    def unpack_hook(self) -> Any:
        """The hook that unpacks it; None if none has packed it."""
        return getattr(getattr(self.node._saved.get(self.name), "hooks", None), "unpack_hook", None)

    def register_hooks(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        """Pack the saved tensor right away. RuntimeError if it is freed, None or packed already."""
        value = self.node._saved.get(self.name)
        if value is FREED:
            raise RuntimeError(
                "Calling register_hooks on a saved tensor after it has been freed. Saved"
                " intermediate values of the graph are freed when you call .backward() or"
                " autograd.grad(). Specify retain_graph=True if you need to backward through the"
                " graph a second time or if you need to access saved variables after calling"
                " backward."
            )
        if isinstance(value, PackedTensor):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint:"
                " only one pair of hooks is allowed at a time."
            )
        if value is None or not holds_tensor(value):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor with value None is forbidden"
            )
        tensor = value.unpack(self.node).detach()
        hooks = saved_tensors_hooks(pack_hook, unpack_hook)
        self.node._saved[self.name] = PackedTensor(hooks, tensor, value)


class save_on_cpu(saved_tensors_hooks):  # noqa: N801 - PyTorch's spelling
    """In this block, nodes save their tensors on the CPU, where they already are."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: tensor, lambda packed: packed)


class PackedTensor(SavedTensor):
    """A saved tensor in packed form: the result of the pack hook, and the hooks to restore it."""

    def __init__(self, hooks: saved_tensors_hooks, tensor: Tensor, saved: SavedTensor) -> None:
        self.number = saved.number
        self.edge = gradient_edge(saved.tensor) if saved.number is None else NOWHERE
        self.hooks, self.content = hooks, hooks.packed(tensor)

    def unpack(self, owner: Node) -> Tensor:
        """The tensor that the unpack hook returns, with the history of the saved one."""
        restored = new_tensor(self.hooks.unpacked(self.content)._data)
        node, number = self.edge if self.number is None else (owner, self.number)
        if isinstance(node, AccumulateGrad):
            restored._accumulator, restored._requires_grad = node.variable._accumulator, True
        elif node is not None:
            set_history(restored, node, number)
        return restored

    def keep_old_values(self) -> None:
        """Nothing to copy, because the pack hook owns its result."""

    def moved_to(self, tensor: Tensor) -> None:
        """Nothing to do, for the same reason."""


class AwaitedResult(SavedTensor):
    """The saved result of an in-place operation, which hooks get once it is in the tensor."""

    def __init__(self, hooks: saved_tensors_hooks, node: Node) -> None:
        vars(self).update(vars(node._saved["result"]))
        self.hooks, self.node = hooks, node

    def moved_to(self, tensor: Tensor) -> None:
        self.node._saved["result"] = PackedTensor(self.hooks, tensor, self)


class PackedIndices(SavedTensor):
    """A saved index whose tensors are packed."""

    def __init__(self, hooks: saved_tensors_hooks, indices: Indices) -> None:
        self.hooks, self.indices = hooks, indices
        tensors = enumerate(indices.as_tensors())
        self.contents = {at: hooks.packed(each) for at, each in tensors if each is not None}

    def unpack(self, owner: Node) -> Any:
        """The index, with the tensors that the unpack hook returns."""
        opened = {at: self.hooks.unpacked(each) for at, each in self.contents.items()}
        return self.indices.made_of(opened)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """In this block, using saved-tensor hooks raises RuntimeError with `error_message`."""
    owners = [getattr(watcher, "__self__", None) for watcher in observers.watchers()]
    if any(isinstance(owner, saved_tensors_hooks) for owner in owners):
        raise RuntimeError(error_message)
    _disabled.reasons.append(error_message)
    try:
        yield
    finally:
        _disabled.reasons.pop()


@property_of(FunctionNode)
def saved_variables(self: FunctionNode) -> tuple[Tensor | None, ...]:
    """The former name of `saved_tensors`, from the time when tensors were called variables."""
    errors.warn_saved_variables()
    return self.saved_tensors
