"""What notebook 08_functions asks: your own operations, with a forward and a backward."""

import weakref
from contextlib import contextmanager
from functools import wraps
from math import log

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    prediction,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

prediction(
    "08.a",
    """`w` begins at 0.4. Which of the two loops moves it to where it rounds to 3?""",
    {
        "both": """In both the rounded weight is the same. But backward asks for the derivative of a
        stair.""",
        "only the loop with `torch.round`": """Its derivative is right. Think of a stair: how steep
        is it between two jumps?""",
        "only the loop with the class": """`round` is a stair, flat between its jumps, so PyTorch's
        derivative is 0 and `w` gets nothing. The class hands the gradient on as if it had not
        rounded.""",
    },
    answer="only the loop with the class",
    shown="torch.round ends at 0.4 · the class ends at 2.6",
)

prediction(
    "08.b",
    """`apply(Exp, x)` gives `y`, and `Exp` has left its result on `ctx`. The garbage collector is
    off. Is `y` still in memory after `del y`?""",
    {
        "Yes": """The node is `ctx`, so it holds the result. And the result holds its node.""",
        "No": """No name leads to it any more. But what does its node hold?""",
    },
    answer="Yes",
    shown="y is in memory: True",
)

prediction(
    "08.c",
    """`backward` of `Stop` returns None, which is all that the node of `exp` receives. What is
    `x.grad` after `(Stop.apply(x.exp()) * w).backward()`?""",
    {
        "tensor(0.)": """None is not zero: no gradient is sent at all.""",
        "None": """No gradient is sent, so `.grad` is never written. `w` gets its own as usual.""",
        "an error": """Since chapter 04, an operation that receives only None passes None on, and a
        leaf that receives None has nothing to add.""",
    },
    answer="None",
    shown="x.grad: None",
)

prediction(
    "08.d",
    """`x` is 3. Alone, `SquareLoss.apply(x)` gives 6. as `x.grad`. What does half of the loss
    give?""",
    {
        "6.": """The node is told that its gradient is 0.5. It does not look.""",
        "3.": """That is right, and what a `backward` with `grad * …` would give. This one does not
        use `grad`.""",
        "an error": """Nobody can see that a gradient was not used. The result is just wrong.""",
    },
    answer="6.",
    shown="0.5 times the loss: tensor(6.)",
)


def holds(got, wanted):
    """Whether a tensor has the wanted values, whatever its history."""
    return same(getattr(got, "_data", got), wanted)


class Context:
    """A `ctx` with attributes and nothing else."""

    times = 10.0


@exercise(
    "08.1",
    "A backward for two outputs",
    difficulty=1,
    minutes=8,
    hint="""Two gradients arrive, one for each output. `a` enters both outputs, so its gradient is a
    sum of two. `b` enters only the sum. The third argument is a number.""",
    solution="""
        def mixed_backward(ctx, to_product, to_sum):
            return to_product * ctx.times + to_sum, to_sum, None
    """,
    right="PyTorch could run it as it is: with `@staticmethod` it is a method of a Function.",
)
def check_mixed_backward(mixed_backward):
    library = yours()
    given = library.tensor(2.0), library.tensor(3.0)
    got = mixed_backward(Context(), *given)
    expect(
        isinstance(got, tuple) and len(got) == 3,
        "Return one value for each argument of forward: three, in a tuple.",
    )
    to_a, to_b, to_times = got
    expect(to_times is None, "The place of `times` belongs to a number: None.")
    expect(
        not (holds(to_a, 11.0) and holds(to_b, 1.0)),
        "These are derivatives. Multiply them by what arrives: the chain rule.",
    )
    expect(
        not (holds(to_a, 20.0) or holds(to_a, 3.0)),
        "`a` enters both outputs, so its gradient has two parts, and they are added.",
    )
    expect(
        holds(to_a, 23.0),
        f"With times = 10 and the gradients 2 and 3, `a` gets 2 · 10 + 3 = 23, not {to_a}.",
    )
    expect(
        holds(to_b, 3.0),
        f"`b` enters only the sum. It gets what arrives there: 3, not {to_b}.",
    )


KEEP = {
    "-x": ("nothing", "The derivative is −1, whatever x is."),
    "x * x": (
        "input",
        "The derivative is 2 · x: the input, a tensor. (From the result one cannot tell the sign of"
        " x.)",
    ),
    "1 / x": (
        "result",
        "−1/x² is minus the result, squared. The input would have to be divided again.",
    ),
    "tanh(x)": ("result", "1 − tanh(x)² needs tanh(x). From the input it would be computed twice."),
    "x * 3.0, for any number": ("on ctx", "The number is needed, and no tensor."),
    "x + y": ("nothing", "Both derivatives are 1."),
}


