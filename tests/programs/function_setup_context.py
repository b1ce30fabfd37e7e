"""forward without ctx, and setup_context apart from it."""

import torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(x, times):
        return x * x * times

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, ctx.times = inputs
        ctx.save_for_backward(x)
        print("setup", inputs, output, ctx.needs_input_grad)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * 2 * x * ctx.times, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Square.apply(x, 3)
print(y)
y.sum().backward()
print(x.grad)
