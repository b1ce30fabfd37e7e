"""What autograd.functional returns: shapes, dtypes, histories, for unusual functions, too."""

import itertools

import torch

functional = torch.autograd.functional
leaf = torch.tensor([1.0, 2.0], dtype=torch.float64)
inputs = {
    "fixed": leaf,
    "requires grad": leaf.clone().requires_grad_(),
    "single precision": leaf.float(),
    "empty": torch.zeros(0),
    "integers": torch.tensor([1, 2]),
}
functions = {
    "itself": lambda x: x,
    "in another dtype": lambda x: x.float(),
    "integers": lambda x: x.long(),
    "a shape of ones": lambda x: (x * x).sum().reshape(1, 1),
    "a tuple of one": lambda x: ((x * x).sum(),),
    "nothing in it": lambda x: x.reshape(-1)[:0],
    "partly fixed": lambda x: (x * 2, torch.ones(2)),
    "cut and started again": lambda x: x.detach().double().requires_grad_() * 2,
    "changed": lambda x: x.mul_(2),
    "a changed copy": lambda x: x.clone().mul_(2),
}


def show(result):
    if isinstance(result, tuple):
        return "(" + ", ".join(map(show, result)) + ")"
    return f"{result!r} {list(result.shape)} {result.dtype} leaf={result.is_leaf}"


def attempt(label, f, *args, **options):
    try:
        print(f"{label}:", show(f(*args, **options)))
    except Exception as error:
        print(f"{label}: {type(error).__name__}: {error}")


for (name, f), (kind, x) in itertools.product(functions.items(), inputs.items()):
    print("==", name, "of", kind)
    for options in ({}, {"create_graph": True}):
        attempt("jacobian", functional.jacobian, f, x, **options)
        attempt("vjp", functional.vjp, f, x, torch.ones_like(x), **options)
        attempt("jvp", functional.jvp, f, x, torch.ones_like(x), **options)
        attempt("vhp", functional.vhp, f, x, torch.ones_like(x), **options)
        attempt("hvp", functional.hvp, f, x, torch.ones_like(x), **options)
        attempt("hessian", functional.hessian, f, x, **options)

print("== results that go on into a graph")
a = leaf.clone().requires_grad_()
b = leaf.flip(0).requires_grad_()
functional.jacobian(lambda x: x**2 * b, a, create_graph=True).sum().backward()
print(a.grad, b.grad)
functional.hessian(lambda x: (x**3 * b).sum(), a, create_graph=True).sum().backward()
print(a.grad, b.grad)
functional.vjp(lambda x: x**3, a, b, create_graph=True)[1].sum().backward()
print(a.grad, b.grad)
functional.jvp(lambda x: x**3, a, b, create_graph=True)[1].sum().backward()
print(a.grad, b.grad)
functional.hvp(lambda x: (x**3).sum(), a, b, create_graph=True)[1].sum().backward()
print(a.grad, b.grad)
row = functional.jacobian(
    lambda x: functional.jacobian(lambda y: y**3 * b, x, create_graph=True).sum(), a
)
print(row, row.requires_grad, a.grad, b.grad, a._version)
layer = torch.nn.Linear(2, 2)
with torch.no_grad():
    layer.weight.copy_(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
    print(functional.jacobian(layer, a.detach().float()), layer.weight.grad)
    attempt("unrecorded", functional.hvp, lambda x: (x**3).sum(), a, b)
    attempt("with graph", functional.hvp, lambda x: (x**3).sum(), a, b, create_graph=True)
