"""Which operations mind that their result, or their input, is changed in place afterwards."""

import torch

OPERATIONS = {
    "x + 1": lambda x: x + 1,
    "x * 2": lambda x: x * 2,
    "x * x": lambda x: x * x,
    "x / 2": lambda x: x / 2,
    "x ** 2": lambda x: x**2,
    "-x": lambda x: -x,
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "sin": torch.sin,
    "cos": torch.cos,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "relu": torch.relu,
    "abs": torch.abs,
    "sum": lambda x: x.sum(0, keepdim=True),
    "mean": lambda x: x.mean(0, keepdim=True),
    "clone": lambda x: x.clone(),
    "x @ matrix": lambda x: torch.ones(2, 2) @ x,
    "stack": lambda x: torch.stack([x, x]),
    "cat": lambda x: torch.cat([x, x]),
    "x[[0]]": lambda x: x[[0]],
}


def outcome(operation, change_result):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    y = operation(x)
    changed = y if change_result else x
    changed += 1
    try:
        y.sum().backward()
    except RuntimeError as error:
        return str(error).partition(": ")[2].partition(" Hint")[0]
    return f"fine {leaf.grad}"


for name, operation in OPERATIONS.items():
    print(f"{name}: result changed: {outcome(operation, True)}")
    print(f"{name}: input changed: {outcome(operation, False)}")
