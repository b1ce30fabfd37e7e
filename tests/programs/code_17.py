"""The gradient that backward computes has no graph of its own. Ends in an exception."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)
describe_all("before", x=x, cubed=cubed, result=result)

result.backward()
describe_all("after", x=x, cubed=cubed, result=result)
describe_all("gradients", of_x=x.grad, of_cubed=cubed.grad, of_result=result.grad)

print("second derivative", torch.autograd.grad(x.grad, x))
