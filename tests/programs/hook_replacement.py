"""What a hook may return, and hooks where there is nothing to hook."""

import torch
from show import attempt


def run(hook):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()
    return x.grad


attempt("None", lambda: run(lambda gradient: None))
attempt("twice", lambda: run(lambda gradient: gradient * 2))
attempt("detached", lambda: run(lambda gradient: gradient.detach().clone().fill_(7)))
attempt("a number", lambda: run(lambda gradient: 2.0))
attempt("other shape", lambda: run(lambda gradient: gradient.sum()))
attempt("other dtype", lambda: run(lambda gradient: gradient.double()))
attempt("raises", lambda: run(lambda gradient: 1 / 0))
attempt("no grad", lambda: torch.ones(2).register_hook(print))
