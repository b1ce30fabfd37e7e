"""Jacobians, Hessians and their products with vectors, differentiable or not."""

import itertools

import torch
from show import attempt

functional = torch.autograd.functional
vector = torch.tensor([1.0, 2.0], dtype=torch.float64)
number = torch.tensor(2.0, dtype=torch.float64)
matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64)

functions = {
    "squares": lambda x: x**2,
    "sum of cubes": lambda x: (x**3).sum(),
    "two outputs": lambda x: (x * 2, x.exp().sum()),
    "constant": lambda x: torch.tensor([1.0, 2.0]),
    "linear": lambda x: (x * 3).sum(),
    "no tensor": lambda x: 3,
}

for (name, f), create_graph in itertools.product(functions.items(), (False, True)):
    options = {"create_graph": create_graph}
    print("==", name, options)
    for x in (vector, number, vector.clone().requires_grad_()):
        attempt("jacobian", lambda: functional.jacobian(f, x, **options))
        attempt("hessian", lambda: functional.hessian(f, x, **options))
        attempt("vjp", lambda: functional.vjp(f, x, x * 2, **options))
        attempt("vjp without v", lambda: functional.vjp(f, x, **options))
        attempt("jvp", lambda: functional.jvp(f, x, x * 2, **options))
        attempt("jvp without v", lambda: functional.jvp(f, x, **options))
        attempt("vhp", lambda: functional.vhp(f, x, x * 2, **options))
        attempt("hvp", lambda: functional.hvp(f, x, x * 2, **options))


def product_and_sum(a, b):
    return a @ b, a.sum() * 2


def energy(a, b):
    return ((a @ b) ** 2).sum()


inputs = (matrix, vector)
print("== two inputs")
attempt("jacobian", lambda: functional.jacobian(product_and_sum, inputs))
attempt("hessian", lambda: functional.hessian(energy, inputs))
attempt("vjp", lambda: functional.vjp(product_and_sum, inputs, (vector, number)))
attempt("jvp", lambda: functional.jvp(product_and_sum, inputs, inputs))
attempt("vhp", lambda: functional.vhp(energy, inputs, inputs))
attempt("hvp", lambda: functional.hvp(energy, inputs, inputs))
attempt("too few", lambda: functional.vjp(product_and_sum, inputs, (vector,)))
attempt("wrong shape", lambda: functional.vjp(product_and_sum, inputs, (vector, vector)))
attempt("a list", lambda: functional.jacobian(functions["squares"], [vector]))
attempt("a number", lambda: functional.jacobian(functions["squares"], (vector, 3)))
attempt("two outputs", lambda: functional.hessian(product_and_sum, inputs))
with torch.no_grad():
    attempt("under no_grad", lambda: functional.vjp(functions["squares"], vector, vector))
