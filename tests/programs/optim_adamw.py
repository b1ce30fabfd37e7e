"""Weight decay that is apart from the gradient, and the largest second moment."""

import torch

nn, optim = torch.nn, torch.optim


def run(kind, **options):
    weight = nn.Parameter(torch.tensor([1.0, -2.0]))
    number = nn.Parameter(torch.tensor(0.5))
    optimizer = kind([weight, number], lr=0.1, **options)
    for step in range(5):
        optimizer.zero_grad()
        ((weight * number - 1) ** 2).sum().backward()
        if step > 2:
            weight.grad.mul_(0.01)
        optimizer.step()
    print(options, weight, number, weight._version)
    print(optimizer, optimizer.state_dict())


run(optim.AdamW)
run(optim.AdamW, weight_decay=0.5, maximize=True)
run(optim.AdamW, weight_decay=0)
run(optim.AdamW, betas=(0.5, 0.9), amsgrad=True, foreach=False)
run(optim.Adam, betas=(0.5, 0.9), amsgrad=True)
run(optim.Adam, weight_decay=0.1, decoupled_weight_decay=True)
run(optim.Adam, weight_decay=0.1, amsgrad=True, maximize=True)
