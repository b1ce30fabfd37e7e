"""What notebook 17_a_language_model asks: what a GPT computes, and how one trains it."""

import numpy as np

from minigrad_course.ask.declare import exercise, expect, names_used, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "17.a",
    """Both libraries begin with the same first values, see the same batches and draw with the same
    random numbers. After 600 steps, which names do they invent?""",
    {
        "the same losses, and other names": """A letter would have to be drawn at the very border
        between two shares. The differences of rounding in float64 are far too small for that.""",
        "the same losses, and the same names": """Both compute the same formulas in float64, and
        what they round differently stays far behind the digits that decide a letter.""",
        "other losses, after a few steps": """In float32 they drift apart, but only after some
        hundred steps. Here all numbers are float64.""",
    },
    answer="the same losses, and the same names",
    shown="✓ The same in both, 12 lines",
)


@exercise(
    "17.1",
    "A temperature",
    difficulty=1,
    minutes=6,
    hint="""Divide the scores by the temperature, and then take their `softmax`. A division by 0
    gives inf or nan, so the temperature 0 needs a line of its own.""",
    solution="""
        def with_temperature(scores, temperature):
            if temperature == 0:
                return tensor(np.eye(len(scores))[scores.argmax().item()])
            return (scores / temperature).softmax(0)
    """,
    right="Below 1 the likely letters gain, above 1 all become more equal, and at 0 there is no"
    " chance left: the model says the same name each time.",
)
def check_temperature(with_temperature):
    library = yours()
    scores = library.tensor([0.0, 2.0, 1.0])
    powers = np.exp([0.0, 2.0, 1.0])
    found = with_temperature(scores, 1.0)
    expect(isinstance(found, library.Tensor), f"Yours returns {found!r}, which is not a tensor.")
    expect(
        same(found, powers / powers.sum(), 1e-5),
        f"At the temperature 1 the shares are those of `softmax`, but yours are {found}.",
    )
    cold = with_temperature(scores, 0.5)
    expect(
        same(cold.sum().item(), 1.0, 1e-5),
        "Shares add up to 1. Yours do not at the temperature 0.5: divide the scores, not the"
        " shares.",
    )
    expect(
        not same(cold, np.sqrt(powers) / np.sqrt(powers).sum(), 1e-5),
        "At the temperature 0.5 yours are more equal than before: divide by the temperature.",
    )
    expect(
        same(cold, powers**2 / (powers**2).sum(), 1e-5),
        f"At the temperature 0.5 the scores are twice as far apart, but your shares are {cold}.",
    )
    try:
        frozen = with_temperature(scores, 0).tolist()
    except ZeroDivisionError:
        frozen = []
    expect(
        same(frozen, [0.0, 1.0, 0.0]),
        "At the temperature 0 the highest score gets the share 1, and nothing is divided by 0.",
    )


@exercise(
    "17.2",
    "The line to beat",
    difficulty=2,
    minutes=12,
    hint="""Walk along the pairs of a row, `zip(row, row[1:])`. After the pair that ends with a
    point, this name is over.""",
    solution="""
        def pairs(rows):
            counts = np.zeros((28, 28))
            for row in rows:
                for letter, following in zip(row, row[1:]):
                    counts[letter, following] += 1
                    if following == 0:
                        break
            return counts
    """,
    right="Divide each row by its sum, and the table invents names, too: it knows which letter"
    " comes next, and nothing of those before.",
)
def check_pairs(pairs):
    rows = np.array([[0, 3, 4, 5, 0, 0, 0], [0, 3, 3, 3, 3, 3, 0]])
    right = np.zeros((28, 28))
    for one, other, count in ((0, 3, 2), (3, 3, 4), (3, 4, 1), (4, 5, 1), (5, 0, 1), (3, 0, 1)):
        right[one, other] = count
    found = np.asarray(pairs(rows))
    expect(found.shape == (28, 28), f"The shape is (28, 28); yours is {found.shape}.")
    expect(
        found[0, 0] == 0,
        "Yours counts the points that only fill up a row. Stop after the first one behind a name.",
    )
    expect(
        not np.array_equal(found, np.minimum(right, 1)),
        "Yours notes that a pair occurs, and not how often.",
    )
    expect(found[0].any(), "The point before a name says which letters begin one: count it.")
    expect(found[:, 0].any(), "The point right after a name says where it ends: count it.")
    expect(
        not np.array_equal(found, right.T),
        "Yours has the two letters exchanged: entry (i, j) counts j right after i.",
    )
    expect(np.array_equal(found, right), "Some counts are wrong: try a row of three letters.")


@exercise(
    "17.3",
    "Clip by the common norm",
    difficulty=2,
    minutes=12,
    hint="""First the norm over all gradients that are not None, as a number. Then, if it is above
    the limit, each gradient times limit / norm.""",
    solution="""
        def clip(parameters, limit):
            gradients = [each.grad for each in parameters if each.grad is not None]
            norm = sum((gradient**2).sum().item() for gradient in gradients) ** 0.5
            if norm > limit:
                for gradient in gradients:
                    gradient *= limit / norm
            return norm
    """,
    right="One factor for all: the step becomes shorter and keeps its direction.",
)
def check_clip(clip):
    expect(
        "clip_grad_norm_" not in names_used(clip),
        "That is the library's `clip_grad_norm_`. Write your own.",
    )
    library = yours()

    def leaves(*gradients):
        made = [library.tensor([0.0] * len(g or [0]), requires_grad=True) for g in gradients]
        for leaf, gradient in zip(made, gradients, strict=True):
            leaf.grad = None if gradient is None else library.tensor(gradient)
        return made

    made = leaves([3.0, 0.0], [4.0])
    norm = clip(made, 1.0)
    after = [leaf.grad.tolist() for leaf in made]
    expect(
        not same(after[0] + after[1], [1.0, 0.0, 1.0]) or same(norm, 1.0),
        "Yours limits each gradient alone, or each number. That turns the step: (3, 4) becomes "
        "(1, 1).",
    )
    expect(
        not same(norm, 1.0),
        "Return the norm from before the clipping: it says how near the training is to exploding.",
    )
    expect(same(norm, 5.0), "The gradients (3, 0) and (4) together have the norm 5.")
    expect(
        same(after[0] + after[1], [0.6, 0.0, 0.8], 1e-5),
        f"With the limit 1 the gradients (3, 0) and (4) become {after}, not (0.6, 0) and (0.8).",
    )
    made = leaves([0.3], [0.4])
    clip(made, 1.0)
    expect(
        same([leaf.grad.item() for leaf in made], [0.3, 0.4]),
        "The norm of 0.3 and 0.4 is below the limit 1, but yours makes them longer.",
    )
    made = leaves([6.0], None, [8.0])
    try:
        norm = clip(made, 5.0)
    except (TypeError, AttributeError):
        expect(False, "One of the gradients is None: no backward has reached that parameter.")
    expect(same(norm, 10.0), "The gradients 6, None and 8 have the norm 10.")
    expect(made[1].grad is None, "A gradient that is None stays None.")
