"""Under no_grad, leaves keep their flag and results have no graph. Ends in an exception."""

import torch
from show import describe_all

with torch.no_grad():
    power = torch.tensor(3.0, requires_grad=True)
    x = torch.tensor(5.0, requires_grad=True)
    raised = x**power
    result = torch.log(raised)

describe_all("before", power=power, x=x, raised=raised, result=result)
result.backward()
describe_all("after", power=power, x=x, raised=raised, result=result)
