"""What notebook 24_views_that_refuse asks: what happens to a view when its memory is edited."""

import numpy as np

from minigrad_course.ask.declare import error_means, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "24.a",
    """`part = First.apply(y)` shows the first element of `y`, and the backward of `First` brings
    100. In a new tensor, `part * 10.0`, the gradient is 1000. And after `part.mul_(10.0)`?""",
    {
        "1000": """That would be right. But the view gets a new history where it follows a change of
        its memory.""",
        "100": """The factor 10 is recorded. Something else is lost.""",
        "10": """After the write the view has the history "a part of my base", and `First` is not on
        that path.""",
    },
    answer="10",
    shown="in place:     tensor([10.,  0.,  0.])",
)

prediction(
    "24.b",
    """`tail = y[1:]`, `cut = y.detach()`, `copied = y.clone()`, `first = First.apply(y)`. Which of
    the four show the memory of `y`?""",
    {
        "`tail`": """`detach` cuts the graph and copies nothing. And forward of `First` returns a
        slice.""",
        "`tail` and `first`": """`detach` cuts the graph. It copies no values.""",
        "`tail`, `cut` and `first`": """Only `clone` copies. Whether a history leads back to `y` is
        another question.""",
    },
    answer="`tail`, `cut` and `first`",
    shown="copied = [1, 2, 3] | memory B",
)

prediction(
    "24.c",
    """`first` refuses, and its base is changed: `y.mul_(10.0)`. Then come `first.detach()`,
    `first.sum()` and `y.sum().backward()`. Which line raises?""",
    {
        "`y.mul_(10.0)`": """`y` does not know its views. It can follow the change, so it is
        written.""",
        "`first.detach()`": """The values are there, and a detached tensor has no history that could
        be wrong.""",
        "`first.sum()`": """The sum is recorded, so it asks `first` for its history. A new one would
        skip `First.backward`.""",
        "`y.sum().backward()`": """`y` has the right history: the product is in it.""",
    },
    answer="`first.sum()`",
    shown="Output 0 of First is a view and its base or another view of its base",
)


RAISES = {"A": None, "B": 4, "C": None, "D": 2, "E": 4, "F": None}
WHY = {
    "A": 'A: a slice can follow a change of its base. It takes the history "a part of my base".',
    "B": "B: the write into the base passes, and `detach` has no history to renew. The sum has.",
    "C": "C: a clone has memory of its own, so it is no view.",
    "D": "D: the view was made unrecorded, and the write is recorded. The write itself is refused.",
    "E": "E: an unrecorded write passes, and `y` is no view. The sum of `a` asks for its history.",
    "F": "F: nobody uses `a` after the write, so nobody asks for its history.",
}


@exercise(
    "24.1",
    "Which line raises?",
    difficulty=2,
    minutes=10,
    hint="""Two places read the note of a view: a recorded write into the view itself, and the view
    when it is used in a recorded operation after its memory was changed.""",
    solution=f"raises = {RAISES!r}",
    right="A view refuses late: where its history is asked for, or where a recorded write is made.",
)
def check_raises(raises):
    for name, right in RAISES.items():
        found = raises[name]
        expect(found != 0, f"{name}: the numbers begin with 1; where nothing raises, write None.")
        expect(found is None if right is None else same(found, right), WHY[name])


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


@exercise(
    "24.2",
    "Mend the cell",
    difficulty=2,
    minutes=10,
    hint="""Only what is written in place is refused. What does `sigmoid` do, without the
    underscore?""",
    solution="""
        def mended(gates, state):
            enter, forget, new, out = gates.chunk(4)
            state = enter.sigmoid() * new.tanh() + forget.sigmoid() * state
            return out.sigmoid() * state.tanh(), state
    """,
    right="Nothing that came from `chunk` is written, so nothing is refused, and both gradients are"
    " right.",
)
def check_mended(mended):
    values = np.linspace(-2.0, 2.0, 12, dtype=np.float32)
    enter, forget, new, out = values.reshape(4, 3)
    before = np.array([0.5, -0.5, 0.25], np.float32)
    after = sigmoid(enter) * np.tanh(new) + sigmoid(forget) * before

    tensor = yours().tensor
    leaf = tensor(values.tolist(), requires_grad=True)
    first_state = tensor(before.tolist(), requires_grad=True)
    gates, state = leaf * 1.0, first_state * 1.0
    try:
        results = mended(gates, state)
    except RuntimeError as error:
        refused = "is a view and is being" in str(error)
        cloned = "clone" in names_used(mended)
        expect(
            not (refused and cloned),
            "A write is still refused. `chunk` of a clone does not help: it makes views that"
            " refuse.",
        )
        expect(
            not refused,
            "A write is still refused: `chunk` makes views that refuse, and a name with an"
            " underscore writes into one.",
        )
        expect(
            "its base or another view" not in str(error),
            "The write passes, and the view raises where it is used: nothing recorded the write.",
        )
        raise
    expect(isinstance(results, tuple) and len(results) == 2, "Return two tensors, as `cell` does.")
    expect(np.array_equal(gates.tolist(), values), "Yours has changed `gates`.")
    expect(np.array_equal(state.tolist(), before), "Yours has changed `state`.")
    expect(
        gates._version == state._version == 0,
        "Yours writes into `gates` or `state`, though what it writes changes no value.",
    )
    expect(
        all(each.shape == (3,) for each in results),
        "Each of the two has the length of one gate: what the cell gives out, and its state.",
    )
    output, final = (each.tolist() for each in results)
    expect(
        not np.allclose(final, np.tanh(after), atol=1e-5),
        "Yours writes `tanh` into the state, and then returns that memory as the state.",
    )
    expect(
        np.allclose(output, sigmoid(out) * np.tanh(after), atol=1e-5)
        and np.allclose(final, after, atol=1e-5),
        "Another gate, or another function of it: the results differ from what `cell` means.",
    )
    with (
        error_means(
            "modified by an inplace",
            "A part of a clone may be written. But one memory has one counter: the later writes"
            " make the saved results of the earlier ones stale.",
        ),
        error_means("does not require grad", "No gradient reaches `gates`."),
    ):
        (results[0].sum() + results[1].sum()).backward()
    by_output = sigmoid(out) * (1 - np.tanh(after) ** 2) + 1  # of both results, over the state
    slopes = [
        by_output * sigmoid(enter) * (1 - sigmoid(enter)) * np.tanh(new),
        by_output * sigmoid(forget) * (1 - sigmoid(forget)) * before,
        by_output * sigmoid(enter) * (1 - np.tanh(new) ** 2),
        np.tanh(after) * sigmoid(out) * (1 - sigmoid(out)),
    ]
    expect(leaf.grad is not None, "No gradient reaches `gates`.")
    expect(first_state.grad is not None, "No gradient reaches `state`.")
    right = np.concatenate(slopes)
    expect(np.allclose(leaf.grad.tolist(), right, atol=1e-4), "The gradient of `gates` is wrong.")
    right = by_output * sigmoid(forget)
    expect(
        np.allclose(first_state.grad.tolist(), right, atol=1e-4),
        "The gradient of `state` is wrong.",
    )
