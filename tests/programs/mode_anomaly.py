"""Anomaly mode: which backward failed, or returned nan."""

import warnings

import torch
from show import attempt

warnings.simplefilter("ignore")  # the report names lines of this file


class Failing(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        raise ValueError("from the user's backward")


x = torch.tensor([-1.0], requires_grad=True)
y = torch.tensor([2.0], requires_grad=True)
print(torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled())
with torch.autograd.detect_anomaly():
    print(torch.is_anomaly_enabled())
    attempt("nan", lambda: x.sqrt().sum().backward())
    attempt("user's error", lambda: Failing.apply(x).sum().backward())
    e = y.exp()
    product = e * e
    e.add_(1)
    attempt("changed", lambda: product.sum().backward())
    print(list((y * 2).grad_fn.metadata))
with torch.autograd.detect_anomaly(check_nan=False):
    attempt("nan allowed", lambda: x.sqrt().sum().backward())
print(x.grad, torch.is_anomaly_enabled())
with torch.autograd.set_detect_anomaly(True):
    print(torch.is_anomaly_enabled())
torch.autograd.set_detect_anomaly(True)
attempt("recorded before", lambda: x.log().sum().backward())
torch.autograd.set_detect_anomaly(False)
print(torch.is_anomaly_enabled(), list((y * 2).grad_fn.metadata))
