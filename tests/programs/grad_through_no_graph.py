"""requires_grad_() on a loss that lost its graph silences the error and trains nothing."""

import torch

w = torch.tensor([0.2, 0.7], requires_grad=True)
loss = (torch.tensor(w.tolist()) * 2).sum()
print(loss, loss.grad_fn)
loss.requires_grad_()
loss.backward()
print("loss.grad", loss.grad, "w.grad", w.grad)
joined = torch.stack([w[0] * 2, w[1] * 2]).sum()
print(joined)
joined.backward()
print("w.grad", w.grad)
