"""Several outputs, with and without cotangents, for autograd.grad and autograd.backward."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)


def outputs():
    return (x**2).sum(), x * 3


scalar, vector = outputs()
v = torch.tensor([1.0, 10.0])
print(torch.autograd.grad([scalar, vector], x, [torch.tensor(2.0), v]))
print(torch.autograd.grad(outputs(), [x], grad_outputs=[None, v]))
attempt("no cotangents", lambda: torch.autograd.grad(outputs(), x))
attempt("too few", lambda: torch.autograd.grad(outputs(), x, [v]))
attempt("wrong shape", lambda: torch.autograd.grad(outputs(), x, [torch.ones(3), v]))
torch.autograd.backward(outputs(), [None, v])
print(x.grad)
x.grad = None
torch.autograd.backward((x * 2).sum())
print(x.grad)
x.grad = None
torch.autograd.backward([x.sum(), x.sum()])
print("the same leaf twice", x.grad)
y = x * 2
torch.autograd.backward([y, y], [v, v])
print("the same root twice", x.grad)
