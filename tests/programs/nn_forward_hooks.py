"""Forward hooks beside keyword arguments, and what they may return."""

import torch
from show import attempt

nn = torch.nn


class Scale(nn.Module):
    def forward(self, x, factor=1):
        return x * factor


scale, x = Scale(), torch.ones(2)


def show(when):
    def hook(*args):
        print(when, *args[1:])

    return hook


with scale.register_forward_pre_hook(lambda m, a: a[0] * 3):
    print(scale(x, factor=2))
with scale.register_forward_pre_hook(lambda m, a: (*a, 7)):
    print(scale(x))
    attempt("too many", lambda: scale(x, factor=2))
with scale.register_forward_pre_hook(show("first")):
    with scale.register_forward_pre_hook(show("second")):
        scale(x, factor=2)
with scale.register_forward_hook(show("first")):
    with scale.register_forward_hook(lambda m, a, out: out + 1):
        print(scale(x))
        print(scale.forward(x))
