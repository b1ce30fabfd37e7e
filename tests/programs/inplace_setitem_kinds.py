"""x[index] = value for every kind of index and value."""

import torch
from show import attempt

INDICES = (
    "0", "-1", "slice(1, None)", "...", "None", "(0, 1)", "(slice(None), 1)",
    "(slice(None), slice(None, None, 2))", "(..., 0)", "(0, None)", "()", "x > 2",
    "(0, x[0] > 1)", "True",
    "False", "(True, 0)", "[0, 1]", "[0, 0]", "([0, 1], [1, 0])", "([0, 1], 1)",
    "(slice(None), [0, 2])",
    "torch.tensor([0, 1])", "torch.tensor(1)", "torch.tensor([[0], [1]])", "[]", "[True, False]",
    "torch.tensor(True)", "torch.tensor([], dtype=torch.int64)", "([0, 1], None, [0, 1])",
    "range(2)",
    "[[0, 1], [1, 0]]", "[slice(0, 1), 0]", "[0, None]", "[0] * 33",
)  # fmt: skip
VALUES = (
    "7", "True", "torch.tensor(8)", "torch.tensor([[9.0]])", "torch.tensor([1.0, 2.0, 3.0])",
    "torch.ones(1, 2, 3)", "torch.ones(2, 1) * 6", "torch.tensor([1, 2, 3])", "torch.zeros(0)",
    "[1.0]", "None",
)  # fmt: skip
WRONG = (
    "5", "[5]", "(0, 5)", "(0, 0, 0)", "0.5", "slice(None, None, -1)", "slice(0, 1, 0)",
    "slice('a', None)",
    "torch.tensor([0.5])", "[True, False, True]", "{0}",
)  # fmt: skip
for index in INDICES + WRONG:
    for value in VALUES if index in INDICES else ("7", "[1.0]"):
        x = torch.arange(6.0).view(2, 3)

        def assign(x=x, index=index, value=value):
            x[eval(index)] = eval(value)
            return x.tolist(), x._version

        attempt(f"[{index}] = {value}", assign)
    attempt(f"[{index}]", lambda x=torch.arange(6.0).view(2, 3), i=index: x[eval(i)].tolist())
for number in ("torch.tensor(5.0)", "torch.zeros(0, 3)"):
    for index in (
        "()",
        "...",
        "None",
        "0",
        "True",
        "False",
        "[]",
        "slice(None)",
        "[0]",
        "x > 1",
        "(0, 0)",
    ):
        x = eval(number)

        def assign(x=x, index=index):
            x[eval(index)] = 9
            return x, x._version

        attempt(f"{number}[{index}]", lambda x=x, index=index: x[eval(index)])
        attempt(f"{number}[{index}] = 9", assign)
for kind in (torch.int64, torch.bool, torch.uint8, torch.float64):
    x = torch.zeros(3, dtype=kind)
    x[0] = 2.7
    x[1:] = torch.tensor([1.5, -0.5])
    print(x)
bytes_ = torch.tensor([1, 0, 1], dtype=torch.uint8)
print(torch.arange(3)[bytes_])
