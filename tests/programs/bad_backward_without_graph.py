"""backward where there is no graph. Ends in an exception."""

import torch
from show import attempt

data = torch.tensor([1.0, 2.0])
loss = (data * 2).sum()
print(loss.requires_grad, loss.grad_fn)
attempt("loss", loss.backward)
attempt("with a gradient", lambda: loss.backward(torch.tensor(1.0)))
attempt("vector", data.backward)
attempt("list", lambda: torch.autograd.backward([loss, loss]))
attempt("grad", lambda: torch.autograd.grad(loss, data))
x = torch.tensor(1.0, requires_grad=True)
attempt("second of two", lambda: torch.autograd.backward([x * 2, loss]))
print(x.grad)
attempt("a comparison", (x > 0).backward)
attempt("not a tensor", lambda: torch.autograd.backward([2.0]))
loss.backward()
