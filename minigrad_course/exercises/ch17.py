"""What notebook 17_a_language_model asks: what a loss measures, what a GPT sees, how one trains."""

import numpy as np

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_none_of,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "17.a",
    """In the first run, the targets after the end of a name are points, and its loss falls to
    1.66. In the second run they are ignored, and the loss is 2.37. Which model invents better
    names?""",
    {
        "the first": """Its loss is lower, but on other targets: many of them are padding, which
        is easy to predict. A model that predicts padding well need not know anything about
        names.""",
        "the second": """The first has learned from the padding that a point usually follows a
        point, and every name begins with one, so most of its names end before they begin.""",
        "both alike": """That would be so if the model could tell the padding from the beginning of
        a name. But both are a point to it, and the point is all that it sees.""",
    },
    answer="the second",
    shown="= ['', '', '', '', 'frelille', '', 'l', '']",
)

prediction(
    "17.b",
    """Without the mask, each position also sees all letters after it. We train for 200 steps and
    then measure the loss on the validation set, whose names the model has never seen. What do you
    expect?""",
    {
        "low, and it invents good names": """The loss is low, but to invent a name the model has
        to work without the letters that it has learned to copy.""",
        "high: it has only memorized its names": """It has not memorized anything: it copies the
        next letter from the input, and that works for any name.""",
        "low, and it invents nothing of use": """The next letter is among the inputs of every
        name, also of new ones. When the model writes a name itself, that letter is missing.""",
        "about that of the bigram": """The bigram knows one letter before the target, and this
        model knows the target.""",
    },
    answer="low, and it invents nothing of use",
    shown="without the mask: 0.0",
)

prediction(
    "17.c",
    """PyTorch begins with the same values and sees the same batches, but all of its functions
    are its own. What do its losses and names look like after 800 steps?""",
    {
        "the same losses, and other names": """`multinomial` draws PyTorch's random numbers in both
        libraries, and probabilities that differ in the 14th digit pick the same letters.""",
        "other losses after a few hundred steps": """That happens in float32, but in float64,
        rounding changes digits so far to the right that in 800 steps it does not reach the five
        shown.""",
        "the same losses, and the same names": """Both compute the same formulas in float64, and
        where they round differently, only digits far beyond the ones shown are affected.""",
    },
    answer="the same losses, and the same names",
    shown="✓ also in PyTorch",
)


@exercise(
    "17.1",
    "A temperature",
    difficulty=1,
    minutes=6,
    hint="""Divide the logits by the temperature, and then take their `softmax`. A division by 0
    gives inf or nan, so temperature 0 needs a line of its own.""",
    solution="""
        def with_temperature(logits, temperature):
            if temperature == 0:
                return tensor(np.eye(len(logits))[logits.argmax().item()])
            return (logits / temperature).softmax(0)
    """,
    right="Below 1, the likely letters gain, and above 1, all of them become more alike. At 0 "
    "nothing is left to chance, so the model invents the same name each time.",
)
def check_temperature(with_temperature):
    library = yours()
    logits = library.tensor([0.0, 2.0, 1.0])
    powers = np.exp([0.0, 2.0, 1.0])
    found = with_temperature(logits, 1.0)
    expect(
        isinstance(found, library.Tensor),
        f"Your function returns {found!r}, which is not a tensor.",
    )
    expect(
        same(found, powers / powers.sum(), 1e-5),
        f"At temperature 1 the probabilities are those of `softmax`, but yours are {found}.",
    )
    cold = with_temperature(logits, 0.5)
    expect(
        same(cold.sum().item(), 1.0, 1e-5),
        "Probabilities add up to 1, but yours do not at temperature 0.5: divide the logits, not the"
        " probabilities.",
    )
    expect(
        not same(cold, np.sqrt(powers) / np.sqrt(powers).sum(), 1e-5),
        "At temperature 0.5 your probabilities are more alike than before. Divide by the "
        "temperature.",
    )
    expect(
        same(cold, powers**2 / (powers**2).sum(), 1e-5),
        f"At temperature 0.5 the logits are twice as far apart, but your probabilities are {cold}.",
    )
    undivided = "At temperature 0, give the largest logit the probability 1, without dividing by 0."
    with error_means(ZeroDivisionError, undivided):
        frozen = with_temperature(logits, 0).tolist()
    expect(
        not any(each is True for each in frozen),
        "At temperature 0 your probabilities are True and False, but they should be numbers.",
    )
    expect(same(frozen, [0.0, 1.0, 0.0]), undivided)


