"""A sampler with replacement draws 32 indices at a time, however many it is asked for."""

import torch

torch.manual_seed(0)
RandomSampler = torch.utils.data.RandomSampler
print(next(iter(RandomSampler(range(5), replacement=True, num_samples=10**10))))
for count in (3, 32, 70):
    generator = torch.Generator().manual_seed(count)
    print(list(RandomSampler(range(7), True, count, generator)), generator.initial_seed())
    print(torch.randint(7, (2,), generator=generator))
