"""`detach_` after an operation has saved the tensor: what backward says, and when it does not."""

import torch
from show import attempt


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, gradient):
        x, y = ctx.saved_tensors
        print("saved", x, x.grad_fn, x.requires_grad)
        return gradient * y, gradient * x


def leaf():
    return torch.tensor([1.0, 2.0], requires_grad=True)


def detached(function, again=lambda h: None):
    """Backward through a function of `h`, which is detached in place meanwhile."""
    a = leaf()
    h = a * 2
    result = function(h)
    h.detach_()
    again(h)
    attempt("backward", result.sum().backward)
    print("  leaf:", a.grad, "detached:", h, h.is_leaf, h._version)


print("saved")
detached(torch.sin)
detached(lambda h: h * h)
detached(lambda h: h @ h)
detached(lambda h: h**3)
detached(lambda h: h.sin().exp())
detached(torch.sin, lambda h: h.requires_grad_())
detached(torch.sin, lambda h: h.mul_(2))
print("not saved, or not this tensor")
detached(lambda h: h + h)
detached(lambda h: h[0].sin())
detached(lambda h: h.detach() * h.sum())
detached(lambda h: Product.apply(h, leaf()))
hooks = torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor)
with hooks:
    a = leaf()
    h = a * 2
    result = h.sin()
h.detach_()
result.sum().backward()
print(a.grad)

print("an output that its own node has saved")
a = leaf()
b = a.exp()
c = b * 2
b.detach_()
c.sum().backward()
print(a.grad)

print("a leaf")
a = leaf()
b, c = a.sin(), a * a
a.detach_()
b.sum().backward()
print(a.grad, c.grad_fn._saved_self is a, c.grad_fn._saved_self)
a.requires_grad_()
c.sum().backward()
print(a.grad)

print("other gradients of the operation")
a, c = leaf(), leaf()
h = a * 2
b = h * c
h.detach_()
attempt("c", lambda: torch.autograd.grad(b.sum(), c))
print(b.grad_fn._saved_self, b.grad_fn._saved_other)

print("views")
a = leaf()
h = a * 2
view = h[:1]
attempt("a view", view.detach_)
h.detach_()
print(view.requires_grad, view.grad_fn, view._base is h, h.requires_grad)
attempt("changed", lambda: view.mul_(2))

print("changed before")
a = leaf()
h = a * 2
h.mul_(3)
b = h.sin()
h.detach_()
attempt("detached", b.sum().backward)
h.mul_(a)
b = h.sin()
b.sum().backward()
print(a.grad, h._version)