@exercise(
    "17.2",
    "Four letters back",
    difficulty=2,
    minutes=15,
    hint="""The context of n letters is `context[len(context) - n:]`; with n = 0 that is `()`. Let n
    run from 0 to `len(context)`, and look the shorter context up with `counts.get`.""",
    solution="""
        def next_letter(counts, context, extra):
            p = np.full(27, 1 / 27)
            for n in range(len(context) + 1):
                count = counts.get(context[len(context) - n :])
                if count is not None:
                    p = (count + extra * p) / (count.sum() + extra)
            return p
    """,
    right="With the page's training names, four letters of context and `extra` = 15, this table has"
    " the loss 1.95 on the test set. The GPT has 1.96: on so few names, counting is as good.",
)
def check_next_letter(next_letter):
    once, often, rare = np.zeros(27), np.zeros(27), np.zeros(27)
    once[3], often[5], rare[7] = 1, 3, 1
    counts = {(): once, (4,): often, (2, 4): rare}

    def found(*context):
        p = np.asarray(next_letter(counts, context, 1.0), dtype=float)
        expect(p.shape == (27,), f"There are 27 probabilities, but yours have the shape {p.shape}.")
        return p

    nothing = (once + 1 / 27) / 2
    twice = (often + (often + 1 / 27) / 4) / 4
    expect(
        not same(found(4), twice),
        "For n = 0, your function uses the whole context: `context[-0:]` is `context[0:]`, because "
        "−0 is 0.",
    )
    expect(
        not same(found(), np.full(27, 1 / 27)),
        "Your function leaves out the empty context, which says how often each letter occurs at "
        "all.",
    )
    expect(same(found(), nothing), "For the context `()`, correct 1/27 with the counts of `()`.")
    with error_means(
        KeyError,
        "The context (9,) never occurred. Such a context changes nothing, so use `counts.get`.",
    ):
        found(9)
    expect(same(found(9), nothing), "A context that never occurred should not change anything.")
    one = (often + nothing) / 4
    expect_none_of(
        found(4),
        {
            "Your function corrects 1/27 at each context. Correct the probabilities of the shorter "
            "context.": (often + 1 / 27) / 4,
            "Your function corrects with the long context first, so the short one has the last "
            "word.": (once + (often + 1 / 27) / 4) / 2,
        },
    )
    expect(same(found(4), one), "For the context (4,), correct the result of the context ().")
    two = (rare + one) / 2
    expect(
        not same(found(2, 4), (rare + nothing) / 2),
        "The shorter context of (2, 4) is (4,), the last letter, and not (2,).",
    )
    expect(same(found(2, 4), two), "For (2, 4), correct with (), then with (4,), then with (2, 4).")
    p = np.asarray(next_letter(counts, (2, 4), 6.0))
    expect(same(p.sum(), 1.0), "With `extra` = 6, your probabilities do not add up to 1.")


@exercise(
    "17.3",
    "Clip by the common norm",
    difficulty=2,
    minutes=12,
    hint="""Compute the norm over all gradients that are not None, as a number. If it is above the
    limit, multiply each gradient by limit / norm.""",
    solution="""
        def clip(parameters, limit):
            gradients = [each.grad for each in parameters if each.grad is not None]
            norm = sum((gradient**2).sum().item() for gradient in gradients) ** 0.5
            if norm > limit:
                for gradient in gradients:
                    gradient *= limit / norm
            return norm
    """,
    right="With one factor for all gradients, the step becomes shorter and keeps its direction.",
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
        "Your function limits each gradient, or each number, on its own. That changes the "
        "direction of the step: (3, 4) becomes (1, 1).",
    )
    expect(
        isinstance(norm, (int, float)),
        f"Your function returns {norm!r}. Use `item()` to return a Python number.",
    )
    expect(
        not same(norm, 1.0),
        "Return the norm from before the clipping, which says how close training is to exploding.",
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
        "The norm of 0.3 and 0.4 is below the limit 1, but your function makes them longer.",
    )
    made = leaves([6.0], None, [8.0])
    with error_means(
        (TypeError, AttributeError),
        "One of the gradients is None, because no backward has reached that leaf.",
    ):
        norm = clip(made, 5.0)
    expect(same(norm, 10.0), "The gradients 6, None and 8 have the norm 10.")
    expect(made[1].grad is None, "A gradient that is None stays None.")


