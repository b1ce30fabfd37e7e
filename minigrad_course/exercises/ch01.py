"""What chapter 01, slopes, asks: paths, the cost of n slopes, a neuron, and an autograd."""

import math
import random
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    expect_none_of,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.reader import notebook_names
from minigrad_course.kernel.time_limit import TimeUp, at_most

SECONDS = 5  # for a chain of 20,000 additions; a solution takes a tenth of one

prediction(
    "01.a",
    "A neuron with 1,000 weights. How many times does `gradient(cost_of, weights)` run the neuron?",
    {
        "once": "A single run gives a single cost, and a slope compares two of them.",
        "1,000 times": "That is one run for each weight, but what would its cost be compared with?",
        "1,001 times": "One run at the starting point, which serves all weights, and then one for "
        "each of them.",
        "2,000 times": "That would take a run on either side of each weight. Here a single run at "
        "the starting point serves all of them.",
    },
    answer="1,001 times",
    shown="1000 slopes, 1001 runs",
)

prediction(
    "01.b",
    "Now with a minus: `z = log(y) - sqrt(w)`. What is the slope of `z` at 5?",
    {
        "1.6": "Through `w`, `z` now goes down when `x` goes up, so this path counts as negative.",
        "0.6": "That is the path through `y` alone, but `w` moves with `x` as well.",
        "-0.6": "That is the product of the two, but slopes multiply along one path, not across "
        "two.",
        "-0.4": "The slope is 0.6 through `y` and -1 through `w`, and paths add up, signs and all.",
    },
    answer="-0.4",
    shown="minus -0.4000",
)

prediction(
    "01.c",
    "Which change to `backward` turns the 1.0 into 1.6?",
    {
        "call with `grad + slope` instead of `grad * slope`": "Along a path, slopes multiply: "
        "1 × 0.008 × 75 is 0.6. Only the paths are added.",
        "`self.grad += grad` instead of `self.grad = grad`": "Each call now adds to what "
        "earlier calls have left there: 0.6, and then 1.0.",
        "`reversed(self.made_from)` instead of `self.made_from`": "The path through `w` would come "
        "first, and the one through `y` would overwrite its 1.0 with 0.6.",
    },
    answer="`self.grad += grad` instead of `self.grad = grad`",
    shown="x has 1.6 and y has 0.008",
)

prediction(
    "01.d",
    "`y = x`, and then 20 times `y = y + y`. How many calls does one `y.backward()` make?",
    {
        "21": "That would be one call for each tensor, but `backward` does not notice that it has "
        "visited a tensor before.",
        "41": "That would be one call for each pair, and one to begin with. But when a tensor is "
        "called a second time, it also calls both of its inputs a second time.",
        "2,097,151": "Each round doubles the paths, so 2²⁰ of them lead to `x`, and the calls on "
        "the way there are nearly as many again.",
    },
    answer="2,097,151",
    shown="20 rounds: 2097151 calls",
)


BY_HAND = "Do this one by hand: multiply the slopes yourself, and call no `backward`."
OF_A_STEP = (
    "Almost, but your result has a small error, from a step `h` or from rounding to float32. Use "
    "neither of the two: multiply the slopes, in Python's own floats."
)


@exercise(
    "01.1",
    "Two paths by hand",
    difficulty=1,
    minutes=5,
    hint="When only `y` moves, `z` moves `w` times as far, and `y` itself moves `2 * x` times as "
    "far as `x`. Multiply the two, and treat the path through `w` the same way.",
    solution="""
        def product_slope(x):
            y, w = x**2, math.exp(x)
            through_y = w * (2 * x)
            through_w = y * math.exp(x)
            return through_y + through_w
    """,
    right="Two paths through a product add up to what textbooks call the product rule.",
)
def check_product_slope(product_slope):
    expect("backward" not in names_used(product_slope), BY_HAND)
    for x in (1.5, -0.7):
        through_y, through_w = 2 * x * math.exp(x), x**2 * math.exp(x)
        got = product_slope(x)
        expect(
            got is not None,
            "Your function returns None. If it prints the slope, return it instead.",
        )
        expect_none_of(
            got,
            {
                "You multiplied 2x and eˣ, but they belong to different paths, and paths are "
                "added. On each path, the product contributes the other factor.": (
                    2 * x * math.exp(x) ** 2
                ),
                "That is the path through `y` only. The path through `w` is missing, because `exp` "
                "moves with `x` as well.": through_y,
                "That is the path through `w` only (its slope happens to equal `z`). The path "
                "through `y` is missing.": through_w,
                "You multiplied the two paths. Multiply along a path, and add where paths meet.": (
                    through_y * through_w
                ),
                "You added the slopes of `y` and `w`, but the product is missing: it multiplies "
                "each path by the other factor.": 2 * x + math.exp(x),
            },
        )
        expect(
            same(got, through_y + through_w),
            f"At {x}, `z` moves {through_y + through_w:.6g} times as far as `x`; your function "
            f"returns {got:.6g}.",
        )
        expect(same(got, through_y + through_w, 1e-12), OF_A_STEP)


