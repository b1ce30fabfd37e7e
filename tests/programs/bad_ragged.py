"""Ragged lists."""

import torch
from show import attempt

for label, data in {
    "shorter": [[1, 2], [3]],
    "longer": [[1], [2, 3]],
    "number for a list": [[1, 2], 3],
    "list for a number": [1, [2, 3]],
    "deep": [[[1.0], [2.0]], [[3.0]]],
    "empty": [[1.0], []],
}.items():
    attempt(label, lambda: torch.tensor(data))
attempt("nested empties", lambda: torch.tensor([[], []]))
torch.tensor([[1.0, 2.0], [3.0]])
