"""The gradient of x² needs the saved x, which the first backward freed. Ends in an exception."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**2).sum()
y.backward()
print(x.grad, y.grad_fn, y.grad_fn.next_functions)
try:
    y.backward()
finally:
    print("unchanged:", x.grad)
