"""Datasets of every kind under a loader: in parts, of lists and of arrays."""

from collections import namedtuple

import numpy as np
import torch
from show import attempt

data = torch.utils.data
x, y = torch.arange(10.0).reshape(5, 2), torch.arange(5)
dataset = data.TensorDataset(x, y)

attempt("empty", lambda: next(iter(data.DataLoader([], 2))))

print("parts")
for label, part in {
    "part": data.Subset(dataset, [4, 2, 0]),
    "part of a part": data.Subset(data.Subset(dataset, [4, 3, 1]), [2, 0]),
    "by tensor": data.Subset(dataset, torch.tensor([4, 2, 1])),
    "by array": data.Subset(dataset, np.array([4, 2, 1])),
    "of a list": data.Subset(["a", "b", "c"], [2, 0]),
}.items():
    attempt(label, lambda: list(data.DataLoader(part, 2)))
print(data.Subset(dataset, [4, 2]).__getitems__([0, 1]), data.Subset(dataset, [4, 2])[-1])
attempt("out of range", lambda: list(data.DataLoader(data.Subset(dataset, [4]), sampler=[7])))


class Tenfold(data.TensorDataset):
    def __getitem__(self, index):
        return self.tensors[0][index] * 10


class Numbers(data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return index, float(index), str(index), {"ones": torch.ones(1) * index}

    def __getitems__(self, numbers):
        print("all of", numbers)
        return [self[number] for number in numbers]


for label, each in {
    "own __getitem__": Tenfold(x),
    "own __getitems__": Numbers(),
    "0-d and empty rows": data.TensorDataset(torch.arange(3), torch.ones(3, 0)),
    "bools": data.TensorDataset(torch.tensor([True, False])),
    "a list": [torch.ones(1), torch.zeros(1)],
    "a tensor": torch.arange(4),
    "an array": np.arange(4),
    "a string": "abc",
    "a number": 3,
}.items():
    attempt(label, lambda: list(data.DataLoader(each, 3)))
attempt("own collate_fn", lambda: list(data.DataLoader(dataset, 2, collate_fn=len)))
(batch,) = next(iter(data.DataLoader(data.TensorDataset(x.t()), 2)))
batch.fill_(0)
print(batch.stride(), x[0], batch._version, batch.is_leaf, batch._is_view())
for values in (torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True) * 2):
    (batch,) = next(iter(data.DataLoader(data.TensorDataset(values), 2)))
    print(batch, batch.is_leaf)
for tensors in ((), (torch.tensor(1.0),), (x, y[:2])):
    attempt(f"{len(tensors)} tensors", lambda: type(data.TensorDataset(*tensors)).__name__)

print("samples without batches")
arrays = [np.ones(2), 1, "a", (1, np.ones(1)), {"a": np.ones(1)}, np.float32(2), None]
print(list(data.DataLoader(arrays, batch_size=None)))
print("batches of")
Pair = namedtuple("Pair", "a b")
for samples in (
    [Pair(1, 2.0), Pair(3, 4.0)],
    [(1, (2, 3)), (4, (5, 6))],
    [(), ()],
    [range(2), range(2)],
    [np.array(1), np.array(2)],
    [np.int64(1), np.int64(2)],
    [np.bool_(True), np.bool_(False)],
    [np.array(["a"]), np.array(["b"])],
    [b"a", b"b"],
    [{1, 2}, {3}],
    [1, 2.0],
    [1.5, 2],
    [torch.ones(2), torch.ones(2, dtype=torch.float64)],
    [{"a": 1}, {"b": 2}],
    [],
    [torch.ones(1, requires_grad=True)] * 2,
    [(1, 2), [3, 4]],
):
    attempt(repr(samples), lambda: data.default_collate(samples))