@exercise(
    "01.2",
    "A gradient of any shape",
    difficulty=2,
    minutes=10,
    hint="Work on a float copy of `x`. `for place in np.ndindex(x.shape)` goes through the "
    "indices of its elements, and `x[place]` is the number there. Restore it before you go on.",
    solution="""
        def gradient_of(f, x, h=1e-5):
            moved = np.array(x, dtype=float)
            slopes = np.zeros(moved.shape)
            for place in np.ndindex(moved.shape):
                value = moved[place]
                moved[place] = value + h
                ahead = f(moved)
                moved[place] = value - h
                behind = f(moved)
                moved[place] = value
                slopes[place] = (ahead - behind) / (2 * h)
            return slopes
    """,
    right="In PyTorch, too, `x.grad` has the shape of `x`.",
)
def check_gradient_of(gradient_of):
    def volume(v):
        return float((v**3).sum() + v.flat[0] * v.flat[-1])

    x = np.array([[1.5, -2.0, 0.5], [3.0, 1.0, -1.0]])
    before = x.copy()
    wanted = 3 * x**2
    wanted[0, 0] += x[-1, -1]
    wanted[-1, -1] += x[0, 0]
    got = gradient_of(volume, x)
    expect(
        (x == before).all(),
        "Your function changed the array that it was given. Even adding `h` and subtracting it "
        "again may miss the old number by a rounding error, so work on a copy, and restore the old "
        "value.",
    )
    expect(
        np.shape(got) == x.shape,
        f"The gradient should have the shape of `x`, {x.shape}, but yours has {np.shape(got)}.",
    )
    expect(
        not same(got, 2 * wanted),
        "Your result is twice as large as it should be, because the two points are `2 * h` apart.",
    )
    worst = np.unravel_index(np.abs(got - wanted).argmax(), x.shape)
    expect(
        same(got, wanted, 1e-5),
        f"At {tuple(map(int, worst))} your result is {np.asarray(got)[worst]:.4f}, and the slope "
        f"is {wanted[worst]:.4f}. Is each number moved alone, and restored before the next one?",
    )
    whole = np.array([2, -1, 4])
    steps = gradient_of(lambda v: float((v**3).sum()), whole)
    expect(
        not same(steps, np.zeros(3)),
        "With integers, your function returns 0, because an array of integers cuts the step off.",
    )
    expect(
        same(steps, 3.0 * whole**2, 1e-5),
        "With integers, your result is wrong, because an array of integers cuts off the decimals "
        "of a step or a slope that you store in it, so use floats for both.",
    )
    # Both differences are exact for a product, however large the step.
    product = gradient_of(lambda v: float(v.prod()), np.array([3.0, 4.0, 5.0]), h=0.5)
    expect(
        same(product, np.array([20.0, 15.0, 12.0]), 1e-5),
        "Your function does not restore each number before it moves the next one.",
    )
    bent = float(gradient_of(lambda v: float(v[0] ** 3), np.array([1.0]), h=0.1)[0])
    expect(
        not same(bent, 3.31),
        "Your function only steps forward, whereas a central difference steps to both sides.",
    )
    expect(same(bent, 3.01), "Your function ignores the step `h` that it was given.")


