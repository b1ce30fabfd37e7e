"""What notebook 10_switching_off asks: what is recorded, and where a graph is cut."""

import math
from threading import Event, Thread

from minigrad_course.ask.declare import error_means, exercise, expect, prediction, same
from minigrad_course.kernel.machine import has_threads
from minigrad_course.kernel.reader import yours

prediction(
    "10.a",
    """Twenty layers of `(x * x).tanh()` on 1,000 float32 numbers, 4 kB each time. How much have the
    nodes behind the result saved?""",
    {
        "nothing": """Nobody calls `backward()`. The nodes cannot know that when they are made.""",
        "4 kB": """That is one array. Each `tanh` keeps its result, each product its operand.""",
        "84 kB": """The operand of the first product, and 20 results of `tanh`: 21 arrays.""",
    },
    answer="84 kB",
    shown="20 layers have saved 84.0 kB",
)

prediction(
    "10.b",
    """`accuracy()` has an `Off` block inside. It is called inside another `Off` block. Is recording
    off after that call, still inside the outer block?""",
    {
        "Yes, off": """It should be. But what does the inner `__exit__` assign?""",
        "No, on": """The inner `__exit__` assigns True. It does not know that recording was off
        before.""",
    },
    answer="No, on",
    shown="after:  True",
)

prediction(
    "10.c",
    """`c = a * b`, `ans = (c.detach() * d).sum()`. Which leaves have a `.grad` after
    `ans.backward()`?""",
    {
        "a, b and d": """That was the first example. Here the way to `a` and `b` is cut.""",
        "only d": """The way to `a` and `b` leads through the detached tensor, and ends there.""",
        "none": """`d` is a leaf that wants a gradient, and it enters the product directly.""",
    },
    answer="only d",
    shown="None None tensor([3., 6., 9.])",
)

prediction(
    "10.d",
    """`b` is frozen: `b.requires_grad = False`. `a` enters before it, in `b * (a * 5)`. Does `a`
    get a gradient?""",
    {
        "Yes, 15.": """The product is recorded for the sake of `a`, and sends 3 · 5. Only `b` gets
        none.""",
        "No": """Then a frozen layer would stop everything below it. But the product has another
        input that wants a gradient, so it is recorded.""",
    },
    answer="Yes, 15.",
    shown="a: 15.0   b: None",
)


@exercise(
    "10.1",
    "For which leaves?",
    difficulty=1,
    minutes=8,
    hint="""A detached tensor is a constant: a factor with a value and no edge. What was computed
    inside `no_grad` is a constant, too.""",
    solution="""
        found = {
            "1 a": 3.0, "1 b": 2.0,
            "2 a": None, "2 b": 2.0,
            "3 a": 6.0, "3 b": 4.0,
            "4 a": 1.0, "4 b": None,
            "5 a": None, "5 b": 6.0,
        }
    """,
    right="Ask of each leaf: does an edge lead to it?",
)
def check_found(found):
    def pair(number):
        return found[f"{number} a"], found[f"{number} b"]

    expect(pair(1) == (3.0, 2.0), "1: nothing is cut. `a` gets the value of `b`, and back.")
    expect(
        pair(2) == (None, 2.0),
        "2: the detached factor has its value, 2, and no edge. So `b` gets 2, and `a` nothing.",
    )
    expect(
        pair(3) == (6.0, 4.0),
        "3: only one of the two factors `a` has an edge. It gets 2 · 3 = 6, and `b` gets 2 · 2.",
    )
    expect(
        pair(4) == (1.0, None),
        "4: the product lies behind the cut. Only `+ a` brings something.",
    )
    expect(
        pair(5) == (None, 6.0),
        "5: `h` was made inside the block, so it is the constant 6. `b` gets 6, `a` nothing.",
    )


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


@exercise(
    "10.2",
    "Paused, on an empty page",
    difficulty=2,
    minutes=10,
    hint="""`set_mode(False)` returns what was before. Keep it on `self`, and put it back in
    `__exit__`, which Python calls with three arguments.""",
    solution="""
        class Paused:
            def __enter__(self):
                self.before = set_mode(False)

            def __exit__(self, *error):
                set_mode(self.before)
    """,
    right="`no_grad` is this, with a decorator's clothes.",
)
def check_paused(Paused):  # noqa: N803 - it is a class
    library = yours()
    expect(callable(Paused), "Give the class or the function itself, not what it makes.")
    expect(not hasattr(Paused, "clone"), "That is `no_grad`. Write a class of your own this time.")
    try:
        manager = Paused()
        expect(
            hasattr(manager, "__enter__") and hasattr(manager, "__exit__"),
            "What yours makes cannot begin a `with` block: it needs `__enter__` and `__exit__`. A "
            "generator function needs `@contextmanager`, from `contextlib`.",
        )
        on_when_made = records(library)
        with manager:
            inside = records(library)
        after = records(library)
        expect(on_when_made, "Yours switches off when it is made, before the block begins.")
        expect(not inside, "Inside the block operations are still recorded.")
        expect(after, "After the block nothing is recorded any more.")
        with Paused():
            with Paused():
                pass
            expect(
                not records(library),
                "After an inner block, recording is on again inside an outer block. Put back what "
                "was before.",
            )
        expect(
            records(library),
            "After two nested blocks nothing is recorded: the managers share one and the same "
            "memory of what was before.",
        )
        made_outside = Paused()
        with Paused():
            with made_outside:
                pass
            expect(
                not records(library),
                "A manager that was made outside puts back what was when it was *made*. Note it "
                "when the block begins.",
            )
        try:
            with Paused():
                raise KeyError("inside")
            swallowed = True
        except KeyError:
            swallowed = False
        expect(not swallowed, "Yours swallows errors: `__exit__` must not return True.")
        expect(records(library), "After an error in the block nothing is recorded any more.")
        expect(
            not has_threads() or records_beside_another_thread(Paused, library),
            "While another thread is in the block, this thread does not record.",
        )
        expect(
            not has_threads() or records_after_crossing(Paused, library),
            "Two threads enter blocks, and the first to enter is the first to leave. It puts "
            "back what the other thread had: one memory for all threads. Keep what was before on "
            "`self`.",
        )
    finally:
        library.set_grad_enabled(True)


