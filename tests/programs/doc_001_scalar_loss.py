"""A loss per sample is a vector; summed or averaged it is a scalar that backward accepts."""

import torch
from show import attempt

samples = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]])
targets = torch.tensor([1.0, 0.0, 1.0, 0.0])


def losses(weight):
    return (torch.sigmoid(samples @ weight) - targets) ** 2


weight = torch.tensor([0.1, -0.2], requires_grad=True)
each = losses(weight)
print("each", each, each.shape)
attempt("backward of all", each.backward)
for name, total in (("sum", each.sum()), ("mean", each.mean())):
    weight.grad = None
    total.backward(retain_graph=True)
    print(name, total, weight.grad)
weight.grad = None
each.backward(torch.full((4,), 0.25))
print("a cotangent of quarters", weight.grad)

print("mean over all", losses(weight).mean().item())
with torch.no_grad():
    running, weighted = 0.0, 0.0
    for batch in (slice(0, 3), slice(3, 4)):
        loss = losses(weight)[batch].mean()
        running += loss.item()
        weighted += loss.item() * len(targets[batch])
print(f"mean of means {running / 2:.6f}, weighted by size {weighted / len(targets):.6f}")
