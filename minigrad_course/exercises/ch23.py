"""What notebook 23_functions_to_the_letter asks: what apply does with the results of forward."""

import numpy as np

from minigrad_course.ask.declare import error_means, exercise, expect, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "23.b",
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
    "23.a",
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
    shown="changed, and said so: h itself, history |",
)


FATES = {
    "h.abs()": (
        "new, history",
        "It is new, and a gradient flows: it becomes an output of the node.",
    ),
    "h.view(2, 1)": (
        "memory of h, history",
        "A view is a tensor of its own, of the memory of `h`, and a gradient flows.",
    ),
    "h > 0.0": ("new, constant", "No gradient flows through True and False: they are no floats."),
    "[h]": ("untouched", "A list is no tensor, whatever is in it. It passes as it is."),
    "h.clamp_(0.0), declared dirty": (
        "h itself, history",
        "What was changed has to carry the new history itself, for all who hold it.",
    ),
    "the same, inside no_grad": (
        "memory of h, constant",
        "No gradient flows, and `h` has a history. So the output cannot be `h`.",
    ),
}


@exercise(
    "23.1",
    "Six fates",
    difficulty=2,
    minutes=6,
    hint="""Ask in this order: is it a tensor? Does a gradient flow through it? Was it changed?
    Whose memory does it have?""",
    solution="""
        fates_of_h = {
            "h.abs()": "new, history",
            "h.view(2, 1)": "memory of h, history",
            "h > 0.0": "new, constant",
            "[h]": "untouched",
            "h.clamp_(0.0), declared dirty": "h itself, history",
            "the same, inside no_grad": "memory of h, constant",
        }
    """,
    right="PyTorch does the same. Two questions decide nearly all: does a gradient flow, and was "
    "`h` changed?",
)
def check_fates(fates):
    places = ("new", "memory of h", "h itself")
    words = [f"{place}, {kind}" for place in places for kind in ("history", "constant")]
    words.append("untouched")
    for what, (wanted, why) in FATES.items():
        expect(fates[what] in words, f"{what}: write one of {'; '.join(words)}.")
        expect(fates[what] == wanted, f"{what}: {why}")


@exercise(
    "23.2",
    "ReLU in place",
    difficulty=2,
    minutes=15,
    hint="""`h.mul_(h > 0.0)` sets what is negative to 0, in place. Two things have to be said to
    `ctx`: which tensor was changed, and which is to be saved. Where the *result* is positive, the
    gradient passes.""",
    solution="""
        class ReluInPlace(Function):
            @staticmethod
            def forward(ctx, h):
                h.mul_(h > 0.0)
                ctx.mark_dirty(h)
                ctx.save_for_backward(h)
                return h

            @staticmethod
            def backward(ctx, grad):
                (result,) = ctx.saved_tensors
                return grad * (result > 0.0)
    """,
    right="So does `torch.relu_`: the result tells where the input was positive, and the "
    "old values are needed nowhere.",
)
def check_relu_in_place(answer):
    library = yours()
    expect(isinstance(answer, type) and hasattr(answer, "apply"), "Write a subclass of `Function`.")
    expect(
        issubclass(answer, library.Function),
        "Yours is a `Function` of another library. The first cell imports the `Function` of yours: "
        "begin with `class ReluInPlace(Function):`.",
    )

    def run(values):
        x = library.tensor(values, requires_grad=True)
        h = x * 1.0
        memory = h._data
        return x, h, memory, answer.apply(h)

    with error_means(
        "not returned as output",
        "Your forward marks a tensor as changed and does not return that tensor. End it with "
        "`return h`.",
    ):
        x, h, memory, out = run([-2.0, 3.0, 4.0])
    expect(same(out._data, [0.0, 3.0, 4.0]), f"relu of [-2, 3, 4] is [0, 3, 4]. Yours gives {out}.")
    expect(same(h._data, [0.0, 3.0, 4.0]), "`h` has its old values: yours does not write in place.")
    expect(
        out is h,
        "Yours changes `h`, and nobody was told: the output is another tensor, and `h` has new "
        "values with its old history. Call `ctx.mark_dirty(h)`.",
    )
    expect(
        np.shares_memory(memory, h._data),
        "Yours gives `h` other memory, so nothing is saved. Write into the memory that `h` has, "
        "as `mul_` does.",
    )
    left = [name for name, value in vars(h.grad_fn).items() if isinstance(value, library.Tensor)]
    expect(
        not left,
        f"Yours keeps a tensor as an attribute of `ctx`, {left}. A change of it is not noticed, "
        "and if it is the result, that is a cycle. Use `ctx.save_for_backward`.",
    )
    arrays = [name for name, value in vars(h.grad_fn).items() if isinstance(value, np.ndarray)]
    expect(not arrays, f"Yours keeps an array, {arrays}: it takes memory of its own. Save `h`.")
    lists = [
        name
        for name, value in vars(h.grad_fn).items()
        if not name.startswith("_")
        and name not in ("needs_input_grad", "next_functions")
        and isinstance(value, (list, tuple, dict, set))
    ]
    expect(
        not lists,
        f"Yours keeps a list, {lists}. The node shall keep `h`, which takes no memory of its own.",
    )
    saved = [each for each in h.grad_fn.saved_tensors if each is not None]
    expect(
        all(np.shares_memory(each._data, h._data) for each in saved),
        "Yours saves a tensor beside `h`, which takes memory of its own. The result tells where "
        "the input was positive: save `h`.",
    )
    arriving = library.tensor([10.0, 20.0, 30.0])
    out.backward(arriving)
    expect(
        same(arriving._data, [10.0, 20.0, 30.0]),
        "Yours changes the gradient that arrives, and that belongs to who called backward. Return "
        "a new tensor: `grad * …`.",
    )
    expect(x.grad is not None, "No gradient arrived in `x.grad`.")
    expect(
        not same(x.grad._data, [10.0, 20.0, 30.0]),
        "Yours hands on each gradient. No gradient passes where the result is 0.",
    )
    expect(
        not same(x.grad._data, [0.0, 1.0, 1.0]), "Yours returns 0 or 1. Multiply by what arrives."
    )
    expect(same(x.grad._data, [0.0, 20.0, 30.0]), f"`x.grad` should be [0, 20, 30], not {x.grad}.")
    runs = [run(values) for values in ([-1.0, 1.0], [1.0, -1.0], [1.0, 1.0])]
    for _, _, _, out in (runs[1], runs[0]):
        out.sum().backward()
    expect(
        same(runs[0][0].grad._data, [0.0, 1.0]) and same(runs[1][0].grad._data, [1.0, 0.0]),
        "Of three graphs, backward runs through the second and then the first, and gets another "
        "graph's gradient. Yours keeps something outside the node; save `h` for backward.",
    )
