"""SGD, its variants, and what its steps leave behind."""

import torch

nn, optim = torch.nn, torch.optim


def run(**options):
    weight = nn.Parameter(torch.tensor([1.0, -2.0]))
    number = nn.Parameter(torch.tensor(0.5))
    optimizer = optim.SGD([weight, number], **options)
    for _ in range(4):
        optimizer.zero_grad()
        loss = ((weight * number - 1) ** 2).sum()
        loss.backward()
        optimizer.step()
    print(options, weight, number.item().__format__(".5f"), weight._version, number._version)
    return optimizer


for options in (
    dict(),
    dict(lr=0.1),
    dict(lr=0.1, momentum=0.9),
    dict(lr=0.1, momentum=0.9, dampening=0.3),
    dict(lr=0.1, momentum=0.9, nesterov=True),
    dict(lr=0.1, weight_decay=0.1),
    dict(lr=0.01, weight_decay=0.1, momentum=0.5, maximize=True),
):
    print(run(**options).state_dict())
print(optim.SGD([nn.Parameter(torch.zeros(1))]))

weight = nn.Parameter(torch.zeros(2))
idle = nn.Parameter(torch.zeros(1))
optimizer = optim.SGD([weight, idle], lr=0.5)
optimizer.step()
print("no gradients", weight, weight._version)


def closure():
    optimizer.zero_grad()
    loss = (weight - 1).sum()
    loss.backward()
    return loss


with torch.no_grad():
    print("closure", optimizer.step(closure), weight, weight.grad, idle.grad)
optimizer.zero_grad(set_to_none=False)
print(weight.grad, idle.grad)
optimizer.zero_grad()
print(weight.grad)

kept = (weight * weight).sum()
weight.grad = torch.ones(2)
optimizer.step()
kept.backward()
