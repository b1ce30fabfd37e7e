"""One hook for several tensors: when all their gradients are there, or the first."""

import torch
from show import attempt

register = torch.autograd.graph.register_multi_grad_hook
a, b, c = (torch.tensor([float(i), 2.0], requires_grad=True) for i in range(3))
x, y = a * 2, b * 3
both = register((x, y), lambda gradients: print("both", gradients))
leaves = register([a, b, c], lambda gradients: print("leaves", gradients))
either = register((x, y, torch.ones(2)), lambda gradient: print("either", gradient), mode="any")
product = (x * y).sum()
product.backward(retain_graph=True)
(product + c.sum()).backward(retain_graph=True)
print("-- not all")
x.sum().backward(retain_graph=True)
product.backward(inputs=[a], retain_graph=True)
product.backward(inputs=[x, b], retain_graph=True)
leaves.remove()
print(torch.autograd.grad(product, [a], retain_graph=True))
print("-- after an error")
failing = x.register_hook(lambda gradient: 1 / 0)
attempt("failing", lambda: product.backward(retain_graph=True))
failing.remove()
product.backward(retain_graph=True)
print("-- removed")
both.remove()
with register((x, x), lambda gradients: print("twice", gradients)):
    product.backward(retain_graph=True)
either.remove()
product.backward(retain_graph=True)
print("-- one backward inside another")


def another(gradient):
    handle.remove()
    product.backward(retain_graph=True)
    print("inner one done")


handle = y.register_hook(another)
register((x, y), lambda gradients: print("both", gradients))
product.backward(retain_graph=True)
register((a, x), lambda gradients: print("leaf in grad", gradients))
attempt("grad", lambda: torch.autograd.grad(product, [a], retain_graph=True))
attempt("mode", lambda: register((a,), print, mode="each"))
attempt("no gradient", lambda: register((a, torch.ones(2)), print))
