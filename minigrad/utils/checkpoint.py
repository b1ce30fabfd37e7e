"""Checkpointing trades time for memory: what backward needs is computed again instead of kept.

`checkpoint(function, x, use_reentrant=False)` runs `function(x)` with saved-tensor hooks that put
an empty `_Slot` instead of each saved tensor. When backward asks for the first of them, the
function runs once more, and hooks fill the slots, in the same order.

Source: https://docs.pytorch.org/docs/2.13/checkpoint.html (the variant `use_reentrant=False`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..core.grad_mode import enable_grad
from ..core.node import SavedTensor
from ..core.tensor import Tensor
from ..rare.saved_tensors_hooks import saved_tensors_hooks
from ..support.errors import modified_in_place
from ..support.missing import public_names
from ..support.random import default_generator

__all__ = ["CheckpointError", "checkpoint"]


class CheckpointError(RuntimeError):
    """The second run did not save what the first one saved."""


class _AllFilled(Exception):  # noqa: N818 - not an error
    """Ends a second run that has filled all slots."""


class _Slot:
    """What a node keeps instead of a saved tensor: its metadata, later the recomputed tensor."""

    def __init__(self, tensor: Tensor) -> None:
        self.metadata = _metadata(tensor)
        self.tensor: Tensor | None = None


def _metadata(tensor: Tensor) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, keeping none of its intermediate tensors for backward.

    Args:
        function: backward runs it again, up to the last tensor that it saves, so it must do the
            same both times.
        use_reentrant: must be False.
        preserve_rng_state: draw the same random numbers in both runs.

    Raises:
        NotImplementedError: for any other `use_reentrant`, which selects PyTorch's older variant.
        CheckpointError: in backward, if the second run saves other tensors than the first.
    """
    if use_reentrant is not False:
        raise NotImplementedError("minigrad has checkpoint with use_reentrant=False only")
    slots: list[_Slot] = []
    versions = [(each, each._version) for each in args if isinstance(each, Tensor)]
    random_state = default_generator._stream.state if preserve_rng_state else None

    def pack(tensor: Tensor) -> _Slot:
        slots.append(_Slot(tensor))
        return slots[-1]

    def unpack(slot: _Slot) -> Tensor:
        if slot.tensor is None:
            _check_unchanged(versions)
            with enable_grad(), _random_numbers_from(random_state):
                _fill(slots, lambda: function(*args, **kwargs))
        tensor, slot.tensor = slot.tensor, None
        assert tensor is not None
        return tensor

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def _fill(slots: list[_Slot], run: Callable[[], Any]) -> None:
    """Fill the slots with what `run` saves. CheckpointError if that is not what they stand for."""
    found: list[Tensor] = []

    def pack(tensor: Tensor) -> None:
        found.append(tensor.detach())
        if len(found) == len(slots):
            raise _AllFilled

    try:
        with saved_tensors_hooks(pack, lambda nothing: nothing):
            run()
    except _AllFilled:
        pass
    if len(found) != len(slots):
        raise CheckpointError(
            "torch.utils.checkpoint: A different number of tensors was saved during the original"
            f" forward and recomputation.\nNumber of tensors saved during forward: {len(slots)}\n"
            f"Number of tensors saved during recomputation: {len(found)}."
        )
    differing = [
        f"tensor at position {index}:\nsaved metadata: {slot.metadata}\n"
        f"recomputed metadata: {_metadata(tensor)}"
        for index, (slot, tensor) in enumerate(zip(slots, found, strict=True))
        if slot.metadata != _metadata(tensor)
    ]
    if differing:
        raise CheckpointError(
            "torch.utils.checkpoint: Recomputed values for the following tensors have different"
            " metadata than during the forward pass.\n" + "\n".join(differing) + "."
        )
    for slot, tensor in zip(slots, found, strict=True):
        slot.tensor = tensor


def _check_unchanged(versions: list[tuple[Tensor, int]]) -> None:
    """Raise if an argument was changed in place since the first run."""
    for tensor, version in versions:
        if tensor._version != version:
            now = SavedTensor(tensor)
            now.version = version
            raise modified_in_place(now, None)


@contextmanager
def _random_numbers_from(state: Any) -> Iterator[None]:
    """Put the default generator into `state` for the block, unless that is None."""
    if state is None:
        yield
        return
    stream = default_generator._stream
    before, stream.state = stream.state, state
    try:
        yield
    finally:
        stream.state = before


__getattr__, __dir__ = public_names(__name__, __all__)
