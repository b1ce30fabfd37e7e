"""Checkpointing trades time for memory: backward recomputes what it needs instead of saving it.

`checkpoint(function, x, use_reentrant=False)` runs `function(x)` with saved-tensor hooks that save
an empty `_Slot` instead of each tensor. When backward unpacks the first slot, it runs the function
again, with hooks that fill the slots in the same order.

Source: https://docs.pytorch.org/docs/2.13/checkpoint.html (the variant `use_reentrant=False`)
"""

from __future__ import annotations

import weakref
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


TIP = (  # PyTorch's words, which end both errors
    "\nTip: To see a more detailed error message, either pass `debug=True` to\n"
    "`torch.utils.checkpoint.checkpoint(...)` or wrap the code block\nwith `with"
    " torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to\nenable checkpoint\u2011debug"
    " mode globally.\n\nIf this error occurs under torch.compile with automatic_dynamic_shapes"
    " enabled,\nit may be because the recomputation selected a different compiled graph than the\n"
    "forward pass (e.g., a dynamic graph instead of the original static graph).\nTo fix this,"
    " either:\n  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as\n   "
    " dynamic upfront, avoiding the static-to-dynamic transition.\n  - Call"
    " torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache\n    reordering, which"
    " can change which graph is checked first between forward\n    and recompute.\nSee"
    " https://github.com/pytorch/pytorch/issues/166926 for more details and\nworkaround examples.\n"
)


class CheckpointError(RuntimeError):
    """The second run saved different tensors than the first."""


class _AllFilled(Exception):  # noqa: N818 - not an error
    """Stops the second run as soon as all slots are filled."""


class _Slot:
    """Replaces a saved tensor: holds its metadata and, once recomputed, the tensor.

    Only the node that saved it keeps it alive. A backward pass inside the function frees nodes.
    """

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
    context_fn: Any = None,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """Call `function(*args, **kwargs)` without saving its intermediate tensors for backward.

    Args:
        function: backward runs it again, up to the last tensor that it saves, so it has to compute
            the same both times.
        use_reentrant: must be False.
        preserve_rng_state: whether both runs draw the same random numbers.
        determinism_check: "default" compares the shapes and dtypes of both runs, "none" does not.
        debug: PyTorch's errors say more with it; no effect here.
        early_stop: False lets the second run reach the end of the function.

    Raises:
        ValueError: for any other `determinism_check`.
        NotImplementedError: for any other `use_reentrant`, because True selects an older variant,
            and for a `context_fn`.
        CheckpointError: in backward, if the second run saves different tensors than the first.
    """
    if use_reentrant is not False:
        raise NotImplementedError("minigrad has checkpoint with use_reentrant=False only")
    if context_fn is not None:
        raise NotImplementedError("minigrad's checkpoint has no context_fn")
    if determinism_check not in ("default", "none"):
        raise ValueError(
            "determinism_check should be one of ['default', 'none'], but got"
            f" {determinism_check}"
        )
    compare = determinism_check == "default"
    slots: list[weakref.ref[_Slot]] = []
    versions = [(each, each._version) for each in args if isinstance(each, Tensor)]
    random_state = default_generator._stream.state if preserve_rng_state else None

    def pack(tensor: Tensor) -> _Slot:
        slot = _Slot(tensor)
        slots.append(weakref.ref(slot))
        return slot

    def unpack(slot: _Slot) -> Tensor:
        if slot.tensor is None:
            _check_unchanged(versions)
            with enable_grad(), _random_state(random_state):
                _fill(slots, lambda: function(*args, **kwargs), compare, early_stop)
        tensor, slot.tensor = slot.tensor, None
        assert tensor is not None
        return tensor

    with saved_tensors_hooks(pack, unpack):
        return function(*args, **kwargs)


def _fill(
    slots: list[weakref.ref[_Slot]], run: Callable[[], Any], compare: bool, early_stop: bool
) -> None:
    """Fill the slots with the tensors that `run` saves. CheckpointError if they do not match."""
    recomputed: list[Tensor] = []

    def pack(tensor: Tensor) -> Tensor:
        recomputed.append(tensor.detach())
        if early_stop and len(recomputed) == len(slots):
            raise _AllFilled
        return recomputed[-1]

    try:
        with saved_tensors_hooks(pack, lambda tensor: tensor):  # `run` may call backward itself
            run()
    except _AllFilled:
        pass
    if len(recomputed) != len(slots):
        raise CheckpointError(
            "torch.utils.checkpoint: A different number of tensors was saved during the original"
            f" forward and recomputation.\nNumber of tensors saved during forward: {len(slots)}\n"
            f"Number of tensors saved during recomputation: {len(recomputed)}.\n{TIP}"
        )
    pairs = zip(slots, recomputed, strict=True)
    filled = [(n, slot, new) for n, (held, new) in enumerate(pairs) if (slot := held())]
    differing = [
        f"tensor at position {index}:\nsaved metadata: {slot.metadata}\n"
        f"recomputed metadata: {_metadata(tensor)}\n"
        for index, slot, tensor in filled
        if slot.metadata != _metadata(tensor)
    ]
    if compare and differing:
        raise CheckpointError(
            "torch.utils.checkpoint: Recomputed values for the following tensors have different"
            f" metadata than during the forward pass.\n{''.join(differing)}.\n{TIP}"
        )
    for _, slot, tensor in filled:
        slot.tensor = tensor


def _check_unchanged(versions: list[tuple[Tensor, int]]) -> None:
    """Raise if an argument was modified in place since the first run."""
    for tensor, version in versions:
        if tensor._version != version:
            saved = SavedTensor(tensor)
            saved.version = version
            raise modified_in_place(saved, None)


@contextmanager
def _random_state(state: Any) -> Iterator[None]:
    """Set the default generator to `state` in this block, unless that is None."""
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
