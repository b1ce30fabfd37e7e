"""ln(x³) at x = 5 without any gradient."""

import torch
from show import describe_all

x = torch.tensor(5.0)
cubed = x**3
result = torch.log(cubed)
describe_all("forward only", x=x, cubed=cubed, result=result)
