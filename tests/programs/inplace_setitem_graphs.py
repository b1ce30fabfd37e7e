"""x[index] = value where x, the value, or both belong to a graph."""

import torch
from show import attempt, state


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


SOURCES = (
    "torch.arange(6.0).view(2, 3)",
    "(leaf(0.0, 1.0, 2.0, 3.0, 4.0, 5.0) * 1).view(2, 3)",
    "leaf(0.0, 1.0, 2.0, 3.0, 4.0, 5.0).view(2, 3)",
    "torch.zeros(2, 3, requires_grad=True)",
    "torch.zeros(2, 3, requires_grad=True) * 1",
)
INDICES = (
    "0",
    "...",
    "(0, 1)",
    "(slice(None), 1)",
    "x > 2",
    "[0, 0]",
    "([0, 1], [1, 0])",
    "True",
    "False",
)
VALUES = ("7", "w.sum()", "w[:1]", "w", "x[0]", "w.double().sum()", "x * 2")
for source in SOURCES:
    for index in INDICES:
        for value in VALUES:
            x, w = eval(source), leaf(1.0, 2.0, 3.0)

            def run(x=x, w=w, index=index, value=value):
                x[eval(index)] = eval(value)
                state("  x", x)
                (x * torch.arange(6.0).view(2, 3)).sum().backward()
                print(w.grad)

            attempt(f"{source}[{index}] = {value}", run)

x = leaf(1.0, 2.0, 3.0)
for target in ("x * 1", "torch.zeros(3)"):
    for index in ("i", "m"):
        i, m = torch.tensor([0, 1]), torch.tensor([True, False, True])
        picked, put = x[eval(index)], eval(target)
        put[eval(index)] = x[:2] * 2
        eval(index)[0] = 0
        attempt(f"{index} edited after reading", picked.sum().backward)
        attempt(f"{index} edited after writing into {target}", put.sum().backward)
