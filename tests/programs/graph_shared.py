"""A graph with sharing: how many nodes there are, and that each runs once."""

import torch

x = torch.tensor(1.0, requires_grad=True)
tensors, fired = [x], []
for _ in range(20):
    tensors.append(tensors[-1] + tensors[-1])
for index, tensor in enumerate(tensors):
    tensor.register_hook(lambda gradient, index=index: fired.append((index, gradient.item())))

seen, todo = set(), [tensors[-1].grad_fn]
while todo:
    node = todo.pop()
    if node not in seen:
        seen.add(node)
        todo.extend(following for following, _ in node.next_functions)
print("nodes", len(seen))
tensors[-1].backward()
print("fired", fired)
print("gradient", x.grad)
