"""A leaf that is used first and last: what its hook sees of a leaf that was complete before."""

import torch

a = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(2.0, requires_grad=True)


def told(name: str, grad: torch.Tensor) -> None:
    print(name, grad, "a", a.grad, "b", b.grad)


def run(y: torch.Tensor) -> None:
    a.grad = b.grad = None
    y.backward()
    print(a.grad, b.grad)


a.register_hook(lambda grad: told("hook", grad))
a.register_post_accumulate_grad_hook(lambda leaf: told("after", leaf.grad))
run((a.exp() * b).sin() * a)
run(((a * 3).exp() * b).sin() * a * b)
run(torch.addmm(a, (a.exp() * b).reshape(1, 1), torch.ones(1, 1)).sum())
run((b * a.exp()).sin() * a + a * b)


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x * y

    @staticmethod
    def backward(ctx, grad):
        told("Scale", grad)
        return None, grad


run(Scale.apply(a.exp() * b, b.sin()).cos() * a)
c = torch.ones(3, requires_grad=True)
view = (c * 2)[:2]
x = a * b
try:
    view.mul_(Scale.apply(x, b))
    run((view * b).sum())
except RuntimeError as error:
    print(error)
print(c.grad)

with torch.autograd.graph.saved_tensors_hooks(
    lambda saved: saved, lambda saved: (told("unpack", saved.detach()), saved)[1]
):
    powers = a.exp()
run(powers * b)
