"""Gradients of broadcast operands are summed back to their shapes."""

import torch

shapes = [(), (1,), (3,), (2, 1), (1, 3), (2, 3), (4, 1, 3), (0,), (2, 0)]


def filled(shape, start):
    count = 1
    for size in shape:
        count *= size
    numbers = torch.arange(count, dtype=torch.float64) + start
    return numbers.reshape(shape).requires_grad_()


for left in shapes:
    for right in shapes:
        a, b = filled(left, 1.0), filled(right, 2.0)
        try:
            y = a * b
        except RuntimeError as error:
            print(left, right, error)
            continue
        (y + a / b).sum().backward()
        print(left, right, y.shape, a.grad.shape, b.grad.shape, a.grad.sum(), b.grad.sum())
