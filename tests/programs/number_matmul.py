"""All kinds of matrix products, their gradients and their errors."""

import torch
from show import attempt


def filled(*shape):
    count = 1
    for size in shape:
        count *= size
    return (torch.arange(count, dtype=torch.float32) + 1).reshape(shape).requires_grad_()


for left, right in [
    ((3,), (3,)),
    ((2, 3), (3,)),
    ((2,), (2, 3)),
    ((2, 3), (3, 2)),
    ((1, 3), (3, 1)),
    ((2, 2, 3), (2, 3, 2)),
    ((2, 2, 3), (3, 2)),
    ((2, 3), (2, 3, 2)),
    ((2, 2, 3), (3,)),
    ((3,), (2, 3, 2)),
    ((0, 3), (3, 2)),
]:
    a, b = filled(*left), filled(*right)
    product = a @ b
    print(left, right, product)
    (product * product).sum().backward()
    print(a.grad, b.grad)

attempt("dot", lambda: torch.dot(filled(3), filled(3)))
attempt("matmul", lambda: torch.matmul(filled(2, 3), filled(3)))
attempt("mm shapes", lambda: filled(2, 3) @ filled(2, 3))
attempt("mv shapes", lambda: filled(2, 3) @ filled(2))
attempt("dot shapes", lambda: filled(2) @ filled(3))
attempt("dot of matrices", lambda: torch.dot(filled(2, 2), filled(2, 2)))
attempt("0-d", lambda: filled(2) @ torch.tensor(1.0))
attempt("dtypes", lambda: filled(2) @ torch.ones(2, dtype=torch.float64))
