"""What notebook 14_double_backward asks: gradients that have a graph of their own."""

import gc
import math
import weakref

from minigrad_course.ask.declare import (
    Mistake,
    counted_passes,
    exercise,
    expect,
    names_used,
    prediction,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

prediction(
    "14.a",
    """With this draft an input comes back as the tensor that it was, and a saved result as a bare
    array. What will the second derivative of x · eˣ at 1 be?""",
    {
        "right": """Then the saved result would have to say that it depends on `x`.""",
        "too small": """What goes through the saved result is missing; the rest is there.""",
        "an error": """`g` has a graph: the product came back with its inputs. So the pass runs.""",
    },
    answer="too small",
    shown="5.4366 by hand: 8.1548",
)

prediction(
    "14.b",
    """After `grad(z, x, create_graph=True)`, can `grad(z, x)` run once more, without
    `retain_graph`?""",
    {
        "Yes": """The graph of the gradient needs what the graph of `z` has saved: it was kept.""",
        "No, it is freed": """That was the rule without `create_graph`. Here the first graph is part
        of the second.""",
    },
    answer="Yes",
    shown="(tensor(0.6000),)",
)

prediction(
    "14.c",
    """`x.grad` is 0.6 and has a graph; its own gradient is −0.12. What is `x.grad` after
    `x.grad.backward()`?""",
    {
        "-0.12": """That is what arrives at `x`. But a gradient that arrives is added.""",
        "0.48": """0.6 was there, and −0.12 is added to it.""",
        "0.6": """Backward starts at `x.grad` and ends at `x`, so `x.grad` changes.""",
    },
    answer="0.48",
    shown="tensor(0.4800,",
)

prediction(
    "14.d",
    """`Sinh` keeps `e`, which is neither an input nor an output of its forward. What will the
    second derivative of x · sinh x be?""",
    {
        "right": """Then `e` would need a history. Forward runs without recording.""",
        "an error": """There is a graph: the product is recorded, and the gradient that comes in
        depends on `x`. So nothing is missing for the engine.""",
        "wrong": """What `e` contributes is missing; the rest is there.""",
    },
    answer="wrong",
    shown="3.0862)",
)


@exercise(
    "14.1",
    "The n-th derivative",
    difficulty=1,
    minutes=8,
    hint="""`grad` again and again, with `create_graph=True`. Before each, look whether what you
    have still requires grad; and `f` may not use `x` at all.""",
    solution="""
        def derivative(f, x, n):
            x = tensor(x, requires_grad=True)
            g = f(x)
            for _ in range(n):
                if not g.requires_grad:
                    return 0.0
                (g,) = grad(g, x, create_graph=True, allow_unused=True)
                if g is None:
                    return 0.0
            return g.item()
    """,
    right="Each order is the gradient of the one before; nothing else is needed.",
)
def check_derivative(derivative):
    def found(f, x, n, about):
        try:
            return derivative(f, x, n)
        except RuntimeError as error:
            raise Mistake(f"{about} It raised: {str(error).splitlines()[0]}") from error

    first = found(lambda x: x**4, 2.0, 1, "The first derivative of x⁴ should be 32.")
    expect(same(first, 32.0), f"The first derivative of x⁴ at 2 is 32, not {first}.")
    second = found(
        lambda x: x**4, 2.0, 2, "The first gradient needs a graph of its own: `create_graph`."
    )
    expect(
        not same(second, 80.0), "80 is 48 + 32: gradients add up in `.grad`. Use `grad` instead."
    )
    expect(same(second, 48.0), f"The second derivative of x⁴ at 2 is 48, not {second}.")
    third = found(lambda x: x**4, 2.0, 3, "The third derivative of x⁴ should be 48.")
    expect(same(third, 48.0), f"The third derivative of x⁴ at 2 is 48, not {third}.")
    for n in (2, 3):
        zero = found(
            lambda x: 2 * x,
            1.0,
            n,
            "2x is linear: its gradient is a constant, and a constant has no graph. Stop there and"
            " return 0.0.",
        )
        expect(same(zero, 0.0), f"2x is linear: derivative {n} is 0, not {zero}.")


@exercise(
    "14.2",
    "A Function twice differentiable",
    difficulty=2,
    minutes=8,
    hint="""Save what forward returns, not a step on the way; then `ctx.saved_tensors` brings it
    back with its history.""",
    solution="""
        class Sigmoid(Function):
            @staticmethod
            def forward(ctx, x):
                s = 1 / (1 + (-x).exp())
                ctx.save_for_backward(s)
                return s

            @staticmethod
            def backward(ctx, grad):
                (s,) = ctx.saved_tensors
                return grad * s * (1 - s)
    """,
    right="The result came back as output number 0 of its own node, so it has a history.",
)
def check_sigmoid(Sigmoid):  # noqa: N803 - a class
    package = yours()
    s = 1 / (1 + math.exp(-1.0))
    x = package.tensor(1.0, requires_grad=True)
    result = Sigmoid.apply(x)
    expect(
        hasattr(result.grad_fn, "saved_tensors"),
        "The node of the result is not one of a `Function`. Write `class Sigmoid(Function)` with"
        " forward and backward.",
    )
    saved = result.grad_fn.saved_tensors
    kept = saved[0].item() if saved else s
    del saved
    expect(same(result.item(), s), f"At 1 the sigmoid is {s:.4f}, not {result.item():.4f}.")
    (double,) = package.grad(2 * Sigmoid.apply(x), x)
    expect(
        not same(double.item(), s * (1 - s)),
        "The gradient of 2 · sigmoid is that of sigmoid: multiply by the gradient that came in.",
    )
    (g,) = package.grad(result * x, x, create_graph=True)
    expect(
        same(g.item(), s + s * (1 - s)), f"The first derivative of x · sigmoid is wrong: {g.item()}"
    )
    (h,) = package.grad(g, x)
    right = 2 * s * (1 - s) + s * (1 - s) * (1 - 2 * s)
    expect(
        same(h.item(), right),
        f"The second derivative of x · sigmoid is {right:.4f}, not {h.item():.4f}. What backward"
        " multiplied with was neither an input nor an output, so it came back as a constant.",
    )
    expect(
        same(kept, s),
        "Both derivatives are right. But you saved `x`, and s is computed again: save s.",
    )
    node = weakref.ref(result.grad_fn)
    gc.collect()
    with without_collector():
        del result, g, h, double
        gone = node() is None
    expect(
        gone,
        "Right numbers, but result and node hold each other: a cycle. An output belongs into"
        " `ctx.save_for_backward`.",
    )


@exercise(
    "14.3",
    "What a node keeps, on an empty page",
    difficulty=3,
    minutes=15,
    hint="""Of a result keep `without_graph(tensor)` and the number. `unpack` makes a tensor of the
    same array, and gives it the node as its history.""",
    solution="""
        class Kept:
            def __init__(self, tensor, number=None):
                self.number = number
                self.tensor = tensor if number is None else without_graph(tensor)

            def unpack(self, node):
                if self.number is None:
                    return self.tensor
                tensor = without_graph(self.tensor)
                set_history(tensor, node, self.number)
                return tensor
    """,
    right="""The tensor of an input, the array of a result: that is all that backward needs.""",
)
def check_kept(Kept):  # noqa: N803 - a class
    package = yours()
    expect(
        not hasattr(Kept, "keep_old_values"),
        "That is `SavedTensor`. Write a class of your own this time.",
    )
    x = package.tensor(3.0, requires_grad=True)
    h = x * 2
    y = h.exp()
    node = y.grad_fn
    for given, name in ((x, "a leaf"), (h, "what another node made"), (x.detach(), "a constant")):
        expect(
            Kept(given).unpack(node) is given,
            f"An input must come back as the input itself. Yours gives another tensor for {name}.",
        )
    result = Kept(y, 0)
    again = result.unpack(node)
    expect(again.grad_fn is node, "What comes back for a result has no history, or a wrong one.")
    expect(same(again.item(), y.item()), "The value that comes back is not what was kept.")
    node._kept = Kept(y, 0)
    alive = weakref.ref(node)
    kept_again = result.unpack(node) is again
    del result, again
    gc.collect()
    with without_collector():
        del y, node
        gone = alive() is None
    expect(
        gone,
        "A node that keeps its own result in your way is part of a cycle. For a result keep only"
        " the number; `unpack` is told the node.",
    )
    expect(
        not kept_again,
        "`unpack` makes the tensor again each time. Yours keeps one with the history of the tensor"
        " that was unpacked first, and that holds the node.",
    )


@exercise(
    "14.4",
    "How strongly it bends",
    difficulty=2,
    minutes=8,
    hint="""The gradient with `create_graph=True`; then the gradient of that, with `v` as cotangent;
    then a sum of products.""",
    solution="""
        def along(f, x, v):
            x = x.detach().requires_grad_()
            (g,) = grad(f(x), x, create_graph=True)
            (product,) = grad(g, x, v)
            return (product * v).sum().item()
    """,
    right="Two passes, and no matrix: that works for a million weights.",
)
def check_along(along):
    package = yours()
    x = package.tensor([1.0, 2.0, 3.0])
    v = package.tensor([1.0, -1.0, 2.0])
    with counted_passes(package) as passes:
        found = along(lambda x: (x**3).sum() + x[0] * x[1], x, v)
    right = 6 * 1 + 12 * 1 + 18 * 4 - 2  # squares of v on the diagonal, and twice v0 v1
    expect(not x.requires_grad, "`x` requires grad now. It shall stay as it is: use `detach`.")
    expect(
        not same(found, 7 * 1 + 13 * -1 + 18 * 2),
        "You summed the gradient first, that is the cotangent of ones: the sum over all of H v's"
        " rows. The cotangent is `v`.",
    )
    expect(same(found, float(right)), f"vᵀHv is {right}, not {found}.")
    expect(len(passes) == 2, f"{len(passes)} passes for three elements; two are enough.")


@exercise(
    "14.5",
    "A step with a penalty",
    difficulty=3,
    minutes=10,
    hint="""The gradient by `x` needs `create_graph=True`, the one by `w` does not. The step itself
    is no part of any graph.""",
    solution="""
        def penalised_step(model, w, x, lr):
            result = model(w, x)
            (g,) = grad(result, x, create_graph=True)
            (step,) = grad(result + g**2, w)
            return w.item() - lr * step.item()
    """,
    right="That is how a gradient penalty is trained: one extra pass, recorded.",
)
def check_step(penalised_step):
    package = yours()
    w = package.tensor(2.0, requires_grad=True)
    x = package.tensor(3.0, requires_grad=True)
    expect(
        "torch" not in names_used(penalised_step),
        "`torch` is the finished library here, and does not know your nodes. Use your own `grad`.",
    )
    found = penalised_step(lambda w, x: w * x**2, w, x, 0.01)
    expect(isinstance(found, float), "Return a Python number.")
    expect(w.grad is None and x.grad is None, "A `.grad` was filled; use `grad`.")
    expect(
        not same(found, 2 - 0.09),
        "The penalty does not reach `w`: to the second pass, its gradient was a constant.",
    )
    expect(
        not same(found, 2 - 1.44), "That is only the penalty; the model itself belongs to the loss."
    )
    expect(same(found, 2 - 1.53), f"The new w is 2 − 0.01 · (9 + 144) = 0.47, not {found}.")
    w, x = (package.tensor(1.0, requires_grad=True) for _ in range(2))
    found = penalised_step(lambda w, x: w * x**3, w, x, 0.1)
    expect(
        same(found, 1 - 0.1 * (1 + 18)),
        f"That is right for w · x². For w · x³ at w = 1 and x = 1, with lr = 0.1, the new w is"
        f" 1 − 0.1 · (1 + 18) = −0.9, not {found}: compute with the arguments.",
    )
