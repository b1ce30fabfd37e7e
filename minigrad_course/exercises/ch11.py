"""What notebook 11_in_place asks: who shares memory, and which changes autograd notices."""

import gc
import math
import weakref

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
    refuses,
)
from minigrad_course.kernel.reader import yours

prediction(
    "11.b",
    """Four programs add 1 to `y` before `y.sum().backward()`: `2x` with `y.add_(1.0)`, `2x` with
    `y.data.add_(1.0)`, `exp` with `y.data.add_(1.0)`, `exp` with `y.add_(1.0)`. Which of them
    leaves a wrong gradient without an error?""",
    {
        "none": """Adding 1 changes no derivative. But `exp` uses its own result in backward: what
        lies in that memory then?""",
        "the third": """`exp` multiplies with its result, which was overwritten. `.data` lets that
        pass; `y.add_` is noticed, and backward refuses.""",
        "the third and the fourth": """Both overwrite what `exp` has saved. One of them is
        noticed.""",
        "all four": """The derivative of `2x` is 2, whatever lies in `y`.""",
    },
    answer="the third",
    shown="exp, by .data: tensor([3.7183, 8.3891])",
)

prediction(
    "11.a",
    """`row = m[0]` and `picked = m[[0]]`. Then 100 is written into the memory of `m`, at the very
    first place. Which of the two shows it?""",
    {
        "row and picked": """A list as an index may pick any rows in any order. Could one stride
        say that?""",
        "only row": """A slice is described by an offset and strides. What a list picks has to be
        copied.""",
        "neither": """Then a slice would be a copy. But its offset leads into the memory of `m`.""",
    },
    answer="only row",
    shown="row: tensor(100.)   picked: tensor(0.)",
)

prediction(
    "11.c",
    "`y = x.tanh()` and `z = x.sin()`. Then 1 is added to `y` and to `z`. Which backward fails?",
    {
        "both": """`sin` needs cos(x): it has saved its input, and that is as it was.""",
        "only that of y": """The derivative of tanh is 1 − tanh², so its result was saved. `sin`
        has saved its input.""",
        "only that of z": """Think of the derivatives: cos(x), and 1 − tanh(x)². Which of them uses
        the result?""",
        "neither": """One of them has saved its result.""",
    },
    answer="only that of y",
    shown="tanh   result: error",
)

prediction(
    "11.d",
    """`y = h ** 2`, with `h` at 1 and 2: the right gradient is [2, 4]. Before backward runs,
    `h.data.mul_(10.0)`. What comes?""",
    {
        "[2., 4.]": """The node has saved `h`, not a copy of it.""",
        "[20., 40.]": """The memory is shared and the counter is not: backward computes with 10 and
        20.""",
        "an error": """That is what `detach()` gives, which hands the counter on.""",
    },
    answer="[20., 40.]",
    shown="data       tensor([20., 40.])",
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
    "m[[0]]": "`m[[0]]`: what a list picks is copied.",
    "m.t()": "`m.t()` is a view: the same memory with its strides exchanged.",
    "m.t().reshape(6)": "No single stride leads through `m.t()`, so this `reshape` copies.",
    "m + 0.0": "`m + 0.0` is the result of an operation, and has memory of its own.",
    "m.detach()": "`m.detach()` cuts the history, not the memory.",
    "m.data": "`m.data` is the same memory. It is the counter that it does not share.",
    "m.clone()": "`m.clone()` is a copy.",
    "m.view(6)[2:]": "A view of a view sees the memory of the base.",
}


@exercise(
    "11.1",
    "Who sees the write?",
    difficulty=1,
    minutes=5,
    hint="Can shape, strides and one offset say where the elements are? Then nothing is copied.",
    solution=f"changes = {SHARES!r}",
    right="Shared memory is where all that follows comes from.",
)
def check_changes(changes):
    for name, shares in SHARES.items():
        expect(isinstance(changes.get(name), bool), f"Write True or False for `{name}`.")
        expect(changes[name] == shares, WHY[name])


OUTCOMES = {1: "right", 2: "error", 3: "wrong", 4: "right", 5: "error", 6: "right", 7: "wrong"}
REASONS = {
    1: "1: `x * 2.0` saves no tensor that was changed.",
    2: "2: `tanh` has saved its result, `add_` changes it, and the counter tells.",
    3: "3: the result is changed, and `.data` has another counter. Nobody notices.",
    4: "4: `sin` has saved its input. Its result may be changed.",
    5: "5: `sin` has saved its input, and that is changed.",
    6: "6: `z` has memory of its own. What `tanh` has saved is as it was.",
    7: "7: NumPy writes into the memory of `y`, and counts nothing.",
}


@exercise(
    "11.2",
    "Right, error or wrong?",
    difficulty=2,
    minutes=8,
    hint="What is saved, is it overwritten, and does whoever writes count?",
    solution=f"outcomes = {OUTCOMES!r}",
    right="Three questions answer it for each program: saved? overwritten? counted?",
)
def check_outcomes(outcomes):
    for number, outcome in OUTCOMES.items():
        expect(outcomes.get(number) == outcome, REASONS[number])


FINISHED = (
    "`torch` is the finished library here, and does not know your tensors. Use your own `{}`."
)


