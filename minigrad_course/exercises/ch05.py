"""What notebook 05_leaves asks: whose `.grad` is filled, and why that of the others is None."""

import weakref

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    prediction,
    refuses,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

UNKNOWN = (
    "The finished library's `autograd.grad` does not know the tensors of yours, and chapter 13 "
    "builds one. Call `backward()`."
)

prediction(
    "05.a",
    """Code 5 calls `y.retain_grad()` and `z.retain_grad()`, and then `z.backward()`. In which facts
    do `y` and `z` differ from Code 4 at the end?""",
    {
        "only in grad": """Their `grad` differs. But something must tell backward to keep it. Which
        of the five facts could say that?""",
        "in grad and retains_grad": """The gradient is kept, and `retains_grad` says that this was
        asked for. The other facts stay: both have a node, and are not leaves.""",
        "in grad, retains_grad and is_leaf": """`is_leaf` says where a tensor comes from. An
        operation made `y`, whether its gradient is kept or not.""",
    },
    answer="in grad and retains_grad",
    shown="y  True           False    True          PowBackward0  0.008",
)

prediction(
    "05.b",
    """`x`, `w` and `unused` require grad, `k` does not. `y = x * k` and `z = y + w`. At how many
    `AccumulateGrad` nodes does the graph of `z` end?""",
    {
        "2": "One for `x` and one for `w`. Nothing leads to `unused`.",
        "3": """Did you count `k` or `unused`? `k` does not require grad, so it has none. And no
        edge of this graph leads to `unused`.""",
        "4": """One for each of `x`, `k`, `w` and `y`? `k` does not require grad. And the edge to
        `y` leads to the node of the product.""",
    },
    answer="2",
    shown="2 ends",
)

prediction(
    "05.c",
    """`x` is 3., `y = x * x`, `a = y + y`, `z = y + a`, and `y` retains its gradient. Three edges
    lead to the node of `y`, and each brings 1. What is in `y.grad`?""",
    {
        "1": "That is what one edge brings. Is `run_node` called before the others have come?",
        "3": "`run_node` gets the sum of all that arrived, and `_retain` stands in `run_node`.",
        "18": "That is the gradient of `x`, behind the node of `y`.",
    },
    answer="3",
    shown="y.grad tensor(3.)",
)

prediction(
    "05.d",
    """`a` requires grad. `b` is such a tensor times 0.01, `c` is `.to(float32)` of one, and `d` is
    `.to(float64)` of one. Which of them have a `.grad` after `backward()`?""",
    {
        "all four": """All four require grad, and the gradient with respect to each of them is
        computed. But that is not what decides.""",
        "only a": """`a` has one. But look at what `.to(float32)` has to do with numbers that are
        float32 already.""",
        "a and c": """`b` and `d` are results of operations. `c` is not: there was nothing to
        convert, so `.to` gave back the tensor itself.""",
        "a, c and d": """`d` has the same numbers as `a`. But to make float64 of float32 is an
        operation, and it is recorded.""",
    },
    answer="a and c",
    shown="filled:  a, c",
)


@exercise(
    "05.1",
    "Whose gradient is filled",
    difficulty=1,
    minutes=6,
    hint="""For each tensor three questions, in this order. Did it require grad when it was used?
    Is it a leaf, or does it retain? Does a path lead from `loss` to it?""",
    solution="""
        filled_after = {
            "a": True,
            "b": False,
            "c": True,
            "d": False,
            "e": True,
            "f": False,
            "loss": False,
        }
    """,
    right="You have said it before the run, from the lines alone.",
)
def check_filled(filled_after):
    says = {
        "a": "`a` is a leaf that requires grad, and `d` is computed from it.",
        "b": "When `d` was computed, `b` did not require grad: the flag comes too late.",
        "c": "`e` retains its gradient, and the gradient goes on from `e` to its leaf, `c`.",
        "d": "`d` is not a leaf: its gradient passes by on the way to `a`.",
        "e": "`e` is not a leaf, but `retain_grad` asked for it before the backward pass.",
        "f": "`f` is a leaf that requires grad. But no edge leads from `loss` to `f`.",
        "loss": "Backward begins with 1 at `loss`. That 1 is not kept: `loss` is not a leaf.",
    }
    wanted = {"a": True, "b": False, "c": True, "d": False, "e": True, "f": False, "loss": False}
    for name, filled in wanted.items():
        expect(filled_after.get(name) in (True, False), f"Give True or False for `{name}`.")
        expect(filled_after[name] == filled, says[name])


