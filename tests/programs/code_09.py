"""Two paths from x to the result: ln(x³) + √(x²). Their gradients add: 0.6 + 1.0."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
squared = x**2
result = torch.log(cubed) + torch.sqrt(squared)

describe_all("before", x=x, cubed=cubed, squared=squared, result=result)
result.backward()
describe_all("after", x=x, cubed=cubed, squared=squared, result=result)
