"""A second backward works wherever nothing was saved."""

import torch

b = torch.tensor([1.0, 2.0], requires_grad=True)
for name, result in {
    "b + 1": b + 1,
    "b - b": b - b,
    "-b": -b,
    "3 * b": 3 * b,
    "b / 2": b / 2,
    "sum": b.sum(),
    "mean": b.mean(),
    "view": b.view(2, 1),
    "b[0]": b[0],
    "stack": torch.stack([b, b]),
    "clone": b.clone(),
}.items():
    b.grad = None
    try:
        for _ in range(3):
            result.backward(torch.ones_like(result))
        print(name, b.grad)
    except RuntimeError as error:
        print(name, b.grad, str(error)[:60])
