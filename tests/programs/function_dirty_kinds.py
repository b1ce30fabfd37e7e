"""mark_dirty for every kind of input and output: versions, histories, refusals."""

import torch
from show import attempt, state


class Doubles(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, outputs):
        ctx.mark_dirty(a)
        a.mul_(2)
        return eval(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        print(gradients)
        return gradients[0] * 10, None


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


SOURCES = (
    "leaf(1.0, 2.0)",
    "leaf(1.0, 2.0) * 1",
    "torch.tensor([1.0, 2.0])",
    "(leaf(1.0, 2.0, 3.0) * 1)[:2]",
    "leaf(1.0, 2.0, 3.0)[:2]",
    "torch.tensor([1.0, 2.0, 3.0])[:2]",
    "(leaf(1.0, 2.0) * 1).unbind()[0]",
)
for source in SOURCES:
    for outputs in (
        "a",
        "(a,)",
        "(a, a)",
        "(a, a * 1)",
        "(a * 1, a)",
        "a * 1",
        "(a, a.view(-1))",
        "(a, 3)",
    ):
        x = eval(source)

        def run(x=x, outputs=outputs):
            results = Doubles.apply(x, outputs)
            results = results if isinstance(results, tuple) else (results,)
            print([each is x for each in results])
            for each in results:
                state("  output", each)
            sum(each.sum() for each in results if isinstance(each, torch.Tensor)).backward()

        attempt(f"{source} -> {outputs}", run)
        state("  input", x)
        if x._base is not None:
            state("  base", x._base)


class Marks(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, marks):
        out = a * 2
        for name, values in marks.items():
            values = [{"a": a, "out": out, "other": other}.get(each, each) for each in values]
            getattr(ctx, name)(*values)
        return a if "mark_dirty" in marks and "a" in marks["mark_dirty"] else out

    @staticmethod
    def backward(ctx, gradient):
        print(gradient)
        return gradient, None


other = torch.ones(2)
for marks in (
    {"mark_dirty": ["out"]},
    {"mark_dirty": [3]},
    {"mark_dirty": [None]},
    {"mark_dirty": ["a", "a"]},
    {"mark_dirty": ["other"]},
    {"mark_dirty": ["a"], "mark_non_differentiable": ["a"]},
    {"mark_non_differentiable": ["out"]},
    {"mark_non_differentiable": ["a"]},
    {"mark_non_differentiable": [3]},
    {"mark_non_differentiable": [None]},
    {"set_materialize_grads": [None]},
):
    for x in (leaf(3.0, 1.0) * 1, leaf(3.0, 1.0), torch.tensor([3.0, 1.0])):
        attempt(str(marks), lambda x=x, marks=marks: state("output", Marks.apply(x, marks)))
        state("  input", x)


class Swaps(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        a.mul_(2)
        b.mul_(3)
        ctx.mark_dirty(a, b)
        return b, a

    @staticmethod
    def backward(ctx, first, second):
        print(first, second)
        return second * 2, first * 3


x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
a, b = x * 1, y * 1
b.retain_grad()
first, second = Swaps.apply(a, b)
state("a", a)
state("b", b)
(first * 5 + second).sum().backward()
print(x.grad, y.grad, b.grad, first is b)


class SavesDirty(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        ctx.mark_dirty(a.mul_(2))
        return a

    @staticmethod
    def backward(ctx, gradient):
        state("saved", ctx.saved_tensors[0])
        return gradient * ctx.saved_tensors[0]


x = leaf(1.0, 2.0)
SavesDirty.apply(x * 1).sum().backward()
h = x * 1
state("view", SavesDirty.apply(h[:1]))
h.sum().backward()
print(x.grad)
