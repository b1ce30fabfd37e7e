"""What chapter 01, slopes, asks: steps and their errors, paths, a neuron, the cost of n slopes."""

import math

import numpy as np

from course.declare import exercise, expect, prediction, same

prediction(
    "01.a",
    "The slope is 0.6. Python computes `(f(5 + h) - f(5)) / h`. Which `h` comes nearest to it?",
    {
        "1e-04": "A good guess for pencil and paper, but here a smaller one does better.",
        "1e-08": "The best of these four. Larger steps suffer from the bend of the curve, "
        "smaller ones from rounding.",
        "1e-12": "So small that the subtraction of two almost equal numbers spoils the result.",
        "1e-16": "The smallest, and the worst. The result is not even near.",
    },
    answer="1e-08",
    shown="1e-08  0.59999996",
)

prediction(
    "01.b",
    "The step of a central difference becomes ten times smaller. What becomes of its error?",
    {
        "ten times smaller": "That holds for the forward difference. Two sides together do better.",
        "a hundred times smaller": "The slope of the line ahead is too small, that of the line "
        "behind too large, by nearly the same amount. The average is nearly free of the bend.",
        "it is zero in any case": "The bend cancels, but the bend itself changes along the curve.",
    },
    answer="a hundred times smaller",
    shown="0.01   0.600000800  error 8.0e-07",
)

