"""What notebook 07_accumulation asks: gradients add up until somebody clears them."""

from inspect import isfunction
from unittest.mock import patch

import numpy as np

from minigrad_course.ask.declare import Mistake, error_means, exercise, expect, prediction, same
from minigrad_course.exercises.ch05 import UNKNOWN
from minigrad_course.kernel.reader import yours

prediction(
    "07.a",
    """In PyTorch: `w` is 1., and `(w * 3.0).backward()` runs three times. What does `w.grad` show
    after each of them?""",
    {
        "3., 3., 3.": """That is what assigning would give. It is the gradient of each call
        alone.""",
        "3., 6., 9.": """Each call brings 3, and PyTorch adds it to what `.grad` held.""",
        "3., 9., 27.": """Nothing is multiplied between two calls; each is a pass of its own.""",
    },
    answer="3., 6., 9.",
    shown="tensor(9.)",
)

prediction(
    "07.b",
    """Draft 2 is in place. `x` and `y` are leaves with the value 1. What do `x.grad` and `y.grad`
    hold after two rounds of `(x + y).backward()`?""",
    {
        "2. and 2.": """That is right, and PyTorch's answer: 1 + 1 for each leaf. But whose array
        does `x.grad` have here?""",
        "1. and 1.": """That was chapter 06. The draft adds.""",
        "3. and 3.": """Both names stand for one array. It starts as 1, and each leaf adds its
        second 1 to it.""",
    },
    answer="3. and 3.",
    shown="tensor(3.) tensor(3.)",
)

prediction(
    "07.c",
    """`w` is 2. and the inputs are 1 and 1. So `h` is w · (w · 1 + 1) + 1 = w² + w + 1. What is
    `w.grad`?""",
    {
        "2.": """That is what the use in the first step brings. The last step uses `w`, too.""",
        "3.": """That is what the use in the last step brings: there `w` multiplies 3. The first
        step uses `w`, too.""",
        "5.": """The derivative of w² + w + 1 is 2 · w + 1. The two uses of `w` bring 2 and 3.""",
    },
    answer="5.",
    shown="tensor(7., grad_fn=<AddBackward0>) tensor(5.)",
)

prediction(
    "07.d",
    """The samples are 1, 2, 3, 4 and 10, and the gradient of their mean loss is 18. Cut into
    parts of 2, 2 and 1 samples, with each mean divided by 3: is the sum of the gradients 18?""",
    {
        "Yes, 18": """It would be with parts of one size. Here the last sample alone makes up a
        third of the sum, and it is the largest.""",
        "Less than 18": """The last part has fewer samples, but not less weight: each part counts
        one third.""",
        "More than 18": """The sample 10. alone makes up a third instead of a fifth, and its
        gradient is the largest.""",
    },
    answer="More than 18",
    shown="28.33",
)

prediction(
    "07.e",
    """`zero_grad(set_to_none=False)` has filled `w.grad` with 0. No backward follows. Does the
    optimizer move `w` in the next steps?""",
    {
        "Yes": """v = 0.9 · v + 0 is not 0 yet, so `w` moves by 0.1 · v.""",
        "No": """It would not, with None: then `w` is left out. With zeros the velocity goes on.""",
    },
    answer="Yes",
    shown="zeros: [0.9, 0.81, 0.729",
)


@exercise(
    "07.1",
    "A sum until it is cleared",
    difficulty=1,
    minutes=5,
    hint="""Each backward brings the derivative of its own result: 2 · w = 4 for `w * w`, 3 + 1 for
    `w * 3.0 + w`. Recording alone brings nothing.""",
    solution="""
        after = {1: 4.0, 2: 8.0, 3: 12.0, 4: None, 5: None, 6: 5.0}
    """,
    right="Only `backward()` and you write to `.grad`.",
)
def check_after(after):
    expect(same(after[1], 4.0), "1: the derivative of w · w at 2 is 2 · 2.")
    expect(
        same(after[2], 8.0),
        "2: a second backward adds to what is there. The graph was kept, so it runs again.",
    )
    expect(same(after[3], 12.0), "3: two paths lead to `w`. They bring 3 and 1, on top of the 8.")
    expect(after[4] is None, "4: `w.grad` is what was assigned: None, not 0.")
    expect(after[5] is None, "5: this line records only. No backward runs.")
    expect(same(after[6], 5.0), "6: after None a new sum begins, so the 12 is gone.")


def squares(w, part):
    """The mean of (w · s − 1)² over the samples s of `part`."""
    total = yours().tensor(0.0)
    for sample in part:
        total = total + (w * sample - 1.0) ** 2
    return total / len(part)


def slope(value, samples):
    """The gradient of `squares` by hand."""
    return sum(2 * s * (value * s - 1) for s in samples) / len(samples)


