"""What notebook 09_gradcheck asks: a derivative checked by differences, and where that misleads."""

import sys
from contextlib import suppress
from inspect import isfunction
from typing import Any

import numpy as np

import minigrad as torch
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "09.a",
    """`x` has three elements, and so has `x * x`. How many of the nine numbers in its table are not
    0?""",
    {
        "1": """Each element has a square of its own, which moves when the element moves.""",
        "3": """Moving an element moves its own square and no other, so only the diagonal is not
        0.""",
        "9": """That would be so if each element moved all outputs, but `x * x` works element by
        element.""",
    },
    answer="3",
    shown="[0. 4. 0.]",
)

prediction(
    "09.b",
    """`SwishB` lacks a factor β in its gradient with respect to `x`. What does gradcheck say about
    `SwishA` and `SwishB` at β = 1?""",
    {
        "True and False, as at 1.5": """The missing factor is β, and β is 1 here. Does leaving it
        out change anything?""",
        "True for both": """Leaving out a factor of 1 changes nothing, so at this point both
        gradients are right.""",
        "False for both": """The gradients of `SwishA` are right for every β.""",
    },
    answer="True for both",
    shown="beta = 1.0, SwishB: True",
)

prediction(
    "09.c",
    """Away from 0 the five functions have the same gradients. How many different gradients do they
    have at 0?""",
    {
        "1": """They are the same function, but they are built from different operations, and each
        operation has a convention of its own.""",
        "2": """0 and 1 are among them. But what would be fair if the two arguments of `maximum` are
        equal?""",
        "3": """0, 1, and one half, because `maximum` shares the gradient between two equal
        arguments.""",
    },
    answer="3",
    shown="3 different gradients",
)

prediction(
    "09.d",
    """`SquareSum` returns 2 · x from backward, whatever `grad` is, and its result is a single
    number. Which gradcheck notices, your own or PyTorch's?""",
    {
        "both": """Your gradcheck starts backward with the only unit that a single number has, which
        is 1. What does leaving out a factor of 1 change?""",
        "only PyTorch's": """The tables agree, because the only unit is 1. PyTorch then runs
        backward once more, with a gradient of 0, and expects 0.""",
        "neither": """The tables do agree, but PyTorch checks more than the tables.""",
    },
    answer="only PyTorch's",
    shown="backward not multiplied by grad_output",
)

prediction(
    "09.e",
    """`x * x * x`, whose backward is right, is checked at 1.1, 2.2 and 3.3 with the default `eps`
    of 1e-6. Does gradcheck pass in float64, and in float32?""",
    {
        "in both": """Backward is right in both, but gradcheck compares it with differences, and
        float32 has only about seven digits.""",
        "in float64 only": """In float32, `below` and `above` differ only in their last digits, so
        rounding makes up much of the difference.""",
        "in neither": """In float64 the differences are right to about nine digits, and a thousandth
        is accepted.""",
    },
    answer="in float64 only",
    shown="float32 False",
)


@exercise(
    "09.1",
    "Read four reports",
    difficulty=1,
    minutes=5,
    hint="""Are the numbers on the diagonal, and are they right? Are all columns the same?""",
    solution="""
        mistakes = {"A": "ignored", "B": "place", "C": "factor", "D": "right"}
    """,
    right="The shape of the wrong entries says more than their size.",
)
def check_mistakes(mistakes):
    why = {
        "A": "A has three equal columns: every unit gave the same answer, so `grad` is not used.",
        "B": "B has the right numbers 2, 4 and 6, but in the wrong places.",
        "C": "Every entry on the diagonal of C is half of what it should be.",
        "D": "D agrees with the numerical table in all nine entries.",
    }
    given = {letter: str(word).strip().lower() for letter, word in mistakes.items()}
    wanted = {"A": "ignored", "B": "place", "C": "factor", "D": "right"}
    expect_entries(given, wanted, why, "{}: write `ignored`, `place`, `factor` or `right`.")


