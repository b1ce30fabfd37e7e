"""What notebook 20_functions_to_the_letter asks: what becomes of what a forward returns."""

import numpy as np

from course.declare import exercise, expect, prediction, same, with_mistake
from course.reader import yours

prediction(
    "20.b",
    """`h = x * 1.0`, and forward multiplies `h` by 10 in place without a word to `ctx`. What is
    `x.grad` after `h.sum().backward()`?""",
    {
        "10., 10.": """The values of `h` say so. Its history does not: who would have told it?""",
        "1., 1.": """`h` is ten times larger, and its history still says `x * 1.0`. Nobody notices:
        wrong without an error, in PyTorch as well.""",
        "an error": """Nothing was saved that the write could have spoiled.""",
    },
    answer="1., 1.",
    shown="not said: tensor([30., 40.]",
)

prediction(
    "20.a",
    """In PyTorch, `h` requires grad and is no leaf. Forward doubles it in place, calls
    `ctx.mark_dirty(h)` and returns it. What does `apply` return?""",
    {
        "`h` itself": """What was changed has to have the new history, under all its names. A second
        tensor would leave `h` with new values and its old history.""",
        "another tensor with the memory of `h`": """So it is for an input that was returned as it
        came. This one was changed, and whoever holds `h` sees the new values.""",
        "a copy": """Then the write in place would have saved nothing.""",
    },
    answer="`h` itself",
    shown="changed, and said so ['h itself'",
)


FATES = {
    "x * 2.0": ("history", "It is new, and x wants a gradient: it becomes an output of the node."),
    "x": (
        "alias",
        "`x` must stay what it is. The output is another tensor of the same memory, with the "
        "history.",
    ),
    "x.argmax()": ("constant", "An integer has no derivative, so it has no history."),
    "x.sign(), declared constant": ("constant", "That is what `mark_non_differentiable` is for."),
    "x, changed and declared dirty": (
        "itself",
        "What was changed has to carry the new history itself, for all who hold it.",
    ),
    "5.0": ("untouched", "What is no tensor passes as it is."),
}
SIX_FATES = """
fates_of_x = {
    "x * 2.0": "history",
    "x": "alias",
    "x.argmax()": "constant",
    "x.sign(), declared constant": "constant",
    "x, changed and declared dirty": "itself",
    "5.0": "untouched",
}
"""


@exercise(
    "20.1",
    "Six fates",
    difficulty=1,
    minutes=6,
    hint="""Four questions in this order: is it a tensor? Does a gradient flow through it? Was it
    changed? Is it the very input?""",
    solution=SIX_FATES,
    wrong={
        "An integer has no derivative": with_mistake(
            SIX_FATES, '"x.argmax()": "constant"', '"x.argmax()": "history"'
        ),
        "must stay what it is": with_mistake(SIX_FATES, '"alias"', '"itself"'),
        "carry the new history itself": with_mistake(SIX_FATES, '"itself"', '"alias"'),
        "no tensor passes": with_mistake(SIX_FATES, '"untouched"', '"constant"'),
        "It is new": with_mistake(SIX_FATES, '"x * 2.0": "history"', '"x * 2.0": "alias"'),
        "is for": with_mistake(SIX_FATES, 'constant": "constant"', 'constant": "history"'),
    },
    right="These are the colours of the picture, in its left column.",
)
def check_fates(fates):
    words = ("history", "alias", "constant", "itself", "untouched")
    for what, (wanted, why) in FATES.items():
        expect(fates[what] in words, f"{what}: write one of {', '.join(words)}.")
        expect(fates[what] == wanted, f"{what}: {why}")


def relu(body: str, backward: str) -> str:
    """An answer to 20.2 with these lines."""
    lines = ["class ReluInPlace(Function):", "    @staticmethod", "    def forward(ctx, h):"]
    lines += [f"        {line}" for line in body.split("; ")]
    lines += ["", "    @staticmethod", "    def backward(ctx, grad):"]
    lines += [f"        {line}" for line in backward.split("; ")]
    return "\n".join(lines) + "\n"


MASKED = "(result,) = ctx.saved_tensors; return grad * (result > 0.0)"


