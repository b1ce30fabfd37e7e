"""With create_graph the gradient in a hook has a graph; without, it has none."""

import torch

x = torch.tensor(3.0, requires_grad=True)
x.register_hook(lambda gradient: print("x", gradient, torch.is_grad_enabled()))
for create_graph in (False, True):
    y = x**2
    y.register_hook(lambda gradient: print("y", gradient, torch.is_grad_enabled()))
    (gradient,) = torch.autograd.grad(y**2, x, create_graph=create_graph)
    print("create_graph", create_graph, gradient)
print("12 x² =", torch.autograd.grad(gradient, x))
