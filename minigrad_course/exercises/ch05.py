"""What notebook 05_leaves asks: whose `.grad` is filled, and why that of the others is None."""

import weakref

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    prediction,
    refuses,
    same,
    without_collector,
)
from minigrad_course.kernel.reader import yours

UNKNOWN = (
    "The finished library's `autograd.grad` does not know your library's tensors, which get one in "
    "chapter 13. Call `backward()`."
)

DETACH = (
    "`detach` comes in chapter 10, and you do not need it: where nothing requires grad, nothing is "
    "recorded, so compute the values without the flag."
)

prediction(
    "05.a",
    """The gate multiplies `h` by `h > self.threshold`, which is 1 where `h` is above the threshold
    and 0 elsewhere. All parameters require grad. Which of them have no gradient after
    `loss.backward()`?""",
    {
        "None of them: all require grad, and `forward` uses all.": """That sounds right, and
        it is what most people expect. But being used is not enough: the gradient also needs a
        derivative at each operation on its way. What is the derivative of a comparison?""",
        "Only `threshold`.": """The comparison gives True or False, and no gradient can pass through
        that. The gradient of the other factor, `h`, gets through the product as usual.""",
        "`first.weight`, `first.bias` and `threshold`: the gate cuts off what is before it.": """
        The gate does switch off some activations, and through those no gradient gets back. But a
        product also sends a gradient to `h`, so wherever the gate is open, the first layer learns.
        And where it is closed, the first layer receives 0, which is not None.""",
    },
    answer="Only `threshold`.",
    shown="threshold     True           True     None",
)

prediction(
    "05.b",
    """`x` is 3., `y = x * x`, `a = y + y`, `z = y + a`, and `y` retains its gradient. Three edges
    lead to the node of `y`, and a 1 arrives along each of them. What is in `y.grad`?""",
    {
        "1": """That is what a single edge contributes. When does the engine call `run_node`: for
        each gradient, or once all of them have arrived?""",
        "3": """The engine adds up what arrives before it runs a node, and `run_node` stores that
        sum.""",
        "18": """That is the gradient of `x`, which the node of `y` computes from its own: 3 times
        2x.""",
    },
    answer="3",
    shown="y.grad tensor(3.)",
)

prediction(
    "05.c",
    """`a` requires grad. `b` is such a tensor times 0.01, `c` is such a tensor after
    `.to(float32)`, and `d` after `.to(float64)`. Which of them have a `.grad` after
    `backward()`?""",
    {
        "all four": """All four require grad, and backward does compute the gradient of each. But
        whether it is kept depends on something else.""",
        "only a": """`a` does. But what does `.to(float32)` have to do with numbers that are float32
        already?""",
        "a and c": """`b` and `d` are results of operations, but `c` is not: there was nothing to
        convert, so `.to` returned the leaf itself.""",
        "a, c and d": """`d` has the same numbers as `a`. But converting float32 to float64 is an
        operation, which is recorded, and `d` is its result.""",
    },
    answer="a and c",
    shown="filled:  a, c",
)


@exercise(
    "05.1",
    "Whose gradient is filled",
    difficulty=1,
    minutes=6,
    hint="""Ask three questions about each tensor, in this order. Did it require grad when it was
    used? Is it a leaf, or does it retain its gradient? Does a path lead from `loss` to it?""",
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
    right="You have read all seven off the code, before anything ran.",
)
def check_filled(filled_after):
    says = {
        "a": "`a` is a leaf that requires grad, and `d` is computed from it.",
        "b": "When `d` was computed, `b` did not require grad, so the flag comes too late.",
        "c": "`e` keeps its gradient, but it also passes that gradient on to its leaf, `c`.",
        "d": "`d` is not a leaf, so its gradient passes through on the way to `a` and is not kept.",
        "e": "`e` is not a leaf, but `retain_grad()` was called on it before the backward pass.",
        "f": "`f` is a leaf that requires grad, but only `other` uses it, not `loss`.",
        "loss": "Backward starts with 1 at `loss`, but `loss` is not a leaf, so the 1 is not kept.",
    }
    wanted = {name: name in ("a", "c", "e") for name in says}
    expect_entries(filled_after, wanted, says, "Give True or False for `{}`.")


