"""Derivatives of x⁵, sin and a product, up to the fifth order."""

import torch


def derivatives(f, at, order):
    x = torch.tensor(at, dtype=torch.float64, requires_grad=True)
    value = f(x)
    values = [round(value.item(), 6)]
    for _ in range(order):
        (value,) = torch.autograd.grad(value, x, create_graph=True)
        values.append(round(value.item(), 6))
    return values, value.requires_grad


print("x ** 5", derivatives(lambda x: x**5, 2.0, 5))
print("sin", derivatives(torch.sin, 0.5, 5))
print("exp(x) * x", derivatives(lambda x: torch.exp(x) * x, 0.0, 5))
print("tanh", derivatives(torch.tanh, 0.3, 3))
print("sigmoid", derivatives(torch.sigmoid, 0.3, 3))
print("1 / x", derivatives(lambda x: 1 / x, 2.0, 4))
print("sqrt", derivatives(torch.sqrt, 4.0, 3))
print("log", derivatives(torch.log, 2.0, 4))
print("x ** x", derivatives(lambda x: x**x, 1.5, 2))

x = torch.tensor([1.0, 2.0], requires_grad=True)
(gradient,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
penalty = (gradient**2).sum()
print("penalty", penalty)
penalty.backward()
print("its gradient", x.grad)