@exercise(
    "01.3",
    "A neuron, backward",
    difficulty=2,
    minutes=8,
    hint="Go forward to get `out`. The slope of the cost with respect to `z` is "
    "`2 * (out - target) * out * (1 - out)`. From there, one more factor leads to each weight, "
    "and one to `b`.",
    solution="""
        def neuron_slopes(w, b, a, target):
            out = 1 / (1 + np.exp(-(w @ a + b)))
            dcost_dz = 2 * (out - target) * out * (1 - out)
            return dcost_dz * a, dcost_dz
    """,
    right="One shared factor and one product for each weight: that is why backward is cheap.",
)
def check_neuron_slopes(neuron_slopes):
    expect("backward" not in names_used(neuron_slopes), BY_HAND)
    w, a = np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.25, -0.5])
    b, target = 0.75, 0.2
    out = 1 / (1 + math.exp(-(w @ a + b)))
    local = out * (1 - out)
    dcost_dz = 2 * (out - target) * local
    got = neuron_slopes(w.copy(), b, a.copy(), target)
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "Return the slopes for `w` and the slope for `b`, as in `return for_w, for_b`.",
    )
    for_w, for_b = got
    expect(
        np.ndim(for_w) >= np.ndim(for_b),
        "Swap the two: first the slopes for `w`, and then the slope for `b`.",
    )
    z, for_z = w @ a + b, dcost_dz * a
    sigmoid = "The slope of the sigmoid is `out * (1 - out)`"
    expect_none_of(
        for_w,
        {
            f"{sigmoid}, computed from its result, not from its input `z`.": (
                for_z / local * z * (1 - z)
            ),
            f"{sigmoid}. Your slope lacks `out`.": for_z / out,
            f"{sigmoid}. Your slope lacks `1 - out`.": for_z / (1 - out),
            "The slope of the sigmoid is missing: `out * (1 - out)`.": for_z / local,
            "The slope of the square is missing its factor 2: for `u ** 2`, it is `2 * u`.": (
                for_z / 2
            ),
            "Your slopes have the wrong sign: it is `out - target`, not `target - out`.": -for_z,
            "Your function works for the target 1 only; use the argument `target`.": (
                for_z / (out - target) * (out - 1)
            ),
            "The slope of `w @ a` with respect to the weights is the inputs themselves, `a`.": (
                dcost_dz * w
            ),
        },
    )
    expect(
        same(for_w, dcost_dz * a),
        f"For w = {w}, b = {b}, a = {a} and the target {target}, the slopes for `w` should be "
        f"{np.round(dcost_dz * a, 4)}, and yours are {np.round(for_w, 4)}.",
    )
    expect(
        not same(for_b, dcost_dz * b),
        "The slope of `z` with respect to `b` is 1, whatever `b` is.",
    )
    expect(
        same(for_b, dcost_dz),
        f"The slope for `b` should be {dcost_dz:.6f} here, and yours is {for_b}.",
    )
    expect(same(for_w, dcost_dz * a, 1e-12) and same(for_b, dcost_dz, 1e-12), OF_A_STEP)


