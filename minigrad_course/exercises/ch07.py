"""What notebook 07_accumulation asks: gradients add up until somebody clears them."""

import tracemalloc
from functools import reduce
from inspect import isfunction
from operator import add
from unittest.mock import patch

import numpy as np

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    expect_entries,
    expect_none_of,
    prediction,
    same,
)
from minigrad_course.exercises.ch05 import UNKNOWN
from minigrad_course.kernel.reader import yours

prediction(
    "07.a",
    """In PyTorch, `w` is 1., and `(w * 3.0).backward()` runs three times. What does `w.grad` show
    after each of them?""",
    {
        "3., 3., 3.": """That is the gradient of each call alone, and what you would see if
        `backward()` replaced what was there.""",
        "3., 6., 9.": """Each call computes 3, and PyTorch adds it to what `.grad` held.""",
        "3., 9., 27.": """Factors are multiplied along a path within one pass, but two passes have
        no path in common.""",
    },
    answer="3., 6., 9.",
    shown="tensor(9.)",
)

prediction(
    "07.b",
    """The weight starts at 0. Where does it end up if `zero_grad` comes between `backward` and
    `step`?""",
    {
        "It stays 0.": """The step finds None in `.grad`, and skips the weight.""",
        "It swings, as without `zero_grad`.": """It would swing if gradients added up, but here
        each of them is cleared before the next one arrives. What does the step find?""",
        "There is an error, because the gradient is None.": """A step has to put up with None, since
        a model often has weights that a loss does not reach. What does it do with them?""",
        "3, with one step of delay.": """For that, the step would have to find the gradient of the
        step before. Is it still there?""",
    },
    answer="It stays 0.",
    shown="forward backward zero_grad step   0.00",
)

prediction(
    "07.c",
    """`w` is 2., `h0` is 5., and `h1`, which is 2 · 5 + 1, is 11. What does `w.grad` hold after
    `h2.backward()`?""",
    {
        "10.5, the average of both steps": """Gradients that meet are added, and nothing divides
        them by their number.""",
        "10.": """That is what arrives from the first time step, but the last one uses `w` as
        well.""",
        "11.": """That is what arrives from the last time step, where `w` is multiplied by `h1`. But
        `h1` depends on `w`, too.""",
        "21.": """The last time step contributes `h1` = 11, and the first one 2 · 5 = 10.""",
    },
    answer="21.",
    shown="tensor(26., grad_fn=<AddBackward0>) tensor(21.)",
)

prediction(
    "07.d",
    """The samples are 1, 2, 3, 4 and 10, and the gradient of their mean loss is 18. We cut them
    into parts of 2, 2 and 1 samples, and divide each mean by 3. Is the sum of the gradients 18?""",
    {
        "Yes, 18": """It would be, with parts of one size. But what share of the sum does the last
        sample have here?""",
        "No, it is less.": """The last part has fewer samples, but that does not make it count for
        less: each part is divided by 3.""",
        "No, it is more.": """The sample 10. alone makes up a third of the sum instead of a fifth,
        and its gradient is the largest.""",
    },
    answer="No, it is more.",
    shown="28.33",
)

prediction(
    "07.e",
    """The layer in the middle is `ReLU`, `LayerNorm`, `Dropout` or `BatchNorm1d`, in training mode.
    For which of them do the two parts of 4 give a different gradient from the batch of 8?""",
    {
        "None of them, since the parts are weighted by size": """The weights make up for how the
        loss is averaged. But what if the result for a sample depends on the others in its
        batch?""",
        "`BatchNorm1d` only": """It does depend on the batch. But would `Dropout` drop the same
        elements the second time?""",
        "`Dropout` and `BatchNorm1d`": """`BatchNorm1d` uses the mean of its batch, and `Dropout`
        draws new random masks.""",
        "`LayerNorm` and `BatchNorm1d`": """Both normalize, but `LayerNorm` does it for each sample
        alone.""",
    },
    answer="`Dropout` and `BatchNorm1d`",
    shown="Dropout             0.0499  0.1066",
)

