"""Hooks of a tensor that is detached in place stay with the old node and with the new leaf."""

import torch

seen = []
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
handle = y.register_hook(lambda grad: seen.append(grad))
z = y * 3
y.detach_()
y.requires_grad_()
z.sum().backward()
print("the old graph", seen, x.grad, y.grad)
(y * 5).sum().backward()
print("the leaf", seen, y.grad)
handle.remove()
(y * 5).sum().backward()
print("removed", len(seen), y.grad)

# What a node gives along an edge to nowhere its post-hooks see all the same.
a, constant = torch.ones(2, requires_grad=True), torch.ones(2)


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x + y

    @staticmethod
    def backward(ctx, grad):
        return grad, grad * 2


for result in (torch.stack([a, constant]), torch.cat([a, constant]), Both.apply(a, constant)):
    result.grad_fn.register_hook(lambda inputs, outputs: print(inputs, outputs))
    result.sum().backward()

# What is saved for the gradient of what was added, and so must not be changed.
base, part = torch.zeros(3, requires_grad=True), torch.ones(1, requires_grad=True)
part_of = part * 1
result = base.index_add(0, torch.tensor([1]), part_of)
with torch.no_grad():
    part_of.mul_(2)
try:
    result.sum().backward()
except RuntimeError as error:
    print(str(error)[:60])
