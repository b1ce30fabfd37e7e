"""Subclasses of Tensor: results keep the class, attributes stay behind."""

import copy

import torch
from show import attempt

nn = torch.nn


class Mine(torch.Tensor):
    def twice(self):
        return self * 2

    @property
    def half_length(self):
        return len(self) // 2


class Child(Mine):
    pass


class Other(torch.Tensor):
    pass


class Named(torch.Tensor):
    def __new__(cls, values, label):
        return torch.as_tensor(values).as_subclass(cls)

    def __init__(self, values, label):
        self.label = label


class Overriding(torch.Tensor):
    def __add__(self, other):
        print("own +")
        return super().__add__(other)

    def sum(self, *args, **kwargs):
        print("own sum")
        return super().sum(*args, **kwargs)


def kind(value):
    if isinstance(value, (tuple, list)):
        return [kind(each) for each in value]
    return type(value).__name__


a, b = torch.tensor([1.0, 2.0]).as_subclass(Mine), torch.tensor([3.0, 4.0])
a.note = "x"
print(kind(a), a, repr(a), f"{a} {a[0]}", isinstance(a, torch.Tensor), torch.is_tensor(a))
for label, action in {
    "a + b": lambda: a + b,
    "b + a": lambda: b + a,
    "1 - a": lambda: 1 - a,
    "a / 2": lambda: a / 2,
    "a ** 2": lambda: a**2,
    "-a": lambda: -a,
    "a @ b": lambda: a @ b,
    "a > 1": lambda: a > 1,
    "a == b": lambda: a == b,
    "torch.add(b, a)": lambda: torch.add(b, a),
    "exp": lambda: (a.exp(), torch.exp(a)),
    "sum": lambda: (a.sum(), a.mean(), a.std(), a.norm()),
    "argmax": lambda: a.argmax(),
    "max": lambda: a.max(0),
    "sort": lambda: a.sort(),
    "topk": lambda: a.topk(1),
    "view": lambda: (a.view(2, 1), a.expand(2, 2), a.unsqueeze(0)),
    "item": lambda: (a[0], a[:1], a[a > 1], a[None]),
    "split": lambda: (a.split(1), a.unbind(), torch.chunk(a, 2), list(a)),
    "cat": lambda: (torch.cat([b, a]), torch.stack([a, b])),
    "where": lambda: torch.where(b > 3, a, b),
    "einsum": lambda: torch.einsum("i,i->", a, b),
    "functional": lambda: (nn.functional.relu(a), nn.functional.mse_loss(a, b)),
    "softmax": lambda: (torch.softmax(a, 0), a.cumsum(0), a.clamp(1, 1.5)),
    "detach": lambda: (a.detach(), a.clone(), a.data),
    "to": lambda: (a.to(torch.float64), a.double().dtype),
    "own method": lambda: (a.twice(), a.half_length),
    "child": lambda: (a.as_subclass(Child) + a, a + a.as_subclass(Child)),
    "out of it": lambda: (a.tolist(), a[0].item(), a.numpy(), len(a), a.shape, a.equal(b)),
    "copy": lambda: (copy.copy(a), copy.copy(a).note),
    "as_tensor": lambda: torch.as_tensor(a) is a,
    "none": lambda: torch.zeros(0).as_subclass(Mine),
    "many": lambda: (torch.ones(2, 2).as_subclass(Mine), torch.ones(2000).as_subclass(Mine)),
    "not a tensor": lambda: a.as_subclass(int),
}.items():
    attempt(label, lambda: (kind(action()), action(), getattr(action(), "note", None)))
try:
    torch.add(a, b.as_subclass(Other))
except TypeError as error:
    print(type(error).__name__, str(error).splitlines()[0])

print("in place")
c = torch.ones(2).as_subclass(Mine)
c += 1
c.add_(b)
c[0] = 5
print(kind(c), c, kind(c.mul_(2)))

print("gradients")
x = torch.ones(2, requires_grad=True)
y = (x.as_subclass(Mine) * a).sum()
print(y, kind(y), y.grad_fn.name())
y.backward()
print(x.grad, kind(x.grad))
leaf = Mine([1.0, 2.0]).requires_grad_()
(leaf * 2).sum().backward()
print(leaf, kind(leaf), leaf.is_leaf, leaf.grad, kind(leaf.grad))
leaf.register_hook(lambda grad: print("hook", kind(grad), grad))
(leaf * 3).sum().backward()


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward", kind(x))
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        print("backward", kind(grad))
        return grad * 2


doubled = Double.apply(leaf)
print(kind(doubled), doubled)
doubled.sum().backward()

print("parameters")
parameter = nn.Parameter(b)
for each in (parameter * 2, parameter.detach(), parameter.data, parameter[0], parameter.clone()):
    print(kind(each), end=" ")
print(kind(parameter + a), kind(copy.copy(parameter)), kind(parameter.view(2)))
with torch.no_grad():
    print(kind(parameter.add_(1)), kind(nn.Linear(2, 1)(a)))

named = Named([1.0, 2.0], "length")
print(kind(named), named, named.label, kind(named * 2), hasattr(named * 2, "label"))
own = torch.ones(2).as_subclass(Overriding)
print(kind([own + 1, own.sum(), torch.sum(own), 1 + own]))
