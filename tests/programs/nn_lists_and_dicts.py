"""Containers of modules as lists and dictionaries."""

from collections import OrderedDict

import torch
from show import attempt

nn = torch.nn


def names(module):
    return [name for name, _ in module.named_parameters()]


print("Sequential")
net = nn.Sequential(nn.Linear(1, 2), nn.ReLU(), nn.Linear(2, 1))
attempt("+", lambda: net + nn.Sequential(nn.Tanh()))
net += nn.Sequential(nn.Tanh())
attempt("pop(0)", lambda: net.pop(0))
attempt("pop(-1)", lambda: net.pop(-1))
attempt("pop('a')", lambda: net.pop("a"))
attempt("insert far out", lambda: net.insert(9, nn.ReLU()))
attempt("insert", lambda: net.insert(-1, nn.ELU()))
attempt("extend", lambda: net.extend([nn.Tanh(), 3]))
print(net, len(net), net[0] in net, nn.ReLU() in net)
for index in ("0", 1.5, torch.tensor(1), slice(None, None, 2), slice(None, None, -1)):
    attempt(f"[{index}]", lambda: net[index])
attempt("set", lambda: net.__setitem__(9, nn.Tanh()))
attempt("delete", lambda: net.__delitem__(9))
attempt("two arguments", lambda: net(1, 2))
attempt("nothing in it", lambda: nn.Sequential()(3))
named = nn.Sequential(OrderedDict(a=nn.Tanh(), b=nn.ReLU()))
print(named.a, named[0], named[0:1], named.append(nn.ELU()))
attempt("a dict", lambda: nn.Sequential({"a": nn.Tanh()}))
attempt("a dotted name", lambda: nn.Sequential(OrderedDict([("a.b", nn.Tanh())])))

print("ModuleList")
layers = nn.ModuleList([nn.Tanh()])
print(layers + [nn.ReLU()], len(layers))
layers += [nn.ReLU(), nn.SiLU()]
print(layers.pop(0), layers.insert(0, nn.ELU()), layers)
layers[0] = nn.Tanh()
attempt("set", lambda: layers.__setitem__(5, nn.ELU()))
attempt("a number", lambda: layers.extend([1]))
attempt("a module", lambda: nn.ModuleList(nn.ReLU()))
print(layers[-1], bool(nn.ModuleList()), list(reversed(list(layers))))

print("ModuleDict")
parts = nn.ModuleDict({"b": nn.Linear(1, 1), "a": nn.ReLU()})
print(parts, parts["a"], len(parts), list(parts), "a" in parts, "c" in parts)
print(list(parts.keys()), list(parts.values()), list(parts.items()), names(parts))
for key, value in (("c", nn.Tanh()), ("c", 3), (3, nn.Tanh()), ("a.b", nn.ELU()), ("keys", None)):
    attempt(f"set {key!r}", lambda: parts.__setitem__(key, value))
for more in ({"d": nn.Tanh(), "a": nn.SiLU()}, [("e", nn.Tanh())], parts):
    attempt(f"update {type(more).__name__}", lambda: parts.update(more))
attempt("get", lambda: parts["zz"])
attempt("pop", lambda: (parts.pop("b"), parts))
attempt("pop", lambda: parts.pop("zz"))
del parts["a"]
parts.clear()
print(parts, nn.ModuleDict([["x", nn.ReLU()], ["y", nn.Tanh()]]))
attempt("called", lambda: parts(1))
