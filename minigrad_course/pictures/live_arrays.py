"""How many arrays exist while PyTorch runs forward and backward, for a plot of chapter 11."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any


def alive(functions: Sequence[Callable[[Any], Any]], x: Any) -> str:
    """The number of arrays after each operation: `"1 2 3 | 3 2 1"`, with ` | ` before backward.

    The functions run in turn, each on the result of the previous one, followed by a sum and its
    backward. After every operation of the dispatcher, except `detach`, this counts the arrays that
    operations have created so far and that still exist, gradients included.
    """
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves

    storages: set[int] = set()
    counts: list[int] = []

    class Counting(TorchDispatchMode):
        def __torch_dispatch__(self, operation, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
            results = operation(*args, **(kwargs or {}))
            for each in tree_leaves(results):
                if isinstance(each, torch.Tensor):
                    storage = each.untyped_storage()  # one for all views of it
                    if storage.data_ptr() not in storages:
                        storages.add(storage.data_ptr())
                        weakref.finalize(storage, storages.discard, storage.data_ptr())
            if operation is not torch.ops.aten.detach.default:  # it computes nothing
                counts.append(len(storages))
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