@exercise(
    "09.2",
    "The backward of a quotient",
    difficulty=2,
    minutes=10,
    hint="""The derivative of a / b with respect to `a` is 1 / b, and with respect to `b` it is
    −a / b². Multiply each of them by `grad`.""",
    solution="""
        class Quotient(Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a / b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad / b, -grad * a / (b * b)
    """,
    right="Your gradcheck finds a wrong sign or a missing square without knowing the formula.",
)
def check_quotient(quotient):
    library = yours()
    first, second = np.array([3.0, -2.0, 0.7]), np.array([2.0, 5.0, -0.4])
    arrived = np.array([1.0, -3.0, 0.5])

    def gradients(upstream):
        a, b = (
            library.tensor(v.tolist(), dtype=library.float64, requires_grad=True)
            for v in (first, second)
        )
        result = quotient.apply(a, b)
        kept = [
            name
            for name, value in vars(result.grad_fn).items()
            if isinstance(value, library.Tensor)
        ]
        expect(
            not kept,
            f"Your Function keeps a tensor as an attribute of `ctx`: {', '.join(kept)}. A change "
            "to it would go unnoticed, so use `ctx.save_for_backward`.",
        )
        expect(same(result, first / second), "Leave forward as it is: a / b.")
        with error_means(
            "incorrect number of gradients",
            "Return two gradients, as a tuple: one for `a`, one for `b`.",
        ):
            result.backward(library.tensor(upstream.tolist(), dtype=library.float64))
        for name, each in (("a", a), ("b", b)):
            expect(
                each.grad is not None, f"`{name}` gets no gradient, so return one for each input."
            )
        return a.grad._data, b.grad._data

    to_a, to_b = gradients(arrived)
    right_a, right_b = arrived / second, -arrived * first / second**2
    expect(
        not (same(to_a, right_b) and same(to_b, right_a)),
        "The two gradients are swapped. Return them in the order of forward's arguments.",
    )
    expect(
        not (same(to_a, right_a / arrived) or same(to_b, right_b / arrived)),
        "At least one of your gradients ignores `grad`. Multiply each of them by it.",
    )
    expect(same(to_a, right_a), "The gradient for `a` is wrong. Think of a / b as a times 1 / b.")
    expect(not same(to_b, -right_b), "The gradient for `b` is right except for its sign.")
    expect(
        not same(to_b, right_b * second),
        "In the gradient for `b`, you divide by b instead of by its square.",
    )
    expect(
        same(to_b, right_b),
        "The gradient for `b` is wrong, because 1 / b has the derivative −1/b².",
    )


@exercise(
    "09.3",
    "A logarithm that is safe at 0",
    difficulty=2,
    minutes=10,
    hint="""The dangerous operation is `log`, so make its input safe: put 1 where x is not positive
    before you take the `log`, and choose once more afterwards.""",
    solution="""
        def log_or_zero(x):
            safe = where(x > 0, x, zeros(x) + 1.0)
            return where(x > 0, safe.log(), zeros(x))
    """,
    right="""`where` inside and outside: this works for `sqrt`, a division and `acos`, too.""",
)
def check_log_or_zero(log_or_zero):
    library = yours()
    expect(callable(log_or_zero), "`log_or_zero` should be a function of `x`.")

    def run(values):
        x = library.tensor(values, dtype=library.float64, requires_grad=True)
        y = log_or_zero(x)
        expect(
            getattr(y, "shape", None) == x.shape,
            f"For x = {values} the result does not have the shape of `x`.",
        )
        expect(y.requires_grad, "The result is cut off from the graph. Compute with tensors only.")
        y.backward(library.tensor([1.0] * len(values), dtype=library.float64))
        expect(
            x.grad is not None,
            "The result is cut off from the graph, because it is a new leaf. Compute with tensors "
            "only.",
        )
        return y._data, x.grad._data

    values, gradients = run([0.5, 3.0])
    expect(
        same(values, np.log([0.5, 3.0]), 1e-9),
        f"For x = 0.5 and 3 the values must be log(x), not {values}. Take the log of x itself.",
    )
    expect(same(gradients, [2.0, 1 / 3], 1e-9), "For positive x the gradient is 1 / x.")
    for small in (1e-9, 1e-20, 1e-100):
        values, gradients = run([small])
        expect(
            same(values, np.log([small]), 1e-9) and same(gradients, [1 / small], 1e-9),
            f"At {small:g} your result is off, as if x were shifted or clamped by a tiny number. "
            "Make the input of `log` safe where x is not positive, and leave it alone elsewhere.",
        )
    values, gradients = run([0.0, -2.0, 4.0])
    expect(
        same(values, [0.0, 0.0, np.log(4.0)]),
        "Where x is not positive, the value must be 0.",
    )
    expect(
        not np.isnan(gradients).any(),
        "There is a NaN at x = 0: the branch that was not chosen receives 0, and `log` multiplies "
        "it by 1/0, which gives 0 · inf.",
    )
    expect(
        same(gradients, [0.0, 0.0, 0.25]),
        f"At 0, −2 and 4 the gradient must be 0, 0 and 0.25, not {gradients.tolist()}.",
    )


