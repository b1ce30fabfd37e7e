"""gradcheck catches log(base + 1) where log(base) is correct. Ends in an exception."""

import torch
from show import describe_all


class WrongPower(torch.autograd.Function):
    @staticmethod
    def forward(ctx, base, exponent):
        ctx.save_for_backward(base, exponent)
        return base**exponent

    @staticmethod
    def backward(ctx, cotangent):
        base, exponent = ctx.saved_tensors
        to_base = cotangent * exponent * base ** (exponent - 1)
        to_exponent = cotangent * base**exponent * torch.log(base + 1)
        return to_base, to_exponent


power = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
x = torch.tensor(5.0, dtype=torch.float64, requires_grad=True)
describe_all("before", power=power, x=x)
print("verdict", torch.autograd.gradcheck(WrongPower.apply, (x, power)))
