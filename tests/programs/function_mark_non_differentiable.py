"""mark_non_differentiable: an output that no gradient flows through."""

import torch


class SortOfAbs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        positive = x > 0
        shifted = x * 1 + 5
        ctx.mark_non_differentiable(positive, shifted)
        ctx.save_for_backward(positive)
        return x.abs(), positive, shifted

    @staticmethod
    def backward(ctx, gradient, *others):
        (positive,) = ctx.saved_tensors
        print("backward", gradient, others)
        return gradient * (positive * 2.0 - 1)


x = torch.tensor([-1.0, 2.0], requires_grad=True)
value, positive, shifted = SortOfAbs.apply(x)
print(value, positive, shifted, positive.requires_grad, shifted.is_leaf)
value.sum().backward()
print(x.grad)
