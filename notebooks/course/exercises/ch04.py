"""What notebook 04_backward asks: how gradients travel from the result back to the leaves."""

import numpy as np

from course.declare import exercise, expect, prediction, same
from minigrad import log, sqrt, tensor

prediction(
    "04.a",
    """`x` is 5., `y` is `x**3`, `w` is `x**2` and `z` is `log(y) + sqrt(w)`. The path through `log`
    brings 0.6 to the leaf, the path through `sqrt` brings 1. What does this draft leave in
    `x.grad`?""",
    {
        "0.6": """That is what comes first: the edge of `log` is number 0. It is stored, and then
        the other path stores something too.""",
        "1.0": "The draft assigns. What comes last stays, and the edge of `sqrt` comes last.",
        "1.6": "That is the right slope. But look at what the draft does at a leaf.",
    },
    answer="1.0",
    shown="tensor(1.)",
)

prediction(
    "04.b",
    "`y = y + y`, ten times: ten nodes with two edges each. How often does `push` run a node?",
    {
        "10 times": "That would be once a node. The draft runs a node whenever it comes to it.",
        "20 times": """That is the number of edges. But a node that is come to twice sends the draft
        twice along each of its own edges.""",
        "1023 times": """The first node runs once, the next twice, the one after that four times:
        1 + 2 + 4 + … + 512.""",
    },
    answer="1023 times",
    shown="10: 1023",
)

prediction(
    "04.c",
    """`x` is 3., `y = x * x`, `a = y + y`, `z = y + a`. So `z` is 3 · x², and its slope is 18. What
    does `first_come` leave in `x.grad`?""",
    {
        "18.0": """It would, if the node of `y` waited for all it gets: 1 from `z`, and 1 + 1 from
        `a`.""",
        "12.0": """That is what the two edges from `a` are worth. They come too late: the node of
        `y` has run by then.""",
        "6.0": """The edge of `z` that leads to `y` is number 0. So the node of `y` runs with 1, and
        what `a` sends later is dropped.""",
    },
    answer="6.0",
    shown="tensor(6.)",
)

prediction(
    "04.d",
    """In Code 9, `y = x**3` was recorded first, then `w = x**2`, then the `log`, the `sqrt` and the
    sum. In which order does `newest_first` run their nodes?""",
    {
        "Add, Log, Pow, Sqrt, Pow": """That follows one path to its end and then the other, as
        recursion does. The number of `sqrt` is larger than that of `log`.""",
        "Add, Log, Sqrt, Pow, Pow": "Nearly. Of `log` and `sqrt`, which one was recorded last?",
        "Add, Sqrt, Log, Pow, Pow": """The order of recording, reversed. So the first `Pow` is that
        of `w`, the second that of `y`.""",
    },
    answer="Add, Sqrt, Log, Pow, Pow",
    shown="4 AddBackward0\n3 SqrtBackward0\n2 LogBackward0\n1 PowBackward0\n0 PowBackward0",
)


def fan_out():
    """The leaf, and the tensors y = x * x, a = y + y and z = y + a."""
    x = tensor(3.0, requires_grad=True)
    y = x * x
    a = y + y
    return x, y, a, y + a


def accumulator(leaf, node):
    """The AccumulateGrad of `leaf` among the edges of `node`."""
    found = [following for following in node.next if following is not None]
    return next(one for one in found if getattr(one, "variable", None) is leaf)


@exercise(
    "04.1",
    "Orders that are allowed",
    difficulty=1,
    minutes=6,
    hint="""Note the place of each node in the list. An edge leads from a node to one that may run
    only later.""",
    solution="""
        def allowed(order):
            place = {node: index for index, node in enumerate(order)}
            return all(
                place[node] < place[following]
                for node in order
                for following in node.next
                if following in place
            )
    """,
    wrong={
        "one of its three gradients": """
            def allowed(order):
                reached = {order[0]}
                for node in order:
                    if node not in reached:
                        return False
                    reached.update(node.next)
                return True
        """,
        "one allowed order of several": """
            def allowed(order):
                numbers = [node.seq for node in order]
                return numbers == sorted(numbers, reverse=True)
        """,
        "oldest first": """
            def allowed(order):
                place = {node: index for index, node in enumerate(order)}
                return all(
                    place[following] < place[node]
                    for node in order
                    for following in node.next
                    if following in place
                )
        """,
    },
    right="Any such order gives the same gradients. Hooks show which one was taken.",
)
def check_allowed(allowed):
    _, y, a, z = fan_out()
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
    x = tensor(5.0, requires_grad=True)
    y, w = x**3, x**2
    logarithm, root = log(y), sqrt(w)
    z = logarithm + root
    expect(
        allowed([made.grad_fn for made in (z, logarithm, y, root, w)]),
        "Yours refuses Add, Log, Pow, Sqrt, Pow for Code 9, where every node has all that it gets "
        "before it runs. Newest first is one allowed order of several.",
    )


