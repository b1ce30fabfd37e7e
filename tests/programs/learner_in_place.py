"""Learners ask: which changes in place does autograd notice? Which does it mind?"""

import torch
from show import attempt


def changed_after(f):
    x = torch.tensor([1.0, 4.0], requires_grad=True)
    y = f(x)
    y += 1
    y.sum().backward()
    return x.grad


for name in ("exp", "sigmoid", "tanh", "sqrt", "relu", "sin", "square", "abs", "neg", "log"):
    attempt(name, lambda: changed_after(getattr(torch, name)))
attempt("sum", lambda: changed_after(lambda x: x + x))
attempt("product", lambda: changed_after(lambda x: x * x))
attempt("a slice", lambda: changed_after(lambda x: (x * 2)[:1]))
attempt("softmax", lambda: changed_after(lambda x: torch.softmax(x, 0)))

print("-- a buffer that is filled while it is used")
weights = torch.tensor([0.5, 0.5, 0.5], requires_grad=True)
steps = [torch.tensor(1.0)]
for index in range(3):
    steps.append(steps[-1] * weights[index] + steps[-1] ** 2)
torch.stack(steps).sum().backward()
print(weights.grad)
buffer = torch.ones(4)
for index in range(3):
    buffer[index + 1] = buffer[index] * weights[index] + buffer[index] ** 2
attempt("filled", buffer.sum().backward)

print("-- behind autograd's back")


def gradient(change):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x**2
    change(x)
    y.sum().backward()
    return x.grad


attempt("untouched", lambda: gradient(lambda x: None))
attempt("data", lambda: gradient(lambda x: x.data.mul_(10)))
attempt("detach", lambda: gradient(lambda x: x.detach().mul_(10)))
attempt("NumPy", lambda: gradient(lambda x: x.detach().numpy().fill(10.0)))
with torch.no_grad():
    attempt("unrecorded", lambda: gradient(lambda x: x.mul_(10)))

print("-- leaves")
leaf = torch.zeros(2, 2, requires_grad=True)
with torch.no_grad():
    leaf[0] = 1.0
print(leaf, leaf._version)
attempt("an element", lambda: leaf.__setitem__(0, 2.0))
attempt("a view", lambda: leaf.view(-1).add_(1))
attempt("itself", lambda: leaf.fill_(3.0))
copy = leaf.clone()
copy[0] = 5.0
copy.sum().backward()
print(leaf.grad)

print("-- a copy that is none")
result = leaf * 2
safe = result.detach().clone()
safe[0] = 0.0
shared = result.detach()
shared[0] = 0.0
print(result, result._version, safe._version)
