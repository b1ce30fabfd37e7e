"""What backward of a Function may return: None, surplus Nones, too few, too many."""

import torch
from show import attempt


def function(answer):
    class Answer(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a + b

        @staticmethod
        def backward(ctx, gradient):
            return answer(gradient)

    return Answer


def run(answer):
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], requires_grad=True)
    function(answer).apply(a, b).sum().backward()
    return a.grad, b.grad


attempt("both", lambda: run(lambda g: (g, g * 2)))
attempt("None stops the flow", lambda: run(lambda g: (None, g)))
attempt("surplus Nones", lambda: run(lambda g: (g, g, None, None)))
attempt("surplus gradient", lambda: run(lambda g: (g, g, g)))
attempt("one too few", lambda: run(lambda g: g))
attempt("nothing", lambda: run(lambda g: None))
attempt("a number", lambda: run(lambda g: (1.0, g)))
attempt("too large", lambda: run(lambda g: (torch.ones(3, 2), g)))
attempt("too small", lambda: run(lambda g: (g.sum(), g)))
attempt("wrong shape", lambda: run(lambda g: (torch.ones(3), g)))
attempt("other dtype", lambda: run(lambda g: (g.double(), g)))
attempt("a list", lambda: run(lambda g: [g, g]))
