"""Training that goes wrong in between, and in several threads at once."""

import threading

import torch

nn = torch.nn


def network(seed):
    net = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    with torch.no_grad():
        for number, parameter in enumerate(net.parameters()):
            steps = torch.arange(parameter.numel()).reshape(parameter.shape)
            parameter.copy_(torch.sin(steps * 1.0 + number + seed))
    return net


def boom(*args):
    raise ValueError("boom")


x = torch.linspace(-1, 1, 8).reshape(4, 2)
net = network(0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.5)
interruptions = {
    1: lambda: net[0].weight.register_hook(boom),
    2: lambda: net[2].register_forward_hook(boom),
    3: lambda: net[1].register_full_backward_hook(boom),
    4: lambda: net[2].weight.register_post_accumulate_grad_hook(boom),
}
for epoch in range(6):
    optimizer.zero_grad()
    handle = interruptions[epoch]() if epoch in interruptions else None
    try:
        loss = net(x).pow(2).mean()
        loss.backward()
    except ValueError as error:
        print(epoch, error, [parameter.grad is None for parameter in net.parameters()])
    if handle is not None:
        handle.remove()
    optimizer.step()
    print(epoch, f"{loss.item():.5f}", torch.is_grad_enabled(), net[2].weight)


def train(seed, losses):
    net = network(seed)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    with torch.set_grad_enabled(True):
        for _ in range(30):
            optimizer.zero_grad()
            loss = (net(x) - x.sum(1, keepdim=True)).pow(2).mean()
            loss.backward()
            optimizer.step()
    losses[seed] = f"{loss.item():.4f}"


losses = {}
with torch.no_grad():
    threads = [threading.Thread(target=train, args=(seed, losses)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sorted(losses.items()), torch.is_grad_enabled())

shared = nn.Parameter(torch.zeros(1))


def add(times):
    for _ in range(times):
        (shared * 2).sum().backward()


threads = [threading.Thread(target=add, args=(50,)) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(shared.grad)
