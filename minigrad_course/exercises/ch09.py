"""What notebook 09_gradcheck asks: a derivative checked by differences, and where that misleads."""

import sys
from contextlib import suppress
from inspect import isfunction

import numpy as np

from minigrad_course.ask.declare import error_means, exercise, expect, prediction
from minigrad_course.kernel.reader import yours

prediction(
    "09.a",
    """`x` has three elements, and so has `x * x`. How many of the nine numbers in its table are not
    0?""",
    {
        "1": """Each element has a square of its own, which moves when the element moves.""",
        "3": """Moving an element moves its own square and no other. The three stand on the
        diagonal.""",
        "9": """It would be nine if each element moved all outputs. `x * x` works element by
        element.""",
    },
    answer="3",
    shown="[0. 4. 0.]",
)

prediction(
    "09.b",
    """`SquareSum` returns 2 · x from backward, whatever `grad` is. Does it pass gradcheck alone,
    and followed by `* 0.5`?""",
    {
        "neither": """Alone, the only first gradient is the unit of a single output. What is it?""",
        "alone only": """Alone, `grad` is 1, and to leave out a factor of 1 changes nothing. With
        `* 0.5` it should have been 0.5.""",
        "both": """With `* 0.5` differences see half the change, and backward gives the whole.""",
    },
    answer="alone only",
    shown="alone: True",
)

prediction(
    "09.c",
    """`x * x * x` with its right backward, at 1.1, 2.2 and 3.3, with the default `eps` of 1e-6:
    does gradcheck pass in float64, and in float32?""",
    {
        "in both": """Backward is right in both. But gradcheck compares it with differences, and
        float32 has about seven digits.""",
        "in float64 only": """In float32 the two results differ in their last digits only, and
        rounding makes up much of the difference.""",
        "in neither": """In float64 the differences have about nine right digits.""",
    },
    answer="in float64 only",
    shown="float32 False",
)

prediction(
    "09.d",
    """Away from 0 the five functions have the same gradients. How many different gradients do they
    have at 0?""",
    {
        "1": """They are the same function, but not made of the same operations, and each operation
        has a convention of its own.""",
        "2": """0 and 1 are there. What would be fair if both arguments of `maximum` are
        equal?""",
        "3": """0, 1, and one half: `maximum` shares between two equal arguments.""",
    },
    answer="3",
    shown="3 different gradients",
)


@exercise(
    "09.1",
    "Read four reports",
    difficulty=1,
    minutes=5,
    hint="""Are the numbers on the diagonal? Is each of them right? Are all columns the same?""",
    solution="""
        mistakes = {"A": "ignored", "B": "place", "C": "factor", "D": "right"}
    """,
    right="The shape of the wrong entries says more than their size.",
)
def check_mistakes(mistakes):
    def word(letter):
        return str(mistakes[letter]).strip().lower()

    expect(
        word("A") == "ignored",
        "A has three equal columns: each unit gave the same answer, so `grad` is not used.",
    )
    expect(word("B") == "place", "B has the numbers 2, 4 and 6, but in other places.")
    expect(word("C") == "factor", "C has in each place half of what it should have.")
    expect(
        word("D") == "right",
        "D agrees with the numerical table in all nine entries.",
    )


