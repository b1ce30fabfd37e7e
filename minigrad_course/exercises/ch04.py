"""What notebook 04_backward asks: how gradients travel from the result back to the leaves."""

from functools import partial
from inspect import isfunction
from types import CodeType
from unittest.mock import patch

import numpy as np

from minigrad_course.ask.declare import (
    Mistake,
    error_means,
    exercise,
    expect,
    expect_none_of,
    prediction,
    same,
)
from minigrad_course.kernel.machine import DEEP
from minigrad_course.kernel.reader import yours

prediction(
    "04.a",
    """`x` is 5, `y` is `x**3`, `w` is `x**2` and `z` is `log(y) + sqrt(w)`. The path through `log`
    contributes 0.6 to the gradient at `x`, and the path through `sqrt` contributes 1. What does
    `follow` leave in `x.grad`?""",
    {
        "0.6": """This gradient reaches the leaf first, because the first edge of the sum leads to
        `log`. But then the other one arrives.""",
        "1.0": """The leaf replaces the gradient it holds, and the one that comes through `sqrt` is
        the last to arrive.""",
        "1.6": """That is the right gradient. But look at what the `backward` of the leaf does with
        a `.grad` that is already there.""",
    },
    answer="1.0",
    shown="tensor(1.)",
)

prediction(
    "04.b",
    """`y = y + y`, ten times, leaves ten nodes with two edges each. How many times does
    `every_path` run a node, all ten of them together?""",
    {
        "10 times": """That would be once for each node, but the draft runs a node every time it
        gets there.""",
        "20 times": """That is the number of edges. But when the draft gets to a node twice, it
        also follows the edges of that node twice.""",
        "1023 times": """The last node runs once, the one before it twice, the one before that four
        times, and so on: 1 + 2 + 4 + … + 512.""",
    },
    answer="1023 times",
    shown="10 nodes: 1023 runs",
)

prediction(
    "04.c",
    """`x` is 3, `y = x * x`, `a = y + y`, `z = y + a`. So `z` is 3x², and its derivative is
    6x = 18. What does `first_come` leave in `x.grad`?""",
    {
        "6.0": """The first edge of `z` leads to the node of `y`, which runs with 1, and what the
        node of `a` passes to it later is dropped.""",
        "12.0": """That is the part that comes from `a`, along two edges, but it arrives too late,
        because the node of `y` has already run by then.""",
        "18.0": """It would be, if the node of `y` waited for all of its gradients: 1 from the node
        of `z`, and 1 + 1 from the node of `a`.""",
    },
    answer="6.0",
    shown="tensor(6.)",
)

prediction(
    "04.d",
    """The fork, multiplied by a leaf `b`: `z = (log(y) + sqrt(w)) * b`, where `y = x**3` was
    recorded first, and then `w = x**2`, `log`, `sqrt`, `+` and `*`. In which order do the nodes
    run?""",
    {
        "Mul, Add, Sqrt, Log, Pow, Pow, AccumulateGrad, AccumulateGrad": """The operations are in
        the right order. But a leaf does not wait until the end: its number is larger than all
        the others, so it runs next as soon as its count is 0.""",
        "Mul, AccumulateGrad, Add, Log, Pow, Sqrt, Pow, AccumulateGrad": """That follows one path to
        its end before it starts on the other. After `+`, both `log` and `sqrt` are ready. Which of
        them is newer?""",
        "Mul, AccumulateGrad, Add, Sqrt, Log, Pow, Pow, AccumulateGrad": """`b` is complete right
        after `*`, the operations run newest first, and `x` has to wait for two gradients, the
        second of which comes from the last operation.""",
    },
    answer="Mul, AccumulateGrad, Add, Sqrt, Log, Pow, Pow, AccumulateGrad",
)


def fan_out(library):
    """The tensors x, y = x * x, a = y + y and z = y + a."""
    x = library.tensor(3.0, requires_grad=True)
    y = x * x
    a = y + y
    return x, y, a, y + a


