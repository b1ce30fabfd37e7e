"""A node saves only what the requested gradients need, and computes only those."""

import torch
from show import attempt

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
data = torch.tensor([5.0, 6.0])

saved = {
    "a * b": (a * b, ["_saved_self", "_saved_other"]),
    "a * data": (a * data, ["_saved_self", "_saved_other"]),
    "data * a": (data * a, ["_saved_self", "_saved_other"]),
    "a * 2": (a * 2, ["_saved_self", "_saved_other"]),
    "a / b": (a / b, ["_saved_self", "_saved_other"]),
    "a ** 3": (a**3, ["_saved_self", "_saved_exponent"]),
    "a ** b": (a**b, ["_saved_self", "_saved_exponent", "_saved_result"]),
    "exp": (a.exp(), ["_saved_result"]),
    "log": (a.log(), ["_saved_self"]),
    "sqrt": (a.sqrt(), ["_saved_result"]),
    "sin": (a.sin(), ["_saved_self"]),
    "tanh": (a.tanh(), ["_saved_result"]),
    "sigmoid": (a.sigmoid(), ["_saved_result"]),
    "relu": (a.relu(), ["_saved_result"]),
    "abs": (a.abs(), ["_saved_self"]),
    "dot": (a.dot(data), ["_saved_self", "_saved_tensor"]),
}
for name, (result, attributes) in saved.items():
    for attribute in attributes:
        attempt(f"{name} {attribute}", lambda: getattr(result.grad_fn, attribute))
    result.backward(torch.ones_like(result))
    for attribute in attributes:
        attempt(f"{name} {attribute} after", lambda: getattr(result.grad_fn, attribute))
y = a.exp()
print("a saved result leads to its own node:", y.grad_fn._saved_result.grad_fn is y.grad_fn)
print("mul saves the leaf itself:", (a * b).grad_fn._saved_self is a)
print((a + b).grad_fn.next_functions)
attempt("a + b saves nothing", lambda: (a + b).grad_fn._saved_self)

product = a * b
product.grad_fn.register_hook(lambda sent, _: print("mul sends", sent))
print("asked for a:", torch.autograd.grad(product.sum(), a))
