"""What notebook 20_error_clinic asks: what a message means, and programs to fix."""

import math

import minigrad as torch
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_none_of,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.machine import DEEP

prediction(
    "20.a",
    """The advice goes into the last line of `loss_of`, which now returns
    `torch.tensor(errors).mean().requires_grad_()`. What does `train()` do?""",
    {
        "it trains, and the loss falls": """For that, backward would have to find a way from the
        loss to the weights. The flag says that the loss wants a gradient, and adds no graph.""",
        "it runs to the end, and the loss stays the same": """The flag turns the loss into a leaf
        without a history, so backward begins and ends there. No weight gets a gradient, and the
        optimizer skips them all.""",
        "it raises again, this time in `optimizer.step()`": """It would if an optimizer insisted on
        gradients. It skips every weight whose `.grad` is None, and says nothing about it.""",
    },
    answer="it runs to the end, and the loss stays the same",
    shown="epoch 15: loss 0.762",
)

prediction(
    "20.b",
    """`step` now calls `loss.backward(retain_graph=True)`, as the message says, and nothing else
    has changed. What does `train()` do?""",
    {
        "it trains, and each step is slower than the one before": """That is what you see as long as
        nobody writes to the weights, but here an optimizer does, after every batch.""",
        "it raises the same message, one batch later": """Nothing is freed anymore, so this message
        cannot appear again.""",
        "it raises another message": """The values of the first batch are kept, but
        `optimizer.step()` has since written to the weights that this graph saved.""",
    },
    answer="it raises another message",
    shown="modified by an inplace operation",
)

prediction(
    "20.c",
    """`loss` is the sum of w², with `w` 1 and 2. Before backward, `w.data.mul_(10.0)` changes the
    weights. What is `w.grad`?""",
    {
        "[2, 4]": """That would be right, since the loss was computed from the old values. But the
        node saved `w` itself, not a copy.""",
        "[20, 40]": """Backward computes 2w with the new values, because `.data` has a version
        counter of its own, so nobody noticed the change.""",
        "there is an error": """There would be one if the change had been counted. A write through
        `.data` does not reach the version counter of `w`.""",
    },
    answer="[20, 40]",
    shown="by .data:  tensor([20., 40.])",
)

prediction(
    "20.d",
    """The script runs, and its loss falls. Which weights does it still not train?""",
    {
        "none, all eight tensors are trained": """A falling loss does not tell you that. The other
        weights can make the best of a part that never changes.""",
        "weight and bias of `carry`": """The state is detached between two batches, and not inside a
        batch. So gradients still flow through `carry` from row to row.""",
        "weight and bias of `encode`": """`forward` detaches the features for a plot, and then
        computes with the detached tensor, so no gradient gets past it to `encode`.""",
    },
    answer="weight and bias of `encode`",
    shown="encode.weight, encode.bias",
)


FIXES = {1: "c", 2: "b", 3: "a", 4: "e", 5: "d"}
WHY = {
    1: "the optimizer was given the result of an operation, so a leaf has to be made of its values",
    2: "the write itself is fine, as long as it is not recorded",
    3: "a part of this graph was computed in the first batch, and was freed there",
    4: "backward cannot choose the gradient of several elements for you",
    5: "`exp` saved its result, and a later line wrote over it",
}


@exercise(
    "20.1",
    "Which fix?",
    difficulty=1,
    minutes=5,
    hint="""For each message, ask what was wrong: a tensor that is not the leaf, a write that is
    recorded, a graph that is freed, a place to begin, or a saved value that was overwritten.""",
    solution='fixes = {1: "c", 2: "b", 3: "a", 4: "e", 5: "d"}',
    right="Each of these removes the cause, and none of them just silences the message.",
)
def check_fixes(fixes):
    chosen = {number: str(fixes[number]).strip("() ").lower() for number in FIXES}
    expect(
        chosen[1] != "a",
        """1: `detach()` alone makes a leaf that does not require grad, so it would not be
        trained.""",
    )
    expect(
        chosen[2] != "d",
        """2: `w = w - …` makes another tensor, and the leaf that the optimizer has never moves.""",
    )
    expect(
        chosen[5] != "b",
        """5: under `no_grad` the line `y += 1` still overwrites what `exp` saved, and is still
        counted.""",
    )
    for number, letter in FIXES.items():
        expect(chosen[number] == letter, f"{number}: not that one, because {WHY[number]}.")


