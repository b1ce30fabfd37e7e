"""needs_input_grad, numbers and strings as arguments, and what ctx carries."""

import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensor, weight, factor, note="none"):
        ctx.save_for_backward(tensor, weight)
        ctx.factor, ctx.note = factor, note
        print("forward", ctx.needs_input_grad, torch.is_grad_enabled(), tensor.requires_grad)
        return tensor * weight * factor

    @staticmethod
    def backward(ctx, gradient):
        tensor, weight = ctx.saved_tensors
        print("backward", ctx.needs_input_grad, ctx.note, torch.is_grad_enabled())
        to_tensor = gradient * weight * ctx.factor if ctx.needs_input_grad[0] else None
        return to_tensor, gradient * tensor * ctx.factor, None, None


data = torch.tensor([1.0, 2.0])
weight = torch.tensor([3.0, 4.0], requires_grad=True)
for first in (data, weight * 1):
    out = Scale.apply(first, weight, 10, "noted")
    print(out, out.grad_fn.next_functions)
    out.sum().backward()
    print(weight.grad)
print("nothing to record", Scale.apply(data, data, 2))
with torch.no_grad():
    print("under no_grad", Scale.apply(data, weight, 2))
