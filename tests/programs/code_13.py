"""A scalar broadcast over three numbers, then a dot product: the gradient is summed back."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
scaled = x * torch.tensor([2.0, 3.0, 5.0])
result = scaled @ torch.tensor([4.0, 7.0, 9.0])
describe_all("before", x=x, scaled=scaled, result=result)

scaled.retain_grad()
result.retain_grad()
result.backward()
describe_all("after", x=x, scaled=scaled, result=result)