@exercise(
    "04.1",
    "The fork with other numbers",
    difficulty=1,
    minutes=6,
    hint="""The derivatives are 2x for `x**2`, 3x² for `x**3`, 1 / (2·√w) for `sqrt` and 1/y for
    `log`, at x = 2, w = 4, y = 8. For the order, number the operations as they are recorded, and
    remember that `AccumulateGrad` waits for both paths.""",
    solution="""
        after = {
            "x.grad": 2.5,
            "y.requires_grad": True,
            "y.is_leaf": False,
            "y.grad": None,
            "order": ["Add", "Log", "Sqrt", "Pow", "Pow", "AccumulateGrad"],
        }
    """,
    right="You have run a whole backward pass in your head.",
)
def check_fork(after):
    expect(
        not any(same(after["x.grad"], part) for part in (1.0, 1.5)),
        "Your `x.grad` is the contribution of only one of the two paths. Add both.",
    )
    expect(
        not same(after["x.grad"], 1.6),
        "1.6 is the gradient of the fork in the text, at x = 5, but here `x` is 2.",
    )
    expect(
        same(after["x.grad"], 2.5),
        "`x.grad` is 0.25 · 4 through `w`, plus 0.125 · 12 through `y`.",
    )
    expect(after["y.requires_grad"] is True, "`y` inherits `requires_grad` from `x`.")
    expect(after["y.is_leaf"] is False, "A recorded operation computed `y`, so it is not a leaf.")
    expect(
        after["y.grad"] is None,
        "The gradient 0.125 passes through the node of `y` on its way to `x`, but only leaves keep "
        "theirs.",
    )
    order = after["order"]
    if isinstance(order, str):  # what `order_of` returns
        order = order.split(",")
    order = [str(name).strip().removesuffix("0").removesuffix("Backward") for name in order]
    order = [name.rpartition("::")[2] for name in order]
    nodes = ("Add", "Log", "Sqrt", "Pow", "AccumulateGrad")
    for name in order:
        expect(
            name in nodes,
            f"No node is called `{name}`. Write the names of the classes, without `Backward0`: "
            "`Add`, `Log`, `Sqrt`, `Pow` and `AccumulateGrad`.",
        )
    operations = [one for one in order if one != "AccumulateGrad"]
    leaves = len(order) - len(operations)
    expect(
        leaves < 2,
        "In your order the leaf runs more than once. `x` has one `AccumulateGrad`, which waits for "
        "the gradients of both powers and runs once, with their sum.",
    )
    expect(
        operations[1:3] != ["Sqrt", "Log"],
        "Here the `log` is recorded after the `sqrt`, so it has the larger number and runs first.",
    )
    expect(
        operations == ["Add", "Log", "Sqrt", "Pow", "Pow"],
        "Number the operations in the order in which they are recorded. They run from the largest "
        "number down.",
    )
    expect(leaves > 0, "The `AccumulateGrad` of `x` is a node as well, so it runs, too.")
    expect(
        order[-1] == "AccumulateGrad",
        "An `AccumulateGrad` runs before all other nodes as soon as it is ready. But this one "
        "waits for two gradients, and the second one comes from the last `Pow`.",
    )


@exercise(
    "04.2",
    "Orders that are allowed",
    difficulty=2,
    minutes=8,
    hint="""Write down the position of each node in the list. An edge leads from a node to one that
    has to come later.""",
    solution="""
        def allowed(order):
            place = {node: index for index, node in enumerate(order)}
            return all(
                place[node] < place[following]
                for node in order
                for following, _ in node.next_functions
                if following in place
            )
    """,
    right="""Each of these orders gives the right gradients, up to rounding. PyTorch uses the one in
    which the newest ready node runs first.""",
)
def check_allowed(answer):
    def allowed(order):
        with error_means(
            (KeyError, ValueError),
            "Your function looks for a node that is not in `order`. An edge may lead out of the "
            "list, which contains none of the leaves here.",
        ):
            got = answer(list(order))  # which the answer may change
        expect(isinstance(got, bool | np.bool_), f"Return True or False, not {got!r}.")
        return got

    library = yours()
    _, y, a, z = fan_out(library)
    nodes = [made.grad_fn for made in (z, a, y)]
    expect(
        allowed(nodes),
        "With `y = x * x`, `a = y + y`, `z = y + a`, your function refuses the order z, a, y, "
        "although each node has all its gradients before it runs.",
    )
    expect(
        not allowed(nodes[::-1]),
        "With `y = x * x`, `a = y + y`, `z = y + a`, your function allows the order y, a, z. But "
        "backward starts at `z`, so the oldest node cannot run first.",
    )
    expect(
        not allowed([nodes[0], nodes[2], nodes[1]]),
        "With `a = y + y` and `z = y + a`, the order z, y, a runs the node of `y` when only one of "
        "its three gradients has arrived. Your function allows it.",
    )
    x = library.tensor(5.0, requires_grad=True)
    y, w = x**3, x**2
    logarithm, root = library.log(y), library.sqrt(w)
    z = logarithm + root
    expect(
        allowed([made.grad_fn for made in (z, logarithm, y, root, w)]),
        "For the fork, your function refuses Add, Log, Pow, Sqrt, Pow, although each node has all "
        "its gradients before it runs. Newest first is only one of several allowed orders.",
    )
    expect(
        not allowed([made.grad_fn for made in (z, logarithm, w, y, root)]),
        "For the fork, your function allows Add, Log, Pow of w, Pow of y, Sqrt, where the node of "
        "`w` runs before Sqrt, which has an edge to it. It is not enough to compare each node with "
        "the next one in the list.",
    )
    expect(
        not allowed([made.grad_fn for made in (root, z, logarithm, y, w)]),
        "For the fork, your function allows Sqrt, Add, Log, Pow, Pow. But the second edge of Add "
        "leads to Sqrt, so look at every edge of a node.",
    )


