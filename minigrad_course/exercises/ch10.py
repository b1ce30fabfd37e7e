"""What notebook 10_switching_off asks: what is recorded, and where a graph is cut."""

import math
from inspect import unwrap
from threading import Event, Thread
from types import FunctionType

import minigrad as torch
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    expect_none_of,
    prediction,
    refuses,
    same,
)
from minigrad_course.kernel.machine import has_threads
from minigrad_course.kernel.reader import yours

prediction(
    "10.a",
    """A model in evaluation mode computes the losses of ten batches, 4 bytes each, and collects
    them in a list. For each batch, its ReLU computes 20 kB. Roughly how much memory does the list
    keep alive, apart from the data and the weights?""",
    {
        "40 bytes": """That would be right if nothing were recorded. But `eval()` only tells layers
        such as dropout how to behave.""",
        "20 kB": """That is what the graph of one batch has saved. But each loss holds a graph of
        its own, and the list holds all ten losses.""",
        "200 kB": """Each of the ten losses holds its graph, and each graph what it has saved, which
        `eval()` does not change.""",
    },
    answer="200 kB",
    shown="losses: 10, kept alive: 204.0 kB",
)

prediction(
    "10.b",
    """`accuracy()` has an `Off` block inside. It is called inside another `Off` block. Is recording
    off after that call, still inside the outer block?""",
    {
        "Yes, off": """It should be. But what does the inner `__exit__` assign?""",
        "No, on": """The inner `__exit__` assigns True, because it does not know that recording was
        already off before its block.""",
    },
    answer="No, on",
    shown="after:  True",
)

prediction(
    "10.c",
    """`layer` is a `BatchNorm1d` in training mode. It is called once inside `no_grad`, and there is
    no backward pass and no optimizer. Has its running mean changed?""",
    {
        "No: the running mean is not trained, and inside `no_grad` nothing is updated": """It is
        indeed not trained, so it has nothing to do with gradients. But that is why `no_grad`
        cannot stop its update, either.""",
        "No: without an optimizer's step, no part of a layer changes": """That is true of
        parameters, but the running statistics are buffers, which the layer updates itself, in
        forward.""",
        "Yes: in training mode, each forward pass updates it": """`no_grad` only stops recording,
        while the update is part of what the layer computes, which is up to `train()` and
        `eval()`.""",
    },
    answer="Yes: in training mode, each forward pass updates it",
    shown="train(), no_grad:  tensor([0.2000, 0.4000])",
)

prediction(
    "10.d",
    """`c = a * b`, `ans = (c.detach() * d).sum()`. Which leaves have a `.grad` after
    `ans.backward()`?""",
    {
        "a, b and d": """They would if the product were `c * d`, but here the path to `a` and `b` is
        cut.""",
        "only d": """The path to `a` and `b` leads through the detached tensor, and ends there.""",
        "none": """`d` is a leaf that requires grad, and it enters the product directly.""",
    },
    answer="only d",
    shown="None None tensor([3., 6., 9.])",
)

prediction(
    "10.e",
    """`b` is frozen: `b.requires_grad = False`. `a` comes before it, in `b * (a * 5)`. Does `a`
    get a gradient?""",
    {
        "Yes, 15": """The product is recorded for the sake of `a`, and passes 3 · 5 on to it, while
        `b` gets nothing.""",
        "Yes, 5": """That would be the gradient without `b`. But `b` still is a factor of the
        product, and its value, 3, counts.""",
        "No": """Then a frozen layer would stop everything below it. But the product has another
        input that requires grad, so it is recorded.""",
    },
    answer="Yes, 15",
    shown="a: 15.0   b: None",
)