@exercise(
    "20.2",
    "Gradient descent that works once",
    difficulty=2,
    minutes=7,
    hint="""Keep a single leaf, and change its values in place. You may write to a leaf where
    nothing is recorded. And each step needs a `.grad` that holds its own gradient alone.""",
    solution="""
        def fit(x, t, steps):
            w = torch.tensor(0.0, requires_grad=True)
            for _ in range(steps):
                ((w * x - t) ** 2).mean().backward()
                with torch.no_grad():
                    w -= 0.1 * w.grad
                w.grad = None
            return w.item()
    """,
    right="""Each step used its own gradient. In the solution `w` is the same leaf from beginning to
    end, and it is written to under `no_grad`.""",
)
def check_fit(fit):
    x, t = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 6.0])
    with error_means(
        (AttributeError, RuntimeError, TypeError), "In three steps, your function raised: {error}"
    ):
        found = fit(x, t, 3)
    expect(
        isinstance(found, float),
        f"Your function returned {found!r}. Return the number, `w.item()`, instead of printing it.",
    )
    used = names_used(fit)
    expect(
        used & {"backward", "grad"},
        "Your function works out the derivative by hand. Fix the program, and let autograd do "
        "that.",
    )
    expect(found != 0.0, "After three steps `w` is still 0, so it does not learn anything.")
    expect(
        "data" not in used,
        "`.data` hides the write from autograd, even if a graph still needs the old values. Use "
        "`no_grad`.",
    )
    expect(
        "retain_grad" not in used,
        "With `retain_grad()` the graph grows from step to step. Keep one leaf instead.",
    )
    w = total = summed = 0.0
    for _ in range(3):
        w -= 0.1 * 5.0 * (w - 3.0)
    for _ in range(3):
        total += 5.0 * (summed - 3.0)
        summed -= 0.1 * total
    expect(
        not same(found, summed, 1e-4),
        "Each of your steps used the sum of all gradients so far.",
    )
    expect(same(found, w, 1e-4), f"After three steps `w` should be {w:.4f}, not {found:.4f}.")


@exercise(
    "20.3",
    "A state that is carried over",
    difficulty=2,
    minutes=8,
    hint="""Each batch should begin a new graph, with the old value of the state. Which line runs
    once for each batch?""",
    solution="""
        def read(w, batches):
            h = torch.tensor(0.0)
            for batch in batches:
                h = h.detach()
                for x in batch:
                    h = (w * h + x).tanh()
                h.backward()
            return h
    """,
    right="""This is called truncated backpropagation through time: values pass from batch to batch,
    and gradients do not.""",
)
def check_read(read):
    batches = [[0.5, -0.2, 0.3], [0.1, 0.4]]

    def run(function):
        w = torch.tensor(0.8, requires_grad=True)
        with error_means(RuntimeError, "Your function raised: {error}"):
            h = function(w, batches)
        expect(w.grad is not None, "`w` did not get a gradient.")
        return h.item(), w.grad.item()

    def carried(cut, within=False, cleared=False, **how):
        def function(w, batches):
            h = torch.tensor(0.0)
            for batch in batches:
                h = h.detach() if cut else h
                for x in batch:
                    h = (w * (h.detach() if within else h) + x).tanh()
                if cleared:
                    w.grad = None
                h.backward(**how)
            return h

        return run(function)

    expect(
        "data" not in names_used(read),
        "`.data` cuts the graph as `detach()` does, but later writes through it are not noticed. "
        "Use `detach()`.",
    )
    value, right = carried(True)
    found, grad = run(read)
    expect(
        same(found, value, 1e-5),
        "The values differ, so your function loses the state or changes it.",
    )
    expect_none_of(
        grad,
        {
            "Your gradients flow back through older batches, and are counted there again.": (
                carried(False, retain_graph=True)[1]
            ),
            "Your function also cuts inside a batch, so no gradient flows from one x to the "
            "next.": carried(True, within=True)[1],
            "Your loop clears `w.grad` for each batch, but the exercise asks for the sum over all "
            "batches.": carried(True, cleared=True)[1],
        },
        1e-5,
    )
    expect(same(grad, right, 1e-5), f"`w.grad` should be {right:.4f}, not {grad:.4f}.")


@exercise(
    "20.4",
    "A softmax that overwrites",
    difficulty=2,
    minutes=8,
    hint="""Subtract the maximum first, then apply `exp`, then divide, and let each of these lines
    compute a new tensor.""",
    solution="""
        def softmax(t):
            e = (t - t.max()).exp()
            return e / e.sum()
    """,
    right="Since every line computes a new tensor, all that the nodes saved is still there.",
)
def check_softmax(softmax):
    expect(
        not names_used(softmax) & {"softmax", "log_softmax"},
        "That is the library's softmax. Write yours with `exp`.",
    )
    leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    t = leaf * 1.0
    with error_means((RuntimeError, TypeError), "Your function raised: {error}"):
        out = softmax(t)
    expect(isinstance(out, torch.Tensor), f"Your function returned {out!r}, which is not a tensor.")
    expect(
        out.requires_grad,
        "Your result has no graph, so no gradient can reach `t`. Compute it with tensors, and "
        "without `detach`, `data` or NumPy.",
    )
    with (
        error_means(RuntimeError, "Backward through your result raised: {error}"),
        error_means(
            "modified by an inplace operation",
            "Your function still writes to a tensor that a node saved. That can be a clone, too, "
            "because whatever is computed from the clone saves the clone: {error}",
        ),
    ):
        out[0].backward()
    expect(t.tolist() == [1.0, 2.0, 3.0], "Your function changed the caller's `t`.")
    powers = [math.exp(value) for value in (1.0, 2.0, 3.0)]
    p = [power / sum(powers) for power in powers]
    expect(same(out.tolist(), p, 1e-5), f"The values should be {p}.")
    expect(leaf.grad is not None, "No gradient reached `t`.")
    wanted = [p[0] * ((i == 0) - p[i]) for i in range(3)]
    expect(
        same(leaf.grad.tolist(), wanted, 1e-5),
        "The values are right, but the gradient is silently wrong. What did autograd not see?",
    )
    large = softmax(torch.tensor([1000.0, 1001.0])).tolist()
    expect(
        same(large, [0.268941, 0.731059], 1e-4),
        f"exp(1000) overflows, so your function gives {large}.",
    )


