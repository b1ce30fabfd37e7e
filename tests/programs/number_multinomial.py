"""multinomial: the same seed draws the same indices; and its errors."""

import torch

weights = torch.tensor([[0.1, 0.2, 3.0, 0.0], [1.0, 1.0, 1.0, 1.0]])
for dtype in (torch.float32, torch.float64):
    torch.manual_seed(0)
    w = weights.to(dtype)
    print(torch.multinomial(w, 1), w[0].multinomial(2))
    print(torch.multinomial(w, 5, replacement=True), torch.multinomial(w[1], 4))
    print(torch.multinomial(w, 1, True, generator=torch.Generator().manual_seed(1)), torch.rand(1))
    print(torch.multinomial(torch.rand(3, 50).to(dtype).softmax(-1), 40, True))

nan, inf = float("nan"), float("inf")
for probabilities, count, replacement in (
    ([1.0, -1.0], 1, False), ([1.0, -1.0], 2, True), ([0.0, 0.0], 1, False), ([0.0, 0.0], 2, True),
    ([1.0, nan], 1, False), ([1.0, nan], 2, True), ([1.0, inf], 2, True), ([1, 2], 1, False),
    ([1.0, 2.0], 3, False), ([1.0, 2.0], 0, False), (1.0, 1, False), ([[[1.0]]], 1, False),
    ([1.0, 0.0], 2, False),
):  # fmt: skip
    try:
        print(torch.multinomial(torch.tensor(probabilities), count, replacement))
    except RuntimeError as error:
        print(error)
