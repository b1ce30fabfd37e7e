"""A second backward finds the saved values gone. Ends in an exception."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)
describe_all("before", x=x, cubed=cubed, result=result)

for turn in (1, 2):
    result.backward()
    describe_all(f"after backward {turn}", x=x, cubed=cubed, result=result)