@exercise(
    "09.2",
    "The backward of a quotient",
    difficulty=2,
    minutes=10,
    hint="""The derivative of a / b with respect to `a` is 1 / b, with respect to `b` it is
    −a / b². Multiply each with the gradient that arrives.""",
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
    right="gradcheck would have told you each of these mistakes without knowing the formula.",
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
        expect(np.allclose(result._data, first / second), "Leave forward as it is: a / b.")
        with error_means(
            "incorrect number of gradients",
            "Return two gradients, as a tuple: one for `a`, one for `b`.",
        ):
            result.backward(library.tensor(upstream.tolist(), dtype=library.float64))
        for name, each in (("a", a), ("b", b)):
            expect(each.grad is not None, f"`{name}` gets no gradient. Return one for each input.")
        return a.grad._data, b.grad._data

    def is_near(found, wanted):
        return found.shape == wanted.shape and np.allclose(found, wanted)

    to_a, to_b = gradients(arrived)
    right_a, right_b = arrived / second, -arrived * first / second**2
    expect(
        not (is_near(to_a, right_b) and is_near(to_b, right_a)),
        "The two gradients are swapped. Return them in the order of forward's arguments.",
    )
    expect(
        not (is_near(to_a, right_a / arrived) or is_near(to_b, right_b / arrived)),
        "Yours ignores `grad`, or a part of yours does: multiply with what arrives.",
    )
    expect(is_near(to_a, right_a), "The gradient of `a` is wrong. a / b is a times 1 / b.")
    expect(not is_near(to_b, -right_b), "The gradient of `b` is right but for the sign.")
    expect(
        not is_near(to_b, right_b * second),
        "In the gradient of `b` you divide by b, not its square.",
    )
    expect(is_near(to_b, right_b), "The gradient of `b` is wrong. 1 / b has the derivative −1/b².")


@exercise(
    "09.3",
    "A logarithm that is safe at 0",
    difficulty=2,
    minutes=10,
    hint="""The dangerous operation is `log`, and its input must be safe: put 1 where x is not
    positive, before `log`. Then choose once more, after it.""",
    solution="""
        def log_or_zero(x):
            safe = where(x > 0, x, zeros(x) + 1.0)
            return where(x > 0, safe.log(), zeros(x))
    """,
    right="""Where inside and outside: the same works for `sqrt`, for a division and for `acos`.""",
)
def check_log_or_zero(log_or_zero):
    library = yours()
    expect(isfunction(log_or_zero), "`log_or_zero` is a function of `x`.")

    def run(values):
        x = library.tensor(values, dtype=library.float64, requires_grad=True)
        y = log_or_zero(x)
        expect(
            getattr(y, "shape", None) == x.shape,
            f"For x = {values} the result does not have the shape of `x`.",
        )
        expect(y.requires_grad, "The result is cut off the graph. Compute with tensors only.")
        y.backward(library.tensor([1.0] * len(values), dtype=library.float64))
        expect(
            x.grad is not None,
            "The result is cut off the graph: a new tensor leads to itself. Compute with tensors "
            "only.",
        )
        return y._data, x.grad._data

    values, gradients = run([0.5, 3.0])
    expect(
        np.allclose(values, np.log([0.5, 3.0]), 0, 1e-9),
        "For positive x the value must be log(x). Yours looks like the log of a shifted x.",
    )
    expect(np.allclose(gradients, [2.0, 1 / 3], 0, 1e-9), "For positive x the gradient is 1 / x.")
    values, gradients = run([1e-9])
    expect(
        np.allclose(values, np.log([1e-9]), 0, 1e-9) and np.allclose(gradients, [1e9], 1e-9, 0),
        "At 1e-9 yours is off: it looks like the log of x shifted by very little. Make the input "
        "of `log` safe where x is not positive, and leave it alone elsewhere.",
    )
    values, gradients = run([0.0, -2.0, 4.0])
    expect(np.allclose(values, [0.0, 0.0, np.log(4.0)]), "Where x is not positive the value is 0.")
    expect(
        not np.isnan(gradients).any(),
        "0 · inf at x = 0: the branch that was not chosen gets 0, and `log` multiplies by 1/0.",
    )
    expect(np.allclose(gradients, [0.0, 0.0, 0.25]), f"At 0, −2 and 4 yours has {gradients}.")


OF_THE_PAGE = {"draft", "table_of", "numerical_jacobians", "slopes", "differences", "gradcheck"}


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
    "09.4",
    "The numerical Jacobian on an empty page",
    difficulty=2,
    minutes=15,
    hint="""For each element: note it, subtract eps, evaluate and copy, add eps, evaluate and copy,
    put it back (in a `finally`). The row is the difference divided by twice eps.""",
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
    right="With a loop over the inputs and outputs around it, it is the library's.",
)
def check_my_jacobian(my_jacobian):
    library = yours()
    expect(isfunction(my_jacobian), "`my_jacobian` is a function of `func`, `x` and `eps`.")

    def fresh():
        return library.tensor([0.5, -1.0, 2.0], dtype=library.float64, requires_grad=True)

    def near(found, wanted, digits=1e-5):
        wanted = np.array(wanted)
        return found.shape == wanted.shape and np.allclose(found, wanted, 0, digits)

    x = fresh()
    table = np.asarray(my_jacobian(lambda x: x.cumsum(0), x))
    right = [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    expect(not near(table, np.transpose(right)), "Rows and columns are the other way round.")
    expect(not near(table, np.multiply(right, 2.0)), "Divide by the whole distance, twice eps.")
    expect(near(table, right), f"The table of `cumsum` is {right}, not {table.tolist()}.")
    pair = np.asarray(my_jacobian(lambda x: x[:2] * 3.0, x))
    expect(near(pair, [[3.0, 0.0], [0.0, 3.0], [0.0, 0.0]]), "Three inputs and two outputs: 3 × 2.")
    expect(
        near(np.asarray(my_jacobian(lambda x: x, x)), np.eye(3)),
        "For `lambda x: x` the table has ones on its diagonal. Yours has zeros: without a copy, "
        "below and above are one array.",
    )
    wide = np.asarray(my_jacobian(lambda x: x * x, x, 0.1))
    expect(
        near(wide, np.diag([1.0, -2.0, 4.0])),
        "With eps = 0.1 yours is off for `x * x`: it steps to one side only.",
    )
    wide = np.asarray(my_jacobian(lambda x: x * x * x, x, 0.1))
    expect(
        near(wide, np.diag([0.76, 3.01, 12.01])),
        "With eps = 0.1, x³ at 0.5 gives 0.76 by differences. Yours does not use `eps`.",
    )

    class Wrong(library.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2.0

        @staticmethod
        def backward(ctx, grad):
            return grad * 5.0

    expect(
        near(np.asarray(my_jacobian(Wrong.apply, fresh())), np.diag([2.0, 2.0, 2.0])),
        "Of a function with a wrong backward yours gives the wrong table: it asks backward. Move "
        "the elements of `x` instead.",
    )
    borrowed = sorted(OF_THE_PAGE & notebook_calls(lambda: my_jacobian(lambda x: x * 2.0, fresh())))
    expect(
        not borrowed,
        f"Yours calls {' and '.join(f'`{name}`' for name in borrowed)} of the page's own. Write "
        "the loop yourself this time.",
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
        "If `func` raises an error, `x` stays moved. Put the element back in a `finally`.",
    )