prediction(
    "07.f",
    """`zero_grad(set_to_none=False)` has filled `w.grad` with 0, and no backward follows. Does the
    optimizer move `w` in the next steps?""",
    {
        "Yes, by less and less": """The velocity becomes 0.9 · v + 0, which is not 0 yet, and `w`
        moves by 0.1 · v.""",
        "No, because a gradient of 0 means no change": """That is true of SGD without momentum. Here
        `w` moves along the velocity, and what has become of that?""",
        "No, because `w` no longer requires grad": """`requires_grad` tells autograd whether to
        record, but an optimizer looks only at `.grad`.""",
        "Yes, by 0.1 in each step": """The velocity loses a tenth in each step, since it is
        multiplied by 0.9.""",
    },
    answer="Yes, by less and less",
    shown="zeros: [0.9, 0.81, 0.729",
)

prediction(
    "07.g",
    """`x` and `y` are leaves full of ones. The gradient of `((x + y) ** 2).sum()` is 4 for each
    element of both. What do they hold after two passes, with the draft that does not copy?""",
    {
        "8 and 8": """That is right, and what PyTorch computes for this loss: 4 + 4. But whose array
        does `x.grad` have in this draft?""",
        "4 and 4": """That would be chapter 06, whose leaf overwrites, while this draft adds.""",
        "12 and 12": """Both names refer to one array, which holds 4 after the first pass, and in
        the second pass each of the leaves adds its 4 to it.""",
        "8 and 12": """If the two have different numbers, they have different arrays. Are there
        two?""",
    },
    answer="12 and 12",
    shown="tensor([12., 12., 12.]) tensor([12., 12., 12.])",
)


@exercise(
    "07.1",
    "A sum until it is cleared",
    difficulty=1,
    minutes=5,
    hint="""Each backward adds the derivative of its own result: 2 · w = 4 for `w * w`, and 3 + 1
    for `w * 3.0 + w`. A line that only records changes nothing.""",
    solution="""
        after = {1: 4.0, 2: 8.0, 3: 12.0, 4: None, 5: None, 6: 5.0}
    """,
    right="Nobody writes to `.grad` but `backward()` and you.",
)
def check_after(after):
    why = {
        1: "1: The derivative of w · w is 2 · w, and `w` is 2.",
        2: "2: The graph was kept, so a second backward runs, and it adds to what is there.",
        3: "3: Two paths lead to `w`, which contribute 3 and 1, on top of the 8.",
        4: "4: `w.grad` is what was assigned, which is None, not 0.",
        5: "5: This line only records, so `w.grad` is still None until a backward runs.",
        6: "6: After None a new sum begins, so the 12 is gone.",
    }
    expect_entries(after, {1: 4.0, 2: 8.0, 3: 12.0, 4: None, 5: None, 6: 5.0}, why)


def squares(w, part):
    """The mean of (w · s − 1)² over the samples s of `part`."""
    return reduce(add, [(w * sample - 1.0) ** 2 for sample in part]) / len(part)


def slope(value, samples):
    """The gradient of `squares` by hand."""
    return sum(2 * s * (value * s - 1) for s in samples) / len(samples)


