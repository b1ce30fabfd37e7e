"""Operators asked of the second operand, `a.__rsub__(b)` and its like."""

import torch
from show import attempt


def graph(node):
    """The graph behind a node, in one line."""
    if node is None:
        return "None"
    return f"{node.name()}({', '.join(graph(each) for each, _ in node.next_functions)})"


def look(function, *inputs):
    """Compute, and show the result with its graph and its gradients of both orders."""
    result = function(*inputs)
    if result is NotImplemented or not result.requires_grad:
        return result
    tensors = [each for each in inputs if isinstance(each, torch.Tensor) and each.requires_grad]
    first = torch.autograd.grad(result.sum(), tensors, create_graph=True)
    total = sum((each * each).sum() for each in first)
    second = torch.autograd.grad(total, tensors, allow_unused=True) if total.requires_grad else ()
    return result, graph(result.grad_fn), first, second


a = torch.tensor([2.0, 3.0], requires_grad=True)
others = {
    "a tensor": torch.tensor([5.0, 7.0], requires_grad=True),
    "a tensor without dimensions": torch.tensor(2.0, requires_grad=True),
    "integers": torch.tensor([2, 3]),
    "an int": 2,
    "a float": 2.5,
    "text": "2",
    "None": None,
    "a list": [1.0, 2.0],
    "another shape": torch.ones(3),
}
names = ["add", "sub", "mul", "div", "truediv", "pow", "matmul"]
for name in names:
    operator = getattr(torch.Tensor, f"__r{name}__")
    for label, other in others.items():
        if (name, label) not in [("matmul", "integers"), ("matmul", "another shape")]:
            attempt(f"{name} {label}", lambda f=operator, other=other: look(f, a, other))
    integers = torch.tensor([2, 3])
    attempt(f"{name} of integers", lambda f=operator, i=integers: f(i, torch.tensor([4, 6])))
print((5.0 - a).grad_fn.name(), (5.0 - a).grad_fn._saved_alpha)
print(a.__rsub__(others["a tensor"]).grad_fn._saved_alpha, a.__div__(4), a.data.__idiv__(4))

ones = torch.tensor([1, 1])
for function in (torch.add, torch.sub):
    attempt("alpha", lambda f=function: f(ones, ones, alpha=2.5))
    attempt("alpha", lambda f=function: f(ones, 1.5, alpha=2.5))
    attempt("alpha", lambda f=function: f(ones, ones, alpha=torch.tensor(2)))
