"""detach_, requires_grad_ and .data on leaves, results and views; copies; edits of gradients."""

import copy

import torch
from show import attempt, state


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


x = leaf(1.0, 2.0)
y = x * 2
v, z = y[:1], y.detach()
for name, tensor in (
    ("view", v),
    ("result", y),
    ("twin", z),
    ("leaf", x),
    ("of a constant", torch.ones(3)[:1]),
):
    attempt(name, lambda tensor=tensor: state("  detached", tensor.detach_()))
y = leaf(1.0, 2.0) * 2
v = y[:1]
y.detach_()
v.sum().backward()
attempt("view of what was detached", lambda: v.mul_(2))
y.mul_(2)
state("after an edit", v)

x = torch.arange(4.0)
v = x[:2]
v.requires_grad_()
state("base", x)
v.sum().backward()
print(v.grad, x.grad)
attempt("edit of the base", lambda: x.mul_(2))
attempt("edit of the view", lambda: v.mul_(2))
x = torch.arange(4.0)
v = x[:2]
x.requires_grad_()
state("view", v)
attempt("edit of the view", lambda: v.mul_(2))


def assign(tensor, name, value):
    setattr(tensor, name, value)
    state("  now", tensor)


x = leaf(1.0, 2.0, 3.0)
for flag in (False, True, 3, None):
    attempt(f"view = {flag}", lambda flag=flag: assign(x[:2], "requires_grad", flag))
    attempt(f"method {flag}", lambda flag=flag: state("  now", x.requires_grad_(flag)))
attempt("integers", lambda: assign(torch.arange(3), "requires_grad", True))

x = leaf(1.0, 2.0, 3.0)
for value in (
    "torch.tensor([1, 2])", "3", "None", "torch.tensor([True])", "leaf(1.0, 2.0)", "leaf(1.0) * 2",
    "torch.zeros(2, 2)", "torch.tensor(3.0)", "torch.zeros(2, dtype=torch.float64)",
):  # fmt: skip
    attempt(f"data = {value}", lambda value=value: assign(x, "data", eval(value)))
x, d = leaf(1.0, 2.0), torch.tensor([5.0, 6.0])
x.data = d
d.mul_(2)
print(x, x._version, d._version)
x.data.mul_(3)
x.data += 1
x.data[0] = 100
print(x, d, x._version)
base = torch.arange(4.0)
v = base[:2]
v.data = torch.tensor([7.0, 8.0])
v.mul_(2)
state("view", v)
state("base", base)

for source in (
    "torch.ones(2, 2)",
    "torch.arange(4.0).view(2, 2)[0]",
    "torch.ones(2, 3).t()",
    "leaf(1.0)",
):
    for copied in (copy.copy, copy.deepcopy):
        original = eval(source)
        result = copied(original)
        state(f"{copied.__name__} of {source}", result)
        result.data.mul_(2)
        print(original.tolist(), result.stride())
x = leaf(1.0, 2.0)
x.grad, x.note = torch.ones(2), "kept"
for copied in (copy.copy(x), copy.deepcopy(x)):
    print(copied, copied.grad, copied.note)
attempt("result", lambda: copy.deepcopy(x * 1))
attempt("view", lambda: copy.deepcopy(x[:1]))

x = leaf(1.0, 2.0, 3.0)
(x * 2).sum().backward()
g = x.grad
g.mul_(2)
g[0] = 100
x.grad += 1
x.grad.data.clamp_(max=5)
x.grad[:2].zero_()
print(x.grad is g, g, g._version)
(x * 2).sum().backward()
print(x.grad is g, g, g._version)
x.grad = torch.ones(1).expand(3)
attempt("adding to an expanded gradient", lambda: x.sum().backward())
with torch.no_grad():
    x -= 0.5 * g
    x.sub_(g, alpha=0.1)
    x[x > 1] = 2
    print(x, x._version)
for edit in (
    "x.sub_(1)",
    "x.__setitem__(0, 1)",
    "x[0].fill_(1)",
    "x.view(3).zero_()",
    "x.detach().zero_()",
):
    attempt(edit, lambda edit=edit: eval(edit))
print(x, x._version)
