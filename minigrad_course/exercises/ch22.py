"""What notebook 22_edited_views asks: which history a view has, and where its elements are."""

from types import SimpleNamespace

import numpy as np

import minigrad
from minigrad.core.engine import count_dependencies
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "22.a",
    """`last = out[-1]` is taken while `out` contains only zeros that do not require grad. What is
    it after the loop has written three states to `out`?""",
    {
        "the last state, and backward from it reaches the weights": """A view shows its base as it
        is now, and it has the history that belongs to those values.""",
        "the last state, but without a history, so backward raises": """That would be a tensor whose
        values depend on the weights and whose history denies it. A gradient would be lost without
        any message.""",
        "a row of zeros, because it was taken before the writes": """`out[-1]` does not copy
        anything, but shares the memory of `out`, so it has the values that are written there.""",
    },
    answer="the last state, and backward from it reaches the weights",
    shown="grad_fn=<AsStridedBackward0>)",
)

prediction(
    "22.b",
    """`x` is 1, 2, 3 and `w` is 10, 100. After `y = x * 1.0`, `early = y[:2]` and `y[1:].mul_(w)`,
    what does `early.sum().backward()` leave in `x.grad`?""",
    {
        "[1., 1., 0.]": """That is the history of a slice of the old `y`. But the second element of
        `early` is 20 now, and its factor 10 must count.""",
        "[1., 10., 0.]": """`early` is the first two elements of the new `y`. One of them was
        multiplied by 10, and the other one was not written.""",
        "[1., 10., 100.]": """The third element of `y` was multiplied by 100, but `early` does not
        contain it.""",
    },
    answer="[1., 10., 0.]",
    shown="tensor([ 1., 10.,  0.])",
)

prediction(
    "22.c",
    """`buffer` is three zeros, and `early = buffer[1:]`. Then comes `buffer[2] = w * w`, where `w`
    is a leaf that requires grad. What should `early.requires_grad` be right after this write?""",
    {
        "True": """`early` shows an element that was computed from `w`, so it is part of a buffer
        that requires grad.""",
        "False, until something is computed from `early`": """A view does get its new history
        only when it needs it, but what you read should not depend on what you did before.""",
        "False, because nothing was written through `early`": """It does not matter through which
        tensor the memory was written, because `early` shows the new element in any case.""",
    },
    answer="True",
    shown="grad_fn=<AsStridedBackward0>) True",
)

