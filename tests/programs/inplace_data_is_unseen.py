"""The version counter counts edits through detach(), but not those through .data and NumPy."""

import torch


def gradient(change):
    leaf = torch.tensor([1.0, 2.0], requires_grad=True)
    x = leaf * 1
    y = x**2
    change(x)
    try:
        y.sum().backward()
    except RuntimeError as error:
        return str(error)
    return leaf.grad, x._version


print("unchanged", gradient(lambda x: None))
print("data", gradient(lambda x: x.data.mul_(10)))
print("numpy", gradient(lambda x: x.detach().numpy().fill(10)))
print("detach", gradient(lambda x: x.detach().mul_(10)))

x = torch.tensor([1.0, 2.0], requires_grad=True)
version = x._version
x.data = torch.tensor([5.0, 6.0, 7.0])
print(x, x._version == version)
print(x.data, x.data.requires_grad)
