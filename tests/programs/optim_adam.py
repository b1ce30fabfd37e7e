"""Adam: values, running means, steps."""

import torch

nn, optim = torch.nn, torch.optim


def run(**options):
    weight = nn.Parameter(torch.tensor([1.0, -2.0]))
    number = nn.Parameter(torch.tensor(0.5))
    optimizer = optim.Adam([weight, number], **options)
    for _ in range(5):
        optimizer.zero_grad()
        ((weight * number - 1) ** 2).sum().backward()
        optimizer.step()
    print(options, weight, number, weight._version)
    print(optimizer.state_dict())
    return optimizer


run()
run(lr=0.1, betas=(0.5, 0.9), eps=1e-3)
run(lr=0.1, weight_decay=0.1)
optimizer = run(lr=0.1, maximize=True)
print(optimizer)
print(optimizer.param_groups)

twin = optim.Adam([nn.Parameter(torch.ones(2)), nn.Parameter(torch.tensor(1.0))], lr=7.0)
twin.load_state_dict(optimizer.state_dict())
for parameter in twin.param_groups[0]["params"]:
    parameter.grad = torch.ones_like(parameter)
twin.step()
print(twin.param_groups, twin.state_dict()["state"])