prediction(
    "22.d",
    """`filled` writes each new `h` to `out[i]`. With `read_from_buffer` the next step
    continues from `out[i]`, which is the same number. Which backward fails?""",
    {
        "neither, because the numbers are the same": """Backward compares versions, not numbers.
        `sin` saves its input, and a view of `out` shares its version counter with all of `out`.""",
        "only the one that reads from the buffer": """`sin` has saved a view of `out`, and the next
        write moves the counter of that memory.""",
        "both, because each write changes all of `out`": """Each write does move the counter, but
        without reading, `sin` has saved `h`, which is not a view of `out`.""",
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
    1: "1: only the part `y[1:]` goes through the product, and the first element is left alone.",
    2: "2: `early` is a part of the new `y`, so its gradient goes through the product.",
    3: "3: `y[0]` was overwritten, so no gradient reaches its old value, while the others get 1.",
    4: "4: `part` follows both writes, the one to itself and the one to its base: 10 times 2.",
    5: "5: a list as an index makes a copy, and this one was made before the write.",
}


@exercise(
    "22.1",
    "Which gradient?",
    difficulty=2,
    minutes=8,
    hint="Which elements of the final `y` are summed, and how were they computed from `x`?",
    solution=f"gradients = {GRADIENTS!r}",
    right="After a write, every view is a part of the new base, and a copy is not.",
)
def check_gradients(gradients):
    for number, gradient in GRADIENTS.items():
        given = gradients.get(number)
        given = given.tolist() if hasattr(given, "tolist") else given
        is_list = isinstance(given, list | tuple) and len(given) == 3
        expect(is_list, f"Write a list of three numbers for {number}.")
        expect(list(given) == gradient, WHY[number])


def impure(x, w):
    y = x * 1.0
    early, part = y[:2], y[1:]
    part.mul_(w)
    early.add_(part.sum())
    return y, part


def leaves(tensor):
    """New `x` and `w` for such a program."""
    return tensor([1.0, 2.0, 3.0], requires_grad=True), tensor([10.0, 100.0], requires_grad=True)


def outcome(program, tensor):
    """The values of both results, and the gradients of `x` and `w` if weights multiply them."""
    x, w = leaves(tensor)
    results = program(x, w)
    expect(
        isinstance(results, tuple) and len(results) == 2, "Return two tensors, as `impure` does."
    )
    y, part = results
    expect(y.shape == (3,), "The first result is the base, which has three elements.")
    expect(part.shape == (2,), "The second result is the part, which has two elements.")
    found = [y.tolist(), part.tolist()]
    for result, weights in ((y, [1.0, 3.0, 5.0]), (part, [7.0, 11.0])):
        (result * tensor(weights)).sum().backward(retain_graph=True)
        for leaf in (x, w):
            found.append(None if leaf.grad is None else leaf.grad.tolist())
            leaf.grad = None
    return found


def wrote_to_a_view(program, tensor):
    """Whether the graph of what `program` returns has a node that only a write leaves there."""
    results = program(*leaves(tensor))
    nodes = count_dependencies([(each.grad_fn, 0) for each in results])
    written = {"CopySlices", "AsStridedBackward0"} & {type(node).__name__ for node in nodes}
    return bool(written) or any(each._version for each in results)


@exercise(
    "22.2",
    "Without writing",
    difficulty=2,
    minutes=10,
    hint="""Each write becomes a line `y = slice_scatter(…)`, and after each of them all views are
    taken again. What is `part` after the second write?""",
    solution="""
        def pure(x, w):
            y = x * 1.0
            y = slice_scatter(y, y[1:] * w, start=1)
            early, part = y[:2], y[1:]
            y = slice_scatter(y, early + part.sum(), start=0)
            return y, y[1:]
    """,
    right="This is what `torch.compile` turns such a program into before it compiles it.",
)
def check_pure(pure):
    used = names_used(pure)
    writes = [name for name in used if name.endswith("_") and not name.startswith("_")]
    expect(not writes, f"`{writes[0] if writes else ''}` writes in place.")
    tensor = yours().tensor
    y, part, *gradients = outcome(pure, tensor)
    expect(
        not wrote_to_a_view(pure, tensor),
        "Something is written through a view: `+=` and `*=` are writes, even inside a helper.",
    )
    right_y, right_part, *right = outcome(impure, tensor)
    expect(y != [1.0, 20.0, 300.0], "The second write is missing: `early` gets the sum of `part`.")
    expect(
        y != [6.0, 25.0, 300.0],
        "`part` has to be taken again after the first write, before its sum is added.",
    )
    expect(
        part != [20.0, 300.0] or y != right_y,
        "Your `y` is right, but `part` is from before the second write. Take it again at the end.",
    )
    expect(same(y, right_y), f"`y` should be {right_y}, but yours is {y}.")
    expect(same(part, right_part), f"`part` should be {right_part}, but yours is {part}.")
    ways = [f"`{leaf}` by way of `{result}`" for result in ("y", "part") for leaf in "xw"]
    for way, given, wanted in zip(ways, gradients, right, strict=True):
        expect(given is not None, f"No gradient reaches {way}.")
        expect(same(given, wanted), f"The gradient of {way} should be {wanted}, not {given}.")


@exercise(
    "22.3",
    "Do two views overlap?",
    difficulty=2,
    minutes=12,
    hint="""Compute `places(t.shape, t.stride(), t.storage_offset())` for both, and compare the two
    as sets.""",
    solution="""
        def overlap(a, b):
            def seen(t):
                return set(places(t.shape, t.stride(), t.storage_offset()).reshape(-1).tolist())

            return bool(seen(a) & seen(b))
    """,
    right="This works for any strides. PyTorch compares whole stretches of memory, which is faster,"
    " and lets a write pass if the views have gaps.",
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
                "Use only `shape`, `stride()` and `storage_offset()`.",
            )
            raise
        expect(isinstance(answer, bool | np.bool_), "Return True or False.")
        return answer

    expect(ask(m[1], m[1]), "A view overlaps itself.")
    expect(
        not ask(m[0], m[2]), "`m[0]` and `m[2]` have no element in common. Do you use the offset?"
    )
    expect(
        ask(m[1], m[:, 2]),
        "`m[1]` and `m[:, 2]` share an element, although they do not begin at the same place.",
    )
    expect(
        not ask(m[:, 0], m[:, 2]),
        "`m[:, 0]` and `m[:, 2]` lie in the same stretch of memory, but none of their elements is"
        " shared.",
    )
    expect(
        ask(m[:, 0], m[2]),
        "`m[:, 0]` has three elements, with gaps between them. Do you use the strides?",
    )
    expect(
        ask(m.t()[3], m[2:, 1:]),
        "`m.t()[3]` is the last column of `m`, and `m[2:, 1:]` contains the end of it.",
    )


def sigmoid(values):
    return 1 / (1 + np.exp(-values))


@exercise(
    "22.4",
    "Fix the cell",
    difficulty=2,
    minutes=10,
    hint="""PyTorch refuses only the writes. What does `sigmoid` without the underscore do?""",
    solution="""
        def fixed(gates, state):
            enter, forget, new, out = gates.chunk(4)
            state = enter.sigmoid() * new.tanh() + forget.sigmoid() * state
            return out.sigmoid() * state.tanh(), state
    """,
    right="Nothing is written to the views that `chunk` returned, so nothing is refused, and both"
    " gradients are correct.",
)
def check_fixed(fixed):
    values = np.linspace(-2.0, 2.0, 12, dtype=np.float32)
    enter, forget, new, out = values.reshape(4, 3)
    before = np.array([0.5, -0.5, 0.25], np.float32)
    after = sigmoid(enter) * np.tanh(new) + sigmoid(forget) * before

    tensor = minigrad.tensor
    leaf = tensor(values.tolist(), requires_grad=True)
    first_state = tensor(before.tolist(), requires_grad=True)
    gates, state = leaf * 1.0, first_state * 1.0
    refused = (
        "A write is still refused. `chunk` of a clone does not help, because the views that it"
        " returns refuse writes just the same."
        if "clone" in names_used(fixed)
        else "A write is still refused: an operation with an underscore writes to one of the views"
        " that `chunk` returned."
    )
    with (
        error_means("is a view and is being", refused),
        error_means(
            "its base or another view",
            "The writes pass inside `no_grad`, but they are not recorded, and so the views raise as"
            " soon as you use them.",
        ),
    ):
        results = fixed(gates, state)
    expect(isinstance(results, tuple) and len(results) == 2, "Return two tensors, as `cell` does.")
    expect(np.array_equal(gates.tolist(), values), "Your function has changed `gates`.")
    expect(np.array_equal(state.tolist(), before), "Your function has changed `state`.")
    expect(
        gates._version == state._version == 0,
        "Your function writes to `gates` or `state`, even though no value changes.",
    )
    expect(
        all(each.shape == (3,) for each in results),
        "Both results, the output of the cell and its state, are as long as one gate.",
    )
    output, final = (each.tolist() for each in results)
    expect(
        not same(final, np.tanh(after), 1e-5),
        "Your function overwrites the state with its `tanh`, and then returns it as the state.",
    )
    expect(
        same(output, sigmoid(out) * np.tanh(after), 1e-5) and same(final, after, 1e-5),
        "The results differ from what `cell` should have: a gate or function is mixed up.",
    )
    with (
        error_means(
            "modified by an inplace",
            "You may write to slices of a clone, but the clone has a single version counter, so"
            " each write makes the results that the earlier ones saved stale.",
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
    expect(same(leaf.grad, right, 1e-4), "The gradient of `gates` is wrong.")
    right = by_output * sigmoid(forget)
    expect(same(first_state.grad, right, 1e-4), "The gradient of `state` is wrong.")


FATES = {1: "right", 2: "leaks", 3: "right", 4: "leaks", 5: "right", 6: "raises"}
WHY_FATE = {
    1: "1: the backward of a sum needs no value, so nothing of the buffer was saved.",
    2: "2: the product saved `out[0]`, and the result of the product was written to `out`.",
    3: "3: the product saved the clone, which has its own memory.",
    4: "4: `sin` saved its input, a part of `out`, and its result was written to `out`.",
    5: "5: `exp` saves its result instead of its input, and the result is not a part of `out`.",
    6: "6: the product saved `out[0]`, and 5.0 was written next to it. But 5.0 was not computed"
    " from the product, so no node leads from the new history of `out` back to the saved view.",
}


@exercise(
    "22.5",
    "Right, refused, or never freed?",
    difficulty=2,
    minutes=8,
    hint="""Does the operation save a part of `out`? And if it does, was what is written to `out`
    computed by that operation?""",
    solution=f"fates = {FATES!r}",
    right="What is saved decides whether backward raises, and what is written, whether it leaks.",
)
def check_fates(fates):
    expect_entries(fates, FATES, WHY_FATE, 'Write "right", "raises" or "leaks" for {}.')


@exercise(
    "22.6",
    "A wrapped node on an empty page",
    difficulty=3,
    minutes=15,
    hint="""In `backward`, copy the gradient, take the view's places out of it, and call
    `inner.backward` with them. Where does the first gradient that it returns belong?""",
    solution="""
        class Wrapped(Node):
            def __init__(self, view, inner):
                base = view._view.base
                self.places = places(view.shape, view.stride(), view.storage_offset())
                self.inner = inner
                self.next_functions = (gradient_edge(base), *inner.next_functions[1:])

            def backward(self, grad):
                whole = np.array(grad).reshape(-1)
                first, *others = self.inner.backward(tensor(whole[self.places]))
                whole[self.places] = first
                return [tensor(whole.reshape(grad.shape)), *others]
    """,
    right="Those few lines are what `y[1:].mul_(w)` leaves behind in `y`.",
)
def check_wrapped(wrapped):
    library = yours()
    tensor = library.tensor
    expect(isinstance(wrapped, type), "`Wrapped` should be a class.")
    expect(
        "CopySlices" not in {each.__name__ for each in wrapped.__mro__},
        "That is the `CopySlices` of this chapter. Write the class anew, based on `Node`.",
    )

    def node_of(part_of, values, factors):
        base = tensor(values, requires_grad=True) * 1.0
        weights = tensor(factors, requires_grad=True)
        view = part_of(base)
        return base, (view.clone() * weights).grad_fn, view

    _, inner, view = node_of(lambda y: y[1:], [1.0, 2.0, 3.0], [10.0, 100.0])
    node = wrapped(view, inner)
    edges = list(node.next_functions)
    expect(
        len(edges) == 2, "There should be two edges: to the old history of the base, and to `w`."
    )
    expect(
        edges[0][0] is not inner.next_functions[0][0],
        "The first edge of `inner` leads to the history of the view, but yours should lead to that "
        "of the base.",
    )
    expect(
        type(edges[0][0]).__name__ == "MulBackward0",
        "The first edge should lead to the history that the base has when the node is made.",
    )
    expect(
        edges[1] == inner.next_functions[1], "The edge to `w` should stay what it is in `inner`."
    )
    grad = tensor([1.0, 2.0, 3.0])
    with library.no_grad():  # as in a backward pass
        sent = node.backward(grad)
    expect(len(sent) == 2, "`backward` should return a gradient for each edge.")
    expect(
        grad.tolist() == [1.0, 2.0, 3.0], "Your `backward` changes the gradient that it is given."
    )
    expect(sent[0] is not None and sent[0].shape == (3,), "The base has three elements.")
    first = sent[0].tolist()
    expect(first[0] != 0.0, "What was not written should pass its gradient on unchanged, here 1.")
    expect(first[1:] != [2.0, 3.0], "The part of the gradient should go through `inner.backward`.")
    expect(
        first == [1.0, 20.0, 300.0], f"The base should get 1, 20 and 300, but yours gets {first}."
    )
    expect(sent[1].tolist() == [4.0, 9.0], "`w` should get what `inner.backward` computes for it.")

    values = [[1.0, 2.0], [3.0, 4.0]]
    _, inner, view = node_of(lambda y: y[:, 1], values, [10.0, 100.0])
    node = wrapped(view, inner)
    with library.no_grad():
        sent = node.backward(tensor([[1.0, 1.0], [1.0, 1.0]]))
    expect(
        sent[0].tolist() == [[1.0, 10.0], [1.0, 100.0]],
        "With the view `y[:, 1]` of two rows, other elements than its own are changed. Do you use"
        " the strides, and return the shape of the base?",
    )
