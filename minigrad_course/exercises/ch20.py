"""What notebook 20_error_clinic asks: what a message means, and programs to fix."""

import math

import minigrad as torch
from minigrad_course.ask.declare import Mistake, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.machine import DEEP

prediction(
    "20.a",
    """`loss.requires_grad_()` before `backward()` takes the error away in all three programs. In
    which of them does `w` get a gradient?""",
    {
        "in all three": """The switch is on the loss. It does not reach back to what made the
        loss.""",
        "where numbers were copied": """`item()` gives a number of Python. No number knows `w`.""",
        "in none": """The loss becomes a leaf of its own, without history: backward ends there.""",
    },
    answer="in none",
    shown="w.grad None",
)

prediction(
    "20.b",
    """`loss` is the sum of w², with `w` 1 and 2. Then `w.data.mul_(10.0)`, then backward. What is
    `w.grad`?""",
    {
        "[2, 4]": """That is right for the old values. But the node has saved `w` itself, and no
        copy.""",
        "[20, 40]": """Backward uses 2w with the new values, and nobody has counted the change.""",
        "an error": """The error comes if the change was counted. `.data` hands on no counter.""",
    },
    answer="[20, 40]",
    shown="by .data:  tensor([20., 40.])",
)

prediction(
    "20.c",
    """`a.grad` is 3 and `b.grad` is 4. What are they after
    `clip_grad_norm_([a, b], max_norm=1.0)`?""",
    {
        "1 and 1": """So each would have a limit of its own. `max_norm` limits the length of all
        gradients together, √(3² + 4²) = 5.""",
        "0.6 and 0.8": """Together their length is √(3² + 4²) = 5. All are divided by it, so the
        direction stays.""",
        "3 and 4": """They would be, if each of them were within the limit. Together their length
        is 5, and it may be 1.""",
    },
    answer="0.6 and 0.8",
    shown="gradients now: tensor([0.6000]) tensor([0.8000])",
)


@exercise(
    "20.1",
    "Which cure?",
    difficulty=1,
    minutes=5,
    hint="""What was wrong: the name of the leaf, a recorded write, an old graph, no place to begin,
    a saved value?""",
    solution='cures = {1: "c", 2: "b", 3: "a", 4: "e", 5: "d"}',
    right="Each is a cure of the cause. None of them only silences the message.",
)
def check_cures(cures):
    expect(
        cures[1] != "a",
        """1: `detach()` makes a leaf, but one without `requires_grad`: it would not be trained.""",
    )
    expect(
        cures[2] != "d",
        """2: `w = w - …` makes another tensor, and the optimizer's leaf stays as it was.""",
    )
    expect(
        cures[5] != "b",
        """5: `no_grad` around `y += 1` does not unwrite it: the version is 1 all the same.""",
    )
    for number, letter in {1: "c", 2: "b", 3: "a", 4: "e", 5: "d"}.items():
        expect(cures[number] == letter, f"{number}: read what the message says of the tensor.")


@exercise(
    "20.2",
    "Gradient descent that works once",
    difficulty=2,
    minutes=7,
    hint="""Keep one leaf, and change its memory. Where nothing is recorded, a leaf may be
    written. Then begin a new sum.""",
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
    right="""Each step used the gradient of that step alone. In the solution one leaf stays, and is
    written under `no_grad`.""",
)
def check_fit(fit):
    x, t = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 6.0])
    try:
        found = fit(x, t, 3)
    except (RuntimeError, TypeError) as error:
        raise Mistake(f"Three steps. It raised: {str(error).splitlines()[0]}") from error
    expect(found != 0.0, "After three steps `w` is still 0: it learns nothing.")
    used = names_used(fit)
    expect(
        "data" not in used,
        "`.data` changes the leaf unseen, also if a graph needs the old values: use `no_grad`.",
    )
    expect(
        "retain_grad" not in used,
        "`retain_grad()` lets the graph grow from step to step: keep one leaf.",
    )
    w = total = summed = 0.0
    for _ in range(3):
        w -= 0.1 * 5.0 * (w - 3.0)
    for _ in range(3):
        total += 5.0 * (summed - 3.0)
        summed -= 0.1 * total
    expect(
        not same(found, summed, 1e-4),
        "Each step of yours used the sum of the gradients of all steps so far.",
    )
    expect(same(found, w, 1e-4), f"After three steps `w` should be {w:.4f}, not {found:.4f}.")


