"""Checkpointing: less memory for more time. What backward needs is not kept but computed again.

`checkpoint(function, x, use_reentrant=False)` runs `function(x)` with saved-tensor hooks that put
an empty `Slot` in the place of every saved tensor. When backward asks for the first of them, the
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
from ..more.saved_tensors_hooks import saved_tensors_hooks
from ..support.errors import modified_in_place
from ..support.missing import missing_from
from ..support.random import default_generator


class CheckpointError(RuntimeError):
    """The second run did not save what the first one saved."""


class Enough(Exception):  # noqa: N818 - not an error
    """Ends a second run that has filled all slots."""


class Slot:
    """What a node keeps for a saved tensor: how it looked, and for a while itself, recomputed."""

    def __init__(self, tensor: Tensor) -> None:
        self.looks = looks(tensor)
        self.tensor: Tensor | None = None


def looks(tensor: Tensor) -> dict[str, Any]:
    return {"shape": tensor.shape, "dtype": tensor.dtype, "device": tensor.device}


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`function(*args, **kwargs)`, of whose inside backward keeps nothing.

    Args:
        function: it runs again in backward, up to the last thing that it saves, and has to do the
            same as before.
        use_reentrant: must be False.
        preserve_rng_state: draw the same random numbers the second time.

    Raises:
        NotImplementedError: for another `use_reentrant`, PyTorch's older variant.
        CheckpointError: in backward, if the second run saves other tensors than the first.
    """
    if use_reentrant is not False:
        raise NotImplementedError("minigrad has checkpoint with use_reentrant=False only")
    slots: list[Slot] = []
    versions = [(each, each._version) for each in args if isinstance(each, Tensor)]
    random_state = default_generator.stream.state if preserve_rng_state else None

    def pack(tensor: Tensor) -> Slot:
        slots.append(Slot(tensor))
        return slots[-1]

    def unpack(slot: Slot) -> Tensor:
        if slot.tensor is None:
            check_unchanged(versions)
            with enable_grad(), random_numbers_from(random_state):
                fill(slots, lambda: function(*args, **kwargs))
        tensor, slot.tensor = slot.tensor, None
        assert tensor is not None
        return tensor

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def fill(slots: list[Slot], run: Callable[[], Any]) -> None:
    """Put what `run` saves into the slots. CheckpointError if it does not fit."""
    found: list[Tensor] = []

    def pack(tensor: Tensor) -> None:
        found.append(tensor.detach())
        if len(found) == len(slots):
            raise Enough

    try:
        with saved_tensors_hooks(pack, lambda nothing: nothing):
            run()
    except Enough:
        pass
    if len(found) != len(slots):
        raise CheckpointError(
            "torch.utils.checkpoint: A different number of tensors was saved during the original"
            f" forward and recomputation.\nNumber of tensors saved during forward: {len(slots)}\n"
            f"Number of tensors saved during recomputation: {len(found)}."
        )
    differing = [
        f"tensor at position {index}:\nsaved metadata: {slot.looks}\n"
        f"recomputed metadata: {looks(tensor)}"
        for index, (slot, tensor) in enumerate(zip(slots, found, strict=True))
        if slot.looks != looks(tensor)
    ]
    if differing:
        raise CheckpointError(
            "torch.utils.checkpoint: Recomputed values for the following tensors have different"
            " metadata than during the forward pass.\n" + "\n".join(differing) + "."
        )
    for slot, tensor in zip(slots, found, strict=True):
        slot.tensor = tensor


def check_unchanged(versions: list[tuple[Tensor, int]]) -> None:
    """Raise if an argument was changed in place since the first run."""
    for tensor, version in versions:
        if tensor._version != version:
            now = SavedTensor(tensor)
            now.version = version
            raise modified_in_place(now, None)


@contextmanager
def random_numbers_from(state: Any) -> Iterator[None]:
    """Draw from the default generator as in `state`, and leave it as it was; None does nothing."""
    if state is None:
        yield
        return
    stream = default_generator.stream
    before, stream.state = stream.state, state
    try:
        yield
    finally:
        stream.state = before


__getattr__ = missing_from(__name__)