@exercise(
    "10.1",
    "For which leaves?",
    difficulty=1,
    minutes=8,
    hint="""A detached tensor is a constant, which means a factor with a value but no edge. So is
    what was computed inside `no_grad`.""",
    solution="""
        found = {
            "1 a": 3.0, "1 b": 2.0,
            "2 a": None, "2 b": 2.0,
            "3 a": 6.0, "3 b": 4.0,
            "4 a": 1.0, "4 b": None,
            "5 a": None, "5 b": 6.0,
        }
    """,
    right="For each leaf, the question was the same: does a path of edges lead to it?",
)
def check_found(found):
    wanted = {1: (3.0, 2.0), 2: (None, 2.0), 3: (6.0, 4.0), 4: (1.0, None), 5: (None, 6.0)}
    why = {
        1: "1: nothing is cut, so `a` gets the value of `b`, and `b` that of `a`.",
        2: "2: the detached factor has its value, 2, but no edge, so `b` gets 2 and `a` gets "
        "nothing.",
        3: "3: only one of the two factors `a` has an edge. `a` gets 2 · 3 = 6, and `b` gets "
        "2 · 2.",
        4: "4: the product lies behind the cut, so only the path through `+ a` reaches a leaf.",
        5: "5: `h` was made inside the block, so it is the constant 6. `b` gets 6, and `a` gets "
        "nothing.",
    }
    pairs = {number: (found[f"{number} a"], found[f"{number} b"]) for number in wanted}
    expect_entries(pairs, wanted, why)


def records(library):
    x = library.tensor(3.0, requires_grad=True)
    return (x * x).requires_grad


def records_beside_another_thread(manager, library):
    """Whether this thread records while another one is inside the block of `manager`."""
    inside, go_on = Event(), Event()

    def wait():
        with manager():
            inside.set()
            go_on.wait(5)

    thread = Thread(target=wait)
    thread.start()
    inside.wait(5)
    beside = records(library)
    go_on.set()
    thread.join()
    return beside


def records_after_crossing(manager, library):
    """Whether a thread records after its block, although this thread is still inside one.

    An answer that stores the previous mode in a place that threads share would restore False.
    """
    inside, go_on, after = Event(), Event(), []

    def cross():
        with manager():
            inside.set()
            go_on.wait(5)
        after.append(records(library))

    thread = Thread(target=cross)
    thread.start()
    inside.wait(5)
    with library.no_grad(), manager():
        go_on.set()
        thread.join()
    return after == [True]


def borrows_no_grad(manager):
    """Whether the work is left to `no_grad`, by its name or by its methods."""
    parts = vars(manager).values() if isinstance(manager, type) else [unwrap(manager)]
    return any(
        "no_grad" in part.__code__.co_names or part.__qualname__.startswith("no_grad.")
        for part in parts
        if isinstance(part, FunctionType)
    )


@exercise(
    "10.2",
    "Paused, on an empty page",
    difficulty=2,
    minutes=10,
    hint="""`set_mode(False)` returns what was there before. Keep that on `self`, and put it back in
    `__exit__`, which Python calls with three arguments.""",
    solution="""
        class Paused:
            def __enter__(self):
                self.before = set_mode(False)

            def __exit__(self, *error):
                set_mode(self.before)
    """,
    right="That is all of `no_grad`, except that it can also decorate a function.",
)
def check_paused(Paused):  # noqa: N803 - it is a class
    library = yours()
    expect(
        callable(Paused),
        "`Paused` should be the class or the function itself, not what calling it returns.",
    )
    expect(not hasattr(Paused, "clone"), "That is `no_grad`. Write a class of your own this time.")
    expect(
        not borrows_no_grad(Paused),
        "Your class leaves the work to `no_grad`. Switch with `set_mode` instead.",
    )
    try:
        manager = Paused()
        expect(
            hasattr(manager, "__enter__") and hasattr(manager, "__exit__"),
            "What your `Paused` returns cannot begin a `with` block, because it has no `__enter__` "
            "and `__exit__`. A generator function needs `@contextmanager`, from `contextlib`.",
        )
        on_when_made = records(library)
        with manager:
            inside, says = records(library), library.is_grad_enabled()
        after = records(library)
        expect(
            on_when_made,
            "Your class switches recording off when it is created, before the block begins.",
        )
        expect(not inside, "Inside the block, operations are still recorded.")
        expect(
            not says,
            "Nothing is recorded inside the block, and yet `is_grad_enabled()` returns True there. "
            "Switch with `set_mode`, which changes both flags of the mode.",
        )
        expect(after, "After the block, nothing is recorded anymore.")
        with Paused():
            with Paused():
                pass
            expect(
                not records(library),
                "After an inner block, recording is on again, although the outer block has not "
                "ended. Put back what was there before.",
            )
        expect(
            records(library),
            "After two nested blocks, nothing is recorded, because the managers share one and "
            "the same memory of what was there before.",
        )
        made_outside = Paused()
        with Paused():
            with made_outside:
                pass
            expect(
                not records(library),
                "A manager that was created outside puts back the mode from when it was *created*, "
                "so look at the mode when the block begins.",
            )

        def fail():
            with Paused():
                raise KeyError("inside")

        expect(
            refuses(fail, KeyError),
            "Your class swallows errors, because its `__exit__` returns True.",
        )
        expect(records(library), "After an error in the block, nothing is recorded anymore.")
        expect(
            not has_threads() or records_beside_another_thread(Paused, library),
            "While another thread is in the block, this thread does not record, either.",
        )
        expect(
            not has_threads() or records_after_crossing(Paused, library),
            "When two threads enter blocks, and the first to enter is the first to leave, it "
            "puts back what the other thread had: there is one memory for all threads. Keep what "
            "was there before on `self`.",
        )
    finally:
        library.set_grad_enabled(True)


