"""What notebook 08_functions asks: your own operations, with a forward and a backward."""

from functools import wraps
from math import log

import minigrad
from minigrad_course.ask.declare import (
    counted_calls,
    error_means,
    exercise,
    expect,
    expect_none_of,
    freed_at_once,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "08.a",
    """In which of the two trainings does the loss fall? (The target can be reached exactly with
    multiples of ¼.)""",
    {
        "in both": """Going forward, the two layers compute the same numbers. But backward needs the
        derivative of `round`, and its graph is a staircase.""",
        "only with `torch.round`": """Its derivative is the right one. But what is that derivative?
        Think of a staircase, and of its slope between two jumps.""",
        "only with the class": """`round` is a staircase, flat between its jumps, so its true
        derivative is 0, and every weight gets a gradient of 0. The class passes the gradient on as
        if nothing had been rounded.""",
    },
    answer="only with the class",
    shown="torch.round: 3.127 to 3.127",
)

prediction(
    "08.b",
    """`Exp.apply(x)` returns `y`, and `Exp` has left its result on `ctx`. Backward has run. Is `y`
    still in memory after `del y`?""",
    {
        "no, because its last name is gone": """No name leads to it anymore, but something else
        may. What does its node hold?""",
        "no, because backward has freed what was saved": """Backward frees what is in `_saved`, but
        it does not know what your attribute is good for.""",
        "yes, until the garbage collector runs": """`ctx` is the node, so the node holds the result,
        and the result holds its node. Only the garbage collector frees such a cycle.""",
        "yes, until the program ends": """The two do hold each other, but Python has a tool for that
        case. When does it run?""",
    },
    answer="yes, until the garbage collector runs",
    shown="y is in memory: True",
)

prediction(
    "08.c",
    """`backward` of `Stop` returns None, so None is all that the node of `exp` receives. What is
    `x.grad` after `(Stop.apply(x.exp()) * w).backward()`?""",
    {
        "tensor(0.)": """None does not mean zero, but that there is no gradient at all.""",
        "None": """No gradient reaches the leaf, so its `.grad` is never written, while `w` receives
        its own as usual.""",
        "an error": """Since chapter 04, an operation that receives only None passes None on, and a
        leaf that receives None has nothing to add.""",
    },
    answer="None",
    shown="x.grad: None",
)

prediction(
    "08.d",
    """`x` is 3. If you call backward on `SquareLoss.apply(x)`, then `x.grad` is 6. What is it if
    you call backward on half of that loss?""",
    {
        "6.": """The node receives 0.5, and its backward never looks at it.""",
        "3.": """That would be the right gradient, and a `backward` that returns `grad * …` would
        compute it. This one does not use `grad`.""",
        "an error": """PyTorch cannot tell whether a backward has used its gradient, so there is no
        error, only a wrong result.""",
    },
    answer="6.",
    shown="0.5 times the loss: tensor(6.)",
)


class Context:
    """A `ctx` with attributes and nothing else."""

    times = 10.0


