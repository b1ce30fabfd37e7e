"""What notebook 14_double_backward asks: gradients that have a graph of their own."""

import gc
import math
import weakref

from minigrad_course.ask.declare import (
    counted_calls,
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
    refuses,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

prediction(
    "14.a",
    """`train` runs without a penalty, and then with penalties of strength 0.05 and 5, each time
    from the same weights. What will happen?""",
    {
        "the stronger the penalty, the flatter the answers": """That is the purpose of a penalty.
        But for the weights to learn from it, `slope` would have to say how it depends on them. What
        is its `grad_fn`?""",
        "the second `grad` of a step raises an error": """`retain_graph=True` keeps what the second
        pass needs, and `answer` gives the loss a graph, so there is no reason for an error.""",
        "all three end with the same weights": """`slope` does not have a graph, so as far as the
        second pass can tell, the penalty is a constant, no matter how large, and the derivative of
        a constant is 0.""",
    },
    answer="all three end with the same weights",
    shown="the same weights: True",
)

prediction(
    "14.b",
    """`unpack` now returns an input as the tensor that it was, but a saved result as a bare array.
    What will the second derivative of x · eˣ at 1 be?""",
    {
        "right": """For that, the saved result would have to know that it depends on `x`.""",
        "too small": """The share that passes through the saved result is missing, and the rest is
        there.""",
        "an error": """That is what eˣ − 2x got, because nothing in its gradient required grad. Here
        the product saved its inputs, which came back as themselves, so `g` does have a graph.""",
    },
    answer="too small",
    shown="5.4366 by hand: 8.1548",
)

prediction(
    "14.c",
    """`g` was computed with `create_graph=True`. What will `grad(z, x)` and then `grad(g, x)` do,
    in this order?""",
    {
        "both run": """The pass that computed `g` kept what the nodes had saved, because of its
        `create_graph=True`, but this `grad(z, x)` was called without it.""",
        "the first runs, the second raises": """The pass that computed `g` kept the saved values.
        `grad(z, x)` then used them and freed them, although the graph of `g` leads through the
        power that had saved `x`.""",
        "the first raises": """It would if the pass that computed `g` had freed the graph. But a
        pass with `create_graph=True` keeps it, since the gradient's graph runs through it.""",
    },
    answer="the first runs, the second raises",
    shown="(tensor(0.6000),)",
)

prediction(
    "14.d",
    """`Sinh` saves a slope that is neither an input nor an output of its forward. What will the
    second derivative of x · sinh x be?""",
    {
        "right": """For that, `slope` would need a history, but forward runs without recording.""",
        "an error": """The engine finds a graph to follow, because the product is recorded and the
        gradient that reaches `Sinh` depends on `x`.""",
        "wrong": """The share that passes through `slope` is missing, and the rest is there.""",
    },
    answer="wrong",
    shown="3.0862)",
)


@exercise(
    "14.1",
    "The n-th derivative",
    difficulty=1,
    minutes=8,
    hint="""Call `grad` n times with `create_graph=True`. Before each call, check whether what you
    have still requires grad, and remember that a gradient may not depend on `x` at all.""",
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
    right="Each derivative is the gradient of the one before, and nothing else is needed.",
)
def check_derivative(derivative):
    def found(f, x, n, about):
        with error_means(RuntimeError, f"{about} It raised: {{error}}"):
            return derivative(f, x, n)

    first = found(lambda x: x**4, 2.0, 1, "The first derivative of x⁴ should be 32.")
    expect(same(first, 32.0), f"The first derivative of x⁴ at 2 is 32, not {first}.")
    second = found(
        lambda x: x**4, 2.0, 2, "The first gradient needs a graph of its own: `create_graph`."
    )
    expect(
        not same(second, 80.0),
        "You got 80, which is 48 + 32, because gradients add up in `.grad`. Use `grad` instead.",
    )
    expect(same(second, 48.0), f"The second derivative of x⁴ at 2 is 48, not {second}.")
    third = found(lambda x: x**4, 2.0, 3, "The third derivative of x⁴ should be 48.")
    expect(same(third, 48.0), f"The third derivative of x⁴ at 2 is 48, not {third}.")
    for n in (2, 3):
        zero = found(
            lambda x: 2 * x,
            1.0,
            n,
            "2x is linear, so its gradient is a constant, and a constant does not have a graph."
            " Stop there and return 0.0.",
        )
        expect(same(zero, 0.0), f"2x is linear, so derivative {n} is 0, not {zero}.")

    class Broken(yours().Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, grad):
            raise RuntimeError("this backward is broken")

    expect(
        refuses(lambda: derivative(Broken.apply, 1.0, 1)),
        "A backward raised an error, and your answer hid it. Catching RuntimeError hides every"
        " mistake in `f`, so ask `requires_grad` before the call instead.",
    )


@exercise(
    "14.2",
    "A Function twice differentiable",
    difficulty=2,
    minutes=8,
    hint="""Save what forward returns and not an intermediate value, because then
    `ctx.saved_tensors` returns it with its history.""",
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
    right="The result came back as output 0 of its own node, so it has a history.",
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
        "Your Function gives 2 · sigmoid the same gradient as sigmoid, because backward does not "
        "multiply by the incoming gradient.",
    )
    (g,) = package.grad(result * x, x, create_graph=True)
    expect(
        same(g.item(), s + s * (1 - s)), f"The first derivative of x · sigmoid is wrong: {g.item()}"
    )
    (h,) = package.grad(g, x)
    right = 2 * s * (1 - s) + s * (1 - s) * (1 - 2 * s)
    expect(
        same(h.item(), right),
        f"The second derivative of x · sigmoid is {right:.4f}, not {h.item():.4f}. Backward used a"
        " saved value that is neither an input nor an output, so it came back as a constant.",
    )
    expect(
        same(kept, s),
        "Both derivatives are right, but you saved `x`, so backward has to compute s again."
        " Save s instead.",
    )
    node = weakref.ref(result.grad_fn)
    gc.collect()
    with without_collector():
        del result, g, h, double
        gone = node() is None
    expect(
        gone,
        "The numbers are right, but the result and its node hold each other, which is a cycle. An"
        " output belongs in `ctx.save_for_backward`.",
    )


@exercise(
    "14.3",
    "What a node keeps, on an empty page",
    difficulty=3,
    minutes=15,
    hint="""For a result, keep `without_graph(tensor)` and the number. `unpack` puts a new tensor
    around the same array, and gives it the node as its history.""",
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
    right="""The tensor of an input and the array of a result are all that backward needs.""",
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
            "An input must come back as the input itself. Your class gives another tensor for "
            f"{name}.",
        )
    kept = Kept(y, 0)
    again = kept.unpack(node)
    halves = package.tensor([1.0, 2.0], requires_grad=True).chunk(2)
    itself = [Kept(half, number).unpack(half.grad_fn) is half for number, half in enumerate(halves)]
    expect(
        itself != [True, False],
        "Output number 0 came back as if it were an input. 0 is a number, too, so ask whether"
        " `number is None`.",
    )
    expect(
        again is not y,
        "`Kept(y, 0)` returned `y` itself. Your class may not hold the result, and a weak "
        "reference to it does not help, because backward needs the array after the result is gone. "
        "Keep the array.",
    )
    expect(again.grad_fn is node, "The result came back without a history, or with a wrong one.")
    expect(same(again.item(), y.item()), "The value that came back is not the one that was kept.")
    expect(
        again.data_ptr() == y.data_ptr(),
        "The result came back with a copy of its array. A node shares the array with its result,"
        " because a copy would double the memory.",
    )
    for number, half in enumerate(halves):
        found = Kept(half, number).unpack(half.grad_fn).output_nr
        expect(
            found == number,
            f"A node may have several outputs, but output {number} came back as output {found}.",
        )
    node._kept = Kept(y, 0)
    alive = weakref.ref(node)
    kept_again = kept.unpack(node) is again
    del kept, again
    gc.collect()
    with without_collector():
        del y, node
        gone = alive() is None
    expect(
        not kept_again,
        "`unpack` has to create a new tensor each time. Your class keeps the one that it returned "
        "first, whose history holds the node.",
    )
    expect(
        gone,
        "A node that keeps its own result your way is part of a cycle. For a result, keep the array"
        " and the number alone, because `unpack` is called with the node.",
    )


@exercise(
    "14.4",
    "How strongly it bends",
    difficulty=2,
    minutes=8,
    hint="""Compute the gradient with `create_graph=True`, and then the gradient of that gradient
    with `v` as the cotangent. What is left is a sum of products.""",
    solution="""
        def along(f, x, v):
            x = x.detach().requires_grad_()
            (g,) = grad(f(x), x, create_graph=True)
            (product,) = grad(g, x, v)
            return (product * v).sum().item()
    """,
    right="Two passes and no matrix, so it works for a million weights.",
)
def check_along(along):
    package = yours()
    x = package.tensor([1.0, 2.0, 3.0])
    v = package.tensor([1.0, -1.0, 2.0])
    with counted_calls(package.core.engine.BackwardPass, "run") as passes:
        found = along(lambda x: (x**3).sum() + x[0] * x[1], x, v)
    right = 6 * 1 + 12 * 1 + 18 * 4 - 2  # squares of v on the diagonal, and twice v0 v1
    expect(
        not x.requires_grad,
        "`x` requires grad now. Leave it as it was, and work with `x.detach()`.",
    )
    expect(
        not same(found, 7 * 1 + 13 * -1 + 18 * 2),
        "You summed the gradient first, which is the same as a cotangent of ones and adds up the"
        " rows of H. Use `v` as the cotangent.",
    )
    expect(same(found, float(right)), f"vᵀHv is {right}, not {found}.")
    expect(
        len(passes) == 2,
        f"Your function needs {len(passes)} passes for three elements, although two are enough.",
    )


@exercise(
    "14.5",
    "Find the silent fault",
    difficulty=3,
    minutes=10,
    hint="""Write a helper that computes the slope of t · f(t) at a point, with `create_graph=True`.
    You need it at x, where you differentiate it once more, and at two points close to x. The
    tolerance should grow with the numbers that you compare.""",
    solution="""
        float64 = yours().float64

        def second_is_right(f, x):
            def slope(at):
                t = tensor(at, dtype=float64, requires_grad=True)
                return t, grad(t * f(t), t, create_graph=True)[0]

            t, g = slope(x)
            second = grad(g, t)[0].item()
            difference = (slope(x + 1e-4)[1] - slope(x - 1e-4)[1]).item() / 2e-4
            return abs(second - difference) <= 1e-4 * max(1.0, abs(difference))
    """,
    right="""That is `gradgradcheck` for one number. PyTorch's does the same for every element of
    every input.""",
)
def check_second(second_is_right):
    package = yours()

    def save(value):  # a sinh that saves its slope or its input
        class Sinh(package.Function):
            @staticmethod
            def forward(ctx, x):
                e = x.exp()
                ctx.save_for_backward((e + 1 / e) / 2 if value == "slope" else x)
                return (e - 1 / e) / 2

            @staticmethod
            def backward(ctx, grad):
                (saved,) = ctx.saved_tensors
                if value == "slope":
                    return grad * saved
                e = saved.exp()
                return grad * (e + 1 / e) / 2

        return Sinh.apply

    expect(
        not {"gradcheck", "gradgradcheck"} & names_used(second_is_right),
        "That is the ready-made one. Compute the differences yourself this time.",
    )
    with error_means(
        "does not require grad",
        "Your function raises instead of answering, because the gradient of `f` alone has no graph "
        "to follow. Differentiate t · f(t).",
    ):
        lost = second_is_right(save("slope"), 1.0)
        right = second_is_right(save("input"), 1.0)
    expect(
        not (lost and right),
        "Your function accepts a `Function` that saves its slope. Its first derivative is right, "
        "so compare the second one with differences of the first.",
    )
    expect(
        not lost,
        "Your function accepts a `Function` that saves its slope, and refuses one that is right.",
    )
    expect(
        right,
        "Your function refuses a `Function` whose second derivative is right. Did you compute in "
        "float64? In float32, rounding errors dominate such a small difference.",
    )
    expect(
        not second_is_right(lambda t: t * save("slope")(t), 1.0),
        "Your function accepts t · sinh t with a sinh that saves its slope. Its gradient has a "
        "graph, but a path is missing in it, so compare numbers.",
    )
    expect(
        second_is_right(lambda t: t.exp(), 12.0),
        "At 12, the second derivative of t · eᵗ is about two million, and your function refuses "
        "it. Allow a difference in proportion to the numbers, and compute in float64.",
    )
    expect(
        not second_is_right(save("slope"), 0.05),
        "At 0.05, the path that is lost contributes only a thousandth, and your function accepts "
        "that. Compare more closely.",
    )
