"""Switching requires_grad on and off, on tensors made here and from NumPy."""

import numpy as np
import torch
from show import describe

a = torch.tensor([[0.5818, 2.1532], [1.1036, 0.8144]], requires_grad=True)
describe("a", a)
print(a.requires_grad_(False) is a)
describe("a", a)

numbers = np.array([1.0, 2.0, 3.0])
b = torch.from_numpy(numbers)
describe("b", b)
b.requires_grad_(True)
describe("b", b)
print(b)

numbers[0] = 10.0
print("shared memory:", b)
print(torch.from_numpy(np.array([1, 2, 3])), torch.from_numpy(np.array([True, False])))
print(torch.from_numpy(np.ones((2, 2), dtype=np.float32)))
torch.from_numpy(np.array([1, 2, 3])).requires_grad_(True)
