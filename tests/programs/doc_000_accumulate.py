"""backward adds to .grad, so it has to be zeroed before a new pass."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
for reset in ("nothing", "zero_", "None"):
    (x * x).sum().backward()
    print("x.grad", x.grad)
    if reset == "zero_":
        x.grad.zero_()
    elif reset == "None":
        x.grad = None
    print("after", reset, x.grad)
