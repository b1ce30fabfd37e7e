"""3.3: (2x²)² at 4. The middle tensor requires grad, but it is not a leaf, so its .grad is None."""

import torch
from show import describe

x = torch.tensor([4.0], requires_grad=True)
inner = 2 * (x**2)
outer = inner**2
outer.backward()
print(f"x.grad: {x.grad}")
print(f"inner.grad: {inner.grad}")
describe("inner", inner)