@exercise(
    "01.4",
    "An order without calls",
    difficulty=3,
    minutes=15,
    hint="Go through all tensors behind `result` once, and count for each of them in how many "
    "pairs of the others it appears. Then start with `result`. Whenever you put a tensor in the "
    "list, subtract one from the count of each tensor in its pairs. A tensor whose count has "
    "reached 0 is next.",
    solution="""
        def loop_order(result):
            missing = {result: 0}
            found = [result]
            for tensor in found:  # the list grows while the loop reads it
                for each, _ in tensor.made_from:
                    if each not in missing:
                        missing[each] = 0
                        found.append(each)
                    missing[each] += 1
            order = [result]
            for tensor in order:
                for each, _ in tensor.made_from:
                    missing[each] -= 1
                    if missing[each] == 0:
                        order.append(each)
            return order
    """,
    right="If you counted, you have written the heart of the engine that chapter 04 builds.",
)
def check_loop_order(loop_order):
    tensor = notebook_names().get("Tensor")
    expect(tensor is not None, "Run the cell that defines `Tensor` first.")

    def order_of(result):
        with patch.object(sys, "setrecursionlimit", refuse_limit):
            return list(loop_order(result))

    x = tensor(3.0)
    y = x * x
    a = y + y
    for formula, z in (("y + a", y + a), ("a + y", a + y)):
        names = {id(x): "x", id(y): "y", id(a): "a", id(z): "z"}
        with error_means(TypeError, "Return the tensors in a list."):
            got = order_of(z)
        shown = " ".join(names.get(id(each), "?") for each in got)
        graph = f"With `y = x * x`, `a = y + y` and `z = {formula}`, your function gives `{shown}`."
        expect(len(set(map(id, got))) == len(got), f"{graph} Each tensor should appear once.")
        expect(
            {id(each) for each in got} == set(names), f"{graph} All four tensors should be there."
        )
        expect(
            got[0] is z,
            f"{graph} `z`, the result, comes first, because backward starts there.",
        )
        expect(
            shown == "z a y x",
            f"{graph} But `a` was made from `y`, so `y` has to wait until `a` has passed on what "
            "it has received.",
        )
    left = x + 1.0
    right = (left * 2.0) * 2.0
    expect(
        keeps_order(order_of(left * right)),
        "In `(x + 1) * ((x + 1) * 4)`, your function visits a tensor before one that was made from "
        "it.",
    )
    dice = random.Random(1)
    for _ in range(20):
        made = [tensor(1.0)]
        for _ in range(12):
            made.append(made[-1] + dice.choice(made))
        expect(
            keeps_order(order_of(made[-1])),
            "In a graph of random additions, your function visits a tensor before one that was "
            "made from it, or leaves one out.",
        )
    chain = tensor(0.0)
    for _ in range(20_000):
        chain = x * 2.0 + chain
    with error_means(
        RecursionError,
        "A chain of 20,000 additions raises RecursionError, because your code still has a "
        "function that calls itself. Keep what remains to be done in a list instead.",
    ):
        try:
            with at_most(SECONDS):
                length = len(order_of(chain))
        except TimeUp:
            raise Mistake(
                f"After {SECONDS} seconds, your function was still busy with a chain of "
                "20,000 additions. Does it look for tensors in a list? Then `in` goes through the "
                "elements one by one, whereas a dict or a set finds a tensor at once."
            ) from None
    expect(length == 60_002, f"For a long chain, your list has {length} tensors instead of 60,002.")


def keeps_order(order: Any) -> bool:
    """Whether each tensor of an order comes before all that it was made from."""
    place = {id(each): number for number, each in enumerate(order)}
    return all(
        place[id(each)] < place.get(id(made_from), -1)
        for each in order
        for made_from, _ in each.made_from
    )


def refuse_limit(_: int) -> None:
    """Stand in for `sys.setrecursionlimit`: a higher limit is not an answer."""
    raise Mistake(
        "Your function raises Python's limit for nested calls instead of doing without them. Keep "
        "what remains to be done in a list."
    )