@exercise(
    "08.1",
    "A backward for two outputs",
    difficulty=1,
    minutes=8,
    hint="""You receive two gradients, one for each output. `a` is used in both outputs, so its
    gradient is a sum of two parts, while `b` is used only in the sum. The third argument is a
    number.""",
    solution="""
        def mixed_backward(ctx, to_product, to_sum):
            return to_product * ctx.times + to_sum, to_sum, None
    """,
    right="Put `@staticmethod` above it, and it can be the backward of a Function in PyTorch.",
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
    expect(
        to_times is None, "The third value is for `times`, which is a number, so it must be None."
    )
    expect(
        not (same(to_a, 11.0) and same(to_b, 1.0)),
        "These are the derivatives. Multiply them by the gradients that you receive: the chain "
        "rule.",
    )
    expect(
        not (same(to_a, 20.0) or same(to_a, 3.0)),
        "`a` is used in both outputs, so its gradient has two parts, which are added.",
    )
    expect(
        same(to_a, 23.0),
        f"With times = 10 and the gradients 2 and 3, that of `a` is 2 · 10 + 3 = 23, not {to_a}.",
    )
    expect(
        same(to_b, 3.0),
        f"`b` is used only in the sum, so its gradient is the one of the sum: 3, not {to_b}.",
    )


KEEP = {
    "the angle, from time and e": (
        "both",
        "The derivatives contain the cosine and the sine of the angle, which is the result, and e, "
        "which is an input. With the inputs alone, you would have to solve the equation again.",
    ),
    "1 / x": (
        "result",
        "−1/x² is minus the square of the result. With the input, you would have to divide a "
        "second time.",
    ),
    "tanh(x)": (
        "result",
        "1 − tanh(x)² needs tanh(x), which would be computed twice if you saved the input.",
    ),
    "x * sigmoid(x)": (
        "input",
        "A saved sigmoid(x) is an intermediate result, so the second derivative would take it for"
        " a constant, and the result does not tell you x. Save the input, and compute the sigmoid"
        " again.",
    ),
    "x * number": ("on ctx", "Backward needs the number, but not a tensor."),
    "x + y": ("nothing", "Both derivatives are 1."),
}


@exercise(
    "08.2",
    "What to keep",
    difficulty=1,
    minutes=6,
    hint="""Write down the derivative, and see what it contains. If it contains the result, then
    that has already been computed.""",
    solution="""
        keep = {
            "the angle, from time and e": "both",
            "1 / x": "result",
            "tanh(x)": "result",
            "x * sigmoid(x)": "input",
            "x * number": "on ctx",
            "x + y": "nothing",
        }
    """,
    right="PyTorch keeps the same tensors for its `reciprocal`, `tanh`, `silu`, `mul` and `add`.",
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
            "that is not a tensor. Each value that it returns must be a tensor or None; for a "
            "zero, return `grad * 0.0`.",
        ):
            check(answer)

    return checked


def inputs_of(library, *values):
    """A leaf for each value."""
    return [library.tensor(value, requires_grad=True) for value in values]


def tensors_on(ctx, kind):
    """The names of the learner's attributes that are tensors, or lists or tuples with one."""
    return [
        name
        for name, value in vars(ctx).items()
        if any(
            isinstance(each, kind)
            for each in (value if isinstance(value, (list, tuple)) else (value,))
        )
        and not name.startswith("_")
    ]


def expect_no_tensors_on(ctx, kind):
    """Expect that all tensors were saved with `save_for_backward`."""
    left = tensors_on(ctx, kind)
    expect(
        not left,
        f"Your Function keeps tensors as an attribute of `ctx`: {left}. Use "
        "`ctx.save_for_backward`.",
    )


def expect_function(answer, library):
    """Expect a subclass of the learner's Function."""
    expect(
        isinstance(answer, type),
        "Pass the class itself to `check`, not its `apply` and not an instance.",
    )
    expect(
        issubclass(answer, library.autograd.Function),
        "Inherit from your `Function`, the one that this page builds. "
        "(`torch.autograd.Function` belongs to the finished library, which has tensors of its "
        "own.)",
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
    right="This keeps a weight that is already far out from being pushed farther.",
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
        same(y, [-1.0, -1.0, 1.0, 1.0]),
        "Forward has to return the sign, −1 or 1, but your forward returns a value in between.",
    )
    (zero,) = inputs_of(library, [0.0])
    expect(same(answer.apply(zero), [0.0]), "The sign of 0 is 0, as in `x.sign()`.")
    (y * library.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    expect(x.grad is not None, "`x.grad` is None: your backward returned no gradient for `x`.")
    expect_none_of(
        x.grad,
        {
            "Your gradient passes straight through everywhere, but where |x| > 1 it must be 0. (If "
            "you test the result, |sign(x)| is 1 for each x, so save `x` instead.)": [1, 2, 3, 4],
            "Your backward returns 1 or 0. Multiply that by the gradient you receive.": (
                [0, 1, 1, 0]
            ),
        },
    )
    expect(
        same(x.grad, [0.0, 2.0, 3.0, 0.0]),
        "For x = [-3, -0.5, 0.25, 2] and the gradients 1, 2, 3, 4, your Function returns "
        f"{x.grad}.",
    )
    expect(
        same(edges.grad, [1.0, 1.0]), "|x| ≤ 1 includes −1 and 1, where your backward returns 0."
    )
    left = tensors_on(y.grad_fn, library.Tensor)
    expect(
        not left,
        "The gradient is right. But your Function keeps a tensor as an attribute of `ctx`: "
        f"{left}. Backward does not free it there, and if it is `x`, a change to it goes "
        "unnoticed. Save `x`, or the mask, with `ctx.save_for_backward`.",
    )


@exercise(
    "08.4",
    "A power without nan",
    difficulty=2,
    minutes=15,
    hint="""`ctx.needs_input_grad[1]` says whether `q` requires grad, and `x.item()` is a number
    to compare. Where a gradient should be 0, return `grad * 0.0`, because 0 times an infinite
    number would be nan.""",
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
    right="""The built-in power agrees with you where `x` or `q` is 0. For a negative base its
    gradient is nan, because x^q has no derivative with respect to q there, so the 0 is your own
    decision.""",
)
@explains_non_tensors
def check_safe_pow(answer):
    library = yours()
    expect_function(answer, library)
    x, q = inputs_of(library, 2.0, 3.0)
    y = answer.apply(x, q)
    expect(same(y, 8.0), f"2³ is 8, not {y}.")
    expect_no_tensors_on(y.grad_fn, library.Tensor)
    (y * 10.0).backward()
    expect(
        x.grad is not None and q.grad is not None,
        "`x` and `q` both need a gradient here. (In PyTorch you could ask `q.requires_grad` in "
        "backward, but what your library unpacks there says False. `ctx.needs_input_grad` works in "
        "both.)",
    )
    expect(same(x.grad, 120.0), f"The gradient of `x` is 10 · q · x^(q−1) = 120, not {x.grad}.")
    expect(
        same(q.grad, 80.0 * log(2.0)),
        f"The gradient of `q` is 10 · x^q · ln x = 55.45, not {q.grad}.",
    )
    for base, exponent, to_x, to_q in ((0.0, 2.0, 0.0, 0.0), (-2.0, 2.0, -4.0, 0.0)):
        x, q = inputs_of(library, base, exponent)
        answer.apply(x, q).backward()
        point = f"With x = {base:.0f} and q = {exponent:.0f}".replace("-", "−")
        expect(q.grad is not None, f"{point}, the gradient of `q` is 0, not None.")
        expect(
            same(q.grad, to_q),
            f"{point}, the gradient of q should be 0 and is {q.grad.item()}.",
        )
        expect(same(x.grad, to_x), f"{point}, the gradient of `x` is {to_x}, not {x.grad}.")
    x, q = inputs_of(library, 0.0, 0.0)
    answer.apply(x, q).backward()
    expect(
        x.grad is not None and same(x.grad, 0.0),
        f"0⁰: x⁰ is 1 for each x, so the gradient of `x` is 0, not {x.grad}.",
    )
    expect(same(q.grad, 0.0), f"0⁰: where `x` is 0, the gradient of `q` is 0, not {q.grad}.")
    (x,) = inputs_of(library, 2.0)
    node = answer.apply(x, library.tensor(2.0)).grad_fn
    with counted_calls(type(x), "log") as logarithms:
        sent = node.backward(library.tensor(1.0))
    expect(same(sent[0], 4.0), f"With x = 2 and q = 2, the gradient of `x` is 4, not {sent[0]}.")
    expect(
        sent[1] is None,
        "Here `q` is a constant, which needs no gradient, so return None for it "
        "(`ctx.needs_input_grad`).",
    )
    expect(
        not logarithms,
        "Your Function returns None for a constant `q`, but it computes the logarithm anyway, "
        "which is wasted work in every backward. Check `ctx.needs_input_grad` first.",
    )


def function_class(base, forward, backward):
    """A Function with these two methods, derived from the learner's base class."""
    return type(
        "Tried", (base,), {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    )


@exercise(
    "08.5",
    "A layer with a gradient of its own",
    difficulty=2,
    minutes=11,
    hint="""Straight through means that backward is the one of `x * weight`: each factor's gradient
    is `grad` times the other factor. All rows use the same weight, so its gradient adds up the
    rows.""",
    solution="""
        class RoundedScale(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x, weight):
                ctx.save_for_backward(x, weight)
                return (x * weight).round()

            @staticmethod
            def backward(ctx, grad):
                x, weight = ctx.saved_tensors
                return grad * weight, (grad * x).sum(0)
    """,
    right="""This is how a layer with parameters uses a `Function`: the module owns the weight, and
    passes it to `apply`. (Without `sum(0)` it works as well, because the engine adds a gradient up
    to the shape of its argument if it can.)""",
)
@explains_non_tensors
def check_rounded_scale(answer):
    expect(
        isinstance(answer, type) and issubclass(answer, minigrad.autograd.Function),
        "Pass the class itself to `check`, and inherit from `torch.autograd.Function`.",
    )
    layer = layer_with(answer)
    x = minigrad.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 7.0]], requires_grad=True)
    y = layer(x)
    expect(
        same(y.tolist(), [[0.0, 4.0, -4.0], [2.0, 10.0, -10.0]]),
        "Forward has to round the product: with the weight [0.5, 2, −1.4], the row [1, 2, 3] "
        f"gives [0, 4, −4]. Your layer gives {y.tolist()[0]}.",
    )
    expect_no_tensors_on(y.grad_fn, minigrad.Tensor)
    upstream = minigrad.tensor([[1.0, 1.0, 1.0], [10.0, 10.0, 10.0]])
    with (
        error_means(
            "incorrect number of gradients",
            "Forward has two arguments, so backward returns two gradients: for `x` and for the "
            "weight.",
        ),
        error_means(
            "invalid gradient at index 0",
            "The first value that backward returns is the gradient of `x`, and yours does not have "
            "the shape of `x`.",
        ),
        error_means(
            "invalid gradient at index 1",
            "The gradient of the weight has a shape that does not fit. Add up the rows, so that it "
            "has three numbers.",
        ),
    ):
        (y * upstream).sum().backward()
    expect(
        layer.weight.grad is not None,
        "The weight's `.grad` is None, so it does not learn. The gradient for it is the second "
        "value that backward returns.",
    )
    expect(
        x.grad is not None,
        "`x.grad` is None, but the gradient for `x` should be the first value that backward "
        "returns.",
    )
    expect(
        not same(x.grad.tolist(), [[0.5, 2.0, -1.4]] * 2),
        "Multiply by the gradient that backward receives.",
    )
    expect(
        same(x.grad.tolist(), [[0.5, 2.0, -1.4], [5.0, 20.0, -14.0]]),
        f"The gradient of `x` is the received one times the weight, not {x.grad.tolist()}.",
    )
    expect(
        same(layer.weight.grad.tolist(), [41.0, 52.0, 73.0]),
        "Each row of `x` is multiplied by its own row of the received gradient before the rows are "
        f"added up: [41, 52, 73], not {layer.weight.grad.tolist()}.",
    )
    model, losses = layer_with(answer), []
    optimizer = minigrad.optim.SGD(model.parameters(), lr=0.02)
    for _ in range(30):
        loss = ((model(x.detach()) - x.detach() * 3.0) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    expect(losses[-1] < 0.01 * losses[0], f"The layer does not learn: the loss is {losses[-1]}.")


def layer_with(function):
    """A module that calls this Function with its weight."""

    class Layer(minigrad.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = minigrad.nn.Parameter(minigrad.tensor([0.5, 2.0, -1.4]))

        def forward(self, x):
            return function.apply(x, self.weight)

    return Layer()


@exercise(
    "08.6",
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
    right="""That is the heart of `torch.autograd.Function`. Most of the rest checks what users
    return.""",
)
def check_my_function(answer):
    library = yours()
    expect(
        isinstance(answer, type) and hasattr(answer, "apply"),
        "`MyFunction` has to be a class with an `apply`.",
    )
    finished = (library.autograd.Function, minigrad.autograd.Function)
    expect(
        not issubclass(answer, finished),
        "Your class inherits from a `Function` that exists already. Write one that works without "
        "it.",
    )

    def square(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    made = function_class(answer, square, lambda ctx, grad: grad * 2.0 * ctx.saved_tensors[0])
    (x,) = inputs_of(library, 3.0)
    y = made.apply(x)
    expect(y.requires_grad, "The output has no history, so have the node record it.")
    expect(
        not issubclass(getattr(y.grad_fn, "_function", object), finished),
        "Your `apply` leaves the work to a `Function` that exists already: the node is one of its "
        "nodes. Create a node of your own.",
    )
    with error_means(
        "0-d", "`backward` may return a single gradient without a tuple, so wrap it in one."
    ):
        (y * 10.0).backward()
    expect(
        x.grad is not None and same(x.grad, 60.0),
        f"The gradient of 10 · x² at 3 is 60, not {x.grad}.",
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
            "Your `apply` fails if one of the arguments is a number, which does not have an edge.",
        )
        raise
    expect(same(x.grad, 5.0), f"The gradient of x · 5 is 5, not {x.grad}.")

    made = function_class(
        answer,
        lambda ctx, x: (x * 2.0, x * 3.0),
        lambda ctx, to_first, to_second: to_first * 2.0 + to_second * 3.0,
    )
    (x,) = inputs_of(library, 1.0)
    with error_means(
        (AttributeError, TypeError),
        "Your `apply` fails when forward returns a tuple. Each output needs its own number.",
    ):
        first, second = made.apply(x)
    (first * 10.0 + second).backward()
    expect(
        same(x.grad, 23.0),
        f"With two outputs, the gradient of `x` is 10 · 2 + 3 = 23, not {x.grad}.",
    )

    def exp(ctx, x):
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    made = function_class(answer, exp, lambda ctx, grad: grad * ctx.saved_tensors[0])
    (x,) = inputs_of(library, 0.0)
    expect(
        freed_at_once(lambda: made.apply(x)),
        "A saved output forms a cycle with its node, so save a `SavedTensor` of "
        "`without_graph(…)`.",
    )

    made = function_class(answer, lambda ctx, x: x, lambda ctx, grad: grad * -1.0)
    (x,) = inputs_of(library, 1.0)
    y = made.apply(x)
    expect(
        y is not x and x.is_leaf,
        "If forward returns its input, your `apply` returns that same tensor, and its history is "
        "overwritten. Return another tensor with the same memory.",
    )
    y.backward()
    expect(same(x.grad, -1.0), f"The reversed gradient of x is −1, not {x.grad}.")
