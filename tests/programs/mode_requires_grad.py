"""requires_grad of leaves, results and integers."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0])
x.requires_grad = True
y = x * 2
attempt("switch off a result", lambda: y.requires_grad_(False))
attempt("assign to a result", lambda: setattr(y, "requires_grad", False))
attempt("switch on a result", lambda: y.requires_grad_())
z = y.detach()
print(z.requires_grad_(), z.is_leaf, y.requires_grad)
x.requires_grad_(False)
print(x, y, (x * 2).requires_grad)
y.sum().backward()
print("the graph was recorded before:", x.grad)
whole = torch.tensor([1, 2])
attempt("integers", whole.requires_grad_)
attempt("assigned", lambda: setattr(whole, "requires_grad", True))
print(whole.requires_grad_(False), torch.tensor([1.0]).requires_grad_().requires_grad)
frozen = torch.nn.Linear(2, 1)
for parameter in frozen.parameters():
    parameter.requires_grad_(False)
print(frozen(torch.ones(1, 2)).requires_grad)
