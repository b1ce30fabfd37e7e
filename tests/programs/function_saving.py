"""What save_for_backward keeps: the same objects, until they are changed or freed."""

import torch
from show import attempt, state


class Saves(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        product = a * b
        out = product * product
        ctx.save_for_backward(a, b, out, product, None, a, outside)
        print("in forward", ctx.saved_tensors)
        return out

    @staticmethod
    def backward(ctx, gradient):
        a, b, out, product, nothing, again, other = ctx.saved_tensors
        print(a is x, b is c, out is y, nothing, again is a, other is outside)
        for name, tensor in (("a", a), ("b", b), ("out", out), ("product", product)):
            state(name, tensor)
        return gradient * 2 * product * b, None


outside = torch.ones(2)
x, c = torch.tensor([1.0, 2.0], requires_grad=True), torch.tensor([3.0, 4.0])
y = Saves.apply(x, c)
y.sum().backward(retain_graph=True)
y.sum().backward()
print(x.grad)
attempt("freed", y.sum().backward)
attempt("freed for reading", lambda: y.grad_fn.saved_tensors)
attempt("by its old name", lambda: y.grad_fn.saved_variables)


class SavesAnything(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, values):
        ctx.save_for_backward(*values)
        ctx.save_for_backward(*values)
        return a * 2

    @staticmethod
    def backward(ctx, gradient):
        print("saved", ctx.saved_tensors)
        attempt("saving again", lambda: ctx.save_for_backward(gradient))
        return gradient * 2, None


for values in ([3], ["s", x], [x, 2.0], [(x,)], [[x]], [None], []):
    attempt(f"{len(values)} values", lambda values=values: SavesAnything.apply(x, values))
attempt("constant", lambda: SavesAnything.apply(c, [3]))
y = SavesAnything.apply(x, [])
y.sum().backward()
attempt("nothing saved", y.sum().backward)

SHAPES = {"vector": [1.0, 2.0], "number": 3.0}
for label, value in SHAPES.items():
    for edit in (
        "c.mul_(2)",
        "x.detach().mul_(2)",
        "h.mul_(2)",
        "h.detach().mul_(2)",
        "y.mul_(2)",
        "y.detach().mul_(2)",
        "c.data.mul_(2)",
        "h.data.mul_(2)",
        "y.data.mul_(2)",
        "setattr(c, 'data', c + 5)",
        "setattr(h, 'data', h.detach() + 5)",
    ):
        x, c = torch.tensor(value, requires_grad=True), torch.tensor(value)
        outside = torch.zeros(())
        h = x * 1
        y = Saves.apply(h, c)
        total = y.sum()
        exec(edit)
        attempt(f"{label} {edit}", total.backward)
        print(x.grad)
