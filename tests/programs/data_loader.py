"""Batches: how many, how large, in which order, made of what."""

import numpy as np
import torch
from show import attempt

data = torch.utils.data
dataset = data.TensorDataset(torch.arange(10.0).reshape(5, 2), torch.arange(5))
for options in (
    dict(batch_size=2),
    dict(batch_size=2, drop_last=True),
    dict(batch_size=5),
    dict(batch_size=9),
    dict(batch_size=9, drop_last=True),
    dict(),
):
    loader = data.DataLoader(dataset, **options)
    print(options, len(loader), list(loader))
for size in (0, -1, 2.5, "a", True):
    attempt(f"batch_size={size!r}", lambda: data.DataLoader(dataset, batch_size=size))
attempt("nothing", lambda: list(data.DataLoader([], batch_size=2)))
attempt("nothing to shuffle", lambda: data.DataLoader([], shuffle=True))

loader = data.DataLoader(dataset, batch_size=2, shuffle=True)
torch.manual_seed(0)
first = [batch[1].tolist() for batch in loader]
second = [batch[1].tolist() for batch in loader]
torch.manual_seed(0)
print([batch[1].tolist() for batch in loader] == first, sorted(sum(first + second, [])))
seeded = [
    data.DataLoader(range(100), 100, shuffle=True, generator=torch.Generator().manual_seed(seed))
    for seed in (1, 1, 2)
]
orders = [next(iter(loader)).tolist() for loader in seeded]
print(orders[0] == orders[1], orders[0] == orders[2], sorted(orders[0]) == list(range(100)))

ones = torch.ones(2)
for samples in (
    [1, 2],
    [1.0, 2.0],
    [True, False],
    ["a", "b"],
    [(1, 2.0), (3, 4.0)],
    [[1, 2], [3, 4]],
    [("a", 1), ("b", 2)],
    [{"a": 1, "b": ones}, {"a": 2, "b": ones}],
    [np.ones(2), np.zeros(2)],
    [np.float32(1), np.float32(2)],
    [torch.tensor(1.0), torch.tensor(2.0)],
    [None, None],
    [ones, torch.ones(3)],
    [(1, 2), (3,)],
):
    attempt(str(samples), lambda: next(iter(data.DataLoader(samples, batch_size=2))))
attempt("own collate_fn", lambda: list(data.DataLoader([1, 2, 3], 2, collate_fn=sum)))
grown = torch.ones(2, 2, requires_grad=True)
print(next(iter(data.DataLoader(data.TensorDataset(grown), batch_size=2))))
