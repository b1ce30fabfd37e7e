"""What notebook 11_in_place asks: who shares memory, and which changes autograd notices."""

import gc
import math
import weakref

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    names_used,
    prediction,
    refuses,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "11.a",
    """A layer shifts its activations, the results of `tanh`, up by 1: by `h + 1.0`, by
    `h.add_(1.0)` and by `h.data += 1.0`. Which of the three trains the layer?""",
    {
        "all three": """It is true that adding 1 does not change any derivative. But the derivative
        of tanh is 1 − tanh², so backward needs the result of `tanh`, and what is in that memory by
        then?""",
        "the first two": """Both in-place versions overwrite the result of `tanh`, which backward
        needs, so PyTorch notices `h.add_(1.0)` and refuses.""",
        "the first and the last": """Writing through `.data` overwrites the result of `tanh`, too,
        and it switches off the check. So there is no error, but the gradient is wrong and the loss
        grows.""",
        "only the first": """The other two overwrite the result of `tanh`, which backward needs. One
        of them is noticed and refused, while the other silently spoils the gradient.""",
    },
    answer="only the first",
    shown="h.data += 1.0: the loss was 0.0242 and is 0.3250",
)

prediction(
    "11.b",
    """Which line of the script changes something that a node has saved?""",
    {
        "`x *= 0.1 * t`": """This runs before `cell` saves `x`, so the version that the node notes
        is already the new one. Besides, `x` does not require grad, so a message about it could not
        name an operation.""",
        "`outputs[t] = head(h)`": """The shape of `outputs` is [4, 2, 1], not [2, 3], and no node
        has saved it while the loop fills it.""",
        "`h *= 0.9`": """`tanh` has saved `h` as its result, and `head` as its input. The write was
        recorded, so the message names the writer, *Mul*.""",
        "`optimizer.step()`": """It writes to the weights, none of which has the shape [2, 3], and
        it runs after backward. The script does not even get that far.""",
    },
    answer="`h *= 0.9`",
    shown="the loss is",
)

prediction(
    "11.c",
    """`y = x.tanh()` and `z = x.sin()`. Then 1 is added to `y` and to `z`, in place. Which backward
    fails?""",
    {
        "both": """The derivative of sin is cos(x), so `sin` saved its input, and the
        input has not been written to.""",
        "only that of y": """The derivative of tanh is 1 − tanh², so `tanh` saved its result, while
        `sin` saved its input, which is unchanged.""",
        "only that of z": """Compare the derivatives, cos(x) and 1 − tanh(x)². Which of the two uses
        the result?""",
        "neither": """One of them saved its result, and that has been overwritten.""",
    },
    answer="only that of y",
    shown="tanh   result: error",
)

prediction(
    "11.d",
    """`row = m[0]` and `picked = m[[0]]`. Then 100 is written into the memory of `m`, where its
    first element is. Which of the two shows the 100?""",
    {
        "row and picked": """A list may pick any rows, in any order. The elements of such a choice
        are not at regular distances in the memory of `m`, so they have to be copied.""",
        "only row": """A slice takes elements that are at regular distances, so it can look into the
        memory of `m`, whereas what a list picks is copied.""",
        "neither": """Then a slice would have to be a copy, but all it does is say where in the
        memory of `m` its elements are.""",
    },
    answer="only row",
    shown="row: tensor(100.)   picked: tensor(10.)",
)

prediction(
    "11.e",
    """`y = h ** 2`, where `h` is 1 and 2, so the right gradient is [2, 4]. Before backward runs,
    someone calls `h.data.add_(1.0)`. What is the gradient?""",
    {
        "[2., 4.]": """For that, the node would need a copy of `h`, but it has saved `h` itself.""",
        "[4., 6.]": """The memory is shared and the counter is not, so backward computes with 2 and
        3 and does not notice.""",
        "there is an error": """That is what you get with `detach()`, which shares the counter,
        while `.data` does not.""",
    },
    answer="[4., 6.]",
    shown="data     tensor([4., 6.])",
)

prediction(
    "11.f",
    """The last two rows of the grid write to `h = x * 2.0` inside `no_grad`, row 8 by `h.add_(1.0)`
    and row 9 by `h.mul_(10.0)`. Which of the two is right?""",
    {
        "both": """It is true that no node has saved `h`, so neither write is refused. But neither
        is recorded, so backward does not know of them. Does each of the two leave the derivative of
        `h` with respect to `x` as it was?""",
        "only row 8": """Backward acts as if nothing had happened after `x * 2.0`. Adding a constant
        does not change that derivative, while multiplying by 10 does.""",
        "only row 9": """Neither write is recorded, so backward computes the derivative of
        `x * 2.0`. Compare that with the derivatives of `x * 2.0 + 1.0` and `x * 2.0 * 10.0`.""",
        "neither": """Neither write is recorded, so a step is missing from the history. But what
        would backward have multiplied by in that step, had it been recorded?""",
    },
    answer="only row 8",
    shown="wrong, silently",
)

