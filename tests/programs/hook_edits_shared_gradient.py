"""A hook that edits its gradient in place: an addition sent the same tensor to both its inputs."""

import torch

for shape in [(), (1,), (1, 1)]:
    a = torch.full(shape, 2.0, requires_grad=True)
    b = torch.full(shape, 3.0, requires_grad=True)
    a.register_hook(lambda grad: print("a", grad.mul_(10.0)))
    (a + b).backward()
    print(a.grad, b.grad)
    (b + a).backward()
    print(a.grad, b.grad)

    seen = []
    x, y = a.detach().requires_grad_(), b.detach().requires_grad_()
    x.register_hook(seen.append)
    y.register_hook(seen.append)
    (x + y).backward()
    print(seen[0] is seen[1])