@exercise(
    "10.3",
    "In two halves",
    difficulty=2,
    minutes=10,
    hint="""Detach the result of the first half, let it require grad, and run the second half and
    its backward. Which gradient is then in the `.grad` of this leaf?""",
    solution="""
        def in_two_halves(first, second, x):
            y = first(x)
            leaf = y.detach()
            leaf.requires_grad = True
            z = second(leaf)
            z.backward()
            y.backward(leaf.grad)
            return z
    """,
    right="Training on several machines works like this, and so does `torch.utils.checkpoint`.",
)
def check_in_two_halves(in_two_halves):
    library = yours()
    seen = []

    def second(y):
        seen.append(y)
        return (y * y * library.tensor([1.0, 10.0])).sum()

    x = library.tensor([2.0, 3.0], requires_grad=True)
    with error_means(
        "only for scalar",
        "The result of the first half is not a single number, so its backward needs a gradient to "
        "begin with. The leaf in the middle has it in its `.grad`, so pass that.",
    ):
        z = in_two_halves(lambda each: each * each, second, x)
    expect(isinstance(z, library.Tensor), "Return the tensor that `second` returns.")
    expect(z is not None and same(z.item(), 826.0), "The result should be second(first(x)).")
    expect(
        bool(seen) and seen[0].grad_fn is None,
        "The halves share a graph, since the tensor that `second` receives has a grad_fn.",
    )
    expect(
        x.grad is not None,
        "The gradient never reaches `x`. The leaf in the middle has it, so pass it to the "
        "backward of the first half.",
    )
    got = x.grad.tolist()
    expect(
        got != [4.0, 6.0],
        "The backward of the first half begins with 1, but it should begin with the gradient of "
        "the leaf in the middle.",
    )
    expect(got == [32.0, 1080.0], f"`x.grad` is {got}, but one graph gives [32.0, 1080.0].")


