"""Find the modules of a model whose input has lost its history; chapter 19 uses it on big models.

It is plain Python for PyTorch and minigrad, so you can copy it to wherever you need it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from copy import deepcopy
from typing import Any


def cut_inputs(model: Any, *batch: Any, **keywords: Any) -> list[str]:
    """The names of modules that get a tensor with a cut history, in the order of their calls.

    Such a tensor has no history, although its values change when the parameters change. (It may
    require grad, as a leaf that is not a parameter, but that does not help.) So two copies of the
    model run: one as it is, and one with each trainable parameter changed a little. Both start
    from the same seed, so that dropout and other noise of the library is the same.

    It misses tensors that are cut and joined with a history before a module gets them, modules
    that are not called, and values that a small change does not affect, such as those of `argmax`.
    It wrongly lists tensors with noise from elsewhere, such as NumPy's.
    """
    torch = sys.modules[type(next(model.parameters())).__module__.partition(".")[0]]
    state = torch.get_rng_state() if hasattr(torch, "get_rng_state") else None  # minigrad has none
    plain = _recorded_inputs(torch, deepcopy(model), batch, keywords)
    moved = deepcopy(model)
    with torch.no_grad():
        for parameter in moved.parameters():
            if parameter.requires_grad:
                parameter += 0.01 * torch.randn_like(parameter)
    nudged = _recorded_inputs(torch, moved, batch, keywords)
    if state is not None:
        torch.set_rng_state(state)
    return [
        name or "the model"
        for name in plain
        if any(
            lacks_history and not torch.equal(before, after)
            for (before, lacks_history), (after, _) in zip(
                plain[name], nudged.get(name, ()), strict=False
            )
        )
    ]


def _recorded_inputs(
    torch: Any, model: Any, batch: tuple[Any, ...], keywords: dict[str, Any]
) -> dict[str, list[tuple[Any, bool]]]:
    """Run the model, and map the name of each module that is called to its tensor inputs: a copy,
    and whether it lacks a history. Parameters and integers cannot have one, so they do not count.

    `model` must be a copy, because this replaces `forward` of each module.
    """
    given: dict[str, list[tuple[Any, bool]]] = {}
    parameters = {id(each) for each in model.parameters()}

    def watch(name: str, module: Any) -> None:
        forward = module.forward

        def watched(*inputs: Any, **keywords: Any) -> Any:
            if torch.is_grad_enabled():  # while nothing is recorded, nothing is cut
                for tensor in _tensors([inputs, keywords]):
                    lacks_history = (
                        tensor.is_floating_point()  # integers cannot have one
                        and tensor.grad_fn is None
                        and id(tensor) not in parameters
                    )
                    given.setdefault(name, []).append((tensor.clone(), lacks_history))
            return forward(*inputs, **keywords)

        module.forward = watched

    for name, module in model.named_modules():
        watch(name, module)
    torch.manual_seed(0)
    model(*batch, **keywords)
    return given


def _tensors(given: Any) -> Iterator[Any]:
    """The tensors in nested lists, tuples and dictionaries."""
    if hasattr(given, "requires_grad"):
        yield given
    elif isinstance(given, (list, tuple, dict)):
        for each in given.values() if isinstance(given, dict) else given:
            yield from _tensors(each)
