"""Saved-tensor hooks: what a node keeps, and what backward gets."""

import torch
from show import attempt


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        print("saved for backward", ctx.saved_tensors)
        return gradient * 2


def pack(tensor):
    print("pack", tensor, torch.is_grad_enabled())
    return tensor.detach().tolist()


def unpack(numbers):
    print("unpack", numbers)
    return torch.tensor(numbers)


hooks = torch.autograd.graph.saved_tensors_hooks
x = torch.tensor([2.0, 3.0], requires_grad=True)
with hooks(pack, unpack):
    y = x * x
    z = y.sqrt() + Double.apply(y) + y * 3 + y
print(y.grad_fn._saved_self)
z.sum().backward(retain_graph=True)
print(x.grad)
z.sum().backward()
print(x.grad)
attempt("freed", lambda: y.grad_fn._saved_self)
with hooks(lambda t: ("outer", print("outer"))[0], unpack), hooks(lambda t: t, lambda t: t * 10):
    inner = x * x
inner.sum().backward()
print("ten times", x.grad)
with hooks(pack, lambda numbers: 3):
    y = x.exp()
attempt("no tensor", lambda: y.sum().backward())
with hooks(lambda t: t.add_(1), lambda t: t):
    attempt("pack edits", lambda: (x * 1).exp())
with hooks(pack, unpack):
    y = x**3
(first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
print(first.detach())
with torch.autograd.graph.disable_saved_tensors_hooks("not here"):
    attempt("disabled", lambda: hooks(pack, unpack).__enter__())

edge = torch.autograd.graph.get_gradient_edge(x * 5)
print(edge.node.name(), edge.output_nr)
print(torch.autograd.grad(edge, x, grad_outputs=torch.ones(2)))
print(torch.autograd.grad((x * 4).sum(), torch.autograd.graph.get_gradient_edge(x)))
attempt("no edge", lambda: torch.autograd.graph.get_gradient_edge(torch.ones(2)))
