"""Several outputs: the gradient of an unused one arrives as zeros, or as None on request."""

import torch


class TwoOutputs(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, materialize):
        ctx.set_materialize_grads(materialize)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, to_double, to_triple):
        print("   ", to_double, to_triple)
        total = 0
        if to_double is not None:
            total = total + to_double * 2
        if to_triple is not None:
            total = total + to_triple * 3
        return total, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
for materialize in (True, False):
    double, triple = TwoOutputs.apply(x, materialize)
    print(double, triple, double.grad_fn is triple.grad_fn, double.output_nr, triple.output_nr)
    double.sum().backward(retain_graph=True)
    triple.sum().backward(retain_graph=True)
    (double + triple).sum().backward()
    print(x.grad, (double + triple).grad_fn.next_functions)
    x.grad = None
