"""A hook on an intermediate tensor sees the gradient on its way and doubles it."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)
describe_all("before", x=x, cubed=cubed, result=result)


def double(gradient):
    print("passing:", gradient, "becomes:", gradient * 2)
    return gradient * 2


handle = cubed.register_hook(double)
result.backward()
handle.remove()
describe_all("after", x=x, cubed=cubed, result=result)
