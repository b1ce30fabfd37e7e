"""z = x · y with x = 1 and y = 2: first without, then with a gradient."""

import torch
from show import describe_all

x, y = torch.tensor(1.0), torch.tensor(2.0)
z = x * y
describe_all("nothing is recorded", x=x, y=y, z=z)

x.requires_grad_(True)
z = x * y
describe_all("x is tracked", x=x, y=y, z=z)
print(z.grad_fn.next_functions)

z.backward()
describe_all("after backward", x=x, y=y, z=z)
