"""What notebook 22_edited_views asks: which gradient a view sends, and where its elements are."""

from types import SimpleNamespace

import numpy as np

import minigrad
from minigrad_course.ask.declare import error_means, exercise, expect, names_used, prediction
from minigrad_course.kernel.reader import yours

prediction(
    "22.a",
    """`y = x * 1.0`, `early = y[:1]`, then `y.mul_(10.0)` and `early.sum().backward()`. `x` is 1
    and 2. What is `x.grad`?""",
    {
        "[1., 0.]": """That is the history of a slice of the old `y`. But `early` shows 10: the
        product with 10 lies on the way.""",
        "[10., 0.]": """`early` shows an element of the new `y`, so its gradient goes through the
        product.""",
        "[10., 10.]": """The second element of `y` is no element of `early`.""",
    },
    answer="[10., 0.]",
    shown="([10.0], tensor([10.,  0.]))",
)

prediction(
    "22.b",
    """`y = x * 1.0`, then `y[1:].mul_(w)`, `w` is 10 and 100, and `y.sum().backward()`. `x` has
    three elements. What is `x.grad`?""",
    {
        "[1., 1., 1.]": """That is the old history of `y`, without the write.""",
        "[0., 10., 100.]": """The first element was not written, and is still in the sum.""",
        "[1., 10., 100.]": """The part that was written goes through the product, the rest goes
        by.""",
    },
    answer="[1., 10., 100.]",
    shown="tensor([  1.,  10., 100.])",
)

prediction(
    "22.c",
    """`buffer` is three zeros, `early = buffer[1:]`, then `buffer[2] = w * w`, with a leaf `w`.
    Nobody computed anything with `early`. Does it require grad?""",
    {
        "Yes": """It shows an element that `w` has made. A view asks its base.""",
        "No": """`early` shows the new element. Without a history its sum would send nothing to
        `w`.""",
    },
    answer="Yes",
    shown="grad_fn=<AsStridedBackward0>) True",
)

prediction(
    "22.d",
    """`filled` writes each new `h` into `out[i]`. With `read_from_buffer` the next step takes `h`
    from `out[i]`: the same number. Which backward fails?""",
    {
        "neither": """`sin` saves its input. If that is a view of `out`, whose counter does it
        have?""",
        "only the one that reads from the buffer": """`sin` has saved a view of `out`, and the next
        write moves the counter of the whole memory.""",
        "both": """Without reading, `sin` has saved `h`, which is no view of `out`.""",
    },
    answer="only the one that reads from the buffer",
    shown="at version 4; expected version 3",
)


GRADIENTS = {
    1: [1.0, 10.0, 10.0],
    2: [10.0, 10.0, 0.0],
    3: [0.0, 1.0, 1.0],
    4: [0.0, 20.0, 20.0],
    5: [1.0, 1.0, 0.0],
}
WHY = {
    1: "1: only the part `y[1:]` goes through the product; the first element goes by.",
    2: "2: `early` shows elements of the new `y`, so its gradient goes through the product.",
    3: "3: `y[0]` was overwritten. The old value does not matter any more; the others do.",
    4: "4: `part` follows each write, through itself and into its base: 10 times 2.",
    5: "5: what a list picks is a copy, made before the write.",
}


@exercise(
    "22.1",
    "Which gradient?",
    difficulty=2,
    minutes=8,
    hint="Which elements of the last `y` does the summed tensor show, and how were they made?",
    solution=f"gradients = {GRADIENTS!r}",
    right="After a write, a view's history is a part of its base's.",
)
def check_gradients(gradients):
    for number, gradient in GRADIENTS.items():
        given = gradients.get(number)
        given = given.tolist() if hasattr(given, "tolist") else given
        is_list = isinstance(given, list | tuple) and len(given) == 3
        expect(is_list, f"Write a list of three numbers for {number}.")
        expect(list(given) == gradient, WHY[number])


@exercise(
    "22.2",
    "Do two views overlap?",
    difficulty=2,
    minutes=12,
    hint="`places(t.shape, t.stride(), t.storage_offset())` of each, as sets.",
    solution="""
        def overlap(a, b):
            def seen(t):
                return set(places(t.shape, t.stride(), t.storage_offset()).reshape(-1).tolist())

            return bool(seen(a) & seen(b))
    """,
    right="This is the question that PyTorch asks before it writes with an operand that overlaps.",
)
def check_overlap(overlap):
    m = yours().tensor([[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0]])
    m = m * 1.0

    def ask(a, b):
        facts = [
            SimpleNamespace(shape=t.shape, stride=t.stride, storage_offset=t.storage_offset)
            for t in (a, b)
        ]
        try:
            answer = overlap(*facts)
        except AttributeError as error:
            expect(
                getattr(error, "obj", None) not in facts,
                "Use `shape`, `stride()` and `storage_offset()` alone.",
            )
            raise
        expect(isinstance(answer, bool | np.bool_), "Return True or False.")
        return answer

    expect(ask(m[1], m[1]), "A view overlaps with itself.")
    expect(
        not ask(m[0], m[2]), "`m[0]` and `m[2]` have no element in common. Do you use the offset?"
    )
    expect(
        ask(m[1], m[:, 2]),
        "`m[1]` and `m[:, 2]` share an element. They need not begin at the same place.",
    )
    expect(
        not ask(m[:, 0], m[:, 2]),
        "The elements of `m[:, 0]` and `m[:, 2]` only lie between each other: none is shared.",
    )
    expect(
        ask(m[:, 0], m[2]),
        "`m[:, 0]` has three elements, with the elements between left out. Use the strides.",
    )
    expect(ask(m.t()[3], m[2:, 1:]), "`m.t()[3]` is a column of `m`, and ends in its last row.")


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


@exercise(
    "22.3",
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

    tensor = minigrad.tensor
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
