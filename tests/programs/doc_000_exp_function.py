"""A custom exponential that saves its result, used through apply."""

import torch
from show import describe_all


class Exponential(torch.autograd.Function):
    @staticmethod
    def forward(ctx, exponent):
        grown = exponent.exp()
        ctx.save_for_backward(grown)
        return grown

    @staticmethod
    def backward(ctx, cotangent):
        (grown,) = ctx.saved_tensors
        return cotangent * grown


x = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
mine = Exponential.apply(x)
describe_all("forward", x=x, mine=mine)
print(mine.grad_fn.name(), type(mine.grad_fn).__name__, mine.grad_fn.next_functions)

mine.sum().backward()
print("x.grad", x.grad)
(built_in,) = torch.autograd.grad(torch.exp(x).sum(), x)
print("built in", built_in, (x.grad == built_in).tolist())
(second,) = torch.autograd.grad(
    torch.autograd.grad(Exponential.apply(x).sum(), x, create_graph=True)[0].sum(), x
)
print("second derivative", second)