@exercise(
    "04.3",
    "The gradient that passes by",
    difficulty=2,
    minutes=10,
    hint="""Inside `arriving_at`, write a class based on `BackwardPass`, as `Listed` is. A node may
    have several outputs, so ask `gradient_edge(y)` for the node of `y` and the number of the output
    that `y` is. When that node runs, `run_node` keeps the gradient with this number. Run it as
    `order_of` does.""",
    solution="""
        def arriving_at(z, y):
            target, number = gradient_edge(y)

            class Noting(BackwardPass):
                def run_node(self, node, grads):
                    if node is target:
                        self.noted = grads[number]
                    return super().run_node(node, grads)

            noting = Noting()
            noting.run([z])
            return noting.noted
    """,
    right="In chapter 05, this becomes a method, `retain_grad`.",
)
def check_arriving_at(arriving_at):
    library = yours()
    _, y, _, z = fan_out(library)
    later = "yet. Chapter 05 builds `retain_grad`, and chapter 15 builds hooks. Here, watch "
    later += "`run_node`, which gets the gradient."
    with (
        error_means("'retain_grad'", f"Your library does not have `retain_grad` {later}"),
        error_means("'register_hook'", f"Your library does not have `register_hook` {later}"),
        error_means(
            "NoneType",
            "The engine passes on what `run_node` returns, and your `run_node` returns None. "
            "Return what `super().run_node(node, grads)` returns.",
            TypeError,
        ),
    ):
        got = arriving_at(z, y)
    expect(
        got is not None,
        "`z.backward()` puts nothing in `y.grad`, because only leaves have an `AccumulateGrad`. "
        "The gradient passes through the node of `y`.",
    )
    expect(
        not isinstance(got, list | tuple),
        "`grads` is a list with one gradient for each output of the node, so return that of `y`.",
    )
    expect_none_of(
        got,
        {
            "With `y = x * x`, `a = y + y`, `z = y + a`, your function returns 1, which came along "
            "the last of three edges. `run_node` gets the sum of all three gradients.": 1.0,
            "With `x = 3` and `y = x * x`, your function returns 9, which is what the node of `y` "
            "returns. We want what it receives.": 9.0,
        },
    )
    expect(same(got, 3.0), "`z` is 3 times `y` here, so the gradient at `y` is 3.")
    x = float(np.random.default_rng().uniform(1.0, 2.0))  # a new number at each run
    y = library.tensor(x, requires_grad=True) ** 3
    got = arriving_at(library.log(y), y)
    expect(
        same(got, 1 / x**3),
        f"With `y = {x**3:.4f}` and `z = log(y)`, the gradient at `y` is 1/y, or {1 / x**3:.4f}.",
    )
    z = y
    for _ in range(3):
        z = z + z
    record_runs(reachable_nodes(z.grad_fn))
    try:
        got = arriving_at(z, y)
    except TooOften as error:
        expect(
            error.args[0] is not z.grad_fn,
            "Your function runs the engine twice. Once is enough if you keep what arrives.",
        )
        expect(
            False,
            "With `z = z + z` three times, your function runs a node again for each path. Let the "
            "engine run each node once, and watch it in `run_node`.",
        )
    expect(
        same(got, 8.0),
        "With `z = y`, and then `z = z + z` three times, the gradient at `y` is 8.",
    )
    first, y = library.unbind(library.tensor([1.0, 2.0], requires_grad=True))
    got = arriving_at(first * 2.0 + y * 5.0, y)
    expect(
        not same(got, 2.0),
        "`y` is output 1 of its node; you returned the gradient of output 0.",
    )
    expect(
        same(got, 5.0),
        "With `first, y = unbind(x)` and `z = first * 2.0 + y * 5.0`, the gradient at `y` is 5.",
    )


