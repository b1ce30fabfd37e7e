"""Reading parts of a tensor, and the gradient that comes back through each."""

import torch
from show import attempt

x = torch.arange(12.0).reshape(3, 4).requires_grad_()
for name, pick in {
    "[1]": lambda x: x[1],
    "[-1, -2]": lambda x: x[-1, -2],
    "[:, 1]": lambda x: x[:, 1],
    "[0:2, ::2]": lambda x: x[0:2, ::2],
    "[..., -1]": lambda x: x[..., -1],
    "[None, 0]": lambda x: x[None, 0],
    "[[0, 0, 2]]": lambda x: x[[0, 0, 2]],
    "[[0, 1], [1, 1]]": lambda x: x[[0, 1], [1, 1]],
    "[tensor]": lambda x: x[torch.tensor([2, 0])],
    "[0-d tensor]": lambda x: x[torch.tensor(1)],
    "[mask]": lambda x: x[x > 6],
    "[rows mask]": lambda x: x[torch.tensor([True, False, True])],
    "[:, [1, 3]]": lambda x: x[:, [1, 3]],
    "[()]": lambda x: x[()],
    "[5:]": lambda x: x[5:],
}.items():
    x.grad = None
    picked = pick(x)
    print(name, picked)
    (picked * picked).sum().backward()
    print(x.grad)
print(len(x), [row.sum().item() for row in x])
first, second, third = x
print(second)
attempt("out of range", lambda: x[3])
attempt("too many", lambda: x[0, 0, 0])
attempt("negative step", lambda: x[::-1])
attempt("float", lambda: x[1.0])
attempt("of 0-d", lambda: torch.tensor(1.0)[0])
attempt("iterating 0-d", lambda: list(torch.tensor(1.0)))
attempt("len of 0-d", lambda: len(torch.tensor(1.0)))
