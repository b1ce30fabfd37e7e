"""What notebook 04_backward asks: how gradients travel from the result back to the leaves."""

from inspect import isfunction
from types import CodeType

from minigrad_course.ask.declare import Mistake, exercise, expect, prediction, same
from minigrad_course.kernel.machine import DEEP
from minigrad_course.kernel.reader import yours

prediction(
    "04.a",
    """`x` is 5, `y` is `x**3`, `w` is `x**2` and `z` is `log(y) + sqrt(w)`. The path through `log`
    brings 0.6 to the leaf, the path through `sqrt` brings 1. What does `follow` leave in
    `x.grad`?""",
    {
        "0.6": """That comes first, because the edge to `log` is the first one of the sum. Then the
        other path brings something too.""",
        "1.0": "The leaf overwrites what it holds. The path through `sqrt` comes last.",
        "1.6": "That is the right gradient. But look at what `new_sum` does with `held`.",
    },
    answer="1.0",
    shown="tensor(1.)",
)

prediction(
    "04.b",
    """`y = y + y`, ten times: ten nodes with two edges each. How often does `every_path` run one
    of these nodes?""",
    {
        "10 times": """That would be once for each node. The draft runs a node whenever it comes to
        it.""",
        "20 times": """That is the number of edges. But when the draft comes to a node twice, it
        follows the edges of that node twice, too.""",
        "1023 times": """The last node runs once, the one before it twice, the one before that four
        times: 1 + 2 + 4 + … + 512.""",
    },
    answer="1023 times",
    shown="10: 1023",
)

prediction(
    "04.c",
    """`x` is 3, `y = x * x`, `a = y + y`, `z = y + a`. So `z` is 3 · x², and its derivative is
    6 · x = 18. What does `first_come` leave in `x.grad`?""",
    {
        "18.0": """It would, if the node of `y` waited for all that it gets: 1 from `z`, and 1 + 1
        from `a`.""",
        "12.0": """That is what the two edges from `a` bring. They come too late: the node of `y`
        has run by then.""",
        "6.0": """The first edge of `z` leads to `y`. So the node of `y` runs with 1, and what `a`
        sends later is dropped.""",
    },
    answer="6.0",
    shown="tensor(6.)",
)

