"""What torch.tensor makes: a copy with a shape and a dtype; item() returns its single number."""

import numpy as np
import torch

data = np.array([1.0, 2.0], dtype=np.float32)
copied = torch.tensor(data)
data[0] = 100.0
print(copied)
print(torch.tensor(2.5).item(), torch.tensor([[7.0]]).item())
for made in (torch.tensor(3), torch.tensor([1.5, 2.5]), torch.tensor([[True], [False]])):
    print(made, made.shape, made.dtype, made.requires_grad, made.is_leaf, made.grad_fn)
try:
    torch.tensor([1.0, 2.0]).item()
except RuntimeError as error:
    print("RuntimeError:", str(error))