@exercise(
    "20.2",
    "ReLU in place",
    difficulty=2,
    minutes=15,
    hint="""`h.mul_(h > 0.0)` sets what is negative to 0, in place. Two things have to be said to
    `ctx`: which tensor was changed, and which is to be saved. Where the *result* is positive, the
    gradient passes.""",
    solution=relu("h.mul_(h > 0.0); ctx.mark_dirty(h); ctx.save_for_backward(h); return h", MASKED),
    wrong={
        "nobody was told": relu("h.mul_(h > 0.0); ctx.save_for_backward(h); return h", MASKED),
        "in place": relu("h = h * (h > 0.0); ctx.save_for_backward(h); return h", MASKED),
        "where the result is 0": relu(
            "h.mul_(h > 0.0); ctx.mark_dirty(h); return h", "return grad"
        ),
        "what arrives": relu(
            "h.mul_(h > 0.0); ctx.mark_dirty(h); ctx.save_for_backward(h); return h",
            "return (ctx.saved_tensors[0] > 0.0) * 1.0",
        ),
        "attribute of `ctx`": relu(
            "h.mul_(h > 0.0); ctx.mark_dirty(h); ctx.h = h; return h",
            "return grad * (ctx.h > 0.0)",
        ),
        "keeps an array": relu(
            "ctx.mask = h._data > 0.0; h.mul_(h > 0.0); ctx.mark_dirty(h); return h",
            "return grad * type(grad)(1.0 * ctx.mask)",
        ),
        "beside `h`": relu(
            "mask = h > 0.0; h.mul_(mask); ctx.mark_dirty(h); ctx.save_for_backward(mask); "
            "return h",
            "return grad * ctx.saved_tensors[0]",
        ),
    },
    right="So does `torch.relu_`: the result tells where the input was positive, and the "
    "old values are needed nowhere.",
)
def check_relu_in_place(answer):
    library = yours()
    expect(isinstance(answer, type) and hasattr(answer, "apply"), "Write a subclass of `Function`.")

    def run():
        x = library.tensor([-2.0, 3.0, 4.0], requires_grad=True)
        h = x * 1.0
        return x, h, answer.apply(h)

    x, h, out = run()
    expect(same(out._data, [0.0, 3.0, 4.0]), f"relu of [-2, 3, 4] is [0, 3, 4]. Yours gives {out}.")
    expect(same(h._data, [0.0, 3.0, 4.0]), "`h` has its old values: yours does not write in place.")
    expect(
        out is h,
        "Yours changes `h`, and nobody was told: the output is another tensor, and `h` has new "
        "values with its old history. Call `ctx.mark_dirty(h)`.",
    )
    left = [name for name, value in vars(h.grad_fn).items() if isinstance(value, library.Tensor)]
    expect(
        not left,
        f"Yours keeps a tensor as an attribute of `ctx`, {left}. A change of it is not noticed, "
        "and if it is the result, that is a cycle. Use `ctx.save_for_backward`.",
    )
    arrays = [name for name, value in vars(h.grad_fn).items() if isinstance(value, np.ndarray)]
    expect(not arrays, f"Yours keeps an array, {arrays}: it takes memory of its own. Save `h`.")
    saved = [each for each in h.grad_fn.saved_tensors if each is not None]
    expect(
        all(np.shares_memory(each._data, h._data) for each in saved),
        "Yours saves a tensor beside `h`, which takes memory of its own. The result tells where "
        "the input was positive: save `h`.",
    )
    (out * library.tensor([10.0, 20.0, 30.0])).sum().backward()
    expect(x.grad is not None, "No gradient arrived in `x.grad`.")
    expect(
        not same(x.grad._data, [10.0, 20.0, 30.0]),
        "Yours hands on each gradient. No gradient passes where the result is 0.",
    )
    expect(
        not same(x.grad._data, [0.0, 1.0, 1.0]), "Yours returns 0 or 1. Multiply by what arrives."
    )
    expect(same(x.grad._data, [0.0, 20.0, 30.0]), f"`x.grad` should be [0, 20, 30], not {x.grad}.")