prediction(
    "11.g",
    """The layer uses `sin` instead of `tanh`, and its activations are shifted by `h + 1.0`, by
    `h.add_(1.0)` and by `h.data += 1.0`. Which of the three trains the layer?""",
    {
        "all three": """The node of `sin` has saved its input, so neither write hits anything that
        is saved. The one through `.data` is not recorded, but adding a constant has the derivative
        1, so nothing is missing from the history.""",
        "the first two": """Is `h.data += 1.0` wrong because nobody counts it? Counting matters only
        for what a node has saved, and `sin` has saved its input.""",
        "the first and the last": """That would mean that `h.add_(1.0)` is refused. Which node has
        saved the result of `sin`?""",
        "only the first": """With `tanh`, that was right, because `tanh` saves its result. But `sin`
        saves its input.""",
    },
    answer="all three",
    shown="h.data += 1.0: the loss was 0.0262 and is 0.0000",
)


SHARES = {
    "m[0]": True,
    "m[[0]]": False,
    "m.t()": True,
    "m.t().reshape(6)": False,
    "m + 0.0": False,
    "m.detach()": True,
    "m.data": True,
    "m.clone()": False,
    "m.view(6)[2:]": True,
}
WHY = {
    "m[0]": "`m[0]` is a slice: a view.",
    "m[[0]]": "`m[[0]]` is a copy, because no stride could describe what a list may pick.",
    "m.t()": "`m.t()` is a view: the same memory, with the two strides exchanged.",
    "m.t().reshape(6)": "In memory, the elements of `m.t()` are at the places 0, 3, 1, 4, 2, 5, "
    "which no single stride can describe, so this `reshape` copies.",
    "m + 0.0": "`m + 0.0` is a new result, which has memory of its own, even if the numbers are "
    "the same.",
    "m.detach()": "`m.detach()` cuts the history, not the memory.",
    "m.data": "`m.data` shares the memory; it is the counter that it does not share.",
    "m.clone()": "`m.clone()` is a copy.",
    "m.view(6)[2:]": "A view of a view looks into the memory of the same base.",
}


@exercise(
    "11.1",
    "Who sees the write?",
    difficulty=1,
    minutes=5,
    hint="If one offset and a stride for each dimension can say where the elements are, nothing is "
    "copied.",
    solution=f"changes = {SHARES!r}",
    right="Once you know who shares memory, you know whom a write reaches.",
)
def check_changes(changes):
    expect_entries(changes, SHARES, WHY, "Write True or False for `{}`.")


OUTCOMES = {
    1: "right",
    2: "error",
    3: "wrong",
    4: "right",
    5: "error",
    6: "right",
    7: "wrong",
    8: "wrong",
}
REASONS = {
    1: "1: `x * 2.0` saves the 2 and no tensor, so its result may be changed.",
    2: "2: `tanh` has saved its result, and `add_` changes it and counts, so backward refuses.",
    3: "3: the saved result is changed, but `.data` has another counter, so nobody notices.",
    4: "4: `sin` has saved its input, so its result may be changed without harm.",
    5: "5: `sin` has saved its input, and this time it is the input that is changed.",
    6: "6: `z` has memory of its own, so what `tanh` has saved is unchanged.",
    7: "7: NumPy writes to the memory of `y` and counts nothing, so backward cannot notice.",
    8: "8: `sin` has saved its input, so nothing refuses. But the 3 is not in the history of `y`, "
    "and the gradient is a third of what it should be.",
}


@exercise(
    "11.2",
    "Right, error or wrong?",
    difficulty=2,
    minutes=8,
    hint="For each program, ask what is saved, and whether the write to it is counted. If nothing "
    "was saved, ask whether the write is recorded.",
    solution=f"outcomes = {OUTCOMES!r}",
    right="The same three questions decide every case: saved? counted? recorded?",
)
def check_outcomes(outcomes):
    for number, outcome in OUTCOMES.items():
        given = outcomes.get(number)
        if isinstance(given, str) and given != given.lower():
            expect(False, f'{number}: write `"{given.lower()}"` in lower case.')
        expect(given == outcome, REASONS[number])