@exercise(
    "07.2",
    "A batch in parts",
    difficulty=2,
    minutes=10,
    hint="""The mean over all samples is the sum of the means over the parts, each times its share
    of the samples. And a new sum begins with None.""",
    solution="""
        def in_parts(w, parts, loss):
            count = sum(len(part) for part in parts)
            w.grad = None
            for part in parts:
                (loss(w, part) * (len(part) / count)).backward()
    """,
    right="The same holds for sentences of different length: weigh by tokens, not by batches.",
)
def check_in_parts(in_parts):
    library = yours()

    def left(parts, held=None):
        w = library.tensor(0.5, requires_grad=True)
        w.grad = None if held is None else library.tensor(held)
        calls = []

        def loss(w, part):
            calls.append((len(part), w.grad is None))
            return squares(w, part)

        in_parts(w, parts, loss)
        expect(w.grad is not None, "Nothing arrived in `w.grad`.")
        return w.grad.item(), calls

    even = [[1.0, 2.0], [3.0, 4.0]]
    got, calls = left(even)
    want = slope(0.5, [1.0, 2.0, 3.0, 4.0])
    last = slope(0.5, even[1]) / 2
    expect(not same(got, last), "In `w.grad` is only the last part. Clear once, before the parts.")
    expect(
        not same(got, 2 * want),
        "Two parts of two samples give twice the gradient: their means are not divided.",
    )
    expect(same(got, want), f"With the parts {even} `w.grad` is {got:g}, not {want:g}.")
    expect(
        [size for size, _ in calls] == [2, 2],
        "One backward for each part: call `loss` with one part at a time.",
    )
    expect(
        not calls[1][1],
        "The number is right, but there was one backward at the end, and until then all graphs "
        "stay in memory. Call `backward()` after each part.",
    )
    uneven = [[1.0, 2.0], [3.0, 4.0], [10.0]]
    got, _ = left(uneven)
    want = slope(0.5, [s for part in uneven for s in part])
    expect(
        same(got, want),
        f"With the parts {uneven} `w.grad` is {got:g}, not {want:g}: yours counts all parts alike, "
        "but the last one has half as many samples.",
    )
    got, _ = left(even, held=100.0)
    expect(got < 50, "What `w.grad` held before is still in the sum.")


@exercise(
    "07.3",
    "For each sample alone",
    difficulty=2,
    minutes=10,
    hint="""Put the old `w.grad` aside and assign None, so that `backward()` does not write into it.
    Do the same after each sample.""",
    solution="""
        def for_each(w, samples, loss):
            before = w.grad
            found = []
            for sample in samples:
                w.grad = None
                loss(w, [sample]).backward()
                found.append(w.grad.item())
            w.grad = before
            return found
    """,
    right="These are called per-sample gradients: they show which sample pulls how hard.",
)
def check_for_each(for_each):
    library = yours()
    samples = [1.0, 2.0, 10.0]
    w = library.tensor(0.5, requires_grad=True)
    w.grad = held = library.tensor(7.0)
    with error_means("to be a torch.Tensor", UNKNOWN):
        got = list(for_each(w, samples, squares))
    want = [slope(0.5, [sample]) for sample in samples]
    sums = [sum(want[: n + 1]) for n in range(len(want))]
    expect(
        not all(each is got[0] for each in got) or isinstance(got[0], float),
        "All entries are one tensor, into which `backward()` adds. Take its number with `item()`.",
    )
    expect(len(got) == 3, "The list needs one number for each sample.")
    expect(
        not any(isinstance(each, library.Tensor) for each in got),
        "The list holds tensors. Take their numbers with `item()`.",
    )
    expect(
        not all(map(same, got, sums)),
        "Your numbers are the sums so far. Begin a new sum for each sample.",
    )
    expect(
        held.item() == 7.0,
        "Backward added into the old tensor of `w.grad`, which somebody may hold. Put it "
        "aside and assign None.",
    )
    expect(all(map(same, got, want)), f"For the samples {samples} yours gives {got}, not {want}.")
    expect(
        w.grad is held or w.grad is None or w.grad.item() != 7.0,
        "`w.grad` has the right value, but it is a new tensor. Give back the one that was there.",
    )
    expect(w.grad is held, "Afterwards `w.grad` must hold what it held before.")
    w.grad = None
    try:
        got = for_each(w, samples, lambda w, part: squares(w, part) * 3.0)
    except AttributeError:
        raise Mistake("Before the call `w.grad` may be None, too. Then it has no number.") from None
    expect(
        all(map(same, got, [3 * each for each in want])),
        "With another loss, 3 times as large, your numbers should be 3 times as large. Is there "
        "a formula of its own in yours? Call `loss`, and go backward.",
    )
    expect(w.grad is None, "`w.grad` was None before the call, and should be None afterwards.")


