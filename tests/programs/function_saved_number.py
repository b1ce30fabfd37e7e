"""save_for_backward takes tensors only. Ends in an exception."""

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, gradient):
        _, factor = ctx.saved_tensors
        return gradient * factor, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
print(Scale.apply(x, torch.tensor(3.0)))
Scale.apply(x, 3.0)