@exercise(
    "05.2",
    "A weight that an optimizer accepts",
    difficulty=1,
    minutes=6,
    hint="Compute all the values first, and set the flag last.",
    solution="""
        def small_weight(numbers, factor):
            return (tensor(numbers, dtype=float64) * factor).requires_grad_()
    """,
    right="`torch.nn.Parameter(values)` does the same: it turns finished values into a leaf.",
)
def check_small_weight(small_weight):
    with error_means("no attribute 'detach'", DETACH):
        w = small_weight([1.0, 2.0, 3.0], 0.5)
    expect(w is not None, "Return the weight.")
    expect(w.requires_grad, "Your weight does not require grad.")
    retains = getattr(w, "retains_grad", False)
    expect(
        w.is_leaf or not retains,
        "Your weight retains its gradient, so an optimizer accepts it, but it is not a leaf. The "
        "steps change a result, and the leaf that it was computed from is never trained.",
    )
    expect(
        w.is_leaf,
        "Your weight is not a leaf: the flag was set first, and then an operation computed another "
        "tensor from the one that has it.",
    )
    kind = str(w.dtype).rpartition(".")[2]
    expect(kind == "float64", f"The dtype of your weight is {kind}, not float64.")
    expect(
        not same(w.tolist(), [1.0, 2.0, 3.0]),
        "Your numbers are not multiplied by the factor.",
    )
    expect(
        same(w.tolist(), [0.5, 1.0, 1.5]),
        "[1, 2, 3] times 0.5 is [0.5, 1, 1.5], but your weight is something else.",
    )
    (w * w).sum().backward()
    expect(same(w.grad, [1.0, 2.0, 3.0]), "The gradient of `(w * w).sum()` is 2 · w.")
    (fine,) = small_weight([0.1], 0.1).tolist()
    expect(
        abs(fine - 0.1 * 0.1) < 1e-12,
        "Your product was rounded to float32 before you converted it, so 0.1 times 0.1 is off from "
        "the eighth digit on. Give the numbers the dtype float64 first.",
    )
    whole = small_weight([2, 4], 0.25)
    expect(same(whole.tolist(), [0.5, 1.0]), "A list of integers should work as well.")


@exercise(
    "05.3",
    "The gradient of any tensor",
    difficulty=2,
    minutes=10,
    hint="""Do two things before the backward pass: set the `.grad` of each tensor to None, and call
    `retain_grad()` on those that require grad. On a leaf, it does nothing.""",
    solution="""
        def gradients(z, *tensors):
            for t in tensors:
                t.grad = None
                if t.requires_grad:
                    t.retain_grad()
            z.backward()
            return [t.grad for t in tensors]
    """,
    right="`torch.autograd.grad` does this without touching any `.grad`. Chapter 13 builds it.",
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
            "`retain_grad()` raises for a tensor that does not require grad. Such a tensor gets no "
            "gradient, so return None for it.",
        ),
        error_means("to be a torch.Tensor", UNKNOWN),
    ):
        got = gradients(z, x, y, z, k, other, assigned, earlier)
    expect(
        isinstance(got, list | tuple) and len(got) == 7, "Return a list with one entry per tensor."
    )
    expect(same(got[0], 20.0), "With `x = 2`, `y = x * x`, `z = 5 · y`, the gradient of `x` is 20.")
    expect(
        got[1] is not None or y._grad is None,
        "`y.grad` is filled, but your function returns None for it. If you ask `leaf_is_reached`, "
        "remember that it knows leaves only.",
    )
    expect(
        got[1] is not None or not y.retains_grad,
        "`y.grad` is None: you call `retain_grad()` too late, after backward.",
    )
    expect(
        got[1] is not None,
        "`y` is not a leaf, so its gradient only passes through unless `y` retains it. You return "
        "None.",
    )
    expect(
        all(each is None or hasattr(each, "_data") for each in got),
        "Return the gradients as they are in `.grad`, which is as tensors, not as numbers.",
    )
    expect(
        not k.requires_grad,
        "Your function switches on the flag of `k`, a constant that belongs to the caller.",
    )
    expect(same(got[1], 5.0), "With `z = 5 · y`, the gradient of `y` is 5.")
    expect(same(got[2], 1.0), "`z` with respect to itself is 1, and `z` is not a leaf either.")
    expect(got[3] is None, "`k` does not require grad, so its gradient is None.")
    expect(
        got[4] is None,
        "`z` does not depend on the leaf `other`, so what you return is from an earlier backward "
        "pass.",
    )
    expect(
        got[5] is None,
        "A tensor that does not require grad gets no gradient, but your function returns the one "
        "that somebody had assigned. Set `.grad` to None for every tensor.",
    )
    expect(
        got[6] is None,
        "`z` does not depend on the last tensor, which has retained a gradient from an earlier "
        "pass, and that is what you return.",
    )
    expect(
        len(runs) == 1,
        "Your function calls `backward()` more than once, although one pass fills them all.",
    )