@exercise(
    "08.2",
    "What to keep",
    difficulty=1,
    minutes=6,
    hint="""Write down the derivative, and look for what stands in it. If the result stands in it,
    the result is already computed.""",
    solution="""
        keep = {
            "-x": "nothing",
            "x * x": "input",
            "1 / x": "result",
            "tanh(x)": "result",
            "x * 3.0, for any number": "on ctx",
            "x + y": "nothing",
        }
    """,
    right="The rows of the library's table save exactly these.",
)
def check_keep(keep):
    words = ("input", "result", "both", "on ctx", "nothing")
    for operation, (wanted, why) in KEEP.items():
        expect(
            keep[operation] in words,
            f'{operation}: write "input", "result", "both", "on ctx" or "nothing".',
        )
        expect(keep[operation] == wanted, f"{operation}: {why}")


def explains_non_tensors(check):
    """Make a check name the learner's class if backward returns something that is not a tensor.

    Without this, the error would point to the library's cell that calls the learner's method.
    """

    @wraps(check)
    def checked(answer):
        with error_means(
            "expected Variable or None",
            f"`backward` of your `{getattr(answer, '__name__', answer)}` returns something "
            "that is no tensor. Each value that it returns is a tensor or None; a zero is "
            "`grad * 0.0`.",
        ):
            check(answer)

    return checked


def inputs_of(library, *values):
    """A leaf for each value."""
    return [library.tensor(value, requires_grad=True) for value in values]


def expect_function(answer, library):
    """Expect a subclass of the learner's Function."""
    expect(
        isinstance(answer, type) and issubclass(answer, library.autograd.Function),
        "Inherit from your `Function`, the one that this page builds. "
        "(`torch.autograd.Function` is the finished library's, and works on tensors of its own.)",
    )


