"""Datasets: samples by number, parts of them, and splits at random."""

import torch
from show import attempt

data = torch.utils.data
x, y = torch.arange(10.0).reshape(5, 2), torch.arange(5)
dataset = data.TensorDataset(x, y)
print(len(dataset), dataset[1], dataset[-1], dataset[1:3], dataset.tensors[1])
attempt("lengths differ", lambda: data.TensorDataset(x, y[:2]))
attempt("out of range", lambda: dataset[7])


class Squares(data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, index):
        return torch.tensor([float(index * index)]), index % 2


class Empty(data.Dataset):
    pass


print(Squares()[3], list(data.DataLoader(Squares(), batch_size=3)))
attempt("no __getitem__", lambda: Empty()[0])
attempt("no __len__", lambda: len(Empty()))
attempt("no __len__, shuffled", lambda: data.DataLoader(Empty(), shuffle=True))

part = data.Subset(dataset, [3, 1])
print(part[0], len(part), part[[0, 1]], part.indices)
attempt("out of the part", lambda: part[2])
for lengths in ([3, 7], [0.25, 0.75], [0.5, 0.25, 0.25], [0, 10]):
    parts = data.random_split(range(10), lengths)
    print([len(part) for part in parts], sorted(sample for part in parts for sample in part))
print([len(part) for part in data.random_split(range(7), [0.5, 0.25, 0.25])])
attempt("no samples", lambda: [len(part) for part in data.random_split(range(1), [0.5, 0.5])])
for lengths in ([3, 3], [0.5, 1.5], [0.5, 0.4], [-0.5, 1.5]):
    attempt(str(lengths), lambda: data.random_split(range(10), lengths))
