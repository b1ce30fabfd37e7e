"""backward(create_graph=True) warns of a reference cycle; autograd.grad does not."""

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**3
print(torch.autograd.grad(y, x, create_graph=True))
print("now backward")
y.backward(create_graph=True)
print(x.grad, x.grad.grad_fn.next_functions)
x.grad = None
try:
    y.backward(create_graph=True)
    y.backward()
    y.backward(create_graph=True)  # warns although it fails
except RuntimeError as error:
    print(str(error).split(" (")[0])
x.grad = None