@exercise(
    "08.3",
    "A straight-through sign",
    difficulty=2,
    minutes=10,
    hint="""Backward needs `x`, so forward saves it. `grad * (x.abs() <= 1.0)` is `grad` where the
    condition holds, and 0 elsewhere.""",
    solution="""
        class BinarySign(Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x.sign()

            @staticmethod
            def backward(ctx, grad):
                (x,) = ctx.saved_tensors
                return grad * (x.abs() <= 1.0)
    """,
    right="So a weight that is far on one side is not pushed farther.",
)
@explains_non_tensors
def check_binary_sign(answer):
    library = yours()
    expect_function(answer, library)
    (edges,) = inputs_of(library, [-1.0, 1.0])
    answer.apply(edges).sum().backward()
    (x,) = inputs_of(library, [-3.0, -0.5, 0.25, 2.0])
    y = answer.apply(x)
    expect(
        holds(y, [-1.0, -1.0, 1.0, 1.0]),
        "Forward gives the sign, −1 or 1. Yours gives a value that is in between.",
    )
    (y * library.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    expect(x.grad is not None, "No gradient arrived in `x.grad`.")
    expect(
        not holds(x.grad, [1.0, 2.0, 3.0, 4.0]),
        "Yours is straight through everywhere. Far from 0, where |x| > 1, the gradient is 0. "
        "(If you test the result: |sign(x)| is 1 for each x. Save x.)",
    )
    expect(
        not holds(x.grad, [0.0, 1.0, 1.0, 0.0]),
        "Yours returns 1 or 0. Multiply by what arrives.",
    )
    expect(
        holds(x.grad, [0.0, 2.0, 3.0, 0.0]),
        f"For x = [-3, -0.5, 0.25, 2] yours gives {x.grad}.",
    )
    expect(holds(edges.grad, [1.0, 1.0]), "|x| ≤ 1 includes −1 and 1. Yours gives 0 there.")
    left = [name for name, value in vars(y.grad_fn).items() if isinstance(value, library.Tensor)]
    expect(
        not left,
        f"The gradient is right. But yours keeps a tensor as an attribute of `ctx`: {left}. A "
        "change of it goes unnoticed, and backward does not free it. Use `ctx.save_for_backward`.",
    )


@exercise(
    "08.4",
    "A power without nan",
    difficulty=2,
    minutes=15,
    hint="""`ctx.needs_input_grad[1]` says whether `q` needs a gradient, and `x.item()` is a number
    to compare. Where a gradient shall be 0, give `grad * 0.0`: 0 times an infinite number would be
    nan.""",
    solution="""
        class SafePow(Function):
            @staticmethod
            def forward(ctx, x, q):
                ctx.save_for_backward(x, q)
                return x**q

            @staticmethod
            def backward(ctx, grad):
                x, q = ctx.saved_tensors
                for_x = grad * 0.0 if q.item() == 0.0 else grad * q * x ** (q - 1.0)
                for_q = None
                if ctx.needs_input_grad[1]:
                    for_q = grad * 0.0 if x.item() <= 0.0 else grad * x**q * x.log()
                return for_x, for_q
    """,
    right="""The table's row agrees where `x` or `q` is 0. For a negative base it says nan: there
    x^q has no slope in q, and 0 is a decision of yours.""",
)
@explains_non_tensors
def check_safe_pow(answer):
    library = yours()
    expect_function(answer, library)
    x, q = inputs_of(library, 2.0, 3.0)
    y = answer.apply(x, q)
    expect(holds(y, 8.0), f"2³ is 8, not {y}.")
    left = [name for name, value in vars(y.grad_fn).items() if isinstance(value, library.Tensor)]
    expect(
        not left,
        f"Yours keeps tensors as an attribute of `ctx`: {left}. Use `ctx.save_for_backward`.",
    )
    (y * 10.0).backward()
    expect(x.grad is not None and q.grad is not None, "`x` and `q` both need a gradient here.")
    expect(holds(x.grad, 120.0), f"`x` gets 10 · q · x^(q−1) = 120, not {x.grad}.")
    expect(holds(q.grad, 80.0 * log(2.0)), f"`q` gets 10 · x^q · ln x = 55.45, not {q.grad}.")
    for base, exponent, to_x, to_q in ((0.0, 2.0, 0.0, 0.0), (-2.0, 2.0, -4.0, 0.0)):
        x, q = inputs_of(library, base, exponent)
        answer.apply(x, q).backward()
        point = f"With x = {base:.0f} and q = {exponent:.0f}".replace("-", "−")
        expect(q.grad is not None, f"{point}, the gradient of `q` is 0, not None.")
        expect(
            holds(q.grad, to_q),
            f"{point}, the gradient of q should be 0 and is {q.grad.item()}.",
        )
        expect(holds(x.grad, to_x), f"{point}, `x` gets {to_x}, not {x.grad}.")
    x, q = inputs_of(library, 0.0, 0.0)
    answer.apply(x, q).backward()
    expect(
        x.grad is not None and holds(x.grad, 0.0),
        f"0⁰: x⁰ is 1 for each x, so `x` gets 0. Yours gives {x.grad}.",
    )
    expect(holds(q.grad, 0.0), f"0⁰: where `x` is 0, `q` gets 0. Yours gives {q.grad}.")
    (x,) = inputs_of(library, 2.0)
    node = answer.apply(x, library.tensor(2.0)).grad_fn
    with counted_calls(type(x), "log") as logarithms:
        sent = node.backward(library.tensor(1.0))
    expect(holds(sent[0], 4.0), f"With x = 2 and q = 2, `x` gets 4, not {sent[0]}.")
    expect(
        sent[1] is None,
        "Here `q` is a constant: it needs no gradient, so return None for it "
        "(`ctx.needs_input_grad`).",
    )
    expect(
        not logarithms,
        "Yours returns None for a constant `q`, and computes the logarithm all the same: work for "
        "nothing, on each backward. Ask `ctx.needs_input_grad` first.",
    )


@contextmanager
def counted_calls(kind, method):
    """Yield a list with an entry for each call of a method of `kind` in this block."""
    calls, known = [], getattr(kind, method)

    def counting(self, *args, **kwargs):
        calls.append(method)
        return known(self, *args, **kwargs)

    setattr(kind, method, counting)
    try:
        yield calls
    finally:
        setattr(kind, method, known)


def function_class(base, forward, backward):
    """A Function with these two methods, derived from the learner's base class."""
    return type(
        "Tried", (base,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


@exercise(
    "08.5",
    "Function on an empty page",
    difficulty=3,
    minutes=25,
    hint="""Two classes. One is a subclass of `Node` with `save_for_backward`, `saved_tensors` and a
    `backward` that calls the user's. The other has `apply`: make such a node, collect the edges of
    the arguments, call the user's forward with the node, replace outputs that are inputs by
    `without_graph(…)`, and let `node.record(edges, outputs)` do the rest.""",
    solution="""
        class MyFunction:
            @classmethod
            def apply(cls, *args):
                ctx = type("Ctx", (Context,), {"function": cls})()
                tensors = [each for each in args if isinstance(each, Tensor)]
                ctx.takes = [isinstance(each, Tensor) for each in args]
                edges = [gradient_edge(each) for each in tensors]
                out = cls.forward(ctx, *args)
                results = out if isinstance(out, tuple) else (out,)
                results = [without_graph(r) if any(r is t for t in tensors) else r for r in results]
                if any(node is not None for node, _ in edges):
                    ctx.record(edges, results)
                return tuple(results) if isinstance(out, tuple) else results[0]


        class Context(Node):
            def save_for_backward(self, *tensors):
                own = [without_graph(each) for each in tensors]
                self._saved = {str(n): SavedTensor(each) for n, each in enumerate(own)}

            @property
            def saved_tensors(self):
                return tuple(self._unpack(name) for name in self._saved)

            def backward(self, *grads):
                sent = self.function.backward(self, *grads)
                sent = sent if isinstance(sent, tuple) else (sent,)
                return [each for each, takes in zip(sent, self.takes) if takes]
    """,
    right="That is the heart of `torch.autograd.Function`. The rest checks what users return.",
)
def check_my_function(answer):
    library = yours()
    expect(
        isinstance(answer, type) and hasattr(answer, "apply"),
        "`MyFunction` is a class with `apply`.",
    )
    expect(
        not issubclass(answer, library.autograd.Function),
        "Yours inherits from the page's own `Function`. Write one that does not need it.",
    )

    def square(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    made = function_class(answer, square, lambda ctx, grad: grad * 2.0 * ctx.saved_tensors[0])
    (x,) = inputs_of(library, 3.0)
    y = made.apply(x)
    expect(y.requires_grad, "The output has no history. Let the node record it.")
    try:
        (y * 10.0).backward()
        is_tuple = True
    except TypeError as error:
        is_tuple = "0-d" not in str(error)
    expect(
        is_tuple,
        "`backward` may return a single gradient without a tuple. Make a tuple of it.",
    )
    expect(
        x.grad is not None and holds(x.grad, 60.0),
        f"10 · x² at 3 has the gradient 60, not {x.grad}.",
    )

    def scale(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    made = function_class(answer, scale, lambda ctx, grad: (grad * ctx.factor, None))
    (x,) = inputs_of(library, 3.0)
    try:
        made.apply(x, 5.0).backward()
    except (AttributeError, TypeError, ValueError) as error:
        edge = any(name in str(error) for name in ("_node", "_output_nr", "requires_grad"))
        expect(
            not edge and isinstance(error, AttributeError),
            "Yours fails with a number among the arguments. It has no edge.",
        )
        raise
    expect(holds(x.grad, 5.0), f"x · 5 has the gradient 5, not {x.grad}.")

    made = function_class(
        answer,
        lambda ctx, x: (x * 2.0, x * 3.0),
        lambda ctx, to_first, to_second: to_first * 2.0 + to_second * 3.0,
    )
    (x,) = inputs_of(library, 1.0)
    try:
        first, second = made.apply(x)
    except (AttributeError, TypeError):
        expect(False, "Yours fails when forward returns a tuple. Each output needs its number.")
    (first * 10.0 + second).backward()
    expect(holds(x.grad, 23.0), f"With two outputs `x` gets 10 · 2 + 3 = 23, not {x.grad}.")

    def exp(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    made = function_class(answer, exp, lambda ctx, grad: grad * ctx.saved_tensors[0])
    (x,) = inputs_of(library, 0.0)
    y = made.apply(x)
    watch = weakref.ref(y)
    with without_collector():
        del y
        stays = watch() is not None
    expect(
        not stays,
        "A saved output makes a cycle with its node. Keep a `SavedTensor` of `without_graph(…)`.",
    )

    made = function_class(answer, lambda ctx, x: x, lambda ctx, grad: grad * -1.0)
    (x,) = inputs_of(library, 1.0)
    y = made.apply(x)
    expect(
        y is not x and x.is_leaf,
        "If forward returns its input, yours returns the input itself, and its history is "
        "overwritten. Return another tensor with the same memory.",
    )
    y.backward()
    expect(holds(x.grad, -1.0), f"The reversed gradient of x is −1, not {x.grad}.")