@exercise(
    "11.3",
    "The step of an optimizer",
    difficulty=2,
    minutes=8,
    hint="`with no_grad():`, a loop, and `p -= lr * p.grad` where there is a gradient.",
    solution="""
        def step(parameters, lr):
            with no_grad():
                for p in parameters:
                    if p.grad is not None:
                        p -= lr * p.grad
    """,
    right="This is `torch.optim.SGD` without its options.",
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
        error_means("leaf Variable", "A leaf was changed. Around the loop: `no_grad`."),
        error_means("NoneType", "One parameter has no gradient. Leave it alone."),
    ):
        step([w, unused], 0.1)
    got = [round(each, 4) for each in w.tolist()]
    expect(
        got != [1.0, 2.0], "Nothing has changed: `p = p - …` gives only the name another tensor."
    )
    expect(
        got == [0.8, 1.6],
        f"[1, 2] with the gradient [2, 4] and lr = 0.1 gives [0.8, 1.6], not {got}.",
    )
    expect(w.is_leaf and w.requires_grad, "`w` should be a leaf that requires grad, as before.")
    kept = w.grad is not None and w.grad.tolist() == [2.0, 4.0]
    expect(kept, "`.grad` should be left as it was: clearing it is the work of `zero_grad`.")
    expect(unused.item() == 5.0, "A parameter without a gradient should be left alone.")
    expect(
        library.version_counter(w)[0] > before,
        "The values are right, but a graph that has saved `w` notices nothing: the version is as "
        "before.",
    )
    expect(refuses(loss.backward), "A graph that has saved `w` before the step should refuse.")


@exercise(
    "11.4",
    "A loop without a buffer",
    difficulty=2,
    minutes=8,
    hint="Append each `h` to a list, and `stack` the list.",
    solution="""
        def states(h, w, n):
            found = []
            for _ in range(n):
                h = (w * h).tanh()
                found.append(h)
            return stack(found)
    """,
    right="""A buffer that is written and never read would do as well, in PyTorch and after chapter
    22.""",
)
def check_states(states):
    library = yours()
    h = library.tensor(0.5, requires_grad=True)
    w = library.tensor(1.2, requires_grad=True)
    expect("torch" not in names_used(states), FINISHED.format("stack"))
    try:
        out = states(h, w, 3)
    except NotImplementedError:
        expect(False, "A recorded write into a buffer is for chapter 22. Collect the states.")
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
        f"For n = 3 the shape is {tuple(out.shape)}. Return the n new states, without the one to "
        "begin with.",
    )
    got = out.tolist()
    expect(all(abs(a - b) < 1e-5 for a, b in zip(got, want, strict=True)), f"The values are {got}.")
    expect(
        out.requires_grad,
        "The graph is lost: the result does not require grad. Numbers have no history, and `.data` "
        "writes to a buffer without one.",
    )
    with error_means("inplace", "What an operation has saved is still changed later."):
        out.sum().backward()
    expect(
        w.grad is not None,
        "`w` gets no gradient. A tensor made of numbers is a new leaf: the graph is lost.",
    )
    close = abs(w.grad.item() - total_w) < 1e-4
    expect(close, f"`w` gets only a part of its gradient: {w.grad.item():.4f}, not {total_w:.4f}.")
    expect(h.grad is not None, "`h` gets no gradient: the way to the beginning is cut.")
    expect(abs(h.grad.item() - total_h) < 1e-4, "The gradient of `h` is not right.")


@exercise(
    "11.5",
    "A saved tensor on an empty page",
    difficulty=3,
    minutes=15,
    hint="""In `__init__`: the array, the counter, and the number in the counter. In `get`: compare
    that number with the one in the counter now.""",
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
    right="That is `SavedTensor`. PyTorch's `SavedVariable` is this idea, too.",
)
def check_kept(Kept):  # noqa: N803 - it is a class
    library = yours()
    expect(isinstance(Kept, type), "Give the class itself, not an object of it.")
    expect(
        not hasattr(Kept, "unpack"), "That is `SavedTensor`. Write a class of your own this time."
    )
    expect(
        not any("SavedTensor" in names_used(each) for each in vars(Kept).values()),
        "Yours is a class around `SavedTensor`. Write the comparison yourself.",
    )

    x = library.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2.0
    kept = Kept(y)
    got = kept.get()
    expect(isinstance(got, library.Tensor), "`get()` should return a tensor.")
    expect(got.tolist() == [2.0, 4.0], f"`get()` returned {got.tolist()}, not [2.0, 4.0].")
    expect(not got.requires_grad, "What `get()` returns should have no history.")
    expect(kept.get() is not got, "`get()` returned the same tensor twice. Make a new one.")
    expect(got.data_ptr() == y.data_ptr(), "What `get()` returns is a copy. Keep the array itself.")
    watch = weakref.ref(y)
    del y
    gc.collect()
    expect(watch() is None, "`Kept` holds the tensor, and so its whole graph. Keep the array.")
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
            f"A change {name} goes unnoticed. Keep the counter, a list, and no copy of the values; "
            "what you compare must not be its own number.",
        )
    z = x * 2.0
    z.add_(1.0)
    expect(
        not refuses(Kept(z).get),
        "Yours refuses because of older changes. What counts is the version when it was kept.",
    )