class Edges(tuple):  # type: ignore[type-arg]
    """Edges of a node that count how often they are iterated."""

    read = 0

    def __iter__(self):
        Edges.read += 1
        return super().__iter__()


class Doubled(torch.autograd.Function):
    """a + b, with a node whose edges can be replaced."""

    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


@exercise(
    "20.5",
    "An empty page: the diagnosis",
    difficulty=3,
    minutes=17,
    hint="""Start at `loss.grad_fn` and follow `next_functions`, with a list of the nodes still to
    visit and a set of those seen. An AccumulateGrad has its leaf as `variable`, and the edge of a
    constant is (None, 0).""",
    solution="""
        def examine(loss, w):
            if not loss.requires_grad:
                return "no graph"
            if loss.numel() != 1:
                return "not a scalar"
            if not w.is_leaf:
                return "not a leaf"
            if not w.requires_grad:
                return "frozen"
            if loss is w:
                return "fine"
            todo, seen = [loss.grad_fn], set()
            while todo:
                node = todo.pop()
                if node is None or node in seen:
                    continue
                seen.add(node)
                if getattr(node, "variable", None) is w:
                    return "fine"
                todo += [following for following, _ in node.next_functions]
            return "not reached"
    """,
    right="""That is the core of `diagnose`, and it works on PyTorch's tensors as it is. Keep it for
    your next bug.""",
)
def check_examine(examine):
    def ask(loss, w, wanted, about):
        before = w._grad
        with (
            error_means(Exception, f"{about} Your function raised: {{error}}"),
            error_means(
                RecursionError,
                "The idea is right, but Python's stack ends after about 1000 calls, so keep a list "
                "of the nodes to visit.",
            ),
        ):
            found = examine(loss, w)
        expect(
            w._grad is before or not w.is_leaf,
            "Your function runs backward: `.grad` has changed. Only look at the graph.",
        )
        expect(found == wanted, f"{about} That is {wanted!r}, but your function says {found!r}.")

    def leaf(*values):
        return torch.tensor(values, requires_grad=True)

    w, other = leaf(1.0, 2.0), leaf(3.0, 4.0)
    ask((w.detach() * 2.0).sum(), w, "no graph", "The loss does not require grad.")
    ask(w * 2.0, w, "not a scalar", "The loss has two elements.")
    scaled = leaf(1.0, 2.0) * 0.1
    ask(scaled.sum(), scaled, "not a leaf", "`w` is a result.")
    data = torch.tensor([1.0, 2.0])
    ask((data * other).sum(), data, "frozen", "`w` does not require grad.")
    ask((other * 2.0).sum(), w, "not reached", "Only another leaf is in the graph.")
    about = "The leaf is three nodes away. Do you only look at the first node?"
    ask((w * 2.0).sum(), w, "fine", about)
    about = "A loss of shape (1,) has one element, and backward accepts it."
    ask((w * 2.0).sum().reshape(1), w, "fine", about)
    single = torch.tensor(1.0, requires_grad=True)
    ask(single, single, "fine", "The loss is `w` itself, and requires grad.")
    about = "This graph has a constant and two leaves."
    ask(((w * other) + 1.0).exp().sum(), w, "fine", about)
    doubled = other
    Edges.read = 0
    for _ in range(12):  # few enough that even following every path terminates
        doubled = Doubled.apply(doubled, doubled)
        doubled.grad_fn.next_functions = Edges(doubled.grad_fn.next_functions)
    about = "12 sums x + x have 2¹² paths, so visit each node once."
    ask(doubled.sum(), w, "not reached", about)
    expect(Edges.read < 1000, f"{about} Your function looked at edges {Edges.read} times.")
    deep = w
    for _ in range(DEEP):
        deep = deep * 1.0
    ask(deep.sum(), w, "fine", f"The graph has {DEEP} products in a row.")
    passed, product = [], w * other
    product.register_hook(passed.append)
    found = examine(product.exp().sum(), w)
    expect(
        not passed,
        "Your function runs backward: a hook was called. Only look at `grad_fn` and "
        "`next_functions`.",
    )
    expect(
        found == "fine", f"A product, `exp` and a sum are 'fine', but your function says {found!r}."
    )
