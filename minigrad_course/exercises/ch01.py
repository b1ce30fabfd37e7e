"""What chapter 01, slopes, asks: paths, the cost of n slopes, a neuron, and your own draft."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minigrad_course.ask.declare import Mistake, exercise, expect, prediction, same
from minigrad_course.kernel.reader import notebook_names

prediction(
    "01.a",
    "A neuron with 1,000 weights. How often does `gradient(cost_of, weights)` run the neuron?",
    {
        "once": "One run gives one number, and no slope yet.",
        "1,001 times": "Once where it stands, and once for each weight.",
        "2,000 times": "That would be so with a run on either side of each weight. Here the run "
        "where the neuron stands serves all weights.",
    },
    answer="1,001 times",
    shown="1000 slopes, 1001 runs",
)

prediction(
    "01.b",
    "Now with a minus: `z = log(y) - sqrt(w)`. What is the slope of `z` at 5?",
    {
        "1.6": "Through `w`, `z` now goes down when `x` goes up.",
        "0.6": "That leaves out the path through `w`.",
        "-0.6": "That is the product. Slopes are multiplied along one path, not across two.",
        "-0.4": "0.6 through `y` and -1 through `w`; what the paths bring adds up, signs and all.",
    },
    answer="-0.4",
    shown="minus -0.4000",
)

prediction(
    "01.c",
    "`y = x`, and then 20 times `y = y + y`. How many calls does one `y.backward()` make?",
    {
        "21": "That is one call for each tensor. But the draft does not know that it has been at a "
        "tensor before.",
        "41": "That is one call for each pair, and one to begin. But each tensor is called twice "
        "as often as the one after it, and each time it passes both of its pairs on.",
        "2,097,151": "Each round has two ways, so there are 2²⁰ paths to `x`, and the calls on the "
        "way to it are nearly as many again.",
    },
    answer="2,097,151",
    shown="20 rounds: 2097151 calls",
)


def calls_backward(answer: Any) -> bool:
    """Whether a function calls `backward` although the exercise asks for a computation by hand."""
    return "backward" in getattr(getattr(answer, "__code__", None), "co_names", ())


@exercise(
    "01.1",
    "Two paths by hand",
    difficulty=1,
    minutes=5,
    hint="When `y` alone moves, `z` moves `w` times as far; and `y` moves `2 * x` times as far as "
    "`x`. The other path goes the same way. The slope of `exp` is `exp`.",
    solution="""
        def product_slope(x):
            y, w = x**2, math.exp(x)
            through_y = w * (2 * x)
            through_w = y * math.exp(x)
            return through_y + through_w
    """,
    right="Two paths through a product: what textbooks call the product rule.",
)
def check_product_slope(product_slope):
    expect(
        not calls_backward(product_slope),
        "By hand: multiply the slopes, and call no `backward`.",
    )
    for x in (1.5, -0.7):
        through_y, through_w = 2 * x * math.exp(x), x**2 * math.exp(x)
        got = product_slope(x)
        expect(got is not None, "Your function gives None. Do not print the result: return it.")
        expect(
            not same(got, 2 * x * math.exp(x) ** 2),
            "You multiplied where the paths meet: 2x and eˣ belong to two paths, and these add. On "
            "each, the product multiplies by the other factor.",
        )
        expect(
            not same(got, through_y),
            "You multiplied the slopes of the parts, and that is one path only: the one through "
            "`y`. The path through `w` is missing.",
        )
        expect(
            not same(got, through_w),
            "That is one path, and by chance `z` itself; the path through `y` is missing.",
        )
        expect(
            not same(got, through_y * through_w),
            "You multiplied the two paths. One multiplies along a path, and adds where paths meet.",
        )
        expect(
            not same(got, 2 * x + math.exp(x)),
            "You added the slopes of the parts. On its path, each is multiplied by what the "
            "product does with it.",
        )
        expect(
            same(got, through_y + through_w),
            f"At {x}, `z` moves {through_y + through_w:.4f} times as far as `x`; yours says {got}.",
        )
        expect(
            same(got, through_y + through_w, 1e-12),
            "Nearly: the error of a small step is in it. Use no step `h`; multiply the slopes.",
        )


@exercise(
    "01.2",
    "A gradient of any shape",
    difficulty=2,
    minutes=10,
    hint="Make a float copy of `x` to work on. `for place in np.ndindex(x.shape)` visits each "
    "place of an array, and `x[place]` is the number there. Put it back before you go on.",
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
    right="PyTorch's gradients have the shape of what they are the gradient of, too.",
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
        "Yours changed the array that it was given. Even `+ h` and then `- h` need not come back "
        "to the same number: work on a copy, and put the old value back.",
    )
    expect(
        np.shape(got) == x.shape,
        f"The gradient is to be of the shape of `x`, {x.shape}; yours has {np.shape(got)}.",
    )
    expect(
        not same(got, 2 * wanted),
        "Yours is twice too large: the two points lie `2 * h` apart.",
    )
    worst = np.unravel_index(np.abs(got - wanted).argmax(), x.shape)
    expect(
        same(got, wanted, 1e-5),
        f"Somewhere yours is {np.asarray(got)[worst]:.4f} where the slope is {wanted[worst]:.4f}. "
        "Is each number moved alone, and put back before the next one?",
    )
    whole = np.array([2, -1, 4])
    steps = gradient_of(lambda v: float((v**3).sum()), whole)
    expect(
        not same(steps, np.zeros(3)),
        "With integers yours gives 0: the step is cut off in an array of integers.",
    )
    expect(
        same(steps, 3.0 * whole**2, 1e-5),
        "With integers yours goes wrong: an array of integers cuts off, towards 0, a step or a "
        "slope that is put into it. Use floats for both.",
    )
    # Both differences are exact for a product, however large the step.
    product = gradient_of(lambda v: float(v.prod()), np.array([3.0, 4.0, 5.0]), h=0.5)
    expect(
        same(product, np.array([20.0, 15.0, 12.0]), 1e-5),
        "Yours does not put each number back before it moves the next one.",
    )
    bent = float(gradient_of(lambda v: float(v[0] ** 3), np.array([1.0]), h=0.1)[0])
    expect(
        not same(bent, 3.31), "Yours steps only ahead; a central difference steps to both sides."
    )
    expect(same(bent, 3.01), "Use the step `h` that was given.")


@exercise(
    "01.3",
    "A neuron, backward",
    difficulty=2,
    minutes=8,
    hint="Go forward to get `out`. The slope of the cost for `z` is "
    "`2 * (out - target) * out * (1 - out)`. From `z`, one more factor leads to each weight, and "
    "one to `b`.",
    solution="""
        def neuron_slopes(w, b, a, target):
            out = 1 / (1 + np.exp(-(w @ a + b)))
            dcost_dz = 2 * (out - target) * out * (1 - out)
            return dcost_dz * a, dcost_dz
    """,
    right="All slopes from one sweep, for as many inputs as you like.",
)
def check_neuron_slopes(neuron_slopes):
    expect(
        not calls_backward(neuron_slopes),
        "By hand: multiply the slopes, and call no `backward`.",
    )
    w, a = np.array([0.5, -1.0, 2.0]), np.array([1.5, 0.25, -0.5])
    b, target = 0.75, 0.2
    out = 1 / (1 + math.exp(-(w @ a + b)))
    local = out * (1 - out)
    dcost_dz = 2 * (out - target) * local
    got = neuron_slopes(w.copy(), b, a.copy(), target)
    expect(
        isinstance(got, tuple | list) and len(got) == 2,
        "Return two slopes, as in `return for_w, for_b`: first those for `w`, then that for `b`.",
    )
    for_w, for_b = got
    expect(
        np.ndim(for_w) >= np.ndim(for_b),
        "The order is the other way round: first the slopes for `w`, then that for `b`.",
    )
    z = w @ a + b
    mistakes = {
        z * (1 - z) / local: "The slope of the sigmoid is `out * (1 - out)`: of its result, not of "
        "its input `z`.",
        1 / out: "The slope of the sigmoid is `out * (1 - out)`. Yours lacks `out`.",
        1 / (1 - out): "The slope of the sigmoid is `out * (1 - out)`. Yours lacks `1 - out`.",
        1 / local: "Yours is without the factor of the sigmoid, `out * (1 - out)`.",
        0.5: "The square brings a factor 2: the slope of `u ** 2` is `2 * u`.",
        -1.0: "You confused uphill and downhill: it is `out - target`.",
    }
    for factor, message in mistakes.items():
        expect(not same(for_w, factor * dcost_dz * a), message)
    expect(
        not same(for_w, dcost_dz * w),
        "The slope of `w @ a` with respect to the weights is the inputs themselves, `a`.",
    )
    expect(same(for_w, dcost_dz * a), "The slopes for `w` are wrong; compare with `gradient`.")
    expect(
        not same(for_b, dcost_dz * b),
        "The step from `b` to `z` has the slope 1, whatever `b` is.",
    )
    expect(same(for_b, dcost_dz), f"The slope for `b` should be {dcost_dz:.6f} here.")
    expect(
        same(for_w, dcost_dz * a, 1e-12) and same(for_b, dcost_dz, 1e-12),
        "Nearly: the errors of a small step are in it. Use no step `h`; multiply the slopes.",
    )


@exercise(
    "01.4",
    "The best step, optional",
    difficulty=3,
    minutes=10,
    hint="Where the sum is smallest, its own slope with respect to `h` is 0. The slope of `1 / h` "
    "is `-1 / h**2`.",
    solution="""
        def best_step(bend, gap):
            # The slope of the sum is bend / 2 - gap / h**2; it is 0 at this h.
            return math.sqrt(2 * gap / bend)
    """,
    right="For log(x³) at 5 the bend is 0.12 and the gap 8.9e-16: the best step is about 1.2e-7.",
)
def check_best_step(best_step):
    bend, gap = 0.12, 8.9e-16
    h = best_step(bend, gap)
    wanted = math.sqrt(2 * gap / bend)
    mistakes = {
        gap: "The smallest step makes the first part tiny, and the second part as large as 1.",
        wanted**2: "Without the root: `h` appears squared in the equation.",
        wanted ** (2 / 3): "The cube root belongs to central differences, whose first part has `h` "
        "squared.",
        math.sqrt(gap / bend): "Off by the square root of 2: the slope of the first part is "
        "`bend / 2`.",
    }
    for mistake, message in mistakes.items():
        expect(not math.isclose(h, mistake, rel_tol=1e-3), message)
    expect(
        not math.isclose(h, best_step(3.0, gap)),
        "Yours is the same whatever the bend; a strong bend wants a smaller step.",
    )
    expect(
        math.isclose(h, wanted, rel_tol=1e-3),
        f"For the bend {bend} and the gap {gap} the sum is smallest at {wanted:.2e}.",
    )


@exercise(
    "01.5",
    "The draft on an empty page",
    difficulty=2,
    minutes=15,
    hint="A number has `value`, `grad` and a list of pairs: a number that it was made from, and "
    "the slope towards it. An operation returns a new number with its pairs. `backward` needs two "
    "steps: add to `grad`, then call `backward` of each number in the pairs, with `grad * slope`.",
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
    right="With these lines you can compute the slopes of any formula. You will know them again.",
)
def check_number(Number: type) -> None:  # noqa: N803 - that is what the page calls it
    expect(isinstance(Number, type), "Hand in the class: `class Number: ...`.")
    of_page = notebook_names().get("Tensor", ())
    expect(
        not (isinstance(of_page, type) and issubclass(Number, of_page)),
        "Write the class yourself: here you have handed in the page's `Tensor`, or built on it.",
    )
    for name in ("__add__", "__mul__", "__pow__", "exp", "backward"):
        expect(hasattr(Number, name), f"Your class has no `{name}` yet.")

    def slopes(formula: Callable[..., Any], *values: float) -> list[float]:
        inputs = [Number(value) for value in values]
        formula(*inputs).backward()
        return [each.grad for each in inputs]

    try:
        got = slopes(lambda a: a * 2.0 + 1.0, 3.0)
    except (AttributeError, TypeError) as error:
        raise Mistake(f"`Number(3.0) * 2.0 + 1.0`, a plain number on the right: {error}") from None
    inside = vars(Number(3.0)) if hasattr(Number(3.0), "__dict__") else {}
    modules = {type(each).__module__.partition(".")[0] for each in inside.values()}
    expect(not modules & {"torch", "minigrad"}, "There is a library's tensor in your `Number`.")
    towards = "the slope of `a * b` towards `a` is `b`, the other factor."
    mistakes: tuple[tuple[Callable[..., Any], tuple[float, ...], list[float], str], ...] = (
        (lambda a, b: a * b, (3.0, 5.0), [3.0, 5.0], f"Remember: {towards}"),
        (lambda a, b: a * b, (3.0, 5.0), [5.0, 0.0], "Only one of the two factors gets a slope."),
        (
            lambda a: a + a,
            (3.0,),
            [1.0],
            "Yours overwrites `grad`: `a + a` has two paths to `a`, and what they bring is added.",
        ),
        (
            lambda a: (a * 2.0) * 5.0,
            (3.0,),
            [2.0],
            "The slopes along a path multiply: 5 × 2 here, and yours gives 2.",
        ),
        (
            lambda a: (a * 1.0) ** 3,
            (5.0,),
            [15.0],
            "Look at the slope of `x ** n`: it is `n * x ** (n - 1)`.",
        ),
        (
            lambda a: a.exp(),
            (3.0,),
            [3.0],
            "Compute the slope of `exp` at 3 again: it is `exp(3)`, the result itself.",
        ),
    )
    for formula, values, slip, message in mistakes:
        expect(not same(slopes(formula, *values), slip), message)

    def shared(a: Any) -> Any:
        twice = a * 2.0
        return twice * 3.0 + twice * 4.0

    expect(
        not same(slopes(shared, 1.0), [20.0]),
        "Yours passes on what has been added up. The second call at a number passes on only what "
        "that call has brought.",
    )
    formulas = (
        (shared, (1.0,), [14.0]),
        (lambda a, b: (a * b + b) ** 2, (2.0, 3.0), [54.0, 54.0]),
        (lambda a: a.exp() * a + 1.0, (0.5,), [1.5 * math.exp(0.5)]),
        (lambda a: (a**2 + a) ** -1, (2.0,), [-5 / 36]),
    )
    for formula, values, wanted in formulas:
        got = slopes(formula, *values)
        expect(
            same(got, wanted, 1e-4),
            f"For the inputs {values} of a test the slopes are {wanted}, and yours are {got}.",
        )
        expect(same(got, wanted, 1e-12), "Nearly: compute the slopes without a step `h`.")