WRITES = {
    "first program": {
        9: "Line 9 runs before `body` saves `x`, and `x` has the shape [5, 3].",
        12: "Line 12 writes to the result of a linear layer, which has the shape [5, 2] and which "
        "no node has saved yet.",
        20: "Line 20 runs after the last backward pass of its epoch, and the error is raised in "
        "the first epoch.",
    },
    "second program": {
        6: "Line 6 runs before `first` saves `x`, and the message is about a result of `tanh`.",
        8: "Line 8 writes to the result of a linear layer, which no node has saved.",
        13: "Line 13 writes to the result of `second`, which has the shape [2, 1] and which no "
        "node has saved.",
    },
}
FOUND = {"first program": 16, "second program": 11}


@exercise(
    "11.3",
    "Find the write",
    difficulty=2,
    minutes=10,
    hint="""*AsStrided* means that a node saved a view, such as the transposed weight of a layer. So
    which weight has that shape when it is transposed, and who writes to it? In the second program,
    ask which names share memory with the result of `tanh`.""",
    solution=f"lines = {FOUND!r}",
    right="""`v` was computed with a weight of `value` that line 16 changes before `v` is used, and
    `strongest` shares the memory of `h` although it has another shape.""",
)
def check_lines(lines):
    for program, line in FOUND.items():
        given = lines.get(program)
        numbers = sorted([*WRITES[program], line])
        one_of = f"{numbers[:-1]} or {numbers[-1]}".replace("[", "").replace("]", "")
        expect(given in numbers, f"For the {program}, write one of the numbers {one_of}.")
        expect(given == line, WRITES[program].get(given, ""))


FINISHED = (
    "Here `torch` is the finished library, which does not know your tensors. Use your own `{}`."
)


@exercise(
    "11.4",
    "The step of an optimizer",
    difficulty=2,
    minutes=8,
    hint="Inside `with no_grad():`, loop over the parameters, and write `p -= lr * p.grad` where "
    "there is a gradient.",
    solution="""
        def step(parameters, lr):
            with no_grad():
                for p in parameters:
                    if p.grad is not None:
                        p -= lr * p.grad
    """,
    right="That is what `torch.optim.SGD` does, apart from its options.",
)
def check_step(step):
    library = yours()
    w = library.tensor([1.0, 2.0], requires_grad=True)
    unused = library.tensor(5.0, requires_grad=True)
    (w * w).sum().backward()
    before = library.version_counter(w)[0]
    loss = (w * w).sum()
    expect("torch" not in names_used(step), FINISHED.format("no_grad"))
    with (
        error_means(
            "leaf Variable",
            "A recorded write to a leaf is refused. Around the loop, put `with no_grad():`.",
        ),
        error_means(
            "NoneType", "One parameter has no gradient (its `.grad` is None), so leave it alone."
        ),
    ):
        step([w, unused], 0.1)
    got = [round(each, 4) for each in w.tolist()]
    expect(
        got != [1.0, 2.0],
        "The parameters have not changed: `p = p - …` makes a new tensor and changes only the "
        "name `p`.",
    )
    expect(
        got == [0.8, 1.6],
        f"[1, 2] with the gradient [2, 4] and lr = 0.1 gives [0.8, 1.6], not {got}.",
    )
    expect(w.is_leaf and w.requires_grad, "`w` should be a leaf that requires grad, as before.")
    kept = w.grad is not None and same(w.grad, [2.0, 4.0])
    expect(kept, "Leave `.grad` as it was: clearing it is the work of `zero_grad`.")
    expect(unused.item() == 5.0, "A parameter without a gradient should be left alone.")
    expect(
        library.version_counter(w)[0] > before,
        "The values are right, but a graph that has saved `w` notices nothing, because the version "
        "has not changed.",
    )
    expect(refuses(loss.backward), "A graph that has saved `w` before the step should refuse.")


