"""What anomaly mode reports: errors in hooks, what hooks return, and backward inside backward."""

import warnings

import torch
from show import attempt


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


def report(message, *args, **kwargs):
    """The first line of a report, and the last one: the line of this program that it names."""
    text = str(message).split(" (Triggered")[0]
    lines = [line for line in text.splitlines() if line.strip()]
    print(lines[0], "|", lines[-1].strip())


def fail(gradient):
    raise ValueError("in a hook")


warnings.showwarning = report
a = torch.tensor([1.0, 2.0], requires_grad=True)
with torch.autograd.set_detect_anomaly(True):
    y = a * a
    print(list(y.grad_fn.metadata), list(y.grad_fn.next_functions[0][0].metadata))
    y.register_hook(fail)
    attempt("hook", lambda: y.sum().backward())
    a.register_hook(fail)
    attempt("leaf hook", lambda: (a * 3).sum().backward())
    b = torch.tensor([1.0, 2.0], requires_grad=True)
    y = b * b
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * float("nan"), inputs[1]))
    attempt("hook returns nan", lambda: y.sum().backward())
    print(b.grad)
    y = b * b
    attempt("nan goes in", lambda: y.backward(torch.tensor([1.0, float("nan")])))
    x = torch.tensor(-1.0, requires_grad=True)
    (slope,) = torch.autograd.grad(x**3, x, create_graph=True)
    print(list(slope.grad_fn.metadata), slope.grad_fn.metadata["parent_"].name())
    (curvature,) = torch.autograd.grad(slope, x, create_graph=True)
    zero = curvature * 0
    attempt("second derivative", lambda: torch.autograd.grad(zero.sqrt() * slope, x))
y = b.log()
with torch.autograd.set_detect_anomaly(True):
    attempt("not noted", lambda: y.backward(torch.tensor([float("nan"), 1.0])))
print(torch.is_anomaly_enabled())
