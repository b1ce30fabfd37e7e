"""Hooks run in the order of registration, each on the previous result; retain_grad comes last."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.register_hook(lambda gradient: print("first", gradient))
y.retain_grad()
y.register_hook(lambda gradient: gradient * 10)
middle = y.register_hook(lambda gradient: print("third", gradient))
y.register_hook(lambda gradient: gradient + 1)
x.register_hook(lambda gradient: print("leaf", gradient))
x.register_hook(lambda gradient: -gradient)

y.sum().backward(retain_graph=True)
print("retained", y.grad, "leaf", x.grad)
middle.remove()
middle.remove()
y.sum().backward()
print("retained", y.grad, "leaf", x.grad)
