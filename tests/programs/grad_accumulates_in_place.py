"""Gradients are added into the same object; with create_graph into a new one."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
(x * 2).sum().backward()
first = x.grad
print("first", first, first._version)
(x * 3).sum().backward()
print("the same object", x.grad is first, first, first._version)

(x**2).sum().backward(create_graph=True)
print("a new object", x.grad is first, first, x.grad)
x.grad = None
(x**2).sum().backward(create_graph=True)
print("from nothing", x.grad, x.grad.grad_fn.next_functions)

x.grad = torch.tensor([100.0, 100.0])
mine = x.grad
(x * 2).sum().backward()
print("into a given one", x.grad is mine, mine)

cotangent = torch.tensor([1.0, 1.0])
x.grad = None
x.clone().backward(cotangent)
print("never the cotangent itself", x.grad is cotangent, x.grad.data_ptr() == cotangent.data_ptr())
x.grad = None
del x.grad
print("after del", x.grad)
