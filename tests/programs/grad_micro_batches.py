"""Gradients of parts of a batch add up to that of the batch if they are weighted correctly."""

import torch

samples = torch.tensor([1.0, 2.0, 3.0, 4.0, 10.0])


def gradient(parts, weight):
    w = torch.tensor(0.5, requires_grad=True)
    for part in parts:
        loss = ((w * part - 1) ** 2).mean() * weight(part)
        loss.backward()
    return w.grad


parts = [samples[:2], samples[2:4], samples[4:]]
print("whole", gradient([samples], lambda part: 1))
print("mean of means", gradient(parts, lambda part: 1 / 3))
print("by size", gradient(parts, lambda part: len(part) / len(samples)))