@exercise(
    "05.4",
    "Why is it None?",
    difficulty=3,
    minutes=12,
    hint="""Follow the checklist, line by line. For a leaf, `leaf_is_reached` is the last question.
    A result that retains its gradient gets it if its own node, `t.grad_fn`, is in the graph of
    `loss`, and `nodes_of(loss)` lists that graph.""",
    solution="""
        def why_none(t, loss):
            if not t.requires_grad:
                return "flag"
            if not t.is_leaf and not t.retains_grad:
                return "leaf"
            reached = leaf_is_reached(t, loss) if t.is_leaf else t.grad_fn in nodes_of(loss)
            return "" if reached else "path"
    """,
    right="""Now try it on a real module: `for name, p in model.named_parameters()`, with a loss
    that the model has just computed. It works in PyTorch as well.""",
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
        "Your function runs a backward pass, but the graph is there already and has the answer.",
    )
    expect(
        why_none(k, loss) == "flag", 'A constant does not require grad, so the answer is "flag".'
    )
    expect(
        why_none(y, loss) == "leaf",
        '`y = x * k` is not a leaf and does not retain its gradient: "leaf".',
    )
    expect(
        why_none(unused, loss) == "path",
        "A leaf requires grad, but the loss does not use it: the answer is `path`.",
    )
    twin = library.tensor(2.0, requires_grad=True)
    expect(
        why_none(twin, loss) == "path",
        "`in` compares numbers, and two weights can be equal, so ask `any(t is end for end in …)`.",
    )
    (unused * 2.0).backward()
    expect(
        why_none(unused, loss) == "path",
        "`unused` has a gradient from an earlier pass, but this loss would not fill it: `path`.",
    )
    got = why_none(kept, loss)
    expect(
        got != "leaf",
        "`kept` is indeed not a leaf. But it retains its gradient, so its `.grad` will be filled. "
        "Ask `retains_grad` before you answer `leaf`.",
    )
    expect(
        got == "",
        "Your function looks for a tensor that retains its gradient only among the leaves. But "
        "such a tensor can be a result, so see whether its node is in the graph of the loss.",
    )
    with error_means(
        AttributeError,
        "A loss that was cut off does not have a `grad_fn`, so there is no path at all: return "
        "`path`.",
    ):
        got = why_none(unused, library.tensor(4.0))
    expect(got == "path", "A loss without a graph leads nowhere, so the answer is `path`.")
    expect(
        why_none(unused, unused) == "",
        "A loss can be a leaf itself: `w.backward()` fills `w.grad` with 1, although `w` does not "
        'have a `grad_fn`, so the answer is "".',
    )
    late = x * 3.0
    late.retain_grad()
    expect(
        why_none(late, loss) == "path",
        "`late = x * 3.0` retains its gradient, but the loss does not use it: `path`.",
    )
    expect(
        x._grad is None,
        "Your function runs a backward pass and restores the `.grad` of `t`. But the pass has "
        "filled other leaves as well. Look at the graph instead.",
    )


@exercise(
    "05.5",
    "On an empty page: retain_grad",
    difficulty=2,
    minutes=12,
    hint="""Keep weak references, `weakref.ref(t)`, in a list. In `passing`, go through the list and
    look for a tensor that is still there and that this `node` has computed: `t.grad_fn is
    node`.""",
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
                    if t is not None and t.grad_fn is node:
                        t.grad = grads[0]
    """,
    right="That is all of `retain_grad`: a weak reference, and a look at each node that runs.",
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
    expect(not y.retains_grad, "That is the `retain_grad` of your library. Write a new one.")
    run(z)
    expect(y._grad is not None, "`y` was passed to `keep`, but `y.grad` is None after the pass.")
    expect(
        not same(y._grad, 18.0),
        "`y.grad` is 18, which is what another node receives. Fill it when the node of `y` runs.",
    )
    expect(same(y._grad, 3.0), "With `z = y + (y + y)`, the gradient of `y` is 3.")
    with error_means(
        AttributeError,
        "`keep` fails for a leaf, since a leaf does not have a node. For a leaf, it should do "
        "nothing.",
    ):
        made.keep(x)
    with error_means(
        (TypeError, ValueError),
        "`keep` refuses a tensor that does not require grad, but the error should be a "
        "RuntimeError, as in PyTorch. Yours says: {error}",
    ):
        refused = refuses(lambda: made.keep(tensor(1.0)))
    expect(refused, "`keep` of a tensor that does not require grad should raise a RuntimeError.")
    v = x * 2.0
    keeper_class().keep(v)
    run(v * 3.0)
    expect(
        v._grad is None,
        "All your Keepers share one list, so each of them fills what was handed to another. Create "
        "the list in `__init__`.",
    )
    check_lifetime(made, tensor)
    check_several(made, tensor, run)


def check_lifetime(keeper, tensor):
    """Check that a kept tensor and its graph are freed once nothing else refers to it."""
    with without_collector():
        x = tensor(3.0, requires_grad=True)
        y = x * x
        keeper.keep(y)
        gone, leaf_gone = weakref.ref(y), weakref.ref(x)
        del x, y
        expect(gone() is None, "Your code keeps a tensor alive that nobody else refers to anymore.")
        expect(
            leaf_gone() is None,
            "Your code holds the node of a tensor that is gone. A node holds its leaves and what "
            "it has saved, so none of that can be freed.",
        )


def check_several(keeper, tensor, run):
    """Check a tensor that is freed before the pass, and two tensors of one graph."""
    x = tensor(2.0, requires_grad=True)
    y = x * x
    w = y * 5.0
    keeper.keep(y)
    keeper.keep(w)
    z = w * 3.0
    del w
    with error_means(
        AttributeError,
        "A tensor that was kept may be gone when its node runs, and then its weak reference gives "
        "None.",
    ):
        run(z)
    expect(
        y._grad is not None and same(y._grad, 15.0),
        "Two tensors of one graph were passed to `keep`, but your code forgets one of them.",
    )