def swish_layer(wrong: tuple[str, ...]) -> Any:
    """A layer with three parameters, whose gradients are twice too large for those in `wrong`."""

    class Affine(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scale, shift, beta):
            ctx.save_for_backward(x, scale, shift, beta)
            y = x * scale + shift
            return y * torch.sigmoid(beta * y)

        @staticmethod
        def backward(ctx, grad):
            x, scale, shift, beta = ctx.saved_tensors
            y = x * scale + shift
            s = torch.sigmoid(beta * y)
            inner = grad * (s + beta * y * s * (1 - s))
            found = {
                "x": inner * scale,
                "scale": inner * x,
                "shift": inner,
                "beta": (grad * y * y * s * (1 - s)).sum(),
            }
            return tuple(found[name] * (2.0 if name in wrong else 1.0) for name in found)

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            values = {"scale": [0.5, -1.5], "shift": [0.25, 2.0], "beta": 1.5}
            for name, value in values.items():
                made = torch.tensor(value, dtype=torch.float64)
                setattr(self, name, torch.nn.Parameter(made))

        def forward(self, x):
            return Affine.apply(x, self.scale, self.shift, self.beta)

    return Layer()


@exercise(
    "09.4",
    "The wrong parameters of a layer",
    difficulty=2,
    minutes=8,
    hint="""Call `torch.autograd.gradcheck` once for each parameter, with that parameter as the only
    input. The function that you check ignores its argument and calls `layer(x)`. With
    `raise_exception=False` the result is True or False.""",
    solution="""
        def wrong_parameters(layer, x):
            wrong = []
            for name, parameter in layer.named_parameters():
                right = torch.autograd.gradcheck(
                    lambda _: layer(x), (parameter,), raise_exception=False
                )
                if not right:
                    wrong.append(name)
            return wrong
    """,
    right="""Keep it for your own layers: it works in PyTorch as it is, as long as every parameter
    requires grad.""",
)
def check_wrong_parameters(wrong_parameters):
    expect(
        callable(wrong_parameters), "`wrong_parameters` should be a function of `layer` and `x`."
    )

    def run(*wrong):
        layer = swish_layer(wrong)
        before = {name: each.tolist() for name, each in layer.named_parameters()}
        with (
            error_means(
                "Jacobian mismatch",
                "gradcheck raises where a gradient is wrong, so pass `raise_exception=False`, or "
                "catch the error.",
            ),
            error_means(
                "must be torch.dtype, not dtype",
                "The `gradcheck` of this page checks your own tensors, but the layer is made of "
                "the finished library's. Use `torch.autograd.gradcheck`.",
            ),
        ):
            found = wrong_parameters(layer, torch.tensor([1.0, 2.0], dtype=torch.float64))
        after = {name: each.tolist() for name, each in layer.named_parameters()}
        expect(
            after == before, "The parameters have other values afterwards. Leave them as they were."
        )
        expect(
            isinstance(found, list) and all(isinstance(each, str) for each in found),
            "Return a list of names, as `named_parameters()` gives them.",
        )
        return found

    found = run("x")
    expect(
        found == [],
        "In this layer only the gradient for `x` is wrong, which is not a parameter, but your "
        f"function returns {found}.",
    )
    found = run("beta")
    expect(
        found,
        "Your function does not find the wrong parameter. Is the parameter itself among the "
        "inputs, and not a copy of it?",
    )
    expect(
        found == ["beta"],
        f'Only "beta" is wrong here, but your function returns {found}. Check one parameter at a '
        "time.",
    )
    found = run("scale", "beta")
    expect(
        found == ["scale", "beta"],
        f'"scale" and "beta" are wrong, but your function returns {found}. Do not stop at the '
        "first one.",
    )


