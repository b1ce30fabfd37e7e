"""3.1: the derivative of x² at 4."""

import torch

x = torch.tensor([4.0], requires_grad=True)
print(f"before: {x.grad}")
square = x**2
square.backward()
print(f"after: {x.grad}, x: {x}, square: {square}")
