"""The functions that make tensors."""

import torch

print(torch.tensor(3), torch.tensor(2.5), torch.tensor(True), torch.tensor([]))
print(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 2.5]), torch.tensor([True, 2]))
print(torch.tensor([1.0, 2.0], dtype=torch.int64), torch.tensor([0, 1], dtype=torch.bool))
print(torch.zeros(2, 3), torch.zeros((2,)), torch.zeros(()), torch.ones(2, dtype=torch.int32))
print(torch.full((2, 2), 7), torch.full((2,), 0.5), torch.full((1,), True))
print(torch.arange(4), torch.arange(1, 3), torch.arange(0, 1, 0.25), torch.arange(3.0))
print(torch.linspace(0, 1, 5), torch.eye(2))
model = torch.tensor([[1.0, 2.0]], dtype=torch.float64, requires_grad=True)
print(torch.zeros_like(model), torch.ones_like(model), torch.full_like(model, 3))
print(torch.ones(2, requires_grad=True), torch.full((2,), 1.0, requires_grad=True))
print(torch.FloatTensor([1, 2]), torch.tensor((1.5, 2.5)), torch.tensor(range(3)))
print(torch.tensor([torch.tensor(1.0), torch.tensor(2.0)]))
print(torch.tensor(float("nan")), torch.tensor([float("inf"), -1.0]))
print(torch.is_tensor(model), isinstance(model, torch.Tensor), torch.get_default_dtype())

matrix, cube = torch.zeros(2, 3).t(), torch.zeros(2, 3, 4).permute(2, 0, 1)
for like in (torch.zeros_like, torch.ones_like, torch.empty_like):
    print(like.__name__, like(matrix).stride(), like(cube).stride(), like(cube[::2]).stride())
print(torch.full_like(matrix, 2.0).stride(), torch.full_like(matrix, 2.0))
