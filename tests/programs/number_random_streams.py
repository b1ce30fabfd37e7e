"""The same seed, the same numbers: in every form, and in a training run."""

import torch

data = torch.utils.data
# Logarithm and cosine, of which 16 normal numbers or more are made, are not the same to the last
# digit on every processor.
torch.set_printoptions(precision=2)

for seed in (0, 42, -1, 2**40 + 3):
    torch.manual_seed(seed)
    print("== seed", seed, torch.initial_seed())
    print(torch.rand(3).tolist(), torch.rand(()).item(), torch.rand(2, 0))
    print(torch.rand(2, dtype=torch.float64).tolist(), torch.rand(2, dtype=torch.float16).tolist())
    print(torch.randn(3).tolist(), torch.randn(4).tolist(), torch.randn(()).item())
    print(torch.randn(16), torch.randn(5, 5), torch.randn(20, dtype=torch.float64), sep="\n")
    print(torch.randn(2, 2), torch.randn(3, dtype=torch.float16))
    print(torch.randint(10, (5,)), torch.randint(-5, 5, (2, 2)), torch.randint(2**28, (2,)))
    print(torch.randint(0, 2**40, (2,)), torch.randint(3, (3,), dtype=torch.int32))
    print(torch.randperm(10), torch.randperm(1), torch.randperm(0), torch.randperm(2))
    print(torch.normal(2.0, 3.0, (4,)), torch.normal(2.0, 3.0, (17,)))
    print(torch.empty(3).uniform_(-1, 2).tolist(), torch.empty(3).normal_(1, 2).tolist())
    print(torch.rand_like(torch.ones(3)), torch.randn_like(torch.ones(3)))
    print(torch.nn.functional.dropout(torch.ones(4), 1.0), torch.nn.Dropout(0.0)(torch.ones(2)))
    print(torch.nn.Linear(3, 2).weight, torch.nn.Linear(3, 2).bias)
    print(torch.nn.Conv2d(1, 2, 2).weight)
    print(torch.nn.init.xavier_uniform_(torch.empty(2, 3)))
    print(torch.nn.init.kaiming_normal_(torch.empty(2, 3)))

print("== generators of their own")
generator = torch.Generator().manual_seed(7)
print(torch.rand(2, generator=generator), torch.randn(3, generator=generator))
print(torch.randn(2, generator=generator), torch.randperm(4, generator=generator))
print(torch.randn(2, generator=torch.Generator()), generator.initial_seed())
torch.manual_seed(3)
before = torch.randn(3)
torch.manual_seed(3)
print(torch.equal(before, torch.randn(3)), torch.rand(1))

print("== data")
samples = data.TensorDataset(torch.arange(10))
print([list(part.indices) for part in data.random_split(samples, [3, 7])])
for options in (
    {},
    {"shuffle": True},
    {"shuffle": True, "drop_last": True},
    {"shuffle": True, "generator": torch.Generator().manual_seed(3)},
    {"generator": torch.Generator().manual_seed(3)},
):
    loader = data.DataLoader(samples, batch_size=4, **options)
    for _ in range(2):
        print([batch.tolist() for (batch,) in loader], torch.rand(1))
    for (batch,) in loader:
        print(batch, torch.rand(1))
        break
    batches = iter(loader)
    print(torch.rand(1), next(batches), torch.rand(1))

print("== samplers")
own = torch.Generator().manual_seed(5)
for sampler in (
    data.RandomSampler(samples, num_samples=23),
    data.RandomSampler(samples, replacement=True, num_samples=40),
    data.RandomSampler(samples, num_samples=5, generator=own),
):
    print(list(sampler), list(sampler), torch.rand(1))

print("== training")
torch.manual_seed(0)
net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(32, 4)
samples = data.TensorDataset(x, x.sum(1, keepdim=True))
for epoch in range(3):
    for inputs, targets in data.DataLoader(samples, batch_size=8, shuffle=True):
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(net(inputs), targets)
        loss.backward()
        optimizer.step()
    print(epoch, f"{loss.item():.3f}")
print(net[2].weight)
torch.set_printoptions(profile="default")

print("--- one probability, mean or deviation for each element")
torch.manual_seed(3)
print(torch.bernoulli(torch.full((20,), 0.3)))
print(torch.bernoulli(torch.full((5,), 0.3, dtype=torch.float64)))
print(torch.normal(torch.zeros(3), 2.0), torch.normal(0.0, torch.ones(3)))
print(torch.rand(2))
