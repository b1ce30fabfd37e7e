"""A decorated generator runs each step in its mode and leaves the caller's alone."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


@torch.no_grad()
def steps():
    received = None
    for step in range(3):
        received = yield step, torch.is_grad_enabled(), (x * step).requires_grad, received


generator = steps()
print(next(generator), torch.is_grad_enabled())
print(generator.send("sent"), torch.is_grad_enabled())
with torch.no_grad():
    print(next(generator), torch.is_grad_enabled())
print(list(generator), torch.is_grad_enabled(), [enabled for _, enabled, *_ in steps()])