@exercise(
    "04.2",
    "Count what will arrive",
    difficulty=2,
    minutes=10,
    hint="""Look at every node once, with a list that grows while it is read, as in `first_come`.
    At each node, count all of its edges.""",
    solution="""
        def arrivals(root):
            count, found = {}, [root]
            for node in found:  # grows while it is read
                for following in node.next:
                    if following is None:
                        continue
                    if following not in count:
                        found.append(following)
                    count[following] = count.get(following, 0) + 1
            return count
    """,
    wrong={
        "follows every path": """
            def arrivals(root):
                count, work = {}, [root]
                for node in work:
                    for following in node.next:
                        if following is not None:
                            count[following] = count.get(following, 0) + 1
                            work.append(following)
                return count
        """,
        "are two edges": """
            def arrivals(root):
                count, found = {}, [root]
                for node in found:
                    for following in set(node.next) - {None}:
                        if following not in count:
                            found.append(following)
                        count[following] = count.get(following, 0) + 1
                return count
        """,
        "no gradient is wanted": """
            def arrivals(root):
                count, found = {}, [root]
                for node in found:
                    for following in node.next:
                        if following not in count and following is not None:
                            found.append(following)
                        count[following] = count.get(following, 0) + 1
                return count
        """,
    },
    right="PyTorch's engine starts every backward with this count; it calls it the dependencies.",
)
def check_arrivals(arrivals):
    x = tensor(2.0, requires_grad=True)
    scaled = x * 3.0
    got = arrivals(scaled.grad_fn)
    expect(isinstance(got, dict), "Return a dictionary: node → number of edges that lead to it.")
    expect(None not in got, "An edge that is None leads nowhere: no gradient is wanted there.")
    leaf = accumulator(x, scaled.grad_fn)
    expect(
        got.get(leaf) == 1,
        "In `x * 3.0` one edge leads to the leaf's AccumulateGrad; that is a node as well.",
    )
    expect(not got.get(scaled.grad_fn), "No edge leads to the root itself.")
    y = x * 3.0
    twice = y + y
    got = arrivals(twice.grad_fn)
    expect(
        got.get(y.grad_fn) == 2,
        f"`y + y` are two edges to the node of `y`; yours counts {got.get(y.grad_fn, 0)}.",
    )
    more = twice + twice
    got = arrivals(more.grad_fn)
    expect(
        got.get(y.grad_fn) == 2 and got.get(leaf) == 1,
        "With `t = y + y` and `u = t + t`, 2 edges lead to the node of `y`. Yours follows every "
        "path behind `u`, and counts more.",
    )


def dependencies(root):
    """For each node behind `root` the number of edges that lead to it."""
    count, found = {}, [root]
    for node in found:
        for following in node.next:
            if following not in count:
                found.append(following)
            count[following] = count.get(following, 0) + 1
    return count