@exercise(
    "17.4",
    "Attention on an empty page",
    difficulty=2,
    minutes=15,
    hint="""Scores are `query @ key.transpose(-2, -1)` divided by the root of the size. Add a matrix
    that is −∞ above the diagonal, `np.triu(np.full((n, n), -np.inf), 1)`, take the softmax over the
    last dimension, and multiply by the values.""",
    solution="""
        def look_back(query, key, value):
            n, size = query.shape[-2:]
            future = tensor(np.triu(np.full((n, n), -np.inf), 1))
            scores = query @ key.transpose(-2, -1) / size**0.5 + future
            return scores.softmax(-1) @ value
    """,
    right="PyTorch has it as `F.scaled_dot_product_attention(query, key, value, is_causal=True)`.",
)
def check_look_back(look_back):
    used = names_used(look_back) & {"attend", "attention_weights", "mask"}
    expect(
        not used,
        f"Your function uses `{min(used, default='')}` from the page. Write all of it yourself.",
    )
    library = yours()
    random = np.random.RandomState(0)
    query, key, value = random.standard_normal((3, 2, 5, 4))

    def weights(scores, axis=-1):
        powers = np.exp(scores - scores.max(axis, keepdims=True))
        return powers / powers.sum(axis, keepdims=True)

    future = np.triu(np.ones((5, 5)), 1)

    def right(scale=0.5, triangle=future, axis=-1, key=key, query=query):
        scores = np.where(triangle, -np.inf, query @ key.swapaxes(-2, -1) * scale)
        return weights(scores, axis) @ value

    tensors = [library.tensor(each, requires_grad=True) for each in (query, key, value)]
    result = look_back(*tensors)
    expect(
        isinstance(result, library.Tensor),
        f"Your function returns {result!r}, which is not a tensor.",
    )
    expect(result.shape == (2, 5, 4), f"The shape is (2, 5, 4), but yours is {result.shape}.")
    found = result.detach().numpy()
    expect(
        not np.isnan(found).any(),
        "Your function computes nan, because a whole row of scores was −∞.",
    )
    expect_none_of(
        found,
        {
            "Your function also sees the future: the scores above the diagonal need −∞ before the "
            "softmax.": right(triangle=0),
            "Your function hides the past and shows the future: −∞ belongs above the diagonal, "
            "where the column is larger than the row.": right(triangle=future.T),
            "Your function sets weights to 0 after the softmax, so those of a position no longer "
            "add up to 1. Mask the scores before it.": (
                np.tril(weights(query @ key.swapaxes(-2, -1) / 2)) @ value
            ),
            "Your function does not divide the scores by the root of the size, which is 2 here.": (
                right(scale=1.0)
            ),
            "Your function divides the scores by the size, 4. Divide them by its root.": (
                right(scale=0.25)
            ),
            "Your function takes the softmax over the columns, so the weights of a position do not "
            "sum to 1.": right(axis=-2),
            "In your function, query and key are exchanged: row i of the scores is about the query "
            "of position i.": right(key=query, query=key),
        },
    )
    expect(same(found, right()), "Some of the numbers are wrong. Try two positions by hand.")
    result.sum().backward()
    expect(
        all(each.grad is not None for each in tensors),
        "No gradient reaches query, key or value: compute with tensors all the way.",
    )
    size = (300, 4)
    long = [library.tensor(random.standard_normal(size)) for _ in range(3)]
    expect(look_back(*long).shape == size, "Your function fails for 300 positions without a batch.")
