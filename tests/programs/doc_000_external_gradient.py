"""backward on a vector needs a gradient from outside; it is one vector-Jacobian product."""

import torch
from show import attempt, describe_all

a = torch.tensor([2.0, 3.0], requires_grad=True)
b = torch.tensor([6.0, 4.0], requires_grad=True)
out = 3 * a**3 - b**2
passed = []
out.register_hook(lambda gradient: passed.append(gradient.tolist()))

attempt("without a gradient", out.backward)
external = torch.tensor([1.0, 1.0])
out.backward(gradient=external)
describe_all("after", a=a, b=b, out=out)
print("a.grad as expected", 9 * a**2 == a.grad)
print("b.grad as expected", -2 * b == b.grad)
print("gradients that passed through out:", passed)
