"""jacobian and hessian with the arguments that say how to compute them."""

import torch
from show import attempt

functional = torch.autograd.functional
vector = torch.tensor([1.0, 2.0])
functions = {
    "squares": lambda x: x**2,
    "sum of cubes": lambda x: (x**3).sum(),
    "two outputs": lambda x: (x * 2, x.exp().sum()),
    "constant": lambda x: torch.ones(2),
    "integers": lambda x: (x.long(), x * 2),
    "linear": lambda x: x.sum(),
}
for name, f in functions.items():
    for x in (vector, vector.clone().requires_grad_(), (vector,), vector.reshape(1, 2)):
        attempt(name, lambda: functional.jacobian(f, x, vectorize=True))
        attempt(name, lambda: functional.hessian(f, x, vectorize=True))
f = functions["sum of cubes"]
print(functional.jacobian(f, vector, create_graph=True, vectorize=True))
print(functional.hessian(f, vector, create_graph=True, vectorize=True))
reverse = "reverse-mode"
attempt(reverse, lambda: functional.jacobian(f, vector, strategy=reverse))
attempt(reverse, lambda: functional.hessian(f, vector, outer_jacobian_strategy=reverse))
attempt("by position", lambda: functional.jacobian(f, vector, False, False, True, reverse))
