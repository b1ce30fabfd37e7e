"""Copies, deep and shallow, and pickles: what comes along and what stays shared."""

import copy
import pickle
import weakref

import torch
from show import attempt, describe

nn = torch.nn
WAYS = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda each: pickle.loads(pickle.dumps(each)),
}
leaf = torch.tensor([1.0, 2.0], requires_grad=True)
parameter = nn.Parameter(torch.ones(2))
for source in (leaf, parameter):
    (source * source).sum().backward()
    source.note = ["mine"]
    for label, way in WAYS.items():
        twin = way(source)
        describe(f"{label} of {type(source).__name__}", twin)
        print(type(twin).__name__, twin is source, twin.data_ptr() == source.data_ptr())
        print(getattr(twin, "note", None), twin.grad is source.grad)
for label, way in WAYS.items():
    for source in (
        torch.tensor(3.0, requires_grad=True),
        torch.tensor([[1, 2]]),
        torch.tensor(True),
        torch.zeros(0, 2),
    ):
        twin = way(source)
        print(label, twin, twin.requires_grad, twin.shape)
    first, second = way([leaf, leaf])
    print(label, "one object:", first is second)
print(copy.deepcopy(leaf).note is leaf.note, copy.copy(leaf).note is leaf.note)

print("results")
result = leaf * 2
for label, way in WAYS.items():
    attempt(label, lambda: (way(result), way(result).is_leaf))

print("shared memory")
base = torch.arange(6.0).reshape(2, 3)
for label, way in WAYS.items():
    whole, row, column = way([base.clone(), base[0], base[:, 1]])
    print(label, row._is_view(), row._base, column.tolist())
whole, row, column = copy.deepcopy([base, base[0], base[:, 1]])
whole.fill_(7)
row[1] = 8
print(whole, row, column, column.stride(), whole._version, row._version, base)
for source in (base[:, 1], base.t(), base[:, ::2], torch.ones(3).expand(2, 3), base.t()[1:]):
    twin = copy.deepcopy(source)
    print(twin, twin.stride(), twin.is_contiguous(), twin._is_view())
attempt("expanded", lambda: copy.deepcopy(torch.ones(3).expand(2, 3)).add_(1))
shallow = copy.copy(base)
shallow.fill_(5)
print(base, base._version, shallow._version)
part = torch.ones(4)[:2].requires_grad_()
for label, way in WAYS.items():
    describe(label, way(part))
    print(way(part)._is_view())

print("hooks")
hooked = torch.ones(2, requires_grad=True)
hooked.register_hook(lambda grad: grad * 2)
twin = copy.deepcopy(hooked)
for label, way in (("copy", copy.copy), ("reduce", lambda each: each.__reduce_ex__(2)[0] is None)):
    attempt(label, lambda: way(hooked))
twin.sum().backward()
print(twin.grad)
hooked.sum().backward()
(hooked**3).sum().backward(create_graph=True)
attempt("a gradient with a graph", lambda: copy.deepcopy(hooked))

print("modules")
net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
net[1].weight = net[0].weight
net[0].bias.grad = torch.ones(1)
for label, way in WAYS.items():
    twin = way(net)
    print(label, twin[0].weight is twin[1].weight, twin[0].weight is net[0].weight)
    print(twin[0].bias.grad, twin[0].weight.requires_grad, len(list(twin.parameters())))
print(copy.deepcopy(torch.float32) is torch.float32, copy.deepcopy(torch.Size([1, 2])))
print(pickle.loads(pickle.dumps(torch.float64)) is torch.float64, copy.copy(torch.device("cpu")))

print("weak references")
print(weakref.ref(leaf)() is leaf, hash(weakref.ref(leaf)) == hash(leaf))
product = leaf * 2
reference = weakref.ref(product)
weakref.finalize(product, print, "gone")
del product
print(reference())
