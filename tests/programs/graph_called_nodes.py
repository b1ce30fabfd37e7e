"""Calling a node: `y.grad_fn(v)` runs that node's backward alone."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
v = torch.tensor([1.0, 10.0])

y = x * w
print(y.grad_fn(v))
print(y.grad_fn(v), "again: nothing is freed")
with torch.no_grad():
    print(y.grad_fn(v))
print(y.grad_fn(None), y.exp().grad_fn(None))
print([g.grad_fn.name() for g in y.grad_fn(v.clone().requires_grad_())])

# One input: the gradient itself. An input that wants none: None.
print(x.exp().grad_fn(v), (x * 2).grad_fn(v), (x * torch.ones(2)).grad_fn(v))

# Nobody adds the gradient up to the shape of the input, or converts it.
print((x * torch.ones(3, 2)).grad_fn(torch.ones(3, 2)))
print(x.exp().grad_fn(torch.tensor(2.0)), x.exp().grad_fn(torch.ones(2, dtype=torch.float64)))
attempt("another shape", lambda: x.exp().grad_fn(torch.ones(3)))

# The end of a path adds to `.grad`.
end = y.grad_fn.next_functions[0][0]
print(end(v), x.grad, end(v), x.grad, end(None), x.grad)

# Hooks are for backward passes.
h = x * 2
h.grad_fn.register_prehook(lambda grads: print("before"))
h.grad_fn.register_hook(lambda results, grads: print("after"))
h.register_hook(lambda grad: print("tensor"))
print(h.grad_fn(v))

# A gradient for each output.
a, b = torch.stack([x, w]).unbind(0)
print(a.grad_fn(v, None))
for arguments in ((v,), (v, v, v), ()):
    attempt(f"{len(arguments)} of 2", lambda arguments=arguments: a.grad_fn(*arguments))
attempt("a number", lambda: y.grad_fn(1.0))
attempt("by name", lambda: y.grad_fn(grad=v))

# Views, and what was changed through one.
changed = x * 1
view = changed.view(2)
changed.mul_(3)
print(view.grad_fn(v))
changed[0:1].mul_(2)
print(changed.grad_fn(v))


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


attempt("a Function", lambda: Twice.apply(x).grad_fn(v))
print(x.sort().values.grad_fn(v), (x @ w).grad_fn(torch.tensor(1.0)))

z = x.exp().sum()
node = z.grad_fn.next_functions[0][0]
z.backward()
attempt("freed", lambda: node(v))
