"""Full backward hooks of modules that return what does not fit."""

import torch

layer = torch.nn.Linear(2, 2)
x = torch.ones(1, 2, requires_grad=True)
for result in (
    (torch.ones(3, 3),), (torch.ones(1, 2).double(),), (3,), 3, (None,), (x.detach(), x.detach()),
):  # fmt: skip
    for register in (layer.register_full_backward_hook, layer.register_full_backward_pre_hook):
        handle = register(lambda *args, result=result: result)
        try:
            layer(x).sum().backward()
            print(x.grad)
        except (RuntimeError, TypeError) as error:
            print(type(error).__name__, error)
        handle.remove()