@exercise(
    "07.2",
    "A batch in parts",
    difficulty=2,
    minutes=10,
    hint="""The mean over all samples is the sum of the means over the parts, if you multiply each
    by its share of the samples. A new sum begins where `w.grad` is None.""",
    solution="""
        def in_parts(w, parts, loss):
            count = sum(len(part) for part in parts)
            w.grad = None
            for part in parts:
                (loss(w, part) * (len(part) / count)).backward()
    """,
    right="The same holds for sentences of different length: weight by tokens, not by batches.",
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
        expect(w.grad is not None, "`w.grad` is None afterwards, so no backward has reached `w`.")
        return w.grad.item(), calls

    even = [[1.0, 2.0], [3.0, 4.0]]
    got, calls = left(even)
    want = slope(0.5, [1.0, 2.0, 3.0, 4.0])
    last = slope(0.5, even[1]) / 2
    expect_none_of(
        got,
        {
            "`w.grad` has the gradient of only the last part, so clear it once, before the "
            "parts.": last,
            "With two parts of two samples, your gradient is twice as large as it should be, "
            "because their means are not divided.": 2 * want,
        },
    )
    expect(
        same(got, want),
        f"With the parts {even}, `w.grad` should be {want:g}, but you get {got:g}.",
    )
    expect(
        [size for size, _ in calls] == [2, 2],
        "There should be one backward for each part, so call `loss` with one part at a time.",
    )
    expect(
        not calls[1][1],
        "The number is right, but there was only one backward at the end, so all graphs were in "
        "memory together. Call `backward()` after each part.",
    )
    uneven = [[1.0, 2.0], [3.0, 4.0], [10.0]]
    got, _ = left(uneven)
    want = slope(0.5, [s for part in uneven for s in part])
    expect(
        same(got, want),
        f"With the parts {uneven}, `w.grad` should be {want:g}, but you get {got:g}: your sum "
        "counts all parts alike, although the last one has half as many samples.",
    )
    got, _ = left(even, held=100.0)
    expect(got < 50, "Your sum still includes what `w.grad` held before the call.")


@exercise(
    "07.3",
    "For each sample alone",
    difficulty=2,
    minutes=10,
    hint="""Put the old `w.grad` aside in a variable and assign None, so that `backward()` does not
    add to the old tensor. Assign None again before each of the other samples.""",
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
    right="These are called per-sample gradients, and they show how hard each sample pulls.",
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
        "All entries are one and the same tensor, and `backward()` keeps adding to it, so take its "
        "number with `item()`.",
    )
    expect(len(got) == 3, "The list should have one number for each sample.")
    expect(
        not any(isinstance(each, library.Tensor) for each in got),
        "The list has tensors in it, so take their numbers with `item()`.",
    )
    expect(
        not same(got, sums),
        "Your numbers are the sums of all samples so far. Begin a new sum for each of them.",
    )
    expect(
        held.item() == 7.0,
        "Backward added into the tensor that `w.grad` held before the call, and somebody else may "
        "hold it, too. Put it aside and assign None.",
    )
    expect(
        same(got, want) or not same(got, want, 0.01),
        f"Your numbers are close, but {got} is not {want}. If they come from finite differences, "
        "call `backward()` instead, which is exact.",
    )
    expect(same(got, want), f"For the samples {samples}, expected {want}, got {got}.")
    expect(
        w.grad is held or w.grad is None or w.grad.item() != 7.0,
        "`w.grad` has the right number, but it is a new tensor. Put back the object that "
        "was there.",
    )
    expect(w.grad is held, "Afterwards `w.grad` must be what it was before the call.")
    w.grad = None
    with error_means(
        AttributeError,
        "`w.grad` may also be None before the call, and None does not have a number.",
    ):
        got = for_each(w, samples, lambda w, part: squares(w, part) * 3.0)
    expect(
        same(got, [3 * each for each in want]),
        "With a loss that is 3 times as large, your numbers should be 3 times as large. Have you "
        "written the formula of the loss yourself? Call `loss`, and go backward.",
    )
    expect(w.grad is None, "`w.grad` was None before the call, and should be None afterwards.")


@exercise(
    "07.4",
    "A step with momentum",
    difficulty=2,
    minutes=10,
    hint="""For each weight, if its gradient is None, keep the weight and its velocity. Otherwise
    compute the velocity first, `v = momentum * v + gradient`, and then `w = w - rate * v`.""",
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
    right="`torch.optim.SGD` does the same, starting with the first gradient as the velocity.",
)
def check_momentum_step(momentum_step):
    def step(w, v, gradient):
        found = momentum_step([w], [v], [gradient])
        expect(
            isinstance(found, (tuple, list)) and len(found) == 2,
            "Return two lists, the new weights and the new velocities.",
        )
        weights, velocities = found
        return weights[0], velocities[0]

    w, v = step(1.0, 2.0, 0.5)
    expect(
        not same(w, 0.8),
        "The weight moved by the old velocity. Compute the new velocity first, and then "
        "the weight.",
    )
    expect(
        same(v, 2.3),
        f"If v is 2 and the gradient 0.5, the new velocity is 2.3. Your result is {v:g}.",
    )
    expect(same(w, 0.77), f"A weight of 1 then becomes 1 − 0.1 · 2.3 = 0.77. Your result is {w:g}.")
    expect(
        step(1.0, 2.0, None) == (1.0, 2.0),
        "Your step treats None as if it were 0, but None leaves weight and velocity as they are.",
    )
    w, v = step(1.0, 2.0, 0.0)
    expect(
        same(v, 1.8) and same(w, 0.82),
        "Your step skips a gradient of 0, which is a number like any other: v becomes 1.8.",
    )
    many = momentum_step([1.0, 1.0], [0.0, 0.0], [None, 1.0])
    expect(
        [list(each) for each in many] == [[1.0, 0.9], [0.0, 1.0]],
        "With several weights, return both lists in the order of `weights`.",
    )
    (w,), (v,) = momentum_step([1.0], [2.0], [0.5], 0.5, 0.5)
    expect(
        same(v, 1.5) and same(w, 0.25), "Use `rate` and `momentum` instead of their default values."
    )
    weights, velocities = [1.0], [2.0]
    momentum_step(weights, velocities, [0.5])
    expect(
        (weights, velocities) == ([1.0], [2.0]),
        "The numbers are right, but your step has changed the lists that it was given. "
        "Make new lists.",
    )


@exercise(
    "07.5",
    "`new_sum` on an empty page",
    difficulty=2,
    minutes=8,
    hint="""Ask `held is None`, since `not held` asks for its value. If it is None, the result is
    a new tensor with a copy of the gradient's array. Otherwise add into the array of `held`, and
    return `held` itself.""",
    solution="""
        def my_new_sum(held, grad):
            if held is None:
                return new_tensor(grad._data.copy())
            np.add(held._data, grad._data, out=as_array(held))
            return held
    """,
    right="The library does the same, except that its copy also has the leaf's layout in memory.",
)
def check_my_new_sum(my_new_sum):
    library = yours()
    with patch.object(library.core.node.AccumulateGrad, "new_sum", refuse_new_sum):
        check_sums(my_new_sum, library)


def refuse_new_sum(*args):
    """Replacement for the library's `new_sum` while an answer runs."""
    raise Mistake(
        "Your answer calls the `new_sum` of the library, directly or through `backward()`. Write "
        "the addition yourself."
    )


def check_sums(my_new_sum, library):
    """Check what `my_new_sum` returns and which memory it writes to."""
    expect(isfunction(my_new_sum), "`my_new_sum` should be a function of `held` and `grad`.")
    grad = library.tensor([1.0, 2.0])
    first = my_new_sum(None, grad)
    expect(
        isinstance(first, library.Tensor), "The result should be a tensor, also if `held` is None."
    )
    expect(
        same(first, [1.0, 2.0]),
        "If `held` is None, the result should have the numbers of the gradient, [1, 2].",
    )
    expect(
        not np.shares_memory(first._data, grad._data),
        "Your first result shares its memory with `grad`, and another leaf may receive "
        "the same one.",
    )
    second = my_new_sum(first, library.tensor([10.0, 20.0]))
    expect(second is not None, "Your function returns None if `held` is a tensor. Return `held`.")
    expect(
        not same(second, [10.0, 20.0]),
        "Your function overwrites the old numbers, but after [1, 2] and then [10, 20], the sum is "
        "[11, 22].",
    )
    later = library.tensor([5.0, 5.0])
    held = library.tensor([1.0, 1.0])
    array = held._data
    result = my_new_sum(held, later)
    expect(
        same(later, [5.0, 5.0]),
        "Your function has changed the gradient that arrived. Add into the array of "
        "`held` instead.",
    )
    expect(
        same(result, [6.0, 6.0]),
        f"The sum of [1, 1] and [5, 5] is [6, 6]. Your result is {result}.",
    )
    expect(
        result is held,
        "The sum is right, but it is a new tensor. Return `held` itself, with the sum in it. "
        "(Until chapter 11, `+=` makes a new tensor, so use `np.add(…, out=…)`.)",
    )
    expect(
        result._data is array and array.tolist() == [6.0, 6.0],
        "The sum is a new array. Write it to the one that `held` has, with `np.add(…, out=…)`.",
    )
    held, later = library.ones(100_000), library.ones(100_000)
    tracemalloc.start()
    my_new_sum(held, later)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    expect(
        peak < later._data.nbytes,
        "The sum ends up in the array of `held`, but your function computes it in a third array "
        "first. `np.add(…, out=…)` does not need one.",
    )
