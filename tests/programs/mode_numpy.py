"""numpy() of a tensor that requires grad. Ends in an exception."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
print(x.detach().numpy(), x.tolist(), x[1].item())
with torch.no_grad():
    print(x.numpy(), x.numpy().dtype)
attempt("of a result", lambda: (x * 2).numpy())
array = torch.tensor([[1, 2], [3, 4]]).numpy()
print(array, array.dtype, torch.tensor(True).numpy(), torch.tensor(2.5).numpy())
shared = x.detach().numpy()
shared[0] = 50
print(x)
x.numpy()