@exercise(
    "10.4",
    "Truncated",
    difficulty=3,
    minutes=15,
    hint="""Count the steps. Whenever k of them are done, set `w.grad` to None, call `h.backward()`,
    note the gradient, and write `h = h.detach()`.""",
    solution="""
        def truncated(w, inputs, k):
            h, found = tensor(1.0), []
            for step, x in enumerate(inputs, 1):
                h = (w * h + x).tanh()
                if step % k == 0:
                    w.grad = None
                    h.backward()
                    found.append(w.grad.item())
                    h = h.detach()
            return found
    """,
    right="""Language models were trained like this for years: the state is passed on, and
    gradients are not.""",
)
def check_truncated(truncated):
    library = yours()
    inputs = [0.1, -0.2, 0.3, 0.4]

    def by_hand(reach, cut_to=None):
        """The gradients if each backward sees `reach` steps."""
        found, h, slope = [], 1.0, 0.0
        for step, x in enumerate(inputs):
            slope = slope if step % reach else 0.0
            new = math.tanh(0.7 * h + x)
            h, slope = new, (1 - new**2) * (h + 0.7 * slope)
            if step % 2:
                found.append(slope)
                h = h if cut_to is None else cut_to
        return found

    w = library.tensor(0.7, requires_grad=True)
    with error_means(
        "second time",
        "The past was not cut off, so the second backward ran into a graph that the first one "
        "freed.",
    ):
        got = list(truncated(w, inputs, 2))
    expect(
        all(isinstance(each, float) for each in got),
        "Return the gradients as numbers, with `w.grad.item()`.",
    )
    want = by_hand(2)
    expect_none_of(
        got,
        {
            "The gradient went back through the whole past. `retain_graph` only keeps that past "
            "alive, so cut `h` with `detach()`.": by_hand(len(inputs)),
            "Your gradient goes only one step back. Cut after every k-th step, not in every "
            "step.": by_hand(1),
            "Your numbers are the sums of all gradients so far. Clear `w.grad` before each "
            "backward.": [want[0], sum(want)],
            "Your loop starts again with 1 after a cut. But `h` keeps its value, because only its "
            "history ends there.": by_hand(2, cut_to=1.0),
        },
        1e-4,
    )
    expect(same(got, want, 1e-4), f"For k = 2, your function returns {got}, not {want}.")


@exercise(
    "10.5",
    "Find the leak",
    difficulty=2,
    minutes=8,
    hint="""`with no_grad():` around the calls of `model`, and `item()` for the number.""",
    solution="""
        def evaluate(model, samples):
            total = 0.0
            with no_grad():
                for sample in samples:
                    total += model(sample).item()
            return total / len(samples)
    """,
    right="Writing `@no_grad()` above the function would work, too.",
)
def check_evaluate(evaluate):
    library = yours()
    weight = library.tensor(2.0, requires_grad=True)
    results = []

    def model(sample):
        results.append(weight * sample)
        return results[-1]

    def broken(sample):
        raise KeyError(sample)

    try:
        got = evaluate(model, [1.0, 2.0, 6.0])
        expect(
            not isinstance(got, library.Tensor),
            "The result is a tensor, but it should be a number.",
        )
        expect(same(got, 6.0), f"The mean of 2, 4 and 12 is 6, but your result is {got}.")
        expect(
            not results[0].requires_grad,
            "What `model` computed was recorded. (Your tensors do not consult the mode of "
            "`torch`, which is the finished library. Use your own `no_grad`.)",
        )
        expect(
            refuses(lambda: evaluate(broken, [1.0]), KeyError),
            "Your function swallows the error that `model` raises. Let it through.",
        )
        expect(records(library), "After an error in `model`, nothing is recorded anymore.")
        with library.no_grad():
            evaluate(model, [1.0])
            expect(
                not records(library),
                "Your function switches recording on for a caller that had turned it off.",
            )
    finally:
        library.set_mode(True)


class Spy(torch.nn.Module):
    """Passes its input on, and notes whether the modules around it record; may raise an error."""

    def __init__(self, broken=False):
        super().__init__()
        self.broken = broken
        self.recorded = []

    def forward(self, x):
        self.recorded.append(x.requires_grad)
        if self.broken:
            raise KeyError("inside")
        return x