class TooOften(Exception):  # noqa: N818 - it stops an answer that runs a node twice
    """The node in `args` ran for the second time."""


def reachable_nodes(root):
    """The nodes that can be reached from `root`, including `root`."""
    found = {root: None}
    ahead = [root]
    while ahead:
        for node, _ in ahead.pop().next_functions:
            if node is not None and node not in found:
                found[node] = None
                ahead.append(node)
    return list(found)


def record_runs(nodes):
    """Two lists that grow as `nodes` run: the nodes, and what they returned with its values.

    A node that runs twice raises TooOften.
    """
    ran, returned = [], []

    def watched(node, backward):
        def once(*grads):
            if node in ran[-50:]:
                raise TooOften(node)
            ran.append(node)
            parts = backward(*grads)
            returned.extend((part, part._data.copy()) for part in parts if hasattr(part, "_data"))
            return parts

        return once

    for node in nodes:
        node.backward = watched(node, node.backward)
    return ran, returned


def ran_before_its_users(ran, nodes):
    """Whether one of `nodes` ran before another one that has an edge to it."""
    place = {node: index for index, node in enumerate(ran)}
    return any(
        place.get(following, len(ran)) < place.get(node, len(ran))
        for node in nodes
        for following, _ in node.next_functions
    )


NONE = "a None adds nothing to what has arrived."
ONLY_NONE = "Nothing but None arrives at the node of `x * x`, and it still has to run, with None."


def copy_sending_none(library, a):
    """A copy of `a` whose node returns None instead of a gradient."""
    node = library.core.node.Node()
    node.backward = lambda grad: [None]
    out = library.tensor(a.item())
    node.record([library.gradient_edge(a)], [out])
    return out


def names_in(code):
    """The global names and attributes that a function uses, including its inner functions."""
    inner = [names_in(each) for each in code.co_consts if isinstance(each, CodeType)]
    return set(code.co_names).union(*inner)


def uses_engine(answer):
    """Whether `answer` uses a class with a `run` from another cell, such as `BackwardPass`."""
    used = [answer.__globals__.get(name) for name in names_in(answer.__code__)]
    runs = [each.run for each in used if isinstance(each, type) and hasattr(each, "run")]
    return any(is_from_another_cell(run, answer) for run in runs)


def is_from_another_cell(function, answer):
    """Whether `function` and the answer were defined in different cells."""
    return function.__code__.co_filename != answer.__code__.co_filename


def uses_count_dependencies(answer):
    """Whether `answer` calls the `count_dependencies` of another cell."""
    counting = answer.__globals__.get("count_dependencies")
    used = "count_dependencies" in names_in(answer.__code__) and isfunction(counting)
    return used and is_from_another_cell(counting, answer)