@exercise(
    "05.2",
    "A weight that an optimizer takes",
    difficulty=1,
    minutes=6,
    hint="First make the values, all of them. The flag comes last.",
    solution="""
        def small_weight(numbers, factor):
            return (tensor(numbers, dtype=float64) * factor).requires_grad_()
    """,
    right="`torch.nn.Parameter` around the finished values gives such a leaf, too.",
)
def check_small_weight(small_weight):
    w = small_weight([1.0, 2.0, 3.0], 0.5)
    expect(w is not None, "Return the weight.")
    expect(w.requires_grad, "Your weight does not require grad.")
    retains = getattr(w, "retains_grad", False)
    expect(
        w.is_leaf or not retains,
        "Your weight passes the retaining test, and is not a leaf: the optimizer takes it, but the "
        "leaf behind it is not trained.",
    )
    expect(
        w.is_leaf,
        "Your weight is not a leaf: the tensor with the flag came first, and then an operation "
        "made another one of it.",
    )
    kind = str(w.dtype).rpartition(".")[2]
    expect(kind == "float64", f"The dtype of your weight is {kind}, not float64.")
    expect(
        not same(w.tolist(), [1.0, 2.0, 3.0]),
        "The numbers are not multiplied by the factor.",
    )
    expect(
        same(w.tolist(), [0.5, 1.0, 1.5]),
        "[1, 2, 3] times 0.5 is [0.5, 1, 1.5], and yours differs.",
    )
    (w * w).sum().backward()
    expect(same(w.grad, [1.0, 2.0, 3.0]), "The gradient of `(w * w).sum()` is 2 · w.")
    whole = small_weight([2, 4], 0.25)
    expect(same(whole.tolist(), [0.5, 1.0]), "Integers in the list must do as well.")


@exercise(
    "05.3",
    "The gradient of any tensor",
    difficulty=2,
    minutes=10,
    hint="""Before the backward pass: empty `.grad` of each tensor, and let those that require grad
    retain it. On a leaf `retain_grad` does nothing.""",
    solution="""
        def gradients(z, *tensors):
            for t in tensors:
                t.grad = None
                if t.requires_grad:
                    t.retain_grad()
            z.backward()
            return [t.grad for t in tensors]
    """,
    right="`torch.autograd.grad` does this without touching `.grad`; chapter 13 builds it.",
)
def check_gradients(gradients):
    library = yours()
    x = library.tensor(2.0, requires_grad=True)
    k = library.tensor(5.0)
    other = library.tensor(1.0, requires_grad=True)
    (other * 7.0).backward()
    assigned = library.tensor(1.0)
    assigned.grad = library.tensor(3.0)
    earlier = other * 2.0
    earlier.retain_grad()
    earlier.backward()
    y = x * x
    z = y * k
    runs, backward = [], z.grad_fn.backward
    z.grad_fn.backward = lambda *grads: [runs.append(grads), backward(*grads)][1]
    with (
        error_means(
            "can't retain_grad",
            "`retain_grad` of a tensor that does not require grad is an error. Its gradient "
            "is None.",
        ),
        error_means("to be a torch.Tensor", UNKNOWN),
    ):
        got = gradients(z, x, y, z, k, other, assigned, earlier)
    expect(isinstance(got, list | tuple) and len(got) == 7, "Return a list, in the order given.")
    expect(same(got[0], 20.0), "With `x = 2`, `y = x * x`, `z = 5 · y` the gradient of `x` is 20.")
    if got[1] is None and y.retains_grad:
        raise Mistake("`y.grad` is None: your `retain_grad` comes too late, after backward.")
    expect(got[1] is not None, "`y` is not a leaf: its gradient passes by, and yours is None.")
    expect(same(got[1], 5.0), "With `z = 5 · y` the gradient of `y` is 5.")
    expect(same(got[2], 1.0), "`z` with respect to itself is 1, and `z` is not a leaf either.")
    expect(got[3] is None, "`k` does not require grad: its gradient is None.")
    expect(
        got[4] is None,
        "`z` does not depend on `other`, a leaf. What you return is from an earlier backward pass.",
    )
    expect(
        got[5] is None,
        "A tensor without requires_grad gets no gradient, and yours returns the one that somebody "
        "had assigned. Empty `.grad` of every tensor.",
    )
    expect(
        got[6] is None,
        "`z` does not depend on the last tensor. The last one retains, and what you return is the "
        "gradient of an earlier pass.",
    )
    expect(len(runs) == 1, "Yours goes backward more than once. One pass fills them all.")