@exercise(
    "20.3",
    "A state that is carried on",
    difficulty=2,
    minutes=8,
    hint="""The graph of a batch shall begin anew with the batch. Which line runs once for each
    batch?""",
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
    right="That is truncated backpropagation: values go on, gradients do not.",
)
def check_read(read):
    batches = [[0.5, -0.2, 0.3], [0.1, 0.4]]

    def run(function):
        w = torch.tensor(0.8, requires_grad=True)
        try:
            h = function(w, batches)
        except RuntimeError as error:
            raise Mistake(f"It raised: {str(error).splitlines()[0]}") from error
        expect(w.grad is not None, "`w` got no gradient.")
        return h.item(), w.grad.item()

    def carried(cut, within=False, **how):
        def function(w, batches):
            h = torch.tensor(0.0)
            for batch in batches:
                h = h.detach() if cut else h
                for x in batch:
                    h = (w * (h.detach() if within else h) + x).tanh()
                h.backward(**how)
            return h

        return run(function)

    value, right = carried(True)
    found, grad = run(read)
    expect(same(found, value, 1e-5), "The values differ: yours forgets the state, or changes it.")
    expect(
        not same(grad, carried(False, retain_graph=True)[1], 1e-5),
        "Gradients of yours flow back through older batches, and are counted there again.",
    )
    expect(
        not same(grad, carried(True, within=True)[1], 1e-5),
        "Yours cuts inside a batch, too: no gradient flows from one x to the next.",
    )
    expect(same(grad, right, 1e-5), f"`w.grad` should be {right:.4f}, not {grad:.4f}.")


@exercise(
    "20.4",
    "A softmax that writes",
    difficulty=2,
    minutes=8,
    hint="""Subtract the maximum first, in a new tensor; then `exp`; then divide, in a new
    tensor.""",
    solution="""
        def softmax(t):
            e = (t - t.max()).exp()
            return e / e.sum()
    """,
    right="Out of place, each value that a node has saved stays as it was.",
)
def check_softmax(softmax):
    expect(
        not names_used(softmax) & {"softmax", "log_softmax"},
        "That is the library's softmax. Write it with `exp`.",
    )
    leaf = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    t = leaf * 1.0
    try:
        out = softmax(t)
        out[0].backward()
    except RuntimeError as error:
        raise Mistake(f"It raised: {str(error).splitlines()[0]}") from error
    expect(t.tolist() == [1.0, 2.0, 3.0], "The caller's `t` was changed.")
    powers = [math.exp(value) for value in (1.0, 2.0, 3.0)]
    p = [power / sum(powers) for power in powers]
    expect(same(out.tolist(), p, 1e-5), f"The values should be {p}.")
    expect(leaf.grad is not None, "No gradient reached `t`.")
    wanted = [p[0] * ((i == 0) - p[i]) for i in range(3)]
    expect(
        same(leaf.grad.tolist(), wanted, 1e-5),
        "The values are right and the gradient is wrong, in silence: what did autograd not see?",
    )
    large = softmax(torch.tensor([1000.0, 1001.0])).tolist()
    expect(same(large, [0.268941, 0.731059], 1e-4), f"exp(1000) overflows; yours gives {large}.")


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
    hint="""From `loss.grad_fn` go along `next_functions`, with a list of nodes still to visit and a
    set of those seen. An AccumulateGrad has its leaf as `variable`. An edge of a constant is
    (None, 0).""",
    solution="""
        def diagnose(loss, w):
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
    right="That is the first half of this page, as a program. Keep it for the next bug.",
)
def check_diagnose(diagnose):
    def ask(loss, w, wanted, about):
        before = w._grad
        try:
            found = diagnose(loss, w)
        except RecursionError:
            raise Mistake(
                "Right idea, but Python's stack ends at about 1000 calls: keep a list of the nodes "
                "to visit."
            ) from None
        except Exception as error:
            raise Mistake(f"{about} It raised: {error}") from error
        expect(
            w._grad is before or not w.is_leaf,
            "Yours calls backward: `.grad` has changed, and the graph is freed.",
        )
        expect(found == wanted, f"{about} That is {wanted!r}, and yours says {found!r}.")

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
    ask(
        (w * 2.0).sum(),
        w,
        "fine",
        "The leaf is three nodes away; yours looks at the first node only?",
    )
    ask(((w * other) + 1.0).exp().sum(), w, "fine", "A graph with a constant and two leaves.")
    doubled = other
    Edges.read = 0
    for _ in range(12):  # few enough that even following every path terminates
        doubled = Doubled.apply(doubled, doubled)
        doubled.grad_fn.next_functions = Edges(doubled.grad_fn.next_functions)
    about = "12 sums x + x, 2¹² paths: visit each node once."
    ask(doubled.sum(), w, "not reached", about)
    expect(Edges.read < 1000, f"{about} Yours has looked at edges {Edges.read} times.")
    deep = w
    for _ in range(DEEP):
        deep = deep * 1.0
    ask(deep.sum(), w, "fine", f"{DEEP} products in a row.")
    passed, product = [], w * other
    product.register_hook(passed.append)
    found = diagnose(product.exp().sum(), w)
    expect(
        not passed,
        "Yours runs backward. Only look at `grad_fn` and `next_functions`: nothing may be freed.",
    )
    expect(found == "fine", f"A product, `exp` and a sum: 'fine'. Yours says {found!r}.")