def small_model(broken=False):
    """A model in training mode, except for its normalization, and batches of which one is small."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Linear(3, 4),
        torch.nn.BatchNorm1d(4).eval(),
        torch.nn.Dropout(0.5),
        Spy(broken),
        torch.nn.Linear(4, 1),
    )
    batches = [(torch.randn(size, 3), torch.randn(size, 1)) for size in (4, 4, 2)]
    return model, batches


@exercise(
    "10.6",
    "Leave no trace",
    difficulty=3,
    minutes=12,
    hint="""Note the flag `training` of each of `model.modules()` before `model.eval()`, and put the
    flags back in a `finally`, so that it happens after an error, too.""",
    solution="""
        def validation_losses(model, batches):
            modes = [(module, module.training) for module in model.modules()]
            model.eval()
            try:
                with torch.no_grad():
                    return [torch.nn.functional.mse_loss(model(x), y).item() for x, y in batches]
            finally:
                for module, training in modes:
                    module.training = training
    """,
    right="""This does for `eval()` what `no_grad` does for recording: it puts back what was there
    before, for each module, and after errors, too.""",
)
def check_validation_losses(validation_losses):
    model, batches = small_model()
    wanted, _ = small_model()
    wanted.eval()
    want = [torch.nn.functional.mse_loss(wanted(x), y).item() for x, y in batches]
    modes = [module.training for module in model.modules()]
    try:
        got = validation_losses(model, batches)
        expect(
            isinstance(got, list) and len(got) == len(batches),
            "Return a list with a loss for each batch.",
        )
        expect(
            all(isinstance(loss, float) for loss in got),
            "The losses should be numbers, so that nothing can hang on to them.",
        )
        expect(
            same(got, want, 1e-5),
            f"Your function computes {got}, but in evaluation mode the losses are {want}.",
        )
        expect(
            not any(model[3].recorded),
            "While the model computed its losses, its operations were recorded.",
        )
        expect(
            torch.is_grad_enabled(),
            "After your function has returned, nothing is recorded anymore.",
        )
        after = [module.training for module in model.modules()]
        expect(any(after), "The model is still in evaluation mode afterwards.")
        expect(
            not model[1].training,
            "The normalization was in evaluation mode before, and now it is in training mode. Note "
            "the flag of each module, not just that of the model.",
        )
        expect(after == modes, f"The modules' `training` was {modes}, and now it is {after}.")
        broken, _ = small_model(broken=True)
        expect(
            refuses(lambda: validation_losses(broken, batches), KeyError),
            "Your function swallows the error that the model raises. Let it through.",
        )
        expect(
            [module.training for module in broken.modules()] == modes,
            "After an error in the model, its modules stay in evaluation mode.",
        )
    finally:
        torch.set_grad_enabled(True)


@exercise(
    "10.7",
    "What still moves?",
    difficulty=2,
    minutes=8,
    hint="""Two questions for each program. Is the weight's `.grad` None when the optimizer looks at
    it? And in which mode is the normalization while it computes?""",
    solution="""
        moves = {
            "1 weight": False, "1 mean": True,
            "2 weight": False, "2 mean": False,
            "3 weight": True, "3 mean": False,
            "4 weight": False, "4 mean": True,
        }
    """,
    right="""`requires_grad` decides about gradients, `.grad` about the optimizer's step, and the
    mode of the layer about its statistics.""",
)
def check_moves(moves):
    for key, value in moves.items():
        expect(isinstance(value, bool), f"The entry `{key!r}` is {value!r}. Write True or False.")

    expect(
        not moves["1 weight"] and not moves["2 weight"],
        "1 and 2: the weight gets no gradient, so its `.grad` is None, and the optimizer skips it, "
        "weight decay included.",
    )
    expect(
        moves["1 mean"],
        "1: the running mean is not a parameter, so freezing has no effect on it. In training "
        "mode, each forward pass updates it.",
    )
    expect(
        not moves["2 mean"] and not moves["3 mean"],
        "2 and 3: in evaluation mode, the normalization uses its statistics and does not update "
        "them.",
    )
    expect(
        moves["3 weight"],
        "3: the optimizer does not look at `requires_grad`. A `.grad` of zeros is a gradient to "
        "it, and weight decay makes the weight smaller.",
    )
    expect(
        not moves["4 weight"],
        "4: without a graph there is no gradient for the weight, so `.grad` stays None.",
    )
    expect(moves["4 mean"], "4: `no_grad` stops recording, and the update is not a recording.")