@exercise(
    "10.3",
    "In two halves",
    difficulty=2,
    minutes=10,
    hint="""Codes 15 and 16: detach the result of the first half, let it require grad, run the
    second half and its backward. What gradient has the leaf then?""",
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
    right="`torch.utils.checkpoint` and training on several machines work like this.",
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
        "The result of the first half is no single number, so its backward needs a gradient to "
        "begin with. The leaf in the middle has it in `.grad`: hand it over.",
    ):
        z = in_two_halves(lambda each: each * each, second, x)
    expect(isinstance(z, library.Tensor), "Return the tensor that `second` gives.")
    expect(z is not None and same(z.item(), 826.0), "The result should be second(first(x)).")
    expect(
        bool(seen) and seen[0].grad_fn is None,
        "The halves share a graph: what `second` gets has a grad_fn.",
    )
    expect(
        x.grad is not None,
        "The gradient never reaches `x`. The leaf in the middle has it; hand it on to the first "
        "half.",
    )
    got = x.grad.tolist()
    expect(
        got != [4.0, 6.0],
        "The backward of the first half begins with 1, but it should begin with the gradient of "
        "the leaf in the middle.",
    )
    expect(got == [32.0, 1080.0], f"`x.grad` is {got}; one graph gives [32.0, 1080.0].")


@exercise(
    "10.4",
    "Truncated",
    difficulty=3,
    minutes=15,
    hint="""Count the steps. When k of them are done: `h.backward()`, note `w.grad`, set it to None,
    and `h = h.detach()`.""",
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
    right="Language models were trained like this for years: the state flows on, gradients do not.",
)
def check_truncated(truncated):
    library = yours()
    inputs = [0.1, -0.2, 0.3, 0.4]

    def by_hand(reach, cut_to=None):
        """The gradients if each backward sees `reach` steps."""
        found, h, slope = [], 1.0, 0.0
        for step, x in enumerate(inputs, 1):
            new = math.tanh(0.7 * h + x)
            slope = (1 - new**2) * (h + 0.7 * slope)
            if reach == 1 and step % 2:
                slope = 0.0
            h = new
            if step % 2 == 0:
                found.append(slope)
                slope = 0.0
                h = h if cut_to is None else cut_to
        return found

    def close(got, want):
        return len(got) == len(want) and all(
            abs(a - b) < 1e-4 for a, b in zip(got, want, strict=True)
        )

    w = library.tensor(0.7, requires_grad=True)
    whole = []  # the gradients if each backward sees all earlier steps
    h, slope = 1.0, 0.0
    for step, x in enumerate(inputs, 1):
        new = math.tanh(0.7 * h + x)
        h, slope = new, (1 - new**2) * (h + 0.7 * slope)
        if step % 2 == 0:
            whole.append(slope)
    with error_means("second time", "The past is not cut: its graph was freed."):
        got = list(truncated(w, inputs, 2))
    expect(
        all(isinstance(each, float) for each in got),
        "The gradients as numbers, please: `w.grad.item()`.",
    )
    want = by_hand(2)
    expect(
        not close(got, whole),
        "The gradient went through the whole past. Cut `h` with `detach()`; `retain_graph` only "
        "keeps the past.",
    )
    expect(
        not close(got, by_hand(1)),
        "Yours goes one step back only. Cut after every k-th step, not in each.",
    )
    expect(
        not close(got, [want[0], want[0] + want[1]]),
        "Your numbers are the sums of all so far. Clear `w.grad` before each backward.",
    )
    expect(
        not close(got, by_hand(2, cut_to=1.0)),
        "Yours starts again with 1 after a cut. The value of `h` goes on; only its history ends.",
    )
    expect(close(got, want), f"For k = 2 yours gives {got}, not {want}.")


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
    right="`@no_grad()` above the function would do as well.",
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
        expect(not isinstance(got, library.Tensor), "The result is a tensor. Return a number.")
        expect(same(got, 6.0), f"The mean of 2, 4 and 12 is 6; yours is {got}.")
        expect(
            not results[0].requires_grad,
            "What `model` computed was recorded. (Your tensors do not ask `torch`, the finished "
            "library, whether they are recorded. Use your own `no_grad`.)",
        )
        swallowed = True
        try:
            evaluate(broken, [1.0])
        except KeyError:
            swallowed = False
        expect(not swallowed, "Yours swallows the error of `model`. Let it through.")
        expect(records(library), "After an error in `model`, nothing is recorded any more.")
        with library.no_grad():
            evaluate(model, [1.0])
            expect(
                not records(library), "Yours switches recording on for its caller, who had it off."
            )
    finally:
        library.set_mode(True)
