"""What next_functions holds for constants, leaves, numbers and shared leaves."""

import torch

a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
data = torch.tensor([5.0, 6.0])

results = {
    "a + 5": a + 5,
    "5 - a": 5 - a,
    "a * 2": a * 2,
    "a / 2": a / 2,
    "a ** 2": a**2,
    "a ** b": a**b,
    "2 ** a": 2**a,
    "a + b": a + b,
    "a * data": a * data,
    "data * a": data * a,
    "a @ b": a @ b,
    "a.exp()": a.exp(),
    "a.sum()": a.sum(),
    "stack": torch.stack([a, data, b]),
    "cat": torch.cat([data, a]),
    "a[0]": a[0],
}
for name, result in results.items():
    print(name, result.grad_fn.name(), result.grad_fn.next_functions)

ends = {end for result in results.values() for end, _ in result.grad_fn.next_functions}
print("distinct ends", sorted(type(end).__name__ for end in ends))
end = (a * a).grad_fn.next_functions[0][0]
print(end is (a + 1).grad_fn.next_functions[0][0], end.variable is a, end.next_functions)
print(end.name(), data.grad_fn, a.grad_fn)
