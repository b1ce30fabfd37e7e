"""RMSprop with each of its options, under MultiStepLR; and the dtype in which steps are counted."""

import torch

for options in (
    {}, {"momentum": 0.9}, {"centered": True}, {"alpha": 0.5, "eps": 1e-3, "lr": 0.1},
    {"momentum": 0.9, "centered": True, "weight_decay": 0.1, "maximize": True},
):  # fmt: skip
    weight = torch.nn.Parameter(torch.tensor([1.0, -2.0, 3.0]))
    optimizer = torch.optim.RMSprop([weight], **options)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [2, 3, 3, 6], gamma=0.5)
    for _step in range(7):
        optimizer.zero_grad()
        (weight**2 * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
        optimizer.step()
        scheduler.step()
        print(scheduler.get_last_lr())
    print(weight, list(optimizer.state[weight]), optimizer.state[weight]["step"])
print(optimizer)
print(scheduler.state_dict()["milestones"])
for name in ("lr", "eps", "momentum", "weight_decay", "alpha"):
    try:
        torch.optim.RMSprop([weight], **{name: -1.0})
    except ValueError as error:
        print(error)

for dtype in (torch.float64, torch.float16, torch.float32):
    torch.set_default_dtype(dtype)
    for kind in (torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
        weight = torch.nn.Parameter(torch.ones(2, dtype=torch.float32))
        optimizer = kind([weight])
        weight.sum().backward()
        optimizer.step()
        print(optimizer.state[weight]["step"].dtype)
