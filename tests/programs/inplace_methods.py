"""The in-place methods: versions, grad_fn, refusal on leaves; and copy_ and fill_ in detail."""

import torch
from show import attempt, state


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


METHODS = (
    "add_(1)", "sub_(1)", "mul_(2)", "div_(2)", "pow_(2)", "zero_()", "fill_(1)",
    "copy_(torch.ones(3))",
    "neg_()", "abs_()", "square_()", "sqrt_()", "relu_()", "clamp_(0, 1)", "clamp_(min=0)",
    "floor_()",
    "ceil_()", "round_()", "trunc_()", "sign_()", "reciprocal_()", "rsqrt_()", "remainder_(2)",
    "masked_fill_(torch.tensor([True, False, True]), 5.0)", "cumsum_(0)",
    "add_(torch.ones(3), alpha=2)", "sub_(torch.ones(3), alpha=2)",
    "scatter_(0, torch.tensor([0]), 3.0)", "requires_grad_()", "detach_()",
)  # fmt: skip
for method in METHODS:
    for x in (
        torch.tensor([0.25, 1.0, 4.0]),
        leaf(0.25, 1.0, 4.0) * 1,
        leaf(0.25, 1.0, 4.0),
        torch.tensor([1, 2, 3]),
    ):

        def run(x=x, method=method):
            twin = x.detach()
            result = eval(f"x.{method}")
            state(f"  {result is x} {twin._version}", x)

        attempt(method, run)
    x = leaf(0.25, 1.0, 4.0)
    with torch.no_grad():
        attempt(f"{method} without a graph", lambda x=x, m=method: state("  leaf", eval(f"x.{m}")))

for target in (
    "torch.zeros(2, 2)", "torch.zeros(2, 2, dtype=torch.int64)", "torch.zeros(2, 2) > 1",
    "torch.zeros(2, 2, requires_grad=True) * 1", "torch.zeros(())", "torch.zeros(0)",
    "leaf(1.0).sum()",
):  # fmt: skip
    for value in (
        "torch.tensor([1.7, -2.2])", "torch.tensor([[3.0], [4.0]])", "torch.tensor(5)", "3",
        "3.7", "True",
        "torch.ones(3)", "torch.ones(1, 2, 2)", "leaf(1.0, 2.0)", "leaf(3.0).double()", "None",
        "torch.zeros(0)",
    ):  # fmt: skip
        for method in ("copy_", "fill_"):
            x = eval(target)
            if method == "fill_" and "leaf" in value and not x.dtype.is_floating_point:
                continue

            def run(x=x, method=method, value=value):
                result = getattr(x, method)(eval(value))
                state(f"  {result is x}", x)

            attempt(f"{target} {method} {value}", run)
attempt("copy_ in the background", lambda: torch.zeros(2).copy_(torch.ones(2), non_blocking=True))
