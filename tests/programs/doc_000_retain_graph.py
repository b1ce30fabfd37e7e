"""Without retain_graph backward runs once. Ends in an exception."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
out = (x.exp() * x).sum()
for keep in (True, True, False, False):
    out.backward(retain_graph=keep)
    print("retain_graph", keep, x.grad)
