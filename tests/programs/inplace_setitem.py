"""Assignment to parts of tensors, with and without a graph."""

import torch
from show import attempt

data = torch.zeros(3, 4)
data[0] = 1
data[1, 2] = torch.tensor(5.0)
data[:, 3] = torch.tensor([7.0, 8.0, 9.0])
data[2, :2] = torch.tensor([[1.0, 2.0]])
data[data > 7] = -1
data[[0, 1], [0, 1]] = 20.0
print(data, data._version)
attempt("wrong shape", lambda: data.__setitem__(0, torch.ones(3)))
attempt("out of range", lambda: data.__setitem__(3, 1.0))
print(data._version)

whole = torch.zeros(3, dtype=torch.int64)
whole[1] = 2.7
print(whole)

w = torch.tensor([2.0, 3.0], requires_grad=True)
out = torch.ones(4)
out[1] = w[0] * w[1]
out[2:] = w * 2
print(out)
out.sum().backward()
print(w.grad)
