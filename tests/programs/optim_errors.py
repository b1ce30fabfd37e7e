"""What cannot be optimized, and options that cannot be."""

import torch
from show import attempt

nn, optim = torch.nn, torch.optim
weight = nn.Parameter(torch.ones(2))
kept = weight * 2
kept.retain_grad()
for label, params in {
    "a tensor": weight,
    "nothing": [],
    "an empty generator": (each for each in ()),
    "a number": 3,
    "numbers": [1],
    "a module": nn.Linear(1, 1),
    "a dict": {"a": weight},
    "a result": [weight * 2],
    "a result that keeps its gradient": [kept],
    "no grad required": [torch.ones(1)],
    "a set": {weight},
    "one twice": [weight, weight],
    "one in two groups": [{"params": [weight]}, {"params": [weight]}],
    "a set in a group": [{"params": {weight}}],
    "a group without params": [{"lr": 1.0}],
    "an empty group": [{"params": []}],
}.items():
    attempt(label, lambda: type(optim.SGD(params, lr=0.1)).__name__)
for options in (
    dict(lr=-1),
    dict(momentum=-1),
    dict(weight_decay=-1),
    dict(nesterov=True),
    dict(nesterov=True, momentum=0.9, dampening=0.1),
):
    attempt(str(options), lambda: optim.SGD([weight], **options))
for options in (
    dict(lr=-1),
    dict(betas=(1.0, 0.9)),
    dict(betas=(0.9, 1.0)),
    dict(eps=-1),
    dict(weight_decay=-1),
):
    attempt(str(options), lambda: optim.Adam([weight], **options))
print(optim.Optimizer([weight], {"lr": 1}))


class Signed(optim.Optimizer):
    """A user's own optimizer."""

    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            for parameter in group["params"]:
                self.state[parameter]["steps"] = self.state[parameter].get("steps", 0) + 1
                parameter -= group["lr"] * parameter.grad.sign()


signed = Signed([weight], lr=0.25)
(weight * torch.tensor([3.0, -7.0])).sum().backward()
signed.step()
print(weight, signed.state_dict(), signed)
