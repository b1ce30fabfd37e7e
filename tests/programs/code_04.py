"""One leaf, two operations, one backward: only the leaf keeps its gradient."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)

describe_all("before", x=x, cubed=cubed, result=result)
result.backward()
describe_all("after", x=x, cubed=cubed, result=result)
