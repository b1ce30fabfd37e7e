"""What random graphs turned up: order, flags, retained gradients and what nodes keep."""

import warnings

import torch
from show import attempt


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


# An edit through a view gives the view its new history at once: later operations come first.
x = leaf(1.0, 2.0)
y = x * 2
v = y.view(-1)
v.mul_(2)
z = x * 3
z.register_hook(lambda grad: print("z", grad))
v.register_hook(lambda grad: print("v", grad))
(v + z).sum().backward()

# A view, made unrecorded, of a view that is a leaf does not require grad; of another leaf it does.
constant = torch.ones(3)
part = constant.view(-1).requires_grad_()
with torch.no_grad():
    print(part[0].requires_grad, leaf(1.0, 2.0)[0].requires_grad)

# `grad` calls the hooks of a root that leads nowhere, and fills what asked to be kept.
x = leaf(1.0, 2.0)
y, z = x * 2, x * 3
y.retain_grad()
z.retain_grad()
print(torch.autograd.grad((y * z).sum(), y), y.grad, z.grad)
aside = leaf(1.0, 2.0) * 2
aside.retain_grad()
aside.register_hook(lambda grad: print("aside", grad))
print(torch.autograd.grad(aside, y, torch.ones(2), allow_unused=True), aside.grad)
lone = leaf(1.0, 2.0)
lone.register_hook(lambda grad: print("lone", grad))
print(torch.autograd.grad(lone, y, torch.ones(2), allow_unused=True), lone.grad)

# What post-accumulate hooks may return.
for result in (None, "leaf", 1, "text", (), torch.ones(2)):
    x = leaf(1.0, 2.0)
    x.register_post_accumulate_grad_hook(lambda p, r=result: p if r == "leaf" else r)
    attempt(f"hook returned {result}", lambda x=x: (x * 2).sum().backward())
    print(x.grad)

# The warning of create_graph comes only once backward has begun.
for root in (torch.ones(()), leaf(1.0, 2.0), leaf(1.0).sum()):
    attempt("create_graph", lambda root=root: root.backward(create_graph=True))

# The gradient of a leaf with gaps in its memory is a clone, of another one a copy.
for source in (torch.ones(2, 4)[:, ::2], torch.ones(2, 4).t(), torch.ones(2, 1)[:, ::2]):
    x = source.detach().requires_grad_()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x.square().sum().backward(create_graph=True)
    print(x.grad.grad_fn.name())


# These nodes notice that what they have kept was changed, though they do not use its values.
def changed(make):
    x = leaf(1.0, 2.0) * 1
    result = make(x)
    (result if result.shape == (2,) and make is power else x).mul_(2)
    result.sum().backward()


def power(x):
    return x ** torch.tensor([2.0, 3.0])


attempt("gather", lambda: changed(lambda x: x.gather(0, torch.tensor([0]))))
attempt("masked_select", lambda: changed(lambda x: x.masked_select(x > 1)))
attempt("power", lambda: changed(power))
attempt("index_select", lambda: changed(lambda x: x.index_select(0, torch.tensor([0]))))

# Flags of a view that cannot follow its base anymore can still be read.
x = leaf(1.0, 2.0, 3.0) * 2
first, *_ = x.split(1)
x.mul_(2)
attempt("retains_grad", lambda: first.retains_grad)
attempt("grad", lambda: first.grad)
attempt("grad_fn", lambda: first.grad_fn)

# An empty vector that is joined gets a gradient without a history.
x = leaf(1.0)[:0] * 1
joined = torch.cat([x, x])
(grad,) = torch.autograd.grad((joined * joined).sum(), x, create_graph=True)
print(grad, grad.requires_grad)
