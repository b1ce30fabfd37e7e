"""The exponent is a leaf, too: d/dx and d/dp of ln(x^p)."""

import torch
from show import describe_all

power = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(5.0, requires_grad=True)
raised = x**power
result = torch.log(raised)

describe_all("before", power=power, x=x, raised=raised, result=result)
result.backward()
describe_all("after", power=power, x=x, raised=raised, result=result)