prediction(
    "04.d",
    """Code 9, multiplied by a leaf `b`: `z = (log(y) + sqrt(w)) * b`, where `y = x**3` was recorded
    first and then `w = x**2`, `log`, `sqrt`, `+` and `*`. In which order do the nodes run?""",
    {
        "Mul, Add, Sqrt, Log, Pow, Pow, AccumulateGrad, AccumulateGrad": """The operations are in
        the right order. But a leaf does not wait for the end: its number is larger than all
        others, so it is next as soon as its count is 0.""",
        "Mul, AccumulateGrad, Add, Sqrt, Log, Pow, Pow, AccumulateGrad": """`b` gets its gradient
        right after `*`. The operations run newest first. `x` waits for two gradients, and the
        second one comes last.""",
        "Mul, AccumulateGrad, Add, Log, Pow, Sqrt, Pow, AccumulateGrad": """That follows one path to
        its end before the other. After `+`, both `log` and `sqrt` are ready. Which of them is
        newer?""",
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
    "Code 9 with other numbers",
    difficulty=1,
    minutes=6,
    hint="""The derivatives are 2x for `x**2`, 3x² for `x**3`, 1 / (2·√w) for `sqrt` and 1/y for
    `log`, at x = 2, w = 4, y = 8. For the order, number the operations as they are recorded.
    `AccumulateGrad` waits until both paths have arrived.""",
    solution="""
        after = {
            "x.grad": 2.5,
            "y.requires_grad": True,
            "y.is_leaf": False,
            "y.grad": None,
            "order": ["Add", "Log", "Sqrt", "Pow", "Pow", "AccumulateGrad"],
        }
    """,
    right="You have run a backward pass in your head.",
)
def check_code_9(after):
    expect(
        not any(same(after["x.grad"], part) for part in (1.0, 1.5)),
        "What you give for `x.grad` is what one of the two paths brings. They add.",
    )
    expect(
        not same(after["x.grad"], 1.6),
        "1.6 is what the Code 9 of this chapter gives, at x = 5. Here `x` is 2.",
    )
    expect(
        same(after["x.grad"], 2.5),
        "`x.grad` is 4 · 0.25 by way of `w`, plus 12 · 0.125 by way of `y`.",
    )
    expect(after["y.requires_grad"] is True, "`y` inherits `requires_grad` from `x`.")
    expect(after["y.is_leaf"] is False, "`y` was made by a recorded operation: it is no leaf.")
    expect(
        after["y.grad"] is None,
        "The gradient 0.125 passes by on its way to `x`. Only leaves keep theirs.",
    )
    order = after["order"]
    if isinstance(order, str):  # what `order_of` returns
        order = order.split(",")
    order = [str(name).strip().removesuffix("0").removesuffix("Backward") for name in order]
    order = [name.rpartition("::")[2] for name in order]
    operations = [one for one in order if one != "AccumulateGrad"]
    expect(
        operations[1:3] != ["Sqrt", "Log"],
        "The `log` is recorded after the `sqrt` here, so it has the larger number and runs first.",
    )
    expect(
        operations == ["Add", "Log", "Sqrt", "Pow", "Pow"],
        "Number the operations as they are recorded, then read the numbers downward.",
    )
    leaves = order.count("AccumulateGrad")
    expect(leaves > 0, "The `AccumulateGrad` of `x` is a node as well: it runs, too.")
    expect(leaves == 1, "`x` has one `AccumulateGrad`, and every node runs once.")
    expect(
        order[-1] == "AccumulateGrad",
        "An `AccumulateGrad` comes before all others as soon as it is ready. This one waits for "
        "two gradients, and the second one comes from the last `Pow`.",
    )


@exercise(
    "04.2",
    "Orders that are allowed",
    difficulty=2,
    minutes=8,
    hint="""Note the place of each node in the list. An edge leads from a node to one that may run
    only later.""",
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
    right="Any such order gives the same gradients. Hooks show which one was taken.",
)
def check_allowed(answer):
    def allowed(order):
        try:
            return answer(order)
        except (KeyError, ValueError):
            raise Mistake(
                "Yours looks for a node that `order` does not hold. An edge may lead out of the "
                "list: this one lists none of the leaves."
            ) from None

    library = yours()
    _, y, a, z = fan_out(library)
    nodes = [made.grad_fn for made in (z, a, y)]
    expect(
        allowed(nodes) and not allowed(nodes[::-1]),
        "With `y = x * x`, `a = y + y`, `z = y + a` the order z, a, y is right, and oldest first "
        "is wrong: gradients start at `z`.",
    )
    expect(
        not allowed([nodes[0], nodes[2], nodes[1]]),
        "With `a = y + y` and `z = y + a`, the order z, y, a runs the node of `y` when only "
        "one of its three gradients has arrived. Yours allows it.",
    )
    x = library.tensor(5.0, requires_grad=True)
    y, w = x**3, x**2
    logarithm, root = library.log(y), library.sqrt(w)
    z = logarithm + root
    expect(
        allowed([made.grad_fn for made in (z, logarithm, y, root, w)]),
        "Yours refuses Add, Log, Pow, Sqrt, Pow for Code 9, where every node has all that it gets "
        "before it runs. Newest first is one allowed order of several.",
    )
    expect(
        not allowed([made.grad_fn for made in (z, logarithm, w, y, root)]),
        "For Code 9, yours allows Add, Log, Pow of w, Pow of y, Sqrt: the node of `w` runs before "
        "Sqrt, which has an edge to it. That holds for all nodes, not only for two with nothing "
        "between them.",
    )
    expect(
        not allowed([made.grad_fn for made in (root, z, logarithm, y, w)]),
        "For Code 9, yours allows Sqrt, Add, Log, Pow, Pow. The second edge of Add leads to Sqrt: "
        "look at every edge of a node.",
    )


@exercise(
    "04.3",
    "The gradient that passes by",
    difficulty=2,
    minutes=10,
    hint="""Inside `arriving_at`, write a class with `BackwardPass` as its base, as `Listed` is,
    that notes `grads` in `run_node` if `node` is `y.grad_fn`. Start it as `order_of` does.""",
    solution="""
        def arriving_at(z, y):
            class Noting(BackwardPass):
                def run_node(self, node, grads):
                    if node is y.grad_fn:
                        self.noted = grads[0]
                    return super().run_node(node, grads)

            noting = Noting()
            noting.run([z])
            return noting.noted
    """,
    right="Chapter 05 makes this a method, `retain_grad`.",
)
def check_arriving_at(arriving_at):
    library = yours()
    _, y, _, z = fan_out(library)
    try:
        got = arriving_at(z, y)
    except AttributeError as error:
        expect(
            error.name not in ("retain_grad", "register_hook"),
            f"Your library has no `{error.name}` yet. Chapter 05 makes `retain_grad`, chapter 15 "
            "hooks. Here look on where `run_node` gets the gradient.",
        )
        raise
    except TypeError as error:
        expect(
            "NoneType" not in str(error),
            "The engine sends on what `run_node` returns, and yours returns None. Return what "
            "`super().run_node(node, grads)` returns.",
        )
        raise
    expect(
        got is not None,
        "`z.backward()` puts nothing into `y`: the gradient passes by. Only leaves have an "
        "`AccumulateGrad`.",
    )
    expect(
        not isinstance(got, list | tuple),
        "`grads` is a list with one gradient for each output of the node. Return the first.",
    )
    expect(
        not same(got, 1.0),
        "With `y = x * x`, `a = y + y`, `z = y + a` yours gives 1: what came last along one edge. "
        "Three gradients arrive, and `run_node` gets their sum.",
    )
    expect(
        not same(got, 9.0),
        "With `x = 3`, `y = x * x` yours gives 9: what the node of `y` sends on. Asked for is what "
        "arrives there.",
    )
    expect(same(got, 3.0), "`z` is 3 times `y` here, so the gradient of `y` is 3.")
    y = library.tensor(2.0, requires_grad=True) ** 3
    got = arriving_at(library.log(y), y)
    expect(same(got, 0.125), "With `y = 8` and `z = log(y)` the gradient of `y` is 1/8.")
    z = y
    for _ in range(3):
        z = z + z
    record_runs(reachable_nodes(z.grad_fn))
    try:
        got = arriving_at(z, y)
    except TooOften as error:
        expect(
            error.args[0] is not z.grad_fn,
            "Yours runs the engine twice. Once is enough: note what arrives, and return it.",
        )
        expect(
            False,
            "With `z = z + z`, three times, yours runs a node again for each path. Let the engine "
            "run each node once, and look on in `run_node`.",
        )
    expect(same(got, 8.0), "With `z = y`, and then `z = z + z` three times, it is 8.")


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
    """A list that collects `nodes` as they run; a node that runs twice raises TooOften."""
    ran = []

    def watched(node, backward):
        def once(*grads):
            if node in ran[-50:]:
                raise TooOften(node)
            ran.append(node)
            return backward(*grads)

        return once

    for node in nodes:
        node.backward = watched(node, node.backward)
    return ran


def ran_before_its_users(ran):
    """Whether a node ran before another one that has an edge to it."""
    place = {node: index for index, node in enumerate(ran)}
    return any(
        place.get(following, len(ran)) < place[node]
        for node in ran
        for following, _ in node.next_functions
    )


NONE = "a node that sends None adds nothing to what has arrived."


def copy_sending_none(library, a):
    """A copy of `a` whose node sends None as the gradient."""
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
    hint="""First a loop that counts, for every node, the edges that lead to it; follow the edges of
    a node on the first visit only. Then a loop over the nodes that are ready: run one, add what it
    sends to what has arrived at the other end of each edge, count that edge down. A node whose
    count is 0 is ready. An edge to None leads nowhere.""",
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
    right="Every node waits for all that it gets, and runs once. PyTorch's engine counts for it; a "
    "sort does it, too.",
)
def check_run_backward(run_backward):
    expect(
        not (isfunction(run_backward) and uses_engine(run_backward)),
        "Yours calls the engine of this page. Write one that does not need it.",
    )
    expect(
        not (isfunction(run_backward) and uses_count_dependencies(run_backward)),
        "Yours lets `count_dependencies` of this page count. Write the counting as well.",
    )
    library = yours()

    def refused(self, *args, **kwargs):
        raise Mistake("Yours calls the `backward` of this page. Write one that does not need it.")

    def gradient(leaf, result, what, hint=""):
        """The gradient of `leaf` that the answer finds."""
        ran = record_runs(reachable_nodes(result.grad_fn))
        before = library.Tensor.backward
        library.Tensor.backward = refused
        try:
            run_backward(result.grad_fn, library.tensor(1.0))
        except TooOften:
            expect(False, f"With {what} a node ran twice. Let it wait, and run it once.")
        finally:
            library.Tensor.backward = before
        expect(
            not ran_before_its_users(ran),
            f"With {what} yours runs a node before all its gradients are there. {hint}".rstrip(),
        )
        expect(leaf.grad is not None, f"With {what} nothing arrived in `x.grad`. {hint}".rstrip())
        return leaf.grad

    x = library.tensor(2.0, requires_grad=True)
    try:
        got = gradient(x, x * 3.0, "`z = x * 3.0`")
    except (AttributeError, KeyError, TypeError) as error:
        expect(
            "None" not in str(error),
            "With `z = x * 3.0` one edge is `(None, 0)`. It leads nowhere.",
        )
        raise
    expect(same(got, 3.0), f"With `z = x * 3.0` yours leaves {got:g} in `x.grad`.")
    x, _, _, z = fan_out(library)
    got = gradient(x, z, "`y = x * x`, `a = y + y`, `z = y + a`")
    expect(
        same(got, 18.0),
        f"With `y = x * x`, `a = y + y`, `z = y + a` yours leaves {got:g} in `x.grad`, not 18. "
        "Gradients that meet have to be added.",
    )
    x = library.tensor(2.0, requires_grad=True)
    got = gradient(x, x * 3.0 + x, "`z = x * 3.0 + x`", "Here two edges lead to the leaf of `x`.")
    expect(same(got, 4.0), f"With `z = x * 3.0 + x` yours leaves {got:g} in `x.grad`, not 4.")
    x = library.tensor(5.0, requires_grad=True)
    y, w = x**3, x**2
    z = library.log(y) + library.sqrt(w)
    got = gradient(x, z, "Code 9", "A leaf waits, too.")
    expect(same(got, 1.6), f"With Code 9 yours leaves {got:g} in `x.grad`, not 1.6.")
    for text, stop_first in (("x * stop(x)", False), ("stop(x) + x", True)):
        x = library.tensor(2.0, requires_grad=True)
        stopped = copy_sending_none(library, x)
        result = stopped + x if stop_first else x * stopped
        what = f"`z = {text}`, where the node of `stop` sends None,"
        try:
            got = gradient(x, result, what, "But it is counted: an edge is followed all the same.")
        except (TypeError, AttributeError) as error:
            expect("None" not in str(error), f"With {what} yours fails: {NONE}")
            raise
        wanted = 1.0 if stop_first else 2.0
        expect(same(got, wanted), f"With {what} yours leaves {got:g} in `x.grad`. {NONE}")
    x = library.tensor(1.0, requires_grad=True)
    deep = x
    for _ in range(DEEP):
        deep = -deep
    try:
        got = gradient(x, deep, f"{DEEP} negations")
    except RecursionError:
        got = None
    expect(got is not None, f"With {DEEP} negations yours calls itself too often for Python.")
    expect(same(got, 1.0), f"After {DEEP} negations the gradient is 1, and yours is {got:g}.")
