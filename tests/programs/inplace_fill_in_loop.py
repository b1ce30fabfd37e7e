"""One buffer written in a loop while its elements are in use. Ends in an exception."""

import torch

w = torch.tensor([0.5, 0.5, 0.5], requires_grad=True)
steps = [torch.tensor(1.0)]
for index in range(3):
    steps.append(torch.sin(steps[-1]) * w[index])
torch.stack(steps).sum().backward()
print("a list of results", w.grad)

buffer = torch.ones(4)
for index in range(3):
    buffer[index + 1] = torch.sin(buffer[index]) * w[index]
print(buffer)
buffer.sum().backward()
