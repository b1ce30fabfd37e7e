"""Tensors under Python's own functions and statements."""

import math
import operator

import torch
from show import attempt

t, g = torch.tensor([3.0, 1.0, 2.0]), torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
m, one, five = torch.arange(6.0).reshape(3, 2), torch.tensor(1.0), torch.tensor(5)


def unpack(values):
    first, *rest = values
    return first, rest


def exactly_two(values):
    first, second = values
    return first, second


def delete(values):
    del values[0]


for label, action in {
    "min": lambda: min(t),
    "max": lambda: max(g),
    "max of rows": lambda: max(m),
    "sum": lambda: (sum(t), sum(g), sum(m)),
    "sorted": lambda: sorted(t, reverse=True),
    "list": lambda: (list(t), list(g)),
    "tuple": lambda: tuple(m),
    "reversed": lambda: list(reversed(m)),
    "zip": lambda: list(zip(t, m, strict=True)),
    "enumerate": lambda: list(enumerate(t)),
    "map": lambda: list(map(float, t)),
    "any, all": lambda: (any(t > 2), all(t > 0)),
    "any of rows": lambda: any(m),
    "unpack": lambda: unpack(g),
    "unpack rows": lambda: unpack(m),
    "unpack 0-d": lambda: unpack(one),
    "unpack too many": lambda: exactly_two(t),
    "len": lambda: len(m),
    "len of 0-d": lambda: len(one),
    "iter of 0-d": lambda: iter(one),
    "1 in": lambda: (1.0 in t, 9 in t, torch.tensor(2.0) in t, True in t),
    "str in": lambda: "a" in t,
    "None in": lambda: None in t,
    "in list": lambda: (t in [1, t], one in [torch.tensor(3.0), torch.tensor(1.0)]),
    "in list, ambiguous": lambda: t in [m[:, 0]],
    "index": lambda: [one, torch.tensor(2.0)].index(torch.tensor(2.0)),
    "remove": lambda: [m, t].remove(t),
    "set": lambda: (len(set(t)), len({t, t, g})),
    "dict": lambda: ({t: 1, g: 2}[g], {t: 1}.get(t.clone())),
    "hash": lambda: (hash(t) == hash(t), hash(t) == id(t)),
    "lists equal": lambda: ([t] == [t], (one,) == (torch.tensor(1.0),)),
    "lists equal?": lambda: [t] == [t.clone()],
    "bool": lambda: (bool(one), bool(torch.zeros(1)), not torch.zeros(1, 1)),
    "bool of many": lambda: bool(t),
    "bool of none": lambda: bool(torch.zeros(0)),
    "and, or": lambda: (one and five, torch.tensor(0.0) or five),
    "or of many": lambda: t or t,
    "if": lambda: "yes" if torch.tensor([[2.0]]) else "no",
    "chained": lambda: 0 < one < 2,
    "chained, many": lambda: 0 < t < 2,
    "== None": lambda: (t == None, t != None),  # noqa: E711
    "== str": lambda: (t == "a", t != "a"),
    "== list": lambda: t == [3.0, 1.0, 2.0],
    "< None": lambda: t < None,
    "float, int": lambda: (float(one), int(torch.tensor(3.7)), int(five)),
    "float of many": lambda: float(t),
    "int of many": lambda: int(m),
    "complex": lambda: complex(one),
    "float of recorded": lambda: float(g[0]),
    "list[tensor]": lambda: [1, 2, 3][torch.tensor(1)],
    "list[float tensor]": lambda: [1, 2, 3][one],
    "range": lambda: list(range(five)),
    "math": lambda: (math.sqrt(torch.tensor(4.0)), math.floor(one), math.isclose(one, 1)),
    "round": lambda: (round(torch.tensor(3.7)), round(torch.tensor(3.14159), 2)),
    "abs": lambda: abs(-t),
    "+": lambda: +g is g,
    "~": lambda: ~(t > 1),
    "//, %": lambda: (t // 2, 7 % t, 7 // t),
    "@ number": lambda: 2 @ t,
    "call": lambda: t(),
    "with": lambda: t.__enter__,
    "format": lambda: f"{t} {t[0]:.2f} {t[0]} {g[0]:.3f} {t[0]:>8.1f}|{five:04d}|{one > 0}",
    "format of many": lambda: f"{t:.2f}",
    "%": lambda: "%.2f %s %d" % (t[0], t[1], t[2]),  # noqa: UP031
    "join": lambda: ", ".join(str(each) for each in t),
    "repr in a list": lambda: repr([t, {"a": g}]),
    "attribute": lambda: (setattr(t, "mine", 1), t.mine, vars(t)),
    "no attribute": lambda: t.nothing,
    "no attribute to delete": lambda: delattr(t, "nothing"),
    "hasattr": lambda: (hasattr(t, "grad"), hasattr(t, "nothing"), callable(t)),
    "del grad": lambda: (delattr(g, "grad"), g.grad),
    "del item": lambda: delete(t),
    "attrgetter": lambda: operator.attrgetter("shape", "requires_grad")(g),
    "itemgetter": lambda: operator.itemgetter(0, 2)(t),
}.items():
    attempt(label, action)


def steps():
    x = torch.ones(2, requires_grad=True)
    yield x
    yield x * 2
    yield x * 3


x, double, triple = steps()
(double + triple).sum().backward()
print(x.grad)
try:
    with torch.no_grad():
        raise ValueError("no")
except ValueError:
    print(torch.is_grad_enabled())
