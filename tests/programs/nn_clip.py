"""Clipping gradients by their common norm and by value."""

import torch
from show import attempt

utils = torch.nn.utils


def with_grad(*values):
    parameter = torch.nn.Parameter(torch.zeros(len(values)))
    parameter.grad = torch.tensor(values)
    return parameter


pair = [with_grad(3.0, 4.0), with_grad(12.0)]
attempt("norm", lambda: utils.clip_grad_norm_(pair, 1.0))
print([parameter.grad for parameter in pair], pair[0].grad._version)
attempt("small enough", lambda: utils.clip_grad_norm_(pair, 10))
print([parameter.grad for parameter in pair], pair[0].grad._version)
for norm_type in (1, 2.0, 3, float("inf"), 0):
    pair = [with_grad(3.0, -4.0), with_grad(12.0, 0.0)]
    attempt(f"order {norm_type}", lambda: utils.clip_grad_norm_(pair, 2, norm_type=norm_type))
    print([parameter.grad for parameter in pair])
one = with_grad(3.0, -4.0)
attempt("one tensor", lambda: utils.clip_grad_norm_(one, 1.0))
attempt("value", lambda: utils.clip_grad_value_(one, 0.7))
print(one.grad)
attempt("no gradient", lambda: utils.clip_grad_norm_([torch.nn.Parameter(torch.zeros(1))], 1.0))
attempt("nothing", lambda: utils.clip_grad_norm_([], 1.0))
attempt("used up", lambda: utils.clip_grad_norm_((each for each in ()), 1.0))
bad = with_grad(float("inf"), 1.0)
attempt("not finite", lambda: utils.clip_grad_norm_(bad, 1.0, error_if_nonfinite=True))
print(bad.grad)
attempt("not finite, allowed", lambda: utils.clip_grad_norm_(bad, 1.0))
print(bad.grad)
