"""autograd.functional with several inputs and outputs, and its errors for wrong ones."""

import itertools

import torch
from show import attempt

functional = torch.autograd.functional
vector = torch.tensor([1.0, 2.0])
matrix = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
number = torch.tensor(3.0)
functions = {
    "product": lambda x, y: x @ y,
    "product and sum": lambda x, y: (x @ y, x.sum() * 3),
    "energy": lambda x, y: ((x @ y) ** 2).sum(),
    "the first alone": lambda x, y: (x**2).sum(),
    "separate": lambda x, y: (x**3).sum() + (y**2).sum(),
    "linear": lambda x, y: x.sum() + y.sum(),
    "swapped": lambda x, y: (y, x),
}
for (name, f), create_graph in itertools.product(functions.items(), (False, True)):
    options = {"create_graph": create_graph}
    print("==", name, options)
    for inputs in ((matrix, vector), (matrix.clone().requires_grad_(), vector)):
        attempt("jacobian", lambda: functional.jacobian(f, inputs, **options))
        attempt("hessian", lambda: functional.hessian(f, inputs, **options))
        attempt("vjp", lambda: functional.vjp(f, inputs, vector, **options))
        attempt("vjp, two", lambda: functional.vjp(f, inputs, (vector, number), **options))
        attempt("jvp", lambda: functional.jvp(f, inputs, inputs, **options))
        attempt("vhp", lambda: functional.vhp(f, inputs, inputs, **options))
        attempt("hvp", lambda: functional.hvp(f, inputs, inputs, **options))

print("== wrong")
f = functions["energy"]
vectors = {
    "nothing": None,
    "too few": vector,
    "too many": (matrix, vector, vector),
    "a wrong shape": (matrix, matrix),
    "a list": [matrix, vector],
    "a number": (matrix, 3.0),
}
for name, v in vectors.items():
    for function in (functional.jvp, functional.vhp, functional.hvp, functional.vjp):
        attempt(f"{function.__name__}, {name}", lambda: function(f, (matrix, vector), v))
for inputs in ([matrix, vector], (matrix, 3.0), (matrix,), 3.0, None, (matrix, None)):
    kind = type(inputs).__name__
    attempt(f"jacobian of {kind}", lambda: functional.jacobian(f, inputs))
    attempt(f"hessian of {kind}", lambda: functional.hessian(f, inputs))
    attempt(f"vjp of {kind}", lambda: functional.vjp(f, inputs))
for result in (3.0, None, [vector], (vector, 3.0), {}):
    kind = type(result).__name__
    attempt(f"jacobian, gives {kind}", lambda: functional.jacobian(lambda x: result, vector))
    attempt(f"hessian, gives {kind}", lambda: functional.hessian(lambda x: result, vector))
    attempt(f"hvp, gives {kind}", lambda: functional.hvp(lambda x: result, vector, vector))
attempt("no function", lambda: functional.vjp(vector, vector))
attempt("v in another dtype", lambda: functional.vjp(torch.exp, vector, vector.double()))
attempt("v of integers", lambda: functional.jvp(torch.exp, vector, vector.long()))
attempt("by name", lambda: functional.vjp(func=torch.exp, inputs=vector, v=vector))
attempt("by position", lambda: functional.vjp(torch.exp, vector, vector, True, False))
