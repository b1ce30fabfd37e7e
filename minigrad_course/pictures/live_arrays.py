"""How many arrays exist while PyTorch runs a forward and its backward: chapter 17 plots it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any


def alive(functions: Sequence[Callable[[Any], Any]], x: Any) -> str:
    """The counts of arrays, from a real run: `"1 2 3 | 3 2 1"`, where ` | ` is before backward.

    The functions run one after the other, each on what the one before has returned, then the sum
    and its backward. An operation of the dispatcher, but for `detach`, is counted when it
    is done, whoever calls it, with the arrays that it and those before it have made, gradients
    included, as far as they live.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    there: set[int] = set()
    counts: list[int] = []

    class Counting(TorchDispatchMode):
        def __torch_dispatch__(self, operation, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            results = operation(*args, **(kwargs or {}))
            for each in tree_leaves(results):
                if isinstance(each, torch.Tensor):
                    storage = each.untyped_storage()  # one for all views of it
                    if storage.data_ptr() not in there:
                        there.add(storage.data_ptr())
                        weakref.finalize(storage, there.discard, storage.data_ptr())
            if operation is not torch.ops.aten.detach.default:  # computes nothing
                counts.append(len(there))
            return results

    with Counting():
        value = x
        for function in functions:
            value = function(value)
        loss = value.sum()
        del value
        forward = len(counts)
        torch.autograd.grad(loss, x)
    return f"{' '.join(map(str, counts[:forward]))} | {' '.join(map(str, counts[forward:]))}"
