"""gradcheck in single precision warns, and fails. Ends in an exception."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
print(torch.autograd.gradcheck(lambda x: x * 1, (x,), eps=0.5))
torch.autograd.gradcheck(lambda x: x**2, (x,))