@exercise(
    "01.5",
    "On an empty page",
    difficulty=2,
    minutes=15,
    hint="A number has a `value`, a `grad` and a list of pairs: a number that it was made from, "
    "and the slope with respect to it. An operation returns a new number with pairs. `backward` "
    "adds to `grad`, and then calls `backward(grad * slope)` of each number in a pair.",
    solution="""
        class Number:
            def __init__(self, value, made_from=()):
                self.value, self.made_from, self.grad = value, made_from, 0.0

            def __add__(self, other):
                other = other if isinstance(other, Number) else Number(other)
                return Number(self.value + other.value, [(self, 1.0), (other, 1.0)])

            def __mul__(self, other):
                other = other if isinstance(other, Number) else Number(other)
                return Number(self.value * other.value, [(self, other.value), (other, self.value)])

            def __pow__(self, n):
                return Number(self.value**n, [(self, n * self.value ** (n - 1))])

            def exp(self):
                result = math.exp(self.value)
                return Number(result, [(self, result)])

            def backward(self, grad=1.0):
                self.grad += grad
                for number, slope in self.made_from:
                    number.backward(grad * slope)
    """,
    right="These lines find the slopes of any formula, and you can now write them from memory.",
)
def check_number(Number: type) -> None:  # noqa: N803 - that is what the page calls it
    expect(isinstance(Number, type), "Hand in the class: `class Number: ...`.")
    of_page = notebook_names().get("Tensor", ())
    expect(
        not (isinstance(of_page, type) and issubclass(Number, of_page)),
        "That is the page's `Tensor`, or a class built on it. Write the class yourself.",
    )
    for name in ("__add__", "__mul__", "__pow__", "exp", "backward"):
        expect(hasattr(Number, name), f"Your class has no `{name}` yet.")

    def slopes(formula: Callable[..., Any], *values: float) -> list[float]:
        inputs = [Number(value) for value in values]
        formula(*inputs).backward()
        return [each.grad for each in inputs]

    with error_means(
        (AttributeError, TypeError),
        "`Number(3.0) * 2.0 + 1.0` has a plain number on the right, which fails: {error}",
    ):
        got = slopes(lambda a: a * 2.0 + 1.0, 3.0)
    inside = vars(Number(3.0)) if hasattr(Number(3.0), "__dict__") else {}
    modules = {type(each).__module__.partition(".")[0] for each in inside.values()}
    expect(
        not modules & {"torch", "minigrad"},
        "Your `Number` has a library's tensor inside. Keep plain numbers instead.",
    )
    other = "the slope of `a * b` with respect to `a` is `b`, the other factor."
    mistakes: tuple[tuple[Callable[..., Any], tuple[float, ...], list[float], str], ...] = (
        (lambda a, b: a * b, (3.0, 5.0), [3.0, 5.0], f"Look at your product: {other}"),
        (
            lambda a, b: a * b,
            (3.0, 5.0),
            [5.0, 0.0],
            "Only one of the two factors of a product gets a slope.",
        ),
        (
            lambda a: a * 2.0 + a * 5.0,
            (3.0,),
            [5.0],
            "Your class overwrites `grad`, but `a * 2.0 + a * 5.0` has two paths to `a`, and paths "
            "are added.",
        ),
        (
            lambda a: a + a,
            (3.0,),
            [1.0],
            "In `a + a` your class counts `a` once, but the sum moves twice as far as `a`.",
        ),
        (
            lambda a: (a * 2.0) * 5.0,
            (3.0,),
            [2.0],
            "In `(a * 2.0) * 5.0` the slopes along the path multiply, 5 × 2, but your class gives "
            "2.",
        ),
        (
            lambda a: (a * 1.0) ** 3,
            (5.0,),
            [15.0],
            "Look at `x ** n` again: its slope is `n * x ** (n - 1)`.",
        ),
        (
            lambda a: a.exp(),
            (3.0,),
            [3.0],
            "Look at `exp` again: its slope at 3 is `exp(3)`, the result itself.",
        ),
    )
    for formula, values, slip, message in mistakes:
        expect(not same(slopes(formula, *values), slip), message)

    def shared(a: Any) -> Any:
        twice = a * 2.0
        return twice * 3.0 + twice * 4.0

    expect(
        not same(slopes(shared, 1.0), [20.0]),
        "Your class passes on all of `grad` each time. When `backward` of a number is called a "
        "second time, it should pass on only what this call has added.",
    )

    def short_first(a: Any) -> Any:
        square = a * a
        return square + (square + square)

    def long_first(a: Any) -> Any:
        square = a * a
        return (square + square) + square

    for formula, sum_of_squares in ((short_first, "y + a"), (long_first, "a + y")):
        got = slopes(formula, 2.0)
        expect(
            same(got, [12.0]),
            f"With `y = x * x`, `a = y + y` and `z = {sum_of_squares}` the slope at 2 is 12, but "
            f"yours is {got[0]:g}. If you visit each number once, `y` has to wait until `a` has "
            "passed on what it has received.",
        )
    x = Number(2.0)
    cube = x * x * x
    cube.backward()
    cube.backward()
    expect(
        same(x.grad, 24.0),
        "At 2, the slope of `x * x * x` is 12, so two calls of `backward()` should add up to 24, "
        f"but yours give {x.grad:g}. Keep what arrives in this pass apart from what an earlier one "
        "has left in `grad`.",
    )
    formulas = {
        "(a * 2) * 3 + (a * 2) * 4": (shared, (1.0,), [14.0]),
        "(a * b + b) ** 2": (lambda a, b: (a * b + b) ** 2, (2.0, 3.0), [54.0, 54.0]),
        "a.exp() * a + 1": (lambda a: a.exp() * a + 1.0, (0.5,), [1.5 * math.exp(0.5)]),
        "(a ** 2 + a) ** -1": (lambda a: (a**2 + a) ** -1, (2.0,), [-5 / 36]),
    }
    for text, (formula, values, wanted) in formulas.items():
        got = slopes(formula, *values)
        expect(
            same(got, wanted, 1e-4),
            f"For `{text}` at {', '.join(f'{each:g}' for each in values)} the slopes should be "
            f"{np.round(wanted, 4).tolist()}, but yours are {np.round(got, 4).tolist()}.",
        )
        expect(
            same(got, wanted, 1e-12),
            OF_A_STEP,
        )