prediction(
    "01.c",
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
    "01.d",
    "A neuron with 1000 weights. How often does `gradient` evaluate the cost?",
    {
        "once": "One evaluation gives one number, and no slope yet.",
        "1001 times": "Once where it stands, and once for each weight.",
        "2000 times": "That holds for central differences. `gradient` steps ahead only, and the "
        "value where it stands serves all.",
    },
    answer="1001 times",
    shown="1001 evaluations",
)


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
    wrong={
        "multiplied the slopes of the parts": """
            def product_slope(x):
                return 2 * x * math.exp(x)
        """,
        "the path through `y` is missing": """
            def product_slope(x):
                return x**2 * math.exp(x)
        """,
        "multiplied the two paths": """
            def product_slope(x):
                return (math.exp(x) * 2 * x) * (x**2 * math.exp(x))
        """,
        "added the slopes of the parts": """
            def product_slope(x):
                return 2 * x + math.exp(x)
        """,
    },
    right="Two paths through a product: what textbooks call the product rule.",
)
def check_product_slope(product_slope):
    for x in (1.5, -0.7):
        through_y, through_w = 2 * x * math.exp(x), x**2 * math.exp(x)
        got = product_slope(x)
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
    wrong={
        "changed the array": """
            def gradient_of(f, x, h=1e-5):
                slopes = np.zeros(x.shape)
                for place in np.ndindex(x.shape):
                    x[place] += h
                    ahead = f(x)
                    x[place] -= 2 * h
                    slopes[place] = (ahead - f(x)) / (2 * h)
                return slopes
        """,
        "an array of integers cuts off": """
            def gradient_of(f, x, h=1e-5):
                moved = x.copy()
                slopes = np.zeros(x.shape)
                for place in np.ndindex(x.shape):
                    value = moved[place]
                    moved[place] = value + h
                    ahead = f(moved)
                    moved[place] = value - h
                    slopes[place] = (ahead - f(moved)) / (2 * h)
                    moved[place] = value
                return slopes
        """,
        "twice too large": """
            def gradient_of(f, x, h=1e-5):
                slopes = np.zeros(x.shape)
                for place in np.ndindex(x.shape):
                    step = np.zeros(x.shape)
                    step[place] = h
                    slopes[place] = (f(x + step) - f(x - step)) / h
                return slopes
        """,
        "of the shape of `x`": """
            def gradient_of(f, x, h=1e-5):
                slopes = []
                for place in np.ndindex(x.shape):
                    step = np.zeros(x.shape)
                    step[place] = h
                    slopes.append((f(x + step) - f(x - step)) / (2 * h))
                return np.array(slopes)
        """,
        "only ahead": """
            def gradient_of(f, x, h=1e-5):
                slopes = np.zeros(x.shape)
                for place in np.ndindex(x.shape):
                    step = np.zeros(x.shape)
                    step[place] = h
                    slopes[place] = (f(x + step) - f(x)) / h
                return slopes
        """,
        "does not put each number back": """
            def gradient_of(f, x, h=1e-5):
                moved = np.array(x, dtype=float)
                slopes = np.zeros(moved.shape)
                for place in np.ndindex(moved.shape):
                    moved[place] += h
                    ahead = f(moved)
                    moved[place] -= 2 * h
                    slopes[place] = (ahead - f(moved)) / (2 * h)
                return slopes
        """,
        "towards 0": """
            def gradient_of(f, x, h=1e-5):
                slopes = np.zeros_like(x)
                for place in np.ndindex(x.shape):
                    step = np.zeros(x.shape)
                    step[place] = h
                    slopes[place] = (f(x + step) - f(x - step)) / (2 * h)
                return slopes
        """,
        "the step `h` that was given": """
            def gradient_of(f, x, h=1e-5):
                slopes = np.zeros(x.shape)
                for place in np.ndindex(x.shape):
                    step = np.zeros(x.shape)
                    step[place] = 1e-5
                    slopes[place] = (f(x + step) - f(x - step)) / 2e-5
                return slopes
        """,
    },
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
    wrong={
        "without the factor of the sigmoid": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = 2 * (out - target)
                return dcost_dz * a, dcost_dz
        """,
        "The square brings a factor 2": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = (out - target) * out * (1 - out)
                return dcost_dz * a, dcost_dz
        """,
        "the inputs themselves": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = 2 * (out - target) * out * (1 - out)
                return dcost_dz * w, dcost_dz
        """,
        "uphill and downhill": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = 2 * (target - out) * out * (1 - out)
                return dcost_dz * a, dcost_dz
        """,
        "Return two slopes": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                return 2 * (out - target) * out * (1 - out) * a
        """,
        "The order is the other way round": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = 2 * (out - target) * out * (1 - out)
                return dcost_dz, dcost_dz * a
        """,
        "of its result, not of its input": """
            def neuron_slopes(w, b, a, target):
                z = w @ a + b
                out = 1 / (1 + np.exp(-z))
                dcost_dz = 2 * (out - target) * z * (1 - z)
                return dcost_dz * a, dcost_dz
        """,
        "Use no step `h`": """
            def neuron_slopes(w, b, a, target, h=1e-5):
                def cost(w, b):
                    return (1 / (1 + np.exp(-(w @ a + b))) - target) ** 2

                for_w = [cost(w + h * u, b) - cost(w - h * u, b) for u in np.eye(len(w))]
                return np.array(for_w) / (2 * h), (cost(w, b + h) - cost(w, b - h)) / (2 * h)
        """,
        "The step from `b` to `z`": """
            def neuron_slopes(w, b, a, target):
                out = 1 / (1 + np.exp(-(w @ a + b)))
                dcost_dz = 2 * (out - target) * out * (1 - out)
                return dcost_dz * a, dcost_dz * b
        """,
    },
    right="All slopes from one sweep, for as many inputs as you like.",
)
def check_neuron_slopes(neuron_slopes):
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
    wrong={
        "Without the root": """
            def best_step(bend, gap):
                return 2 * gap / bend
        """,
        "cube root": """
            def best_step(bend, gap):
                return (2 * gap / bend) ** (1 / 3)
        """,
        "The smallest step": """
            def best_step(bend, gap):
                return gap
        """,
        "Off by the square root of 2": """
            def best_step(bend, gap):
                return math.sqrt(gap / bend)
        """,
        "whatever the bend": """
            def best_step(bend, gap):
                return math.sqrt(gap)
        """,
    },
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
