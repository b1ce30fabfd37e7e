"""Nodes without an implemented derivative run before all others, and raise."""

import torch
from show import attempt


def leaves():
    return [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(3)]


a, b, c = leaves()
print((a // 2).grad_fn, (a // 2).grad_fn._sequence_nr(), (a // b).grad_fn.next_functions[1][0])
early = a // 2
loss = (b * 2).sum() + early.sum() + (c * 3).sum()
attempt("backward", loss.backward)
print(a.grad, b.grad, c.grad)

a, b, c = leaves()
late = b.sum() + (c * 3).sum()
loss = late + (2 % a).sum()
attempt("backward", loss.backward)
print(a.grad, b.grad, c.grad)

a, b, c = leaves()
loss = (a // 2).sum() + b.sum()
attempt("towards b", lambda: torch.autograd.grad(loss, b))
loss = ((a // 2) * b).sum()
attempt("towards a", lambda: torch.autograd.grad(loss, a))

for mode in ("floor", "trunc"):
    a, b, _ = leaves()
    quotient = torch.div(a, b, rounding_mode=mode)
    quotient.sum().backward()
    print(a.grad, b.grad)
    attempt("again", quotient.sum().backward)

# Of what has no derivative only those operands have an edge that require grad.
x = torch.tensor([1.0, 2.0], requires_grad=True)
for result in (torch.ones(2) // x, x // 2, 2 // x, x // x):
    print([node.name() for node, _ in result.grad_fn.next_functions])
