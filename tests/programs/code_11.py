"""The power as a custom Function that prints what reaches its backward."""

import torch
from show import describe, describe_all


class Power(torch.autograd.Function):
    @staticmethod
    def forward(ctx, base, exponent):
        ctx.save_for_backward(base, exponent)
        return base**exponent

    @staticmethod
    def backward(ctx, cotangent):
        base, exponent = ctx.saved_tensors
        to_base = cotangent * exponent * base ** (exponent - 1)
        to_exponent = cotangent * base**exponent * torch.log(base)
        describe("base", base)
        describe("exponent", exponent)
        print("cotangent", cotangent)
        print("to_base", to_base)
        print("to_exponent", to_exponent)
        return to_base, to_exponent


power = torch.tensor(3.0, requires_grad=True)
x = torch.tensor(5.0, requires_grad=True)
raised = Power.apply(x, power)
result = torch.log(raised)

describe_all("before", power=power, x=x, raised=raised, result=result)
result.backward()
describe_all("after", power=power, x=x, raised=raised, result=result)