@exercise(
    "07.4",
    "A step with momentum",
    difficulty=2,
    minutes=10,
    hint="""For each weight: if its gradient is None, keep weight and velocity. Otherwise first the
    velocity, `v = momentum * v + gradient`, then the weight, `w = w - rate * v`.""",
    solution="""
        def momentum_step(weights, velocities, gradients, rate=0.1, momentum=0.9):
            new_weights, new_velocities = [], []
            for w, v, gradient in zip(weights, velocities, gradients):
                if gradient is not None:
                    v = momentum * v + gradient
                    w = w - rate * v
                new_weights.append(w)
                new_velocities.append(v)
            return new_weights, new_velocities
    """,
    right="`torch.optim.SGD` does the same. (It starts with the first gradient as velocity.)",
)
def check_momentum_step(momentum_step):
    def step(w, v, gradient):
        weights, velocities = momentum_step([w], [v], [gradient])
        return weights[0], velocities[0]

    w, v = step(1.0, 2.0, 0.5)
    expect(
        not same(w, 0.8),
        "The weight moved by the old velocity. Compute the new velocity first, then the weight.",
    )
    expect(same(v, 2.3), f"With v = 2 and a gradient of 0.5 the new velocity is 2.3, not {v:g}.")
    expect(same(w, 0.77), f"Then the weight 1 becomes 1 − 0.1 · 2.3 = 0.77, not {w:g}.")
    expect(
        step(1.0, 2.0, None) == (1.0, 2.0),
        "Yours treats None as if it were 0. None leaves the weight and its velocity as they are.",
    )
    w, v = step(1.0, 2.0, 0.0)
    expect(
        same(v, 1.8) and same(w, 0.82),
        "Yours leaves out a gradient of 0. It is a number like others: v becomes 1.8.",
    )
    many = momentum_step([1.0, 1.0], [0.0, 0.0], [None, 1.0])
    expect(
        [list(each) for each in many] == [[1.0, 0.9], [0.0, 1.0]],
        "With several weights, return both lists in the order of `weights`.",
    )
    (w,), (v,) = momentum_step([1.0], [2.0], [0.5], 0.5, 0.5)
    expect(same(v, 1.5) and same(w, 0.25), "Use `rate` and `momentum`, not their usual values.")
    weights, velocities = [1.0], [2.0]
    momentum_step(weights, velocities, [0.5])
    expect(
        (weights, velocities) == ([1.0], [2.0]),
        "The numbers are right, but yours has changed the lists that came in. Make new lists.",
    )


@exercise(
    "07.5",
    "`new_sum` on an empty page",
    difficulty=2,
    minutes=8,
    hint="""Two cases. Without `held`, the result is a new tensor with a copy of the gradient's
    array. With `held`, add into its array and return `held` itself.""",
    solution="""
        def my_new_sum(held, grad):
            if held is None:
                return new_tensor(grad._data.copy())
            np.add(held._data, grad._data, out=held._data)
            return held
    """,
    right="The library's does the same. Its copy also has the leaf's layout in memory.",
)
def check_my_new_sum(my_new_sum):
    library = yours()
    with patch.object(library.core.node.AccumulateGrad, "new_sum", refuse_new_sum):
        check_sums(my_new_sum, library)


def refuse_new_sum(*args):
    """Replacement for the library's `new_sum` while an answer runs."""
    raise Mistake(
        "That is the `new_sum` of your library, called by you or by `backward()`. Here write the "
        "addition itself."
    )


def check_sums(my_new_sum, library):
    """Check what `my_new_sum` returns and which memory it writes to."""
    expect(isfunction(my_new_sum), "`my_new_sum` is a function of `held` and `grad`.")
    grad = library.tensor([1.0, 2.0])
    first = my_new_sum(None, grad)
    expect(isinstance(first, library.Tensor), "The result is a tensor, also when `held` is None.")
    expect(
        first._data.tolist() == [1.0, 2.0], "The first gradient [1, 2] should be copied as it is."
    )
    expect(
        not np.shares_memory(first._data, grad._data),
        "The first result shares its memory with `grad`, which may go to another leaf, too.",
    )
    second = my_new_sum(first, library.tensor([10.0, 20.0]))
    expect(second is not None, "Yours returns None when there is a `held`. Return it.")
    expect(
        second._data.tolist() != [10.0, 20.0],
        "Yours overwrites: [1, 2] and then [10, 20] make [11, 22].",
    )
    later = library.tensor([5.0, 5.0])
    held = library.tensor([1.0, 1.0])
    array = held._data
    result = my_new_sum(held, later)
    expect(
        later._data.tolist() == [5.0, 5.0],
        "Yours has changed the gradient that arrived. Add into the array of `held`.",
    )
    expect(result._data.tolist() == [6.0, 6.0], f"[1, 1] and [5, 5] make [6, 6], not {result}.")
    expect(
        result is held,
        "The sum is a new tensor. Return `held` itself, with the sum in it. (`+=` on your tensors "
        "makes a new one until chapter 11: write with `np.add(…, out=…)`.)",
    )
    expect(
        result._data is array and array.tolist() == [6.0, 6.0],
        "The sum is a new array. Write it into the one that `held` has: `np.add(…, out=…)`.",
    )
