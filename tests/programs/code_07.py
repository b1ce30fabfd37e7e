"""retain_graph allows the second backward, and the gradients add up."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)
describe_all("before", x=x, cubed=cubed, result=result)

for keep in (True, False):
    result.backward(retain_graph=keep)
    describe_all(f"after backward(retain_graph={keep})", x=x, cubed=cubed, result=result)
