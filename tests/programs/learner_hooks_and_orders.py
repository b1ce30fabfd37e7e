"""Learners ask: which gradient does a hook see? And where is the second derivative?"""

import torch
from show import attempt

print("-- what is kept, before or after the hook")
leaf = torch.tensor(2.0, requires_grad=True)
hidden = leaf * 3
hidden.register_hook(lambda grad: grad * 10)
hidden.retain_grad()
leaf.retain_grad()
(hidden**2).backward()
print(hidden.grad, leaf.grad, leaf.retains_grad)
attempt("without a graph", torch.tensor(1.0).retain_grad)

print("-- a leaf's hook sees what is new")
leaf.grad = torch.tensor(100.0)
handle = leaf.register_hook(lambda grad: print("hook:", grad))
(leaf * 5).backward()
print(leaf.grad)
handle.remove()

print("-- a hook that changes what it is given")
a = torch.tensor([1.0], requires_grad=True)
b = torch.tensor([1.0], requires_grad=True)
a.register_hook(lambda grad: grad * 0)
(a + b).sum().backward()
print(a.grad, b.grad)
total = (a + b).sum()
seen = torch.autograd.grad(total, (a, b))
print(seen, seen[0] is seen[1])

print("-- a part of the leaf")
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x**2).sum()
attempt("a slice made afterwards", lambda: torch.autograd.grad(y, x[0]))
attempt("unused is allowed", lambda: torch.autograd.grad((x**2).sum(), x[0], allow_unused=True))
first = x[0]
attempt("a slice that was used", lambda: torch.autograd.grad(first**2 + x[1], (first, x)))
fresh = torch.tensor(5.0, requires_grad=True)
attempt("zeros", lambda: torch.autograd.grad(first * 2, [x, fresh], materialize_grads=True))

print("-- second derivatives")
x = torch.tensor(2.0, requires_grad=True)
(gradient,) = torch.autograd.grad(x**3, x, create_graph=True)
print(gradient, torch.autograd.grad(gradient, x))
(gradient,) = torch.autograd.grad(x**3, x)
loss = x + gradient
loss.backward()
print("the penalty is left out:", x.grad)
attempt("of a number", gradient.backward)
x.grad = None
(x**3).backward(create_graph=True)
print(x.grad)
attempt("of the accumulated", lambda: torch.autograd.grad(x.grad, x))

print("-- one row, one column, all of it")
f = lambda x: torch.stack([x[0] * x[1], x[0] ** 2, x[1] ** 3])  # noqa: E731
point = torch.tensor([2.0, 3.0], requires_grad=True)
attempt("no matrix", lambda: f(point).backward())
attempt("rows added up", lambda: torch.autograd.grad(f(point), point, torch.ones(3)))
attempt("vjp", lambda: torch.autograd.functional.vjp(f, point, torch.tensor([1.0, 0.0, 0.0])))
attempt("jvp", lambda: torch.autograd.functional.jvp(f, point, torch.tensor([1.0, 0.0])))
attempt("jacobian", lambda: torch.autograd.functional.jacobian(f, point))
