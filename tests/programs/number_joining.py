"""stack and cat, along every dimension, and what they refuse."""

import torch
from show import attempt

a = torch.tensor([[1.0, 2.0]], requires_grad=True)
b = torch.tensor([[3.0, 4.0]], requires_grad=True)
for joined in (
    torch.stack([a, b]),
    torch.stack((a, b), dim=1),
    torch.stack([a, b], -1),
    torch.cat([a, b]),
    torch.cat((a, b), dim=1),
    torch.cat([a, b, a], -1),
):
    a.grad = b.grad = None
    print(joined, joined.shape)
    (joined.reshape(-1) * torch.arange(float(joined.numel()))).sum().backward()
    print(a.grad, b.grad)
print(torch.cat([torch.tensor([1]), torch.tensor([2.5])]))
print(torch.stack([torch.tensor(1.0), torch.tensor(2.0)]))
attempt("stack shapes", lambda: torch.stack([a, b.T]))
attempt("cat shapes", lambda: torch.cat([a, torch.ones(1, 3)]))
attempt("stack nothing", lambda: torch.stack([]))
attempt("cat nothing", lambda: torch.cat([]))
attempt("cat 0-d", lambda: torch.cat([torch.tensor(1.0), torch.tensor(2.0)]))
attempt("dim", lambda: torch.stack([a, b], 5))
