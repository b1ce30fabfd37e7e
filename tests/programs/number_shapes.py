"""reshape, view, transpose, expand, squeeze and their gradients and errors."""

import torch
from show import attempt

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
weights = torch.arange(6.0)
for name, change in {
    "reshape": lambda x: x.reshape(3, 2),
    "reshape(-1)": lambda x: x.reshape(-1),
    "reshape of T": lambda x: x.T.reshape(6),
    "view": lambda x: x.view(3, -1),
    "view((6,))": lambda x: x.view((6,)),
    "T": lambda x: x.T,
    "transpose": lambda x: x.transpose(0, -1),
    "unsqueeze": lambda x: x.unsqueeze(-1),
    "squeeze": lambda x: x.unsqueeze(0).squeeze(),
    "squeeze(0)": lambda x: x.squeeze(0),
}.items():
    x.grad = None
    changed = change(x)
    print(name, changed, changed.shape)
    (changed.reshape(6) * weights).sum().backward()
    print(x.grad)
x.grad = None
expanded = x.expand(4, 2, 3)
expanded.sum().backward()
print(expanded.shape, x.grad)
print(torch.ones(3, 1).expand(-1, 2), torch.tensor(2.0).expand(2))
attempt("reshape", lambda: x.reshape(4, 2))
attempt("view of T", lambda: x.T.view(6))
attempt("two unknown", lambda: x.view(-1, -1))
attempt("expand", lambda: x.expand(2, 4))
attempt("expand fewer", lambda: x.expand(3))
attempt("transpose", lambda: x.transpose(0, 2))
attempt("unsqueeze", lambda: x.unsqueeze(4))
