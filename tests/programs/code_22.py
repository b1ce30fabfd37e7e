"""The graph of code 9 followed by hand from the root to its one AccumulateGrad."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
squared = x**2
result = torch.log(cubed) + torch.sqrt(squared)
describe_all("before", x=x, cubed=cubed, squared=squared, result=result)

root = result.grad_fn
print("root", root, root.name(), type(root).__name__)
print("root.next_functions", root.next_functions)
ends = []
for (branch, slot), tensor in zip(root.next_functions, (cubed, squared), strict=True):
    print("branch", branch, slot, branch.next_functions)
    ((power, slot),) = branch.next_functions
    print("power", power, slot, power is tensor.grad_fn, power.next_functions)
    ((end, slot),) = power.next_functions
    print("end", end, slot, end.next_functions, end.variable is x)
    ends.append(end)
print("one and the same end:", ends[0] is ends[1])
