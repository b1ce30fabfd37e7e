"""backward() starts from a 0-d 1; a gradient that is passed must have the tensor's shape."""

import torch
from show import attempt


def gradient(cotangent):
    x = torch.tensor(1.0, requires_grad=True)
    z = x * torch.tensor(2.0)
    seen = []
    z.register_hook(seen.append)
    z.backward(cotangent)
    return seen, x.grad


attempt("default", lambda: gradient(None))
attempt("one", lambda: gradient(torch.tensor(1.0)))
attempt("ten", lambda: gradient(torch.tensor(10.0)))
attempt("1x1", lambda: gradient(torch.ones(1, 1)))
attempt("1", lambda: gradient(torch.ones(1)))
attempt("3", lambda: gradient(torch.ones(3)))
