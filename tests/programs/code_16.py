"""The gradient at the cut is passed by hand to the other half of the graph."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
scaled = x * torch.tensor([2.0, 3.0, 5.0])
cut = scaled.detach().requires_grad_()
result = cut @ torch.tensor([4.0, 7.0, 9.0])

describe_all("before", x=x, scaled=scaled, cut=cut, result=result)
result.backward()
describe_all("after the upper half", x=x, scaled=scaled, cut=cut, result=result)
scaled.backward(gradient=cut.grad)
describe_all("after both halves", x=x, scaled=scaled, cut=cut, result=result)
