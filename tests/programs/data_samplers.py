"""Samplers, and loaders that are given their own."""

import torch
from show import attempt

data = torch.utils.data
dataset = data.TensorDataset(torch.arange(10.0).reshape(5, 2), torch.arange(5))
print(list(data.SequentialSampler(dataset)), sorted(data.RandomSampler(dataset)))
for options in (dict(replacement=True, num_samples=12), dict(num_samples=12), dict(num_samples=3)):
    sampler = data.RandomSampler(dataset, **options)
    drawn = list(sampler)
    print(options, len(sampler), len(drawn), set(drawn) <= set(range(5)))
print([drawn.count(number) for number in range(5)].count(1))
attempt("replacement", lambda: data.RandomSampler(dataset, replacement=3))
attempt("no samples", lambda: data.RandomSampler(dataset, num_samples=0))
attempt("nothing", lambda: data.RandomSampler([]))
for sampler in (data.SequentialSampler(dataset), range(5), "abcd"):
    for drop_last in (False, True):
        batches = data.BatchSampler(sampler, 2, drop_last)
        print(len(batches), list(batches))
attempt("batch_size", lambda: data.BatchSampler(range(5), 0, False))
attempt("drop_last", lambda: data.BatchSampler(range(5), 1, 3))

print("loaders")


def batches(**options):
    loader = data.DataLoader(dataset, **options)
    return len(loader), [numbers.tolist() for _, numbers in loader]


attempt("sampler", lambda: batches(batch_size=2, sampler=[4, 3, 2]))
attempt("batch_sampler", lambda: batches(batch_sampler=[[0, 1], [4]]))
attempt("one by one", lambda: batches(batch_size=None))
attempt("one by one, some", lambda: batches(batch_size=None, sampler=[3, 1]))
attempt("negative", lambda: batches(batch_size=2, sampler=[-1, -2, -3]))
attempt("out of range", lambda: batches(sampler=[7]))
for label, options in {
    "sampler and shuffle": dict(sampler=[1], shuffle=True),
    "two samplers": dict(sampler=[1], batch_sampler=[[1]]),
    "batches of two kinds": dict(batch_size=2, batch_sampler=[[0]]),
    "batches, shuffled": dict(batch_sampler=[[0]], shuffle=True),
    "nothing to drop": dict(batch_size=None, drop_last=True),
}.items():
    attempt(label, lambda: batches(**options))
for options in (dict(batch_size=2, shuffle=True), dict(batch_size=None)):
    loader = data.DataLoader(dataset, **options)
    print(loader.batch_size, loader.drop_last, loader.num_workers, loader.pin_memory)
    print(type(loader.sampler).__name__, type(loader.batch_sampler).__name__)
    print(loader.dataset is dataset)
for epoch in range(2):
    for number, (x, y) in enumerate(data.DataLoader(dataset, batch_size=3)):
        print(epoch, number, x, y)
