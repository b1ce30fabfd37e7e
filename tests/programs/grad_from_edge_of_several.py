"""Gradients that start at an edge to one of several outputs."""

import torch

edge_of = torch.autograd.graph.get_gradient_edge
x = torch.tensor([1.0, 2.0], requires_grad=True)
left, right = (x * x).unbind()
torch.autograd.backward(edge_of(right), retain_graph=True)
print(x.grad)
print(torch.autograd.grad(edge_of(left), x, torch.tensor(3.0), retain_graph=True))
print(torch.autograd.grad([edge_of(left), right], x, retain_graph=True))
print(torch.autograd.grad(right, edge_of(right)))

m = torch.ones(4, 2, requires_grad=True)
first, second = (m * 2).split([1, 3])
print(torch.autograd.grad(edge_of(second), m, torch.full((3, 2), 5.0), retain_graph=True))
try:
    torch.autograd.grad(edge_of(second), m, retain_graph=True)
except RuntimeError as error:
    print(error)
try:
    torch.autograd.grad(edge_of(second), m, torch.ones(2), retain_graph=True)
except RuntimeError as error:
    print(str(error).splitlines()[0])