OF_THE_PAGE = {
    "draft",
    "numerical_jacobian",
    "numerical_jacobians",
    "slopes",
    "differences",
    "gradcheck",
}


def notebook_calls(run):
    """The names of the notebook's functions that `run` calls."""
    names, before = set(), sys.getprofile()

    def note(frame, event, argument):
        if event == "call" and frame.f_globals.get("__name__") == "__main__":
            names.add(frame.f_code.co_name)

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return names


@exercise(
    "09.5",
    "The numerical Jacobian on an empty page",
    difficulty=2,
    minutes=15,
    hint="""For each element, keep its value. Set it to this value minus eps, call `func`, and copy
    the result; do the same with plus eps, and put the value back in a `finally`. The row is the
    difference divided by twice eps.""",
    solution="""
        def my_jacobian(func, x, eps=1e-6):
            values, rows = as_array(x), []
            for n in range(x.numel()):
                original = values[n]
                try:
                    values[n] = original - eps
                    below = as_array(func(x)).copy()
                    values[n] = original + eps
                    above = as_array(func(x)).copy()
                finally:
                    values[n] = original
                rows.append((above - below) / (2 * eps))
            return np.array(rows)
    """,
    right="That is half of gradcheck, and backward fills the other table.",
)
def check_my_jacobian(my_jacobian):
    library = yours()
    expect(isfunction(my_jacobian), "`my_jacobian` should be a function of `func`, `x` and `eps`.")

    def fresh():
        return library.tensor([0.5, -1.0, 2.0], dtype=library.float64, requires_grad=True)

    x = fresh()
    table = my_jacobian(lambda x: x.cumsum(0), x)
    right = [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    expect(not same(table, np.transpose(right), 1e-5), "Rows and columns are swapped.")
    twice = np.multiply(right, 2.0)
    expect(not same(table, twice, 1e-5), "Divide by the whole distance, twice eps.")
    expect(
        same(table, right, 1e-5),
        f"The table of `cumsum` is {right}, not {np.asarray(table).tolist()}.",
    )
    pair = my_jacobian(lambda x: x[:2] * 3.0, x)
    expect(
        same(pair, [[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]], 1e-5),
        "Three inputs and two outputs make a table of 3 × 2.",
    )
    expect(
        same(my_jacobian(lambda x: x, x), np.eye(3), 1e-5),
        "For `lambda x: x` the table has ones on its diagonal, but yours does not: without a copy, "
        "below and above are the same array.",
    )
    wide = my_jacobian(lambda x: x * x, x, 0.1)
    expect(
        same(wide, np.diag([1.0, -2.0, 4.0]), 1e-5),
        "With eps = 0.1 your table is off for `x * x`, because it steps to one side only.",
    )
    wide = my_jacobian(lambda x: x * x * x, x, 0.1)
    expect(
        same(wide, np.diag([0.76, 3.01, 12.01]), 1e-5),
        "With eps = 0.1, x³ at 0.5 has a difference of 0.76. Your function does not use `eps`.",
    )

    class Wrong(library.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2.0

        @staticmethod
        def backward(ctx, grad):
            return grad * 5.0

    expect(
        same(my_jacobian(Wrong.apply, fresh()), np.diag([2.0, 2.0, 2.0]), 1e-5),
        "For a function whose backward is wrong, your table is wrong as well, so it must come from "
        "backward. Move the elements of `x` instead.",
    )
    borrowed = sorted(OF_THE_PAGE & notebook_calls(lambda: my_jacobian(lambda x: x * 2.0, fresh())))
    expect(
        not borrowed,
        f"Your function calls the page's own {' and '.join(f'`{name}`' for name in borrowed)}. "
        "Write the loop yourself this time.",
    )
    x, calls = fresh(), []

    def fails(x):
        calls.append(1)
        if len(calls) == 2:
            raise ValueError("on purpose")
        return x * 2.0

    with suppress(ValueError):
        my_jacobian(fails, x)
    expect(
        x.tolist() == [0.5, -1.0, 2.0],
        "When `func` raises an error, `x` stays moved, so put the element back in a `finally`.",
    )