@exercise(
    "05.4",
    "Why is it None?",
    difficulty=3,
    minutes=12,
    hint="""The checklist, line by line. `gradient_edge(t)` says where a gradient of `t` goes, and
    `count_dependencies` finds all the nodes behind `loss`. That works for leaves and for retaining
    tensors alike.""",
    solution="""
        def why_none(t, loss):
            if not t.requires_grad:
                return "flag"
            if not t.is_leaf and not t.retains_grad:
                return "leaf"
            node, _ = gradient_edge(t)
            return "" if node in count_dependencies([gradient_edge(loss)]) else "path"
    """,
    right="""Try it on the four weights: `{name: why_none(w, losses[name]) for name, w in
    weights.items()}`. With PyTorch's own tensors it works as well, if you find the nodes by
    `next_functions`.""",
)
def check_why_none(why_none):
    library = yours()
    x = library.tensor(2.0, requires_grad=True)
    unused = library.tensor(1.0, requires_grad=True)
    k = library.tensor(5.0)
    y = x * k
    kept = y * 2.0
    kept.retain_grad()
    loss = kept * kept
    expect(why_none(x, loss) == "", 'For a leaf that the loss was computed from, return "".')
    expect(
        x._grad is None,
        "Yours runs a backward pass. Say it beforehand: the graph is there.",
    )
    expect(why_none(k, loss) == "flag", 'A constant does not require grad: "flag".')
    expect(why_none(y, loss) == "leaf", '`y = x * k` is not a leaf and does not retain: "leaf".')
    expect(
        why_none(unused, loss) == "path",
        "A leaf requires grad, but the loss does not use it: the answer is `path`.",
    )
    twin = library.tensor(2.0, requires_grad=True)
    expect(
        why_none(twin, loss) == "path",
        "`in` compares numbers, and two weights can be equal. Ask `any(t is end for end in …)`.",
    )
    got = why_none(kept, loss)
    expect(
        got != "leaf",
        "`kept` is not a leaf, as yours says. It retains its gradient, so nothing is wrong. "
        "Ask `retains_grad` before you call it `leaf`.",
    )
    expect(
        got == "",
        "Yours looks for a tensor that retains its gradient only among the leaves. It has a node, "
        "and the graph of the loss holds that node.",
    )
    try:
        got = why_none(unused, library.tensor(4.0))
    except AttributeError:
        raise Mistake(
            "A loss that was cut off has no `grad_fn`, and no path at all: the answer is `path`."
        ) from None
    expect(got == "path", "A loss without a graph leads nowhere: the answer is `path`.")
    late = x * 3.0
    late.retain_grad()
    expect(
        why_none(late, loss) == "path",
        "`late = x * 3.0` retains its gradient, but the loss does not use it: `path`.",
    )
    expect(
        x._grad is None,
        "Yours ran a backward pass and put back what it filled in `t`. But the pass reached other "
        "leaves, too. Ask the graph.",
    )