@exercise(
    "04.3",
    "An engine that counts",
    difficulty=3,
    minutes=15,
    hint="""Start from `newest_first`. In place of `live` keep a list `ready`, which a node or leaf
    joins when its entry in `left` has come down to 0.""",
    solution="""
        def by_counting(root, grad, left):
            pending, ready = {root: grad}, [root]
            for node in ready:  # grows while it is read
                grad = pending.pop(node)
                if isinstance(node, AccumulateGrad):
                    add(node.variable, grad)
                    continue
                for following, part in pairs(node.backward(grad, keep=True)):
                    pending[following] = pending.get(following, 0) + part
                    left[following] -= 1
                    if left[following] == 0:
                        ready.append(following)
    """,
    wrong={
        "have to be added": """
            def by_counting(root, grad, left):
                pending, ready = {root: grad}, [root]
                for node in ready:
                    grad = pending.pop(node)
                    if isinstance(node, AccumulateGrad):
                        add(node.variable, grad)
                        continue
                    for following, part in pairs(node.backward(grad, keep=True)):
                        pending[following] = part
                        left[following] -= 1
                        if left[following] == 0:
                            ready.append(following)
        """,
        "before all its gradients": """
            def by_counting(root, grad, left):
                work, ran = [(root, grad)], set()
                for node, grad in work:
                    if isinstance(node, AccumulateGrad):
                        add(node.variable, grad)
                    elif node not in ran:
                        ran.add(node)
                        work += pairs(node.backward(grad, keep=True))
        """,
        "calls itself": """
            def by_counting(root, grad, left, pending=None):
                if isinstance(root, AccumulateGrad):
                    add(root.variable, grad)
                    return
                pending = {} if pending is None else pending
                for following, part in pairs(root.backward(grad, keep=True)):
                    pending[following] = pending.get(following, 0) + part
                    left[following] -= 1
                    if left[following] == 0:
                        by_counting(following, pending.pop(following), left, pending)
        """,
    },
    right="That is PyTorch's rule; among several nodes that are ready it takes the newest.",
)
def check_by_counting(by_counting):
    def slope(leaf, result):
        by_counting(result.grad_fn, np.float32(1.0), dependencies(result.grad_fn))
        expect(leaf.grad is not None, "Nothing arrived in `x.grad`; at a leaf, call `add`.")
        return leaf.grad

    x = tensor(3.0, requires_grad=True)
    got = slope(x, x + x)
    expect(
        same(got, 2.0),
        f"For `x + x` yours leaves {got:g} in `x.grad`. Two gradients arrive, and they have to be "
        "added.",
    )
    x, _, _, z = fan_out()
    got = slope(x, z)
    expect(
        same(got, 18.0),
        f"With `y = x * x`, `a = y + y`, `z = y + a` yours leaves {got:g} in `x.grad`, not 18. It "
        "runs the node of `y` before all its gradients are there.",
    )
    x = tensor(1.0, requires_grad=True)
    deep = x
    for _ in range(3000):
        deep = -deep
    try:
        got = slope(x, deep)
    except RecursionError:
        got = None
    expect(
        got is not None,
        "Yours calls itself for every node, and Python stops it at a depth of about 1,000.",
    )
    expect(same(got, 1.0), f"After 3000 negations the slope is 1, and yours gives {got:g}.")


@exercise(
    "04.4",
    "Code 9 with other numbers",
    difficulty=1,
    minutes=6,
    hint="""The slopes are 2x for `x**2`, 3x² for `x**3`, 1 / (2·√w) for `sqrt` and 1/y for `log`,
    at x = 2, w = 4, y = 8. For the order, number the operations as they are recorded.""",
    solution="""
        after = {
            "x.grad": 2.5,
            "y.requires_grad": True,
            "y.is_leaf": False,
            "y.grad": None,
            "type(z.grad_fn).__name__": "AddBackward0",
            "order": ["Add", "Log", "Sqrt", "Pow", "Pow"],
        }
    """,
    wrong={
        "one of the two paths": """
            after = {
                "x.grad": 1.5,
                "y.requires_grad": True,
                "y.is_leaf": False,
                "y.grad": None,
                "type(z.grad_fn).__name__": "AddBackward0",
                "order": ["Add", "Log", "Sqrt", "Pow", "Pow"],
            }
        """,
        "passes by": """
            after = {
                "x.grad": 2.5,
                "y.requires_grad": True,
                "y.is_leaf": False,
                "y.grad": 0.125,
                "type(z.grad_fn).__name__": "AddBackward0",
                "order": ["Add", "Log", "Sqrt", "Pow", "Pow"],
            }
        """,
        "has the larger number": """
            after = {
                "x.grad": 2.5,
                "y.requires_grad": True,
                "y.is_leaf": False,
                "y.grad": None,
                "type(z.grad_fn).__name__": "AddBackward0",
                "order": ["Add", "Sqrt", "Log", "Pow", "Pow"],
            }
        """,
        "inherits": """
            after = {
                "x.grad": 2.5,
                "y.requires_grad": False,
                "y.is_leaf": False,
                "y.grad": None,
                "type(z.grad_fn).__name__": "AddBackward0",
                "order": ["Add", "Log", "Sqrt", "Pow", "Pow"],
            }
        """,
    },
    right="You have run a backward pass in your head.",
)
def check_code_9(after):
    expect(
        not any(same(after["x.grad"], part) for part in (1.0, 1.5)),
        "What you give for `x.grad` is what one of the two paths brings. They add.",
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
    name = after["type(z.grad_fn).__name__"]
    expect(name == "AddBackward0", "`z` was made by `+`; its node is `AddBackward0`.")
    order = [str(one).removesuffix("0").removesuffix("Backward") for one in after["order"]]
    expect(
        order[1:3] != ["Sqrt", "Log"],
        "The `log` is recorded after the `sqrt` here, so it has the larger number and runs first.",
    )
    expect(
        order == ["Add", "Log", "Sqrt", "Pow", "Pow"],
        "Number the operations as they are recorded, then read the numbers downward.",
    )