@exercise(
    "11.5",
    "A loop without a buffer",
    difficulty=2,
    minutes=8,
    hint="Append each `h` to a list, and `stack` the list at the end.",
    solution="""
        def states(h, w, n):
            found = []
            for _ in range(n):
                h = (w * h).tanh()
                found.append(h)
            return stack(found)
    """,
    right="""In PyTorch, and in your library after *Edited views*, the buffer works as well once the
    line `h = out[i]` is gone: the loop may fill it, as long as no node saves a part that it reads
    from it.""",
)
def check_states(states):
    library = yours()
    detaches = "detach" in names_used(states)
    h = library.tensor(0.5, requires_grad=True)
    w = library.tensor(1.2, requires_grad=True)
    expect("torch" not in names_used(states), FINISHED.format("stack"))
    with error_means(
        NotImplementedError,
        "A recorded write to a buffer takes what the chapter *Edited views* builds. Collect the "
        "states in a list instead.",
    ):
        out = states(h, w, 3)
    want, value, by_w, by_h = [], 0.5, 0.0, 1.0
    total_w = total_h = 0.0
    for _ in range(3):
        new = math.tanh(1.2 * value)
        by_w, by_h = (1 - new**2) * (value + 1.2 * by_w), (1 - new**2) * 1.2 * by_h
        value = new
        want.append(value)
        total_w, total_h = total_w + by_w, total_h + by_h
    expect(isinstance(out, library.Tensor), "Return one tensor.")
    expect(
        tuple(out.shape) == (3,),
        f"For n = 3 the shape is {tuple(out.shape)}. Return the n new states, without the `h` that "
        "the loop starts from.",
    )
    got = out.tolist()
    expect(same(got, want, 1e-5), f"The values are {got}.")
    expect(
        out.requires_grad,
        "The graph is lost, because the result does not require grad: "
        + (
            "what `detach()` returns does not have a history."
            if detaches
            else "numbers do not have a history, and a write through `.data` is not recorded."
        ),
    )
    with error_means(
        "inplace", "Your function still writes to something that an operation has saved."
    ):
        out.sum().backward()
    expect(
        w.grad is not None,
        "`w` does not get a gradient. "
        + ("`detach()` cuts" if detaches else "A tensor made from numbers is a leaf, which cuts")
        + " the graph.",
    )
    expect(
        same(w.grad, total_w, 1e-4),
        f"`w` gets only a part of its gradient: {w.grad.item():.4f}, not {total_w:.4f}."
        + (" `detach()` cuts the way back to the earlier states." if detaches else ""),
    )
    expect(
        h.grad is not None,
        "`h` does not get a gradient: "
        + ("`detach()` cuts the graph" if detaches else "the graph is cut somewhere")
        + " on the way back to it.",
    )
    expect(same(h.grad, total_h, 1e-4), "The gradient of `h` is not right.")


@exercise(
    "11.6",
    "A saved tensor on an empty page",
    difficulty=3,
    minutes=15,
    hint="""In `__init__`, keep the array, the counter, and the number that is in the counter at
    that moment. In `get`, compare that number with the one that the counter has by then.""",
    solution="""
        class Kept:
            def __init__(self, tensor):
                self.array = as_array(tensor)
                self.counter = version_counter(tensor)
                self.version = self.counter[0]

            def get(self):
                if self.counter[0] != self.version:
                    raise RuntimeError("changed in place since it was kept")
                return new_tensor(self.array)
    """,
    right="You have written `SavedTensor`. PyTorch calls its own `SavedVariable`.",
)
def check_kept(Kept):  # noqa: N803 - it is a class
    library = yours()
    expect(isinstance(Kept, type), "Hand in the class itself, not an instance.")
    expect(
        not hasattr(Kept, "unpack"),
        "That is `SavedTensor` itself. Write a class of your own.",
    )
    expect(
        not any("SavedTensor" in names_used(each) for each in vars(Kept).values()),
        "Your class wraps `SavedTensor`. Write the comparison yourself this time.",
    )

    x = library.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2.0
    kept = Kept(y)
    got = kept.get()
    expect(isinstance(got, library.Tensor), "`get()` should return a tensor.")
    expect(got.tolist() == [2.0, 4.0], f"`get()` returned {got.tolist()}, not [2.0, 4.0].")
    expect(not got.requires_grad, "What `get()` returns should have no history.")
    expect(kept.get() is not got, "`get()` returned the same tensor twice. Make a new one.")
    expect(
        got.data_ptr() == y.data_ptr(),
        "What `get()` returns is a copy of the values, so keep the array itself.",
    )
    watch = weakref.ref(y)
    del y
    gc.collect()
    expect(
        watch() is None,
        "`Kept` holds the tensor, and with it the whole graph. Keep the array instead.",
    )
    changes = {
        "through the tensor itself": lambda t: t.add_(1.0),
        "that writes the same values": lambda t: t.mul_(1.0),
        "through a view": lambda t: t.detach()[:1].add_(1.0),
        "through a detached tensor": lambda t: t.detach().add_(1.0),
    }
    for name, change in changes.items():
        z = x * 2.0
        kept = Kept(z)
        change(z)
        expect(
            refuses(kept.get),
            f"A change {name} goes unnoticed. Keep the counter itself, which is a list, rather "
            "than a copy of it or of the values; what you compare must not be its own number.",
        )
    z = x * 2.0
    z.add_(1.0)
    expect(
        not refuses(Kept(z).get),
        "Your class refuses because of older changes, from before it was made. What counts is the "
        "version at that time.",
    )
