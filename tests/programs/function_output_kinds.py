"""Everything forward may return: inputs, views, constants, others' tensors; then edits of them."""

import torch
from show import attempt, state


class Returns(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, outputs):
        c = a * 2  # noqa: F841 - for `outputs`
        return eval(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        print(gradients)
        return gradients[0] * 10, None


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def each_of(results):
    return results if isinstance(results, tuple) else (results,)


SOURCES = (
    "leaf(1.0, 2.0)",
    "leaf(1.0, 2.0) * 1",
    "torch.tensor([1.0, 2.0])",
    "(leaf(1.0, 2.0, 3.0) * 1)[:2]",
)
for source in SOURCES:
    for outputs in (
        "a", "(a, a)", "(c, c)", "(a, c)", "a[:1]", "(a[:1], c)", "(c[:1], c)", "c[:1]",
        "a.detach()",
        "a.data", "other", "other[:1]", "a.unbind()",
    ):  # fmt: skip
        for edit in ("", "results[0].mul_(3)", "x.detach().mul_(3)"):
            x, other = eval(source), torch.zeros(2)

            def run(x=x, outputs=outputs, edit=edit):
                results = each_of(Returns.apply(x, outputs))
                exec(edit)
                for each in results:
                    state(f"  {each is x} {each is other} {each._base is x}", each)
                state("  input", x)
                sum(each.sum() for each in results).backward()

            attempt(f"{source} -> {outputs} {edit}", run)

for outputs in (
    "None", "[c]", "(c,)", "(c, None)", "(c, 5, 'x')", "()", "5", "(5,)", "((c, c), c)", "(c, [c])",
    "c.long()", "(c.long(), c)", "c > 0", "c.double()", "(a > 1, a < 1)",
):  # fmt: skip
    x = leaf(1.0, 2.0)

    def run(x=x, outputs=outputs):
        for each in each_of(Returns.apply(x, outputs)):
            state("  output", each)

    attempt(outputs, run)
    attempt(
        f"{outputs} of a constant", lambda x=x, outputs=outputs: Returns.apply(x.detach(), outputs)
    )


class ReturnsOther(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a):
        with torch.enable_grad():
            return eval(made)

    @staticmethod
    def backward(ctx, gradient):
        return gradient


w = leaf(3.0, 4.0)
for made in ("w", "w * 2", "w[:1]", "a * 2", "a.detach() * 2"):
    for x in (leaf(1.0, 2.0), torch.tensor([1.0, 2.0])):
        w = leaf(3.0, 4.0)
        attempt(made, lambda x=x: state("output", ReturnsOther.apply(x)))
        state("w", w)
