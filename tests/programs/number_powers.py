"""Both gradients of a ** b at the edges of its domain."""

import torch

for base in (-2.0, 0.0, 3.0):
    for exponent in (-1.0, 0.0, 0.5, 1.0, 2.0):
        a = torch.tensor(base, requires_grad=True)
        b = torch.tensor(exponent, requires_grad=True)
        y = a**b
        y.backward()
        print(f"{base} ** {exponent}", y, a.grad, b.grad)
a = torch.tensor([1, 2, 3])
print(a**2, a**2.0, 2**a, 2.0**a, a**a, a**0.5)
