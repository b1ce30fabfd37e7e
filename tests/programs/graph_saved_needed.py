"""A node saves only what its rules need, and of its own result it does not keep the tensor."""

import weakref

import torch


def kept(value):
    return None if value is None else value.tolist()


x = torch.tensor([1.0, 2.0], requires_grad=True)
k = torch.tensor([3.0, 4.0])
for name, product in {"x * k": x * k, "k * x": k * x, "x * x": x * x}.items():
    node = product.grad_fn
    print(name, kept(node._saved_self), kept(node._saved_other))

result = x * 0.0
result = result.exp()
node, tensor = result.grad_fn, weakref.ref(result)
print(tensor() is None, kept(node._saved_result))
del result
print(tensor() is None, kept(node._saved_result))