@exercise(
    "05.5",
    "On an empty page: retain_grad",
    difficulty=2,
    minutes=12,
    hint="""Keep weak references, `weakref.ref(t)`, in a list. In `passing`, look for those whose
    tensor is still there and was made by this `node`: `t.grad_fn is node`. `t.output_nr` says
    which of `grads` belongs to it.""",
    solution="""
        class Keeper:
            def __init__(self):
                self.references = []

            def keep(self, t):
                if not t.requires_grad:
                    raise RuntimeError("this tensor gets no gradient")
                if not t.is_leaf:
                    self.references.append(weakref.ref(t))

            def passing(self, node, grads):
                for reference in self.references:
                    t = reference()
                    if t is not None and t.grad_fn is node and grads[t.output_nr] is not None:
                        t.grad = grads[t.output_nr]
    """,
    right="That is the whole of `retain_grad`: a weak reference and a look at what passes by.",
    partly=True,
)
def check_keeper(keeper_class):
    library = yours()
    tensor, made = library.tensor, keeper_class()

    class Watched(library.BackwardPass):
        def run_node(self, node, grads):
            made.passing(node, list(grads))
            return super().run_node(node, grads)

    def run(z):
        noting = Watched()
        noting.run([z])

    x = tensor(3.0, requires_grad=True)
    y = x * x
    z = y + (y + y)
    made.keep(y)
    expect(not y.retains_grad, "That is the `retain_grad` of your library. Write it anew.")
    run(z)
    expect(y._grad is not None, "`y` was to be kept, and `y.grad` is None after the pass.")
    expect(
        not same(y._grad, 18.0),
        "`y.grad` is 18: that arrives at another node. Fill it only where the node of `y` runs.",
    )
    expect(same(y._grad, 3.0), "With `z = y + (y + y)` the gradient of `y` is 3.")
    check_outputs(made, tensor, run)
    try:
        made.keep(x)
    except AttributeError:
        raise Mistake("`keep` of a leaf: a leaf has no node. There is nothing to do.") from None
    expect(
        refuses(lambda: made.keep(tensor(1.0))),
        "`keep` of a tensor that does not require grad: raise RuntimeError.",
    )
    check_lifetime(made, tensor)
    check_several(made, tensor, run)


def check_outputs(keeper, tensor, run):
    """Check the gradient that is kept for the second of two outputs of a node."""
    left, right = tensor([2.0, 5.0], requires_grad=True).unbind()
    keeper.keep(right)
    run(left * right)
    expect(
        same(right._grad, 2.0),
        "With `left, right = pair.unbind()` one node has two outputs. Which output the tensor is, "
        "says `output_nr`.",
    )


def check_lifetime(keeper, tensor):
    """Check that a kept tensor and its graph are freed once nothing else refers to it."""
    with without_collector():
        x = tensor(3.0, requires_grad=True)
        y = x * x
        keeper.keep(y)
        gone, leaf_gone = weakref.ref(y), weakref.ref(x)
        del x, y
        expect(gone() is None, "Yours keeps a tensor alive that nobody has a name for any more.")
        expect(
            leaf_gone() is None,
            "Yours holds the node of a tensor that is gone. A node holds its leaves and what it "
            "has saved, so none of them can go.",
        )


def check_several(keeper, tensor, run):
    """Check tensors that are freed before the pass, and two outputs of one node."""
    left, right = tensor([2.0, 5.0], requires_grad=True).unbind()
    keeper.keep(left)
    keeper.keep(right)
    try:
        run(left * right)
    except AttributeError:
        raise Mistake(
            "A tensor that was kept may be gone when its node runs: its weak reference gives None."
        ) from None
    expect(
        left._grad is not None and right._grad is not None and same(left._grad, 5.0),
        "Both outputs of one node were handed to `keep`, and one of them is forgotten.",
    )
