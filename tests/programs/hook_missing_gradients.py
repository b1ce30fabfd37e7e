"""Backward visits every node that it can reach; hooks get None where no gradient arrived."""

import torch
from show import attempt


class Swallow(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        print("swallowed", gradient)


class Two(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, *gradients):
        print("two", gradients)
        return sum(gradients)


def watch(name, tensor):
    """Print every call of every kind of hook."""
    tensor.register_hook(lambda g: print(name, "tensor", g))
    if tensor.is_leaf:
        tensor.register_post_accumulate_grad_hook(lambda p: print(name, "accumulated", p.grad))
        node = (tensor * 1).grad_fn.next_functions[0][0]
    else:
        tensor.retain_grad()
        node = tensor.grad_fn
    node.register_prehook(lambda outputs: print(name, "pre", outputs))
    node.register_hook(lambda inputs, outputs: print(name, "post", inputs, outputs))
    return node  # keeps the AccumulateGrad, and the hooks on it, alive


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
y = a * b
kept = [watch("a", a), watch("b", b), watch("y", y)]
Swallow.apply(y).sum().backward(retain_graph=True)
print(a.grad, b.grad, y.grad)
print("-- half of it")
(Swallow.apply(a) * b).sum().backward()
print(a.grad, b.grad)
print("-- asked for")
swallowed = Swallow.apply(y).sum()
print(torch.autograd.grad(swallowed, [a], allow_unused=True, retain_graph=True))
print(torch.autograd.grad(swallowed, [y], materialize_grads=True, retain_graph=True))
attempt("grad", lambda: torch.autograd.grad(swallowed, [b], retain_graph=True))
swallowed.backward(inputs=[y])
print("-- one of several outputs")
first, second = (torch.tensor([5.0, 6.0], requires_grad=True) * 1).unbind(0)
first.register_hook(lambda g: print("first", g))
second.register_hook(lambda g: print("second", g))
first.grad_fn.register_prehook(lambda outputs: print("pre", outputs))
first.backward(retain_graph=True)
second.register_hook(lambda g: torch.tensor(7.0))
attempt("made up", lambda: first.backward(retain_graph=True))
c = torch.tensor([1.0, 2.0], requires_grad=True)
first, second = Two.apply(c)
first.register_hook(lambda g: print("first", g))
second.register_hook(lambda g: print("second", g))
first.sum().backward()
print(c.grad)
c.register_hook(lambda g: torch.ones(2))
attempt("made up at a leaf", lambda: Swallow.apply(c).sum().backward())


# A node that no gradient reaches notices all the same what was changed or freed.
class Second(torch.autograd.Function):
    @staticmethod
    def forward(ctx, first, second):
        ctx.set_materialize_grads(False)
        return second * 2

    @staticmethod
    def backward(ctx, grad):
        return None, grad


for spoil in (lambda kept, late: kept.mul_(2), lambda kept, late: late.sum().backward()):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    kept = x * 1
    late = kept.sin()
    result = Second.apply(late, x)
    spoil(kept, late)
    attempt("behind nothing", lambda result=result: result.sum().backward())
    print(x.grad)
