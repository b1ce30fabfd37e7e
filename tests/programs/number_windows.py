"""Which element of a window counts: among equals, nan and infinities, and at the edge."""

import torch

max_pool2d = torch.nn.functional.max_pool2d
nan, inf = float("nan"), float("inf")

WINDOWS = {
    "equal": [[1.0, 1.0], [1.0, 1.0]],
    "zeros": [[-0.0, 0.0], [0.0, -0.0]],
    "zeros the other way round": [[0.0, -0.0], [-0.0, 0.0]],
    "nan": [[3.0, nan], [nan, 4.0]],
    "infinite": [[inf, 3.0], [inf, -inf]],
    "as low as can be": [[-inf, -inf], [-inf, -inf]],
}
for name, rows in WINDOWS.items():
    x = torch.tensor([rows], requires_grad=True)
    for arguments in [(2,), (2, 1, 1)]:
        values, indices = max_pool2d(x, *arguments, return_indices=True)
        (grad,) = torch.autograd.grad(values, x, torch.ones_like(values) * inf)
        print(name, arguments, values.tolist(), indices.tolist(), grad.tolist())

x = torch.tensor([-1.0, -0.0, 0.0, 1.0, nan, -1.0], requires_grad=True)
y = torch.relu(x)
y.backward(torch.tensor([inf, nan, -2.0, -2.0, 3.0, -2.0]))
print(y, x.grad)
