"""In-place edits through views of a tensor in a graph: CopySlices, and siblings that follow."""

import torch

x = torch.tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
y = x * 1
first, second = y[:2], y[2:]
print(second.grad_fn)
first.mul_(10)
print("base", y, y.grad_fn.name(), y._version)
print("edited view", first, first.grad_fn.name())
print("sibling", second, second.grad_fn.name())
y.sum().backward()
print(x.grad)

x.grad = None
matrix = torch.zeros(2, 2)
early = matrix[1]
matrix[0, 1] = x[0] * 5
print(matrix, matrix.requires_grad, matrix.is_leaf)
print("an earlier view", early, early.requires_grad)
matrix[1] = x[2:] * 2
matrix[:, 0] += x[3]
(matrix * torch.tensor([[1.0, 2.0], [3.0, 4.0]])).sum().backward()
print(x.grad)
