"""A hook or a backward that raises restores the modes; what was freed stays freed."""

import torch
from show import attempt


class Sometimes(torch.autograd.Function):
    fails = True

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        if Sometimes.fails:
            raise KeyError("half-way")
        return ctx.saved_tensors[0] * gradient


def fail(anything):
    raise ValueError("in a hook")


def leaves():
    return (torch.tensor([i, i + 1.0], requires_grad=True) for i in (1.0, 3.0))


def again(root):
    print(a.grad, b.grad, torch.is_grad_enabled())
    attempt("again", lambda: root.sum().backward())
    print(a.grad, b.grad)


a, b = leaves()
y = Sometimes.apply(a)
z = y * b
w = z * z
attempt("function", lambda: w.sum().backward())
Sometimes.fails = False
again(w)
again(z)
again(y)
for register in (
    lambda: y.register_hook(fail),
    lambda: y.grad_fn.register_prehook(fail),
    lambda: a.register_hook(fail),
    lambda: b.register_hook(fail),
    lambda: b.register_post_accumulate_grad_hook(fail),
):
    a, b = leaves()
    y = a * b
    z = y * a
    with register():
        attempt("hook", lambda: z.sum().backward())
    again(z)
with torch.no_grad():
    with y.register_hook(fail):
        attempt("hook", lambda: y.sum().backward() or torch.autograd.grad(y, a, torch.ones(2)))
    print(torch.is_grad_enabled())
a, b = leaves()
y = (a * b).exp()
y.register_hook(lambda gradient: 1 / 0)
attempt("with a graph", lambda: y.sum().backward(create_graph=True))
print(torch.is_grad_enabled(), a.grad)


class Report:
    def __call__(self, gradient):
        with torch.enable_grad():
            (b * b).sum().backward()
        return gradient * 10


a, b = leaves()
y = a * b
y.register_hook(Report())
y.sum().backward()
print(a.grad, b.grad)
