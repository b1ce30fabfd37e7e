"""Gradients where a function has none, or an infinite one."""

import torch


def gradient(f, at):
    x = torch.tensor(at, requires_grad=True)
    y = f(x)
    y.sum().backward()
    return y.detach(), x.grad


special = [0.0, -0.0, float("inf"), float("-inf"), float("nan"), -1.0]
for name, f in {
    "relu": torch.relu,
    "abs": torch.abs,
    "sqrt": torch.sqrt,
    "log": torch.log,
    "exp": torch.exp,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "sin": torch.sin,
    "1 / x": lambda x: 1 / x,
    "x / x": lambda x: x / x,
    "x ** 0": lambda x: x**0,
    "x ** 1": lambda x: x**1,
    "x ** 2": lambda x: x**2,
    "x ** 0.5": lambda x: x**0.5,
    "x ** -1": lambda x: x**-1,
    "2 ** x": lambda x: 2**x,
    "0 ** x": lambda x: 0**x,
    "0 * x": lambda x: 0 * x,
}.items():
    value, slope = gradient(f, special)
    print(name, value, slope)
