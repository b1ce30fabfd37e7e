"""Everything backward may return, first with a graph that ends in leaves, then in a product."""

import torch
from show import attempt


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, number):
        return a * b

    @staticmethod
    def backward(ctx, g):
        return eval(result)


for result in (
    "g", "(g,)", "(g, g)", "(g, g, None)", "(g, g, None, None)", "(g, g, g)", "(g, g, None, g)",
    "[g, g, None]", "(g, g, 3)", "(3, g, None)", "(None, None, None)", "None", "()", "(g, 3, None)",
    "(g.double(), g, None)", "(g.long(), g, None)", "(g > 0, g, None)", "(g.half(), g, None)",
    "(g[:1], g, None)", "(g.sum(), g, None)", "(g.expand(3, 2), g, None)",
    "(g.view(2, 1), g, None)",
    "(g.view(1, 2), g, None)", "(torch.ones(3), g, None)", "(torch.ones(2, 2, 2), g, None)",
    "(g.tolist(), g, None)", "(g.numpy(), g, None)", "(g, None, None)", "(g, torch.ones(5), None)",
    "((g, g, None),)", "{1: g}",
):  # fmt: skip
    for needed in (True, False):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        b = torch.tensor([3.0, 4.0], requires_grad=needed)
        attempt(result, lambda x=x, b=b: Product.apply(x, b, 3).sum().backward())
        print(x.grad, b.grad)
        attempt("  of a product", lambda x=x, b=b: Product.apply(x * 1, b, 3).sum().backward())
        print(x.grad)
        attempt(
            "  grad",
            lambda x=x, b=b: torch.autograd.grad(
                Product.apply(x, b, 3).sum(), x, create_graph=True, allow_unused=True
            ),
        )