@exercise(
    "04.4",
    "The engine on an empty page",
    difficulty=3,
    minutes=20,
    hint="""You need two loops. The first one counts the edges that lead to each node, and follows
    the edges of a node only the first time it gets there. The second one goes through the nodes
    that are ready: run one, add what it returns to what has arrived at the other end of each edge,
    and count that edge down. A node whose count reaches 0 is ready. An edge to None leads
    nowhere.""",
    solution="""
        def run_backward(root, grad):
            missing, ahead = {root: 0}, [root]
            while ahead:
                for node, _ in ahead.pop().next_functions:
                    if node is not None:
                        if node not in missing:
                            missing[node] = 0
                            ahead.append(node)
                        missing[node] += 1
            arrived, ready = {root: grad}, [root]
            while ready:
                node = ready.pop()
                sent = node.backward(arrived.pop(node))
                for (following, _), part in zip(node.next_functions, sent, strict=True):
                    if following is None:
                        continue
                    before = arrived.get(following)
                    if part is not None:
                        arrived[following] = part if before is None else before + part
                    arrived.setdefault(following, None)
                    missing[following] -= 1
                    if missing[following] == 0:
                        ready.append(following)
    """,
    right="""Every node waits for all its gradients and runs once. PyTorch's engine gets there by
    counting, but a sort is right as well.""",
)
def check_run_backward(run_backward):
    expect(
        not (isfunction(run_backward) and uses_engine(run_backward)),
        "Your engine calls the engine of this page. Write one that does not need it.",
    )
    expect(
        not (isfunction(run_backward) and uses_count_dependencies(run_backward)),
        "Your engine leaves the counting to the `count_dependencies` of this page. Write that part "
        "as well.",
    )
    library = yours()

    def refused(self, *args, **kwargs):
        raise Mistake(
            "Your engine calls the `backward` of this page. Write one that does not need it."
        )

    def gradient(leaf, result, what, hint=""):
        """The gradient of `leaf` that the answer finds."""
        nodes = reachable_nodes(result.grad_fn)
        ran, returned = record_runs(nodes)
        twice = (
            f"With {what}, a node ran twice. Let it wait for all its gradients, and run it once."
        )
        try:
            with patch.object(library.Tensor, "backward", refused), error_means(TooOften, twice):
                run_backward(result.grad_fn, library.tensor(1.0))
        except KeyError:
            expect(
                not ran_before_its_users(ran, nodes),
                f"With {what}, your engine runs a node as soon as something has arrived there, and "
                "then finds nothing for what comes later. It has to wait for all its gradients.",
            )
            raise
        expect(
            not ran_before_its_users(ran, ran),
            f"With {what}, your engine runs a node before all its gradients are there. "
            f"{hint}".rstrip(),
        )
        expect(
            all(np.array_equal(part._data, values) for part, values in returned),
            f"With {what}, your engine changes a gradient in place, although another node may have "
            "received the same tensor. Compute the sum as a new tensor.",
        )
        expect(leaf.grad is not None, f"With {what}, nothing arrived in `x.grad`. {hint}".rstrip())
        expect(len(ran) == len(nodes), f"With {what}, a node never runs. {hint}".rstrip())
        return leaf.grad

    x = library.tensor(2.0, requires_grad=True)
    with error_means(
        "None",
        "With `z = x * 3.0`, one edge is `(None, 0)`, which leads nowhere.",
        (AttributeError, KeyError, TypeError),
    ):
        got = gradient(x, x * 3.0, "`z = x * 3.0`")
    expect(same(got, 3.0), f"With `z = x * 3.0`, your engine leaves {got:g} in `x.grad`.")
    x, _, _, z = fan_out(library)
    got = gradient(x, z, "`y = x * x`, `a = y + y`, `z = y + a`")
    expect(
        same(got, 18.0),
        f"With `y = x * x`, `a = y + y`, `z = y + a`, your engine leaves {got:g} in `x.grad`, not "
        "18, because gradients that meet have to be added.",
    )
    x = library.tensor(2.0, requires_grad=True)
    got = gradient(x, x * 3.0 + x, "`z = x * 3.0 + x`", "Here two edges lead to the leaf of `x`.")
    expect(
        same(got, 4.0), f"With `z = x * 3.0 + x`, your engine leaves {got:g} in `x.grad`, not 4."
    )
    x = library.tensor(5.0, requires_grad=True)
    y, w = x**3, x**2
    z = library.log(y) + library.sqrt(w)
    got = gradient(x, z, "the fork", "Leaves have to wait, too.")
    expect(same(got, 1.6), f"With the fork, your engine leaves {got:g} in `x.grad`, not 1.6.")
    stopped = {
        "x * stop(x)": lambda x, stop: x * stop(x),
        "stop(x) + x": lambda x, stop: stop(x) + x,
        "stop(x * x) + x": lambda x, stop: stop(x * x) + x,
    }
    for text, program in stopped.items():
        x = library.tensor(2.0, requires_grad=True)
        result = program(x, partial(copy_sending_none, library))
        what = f"`z = {text}`, where the node of `stop` returns None"
        try:
            counts = "But the edge still counts, even if it carries None."
            only_none = text == "stop(x * x) + x"
            got = gradient(x, result, what, ONLY_NONE if only_none else counts)
        except KeyError:
            expect(not only_none, f"With {what}, your engine fails. {ONLY_NONE}")
            raise
        except (TypeError, AttributeError) as error:
            expect("None" not in str(error), f"With {what}, your engine fails: {NONE}")
            raise
        wanted = 2.0 if text == "x * stop(x)" else 1.0
        expect(same(got, wanted), f"With {what}, your engine leaves {got:g} in `x.grad`. {NONE}")
    x = library.tensor(1.0, requires_grad=True)
    deep = x
    for _ in range(DEEP):
        deep = -deep
    with error_means(
        RecursionError,
        f"With {DEEP} negations, your engine calls itself too often for Python. Use a loop "
        "instead.",
    ):
        got = gradient(x, deep, f"{DEEP} negations")
    expect(
        same(got, 1.0),
        f"After {DEEP} negations the gradient is 1, and your engine computes {got:g}.",
    )
