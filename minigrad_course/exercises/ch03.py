"""Chapter 03, recording: nodes, edges, leaves, what is saved, and rows of the table."""

import math
import weakref

import numpy as np

from minigrad_course import yours
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    prediction,
    same,
    without_collector,
)

prediction(
    "03.a",
    "`u` is x²y. `x` is 5 and `y` is 3, so du/dx is 2xy = 30. The next cell calls "
    "`u.grad_fn.backward(1.0)`. What does this one node give for `x`?",
    {
        "30": "The node of `u` multiplied `z` by `x`. It knows nothing of the product inside `z`.",
        "15": "It is the part along its own edge: the other factor, `z`.",
        "5": "5 is the gradient that it gives for `z`, whose other factor is `x`.",
    },
    answer="15",
    shown="to x: 15.0 and 15.0",
)

prediction(
    "03.b",
    "`held` is a product, and its node saves the tensor `held` itself. The node of `packed` saves "
    "a new tensor around the same array. What is still in memory after `del held, packed`?",
    {
        "Neither: no name leads to them.": "A name is one kind of reference. What else holds "
        "`held`?",
        "`held` only.": "The tensor holds its node, and the node holds the tensor. Each keeps the "
        "other.",
        "Both: `x` holds them.": "`x` knows nothing of the products. Look at the direction of the "
        "references: a product leads to its inputs.",
    },
    answer="`held` only.",
    shown="in memory: {'held': True, 'packed': False,",
)

prediction(
    "03.c",
    "`x` wants a gradient, `k` does not. What does the node of `k / x` save?",
    {
        "Only `k`, as that of `x * k` does.": "In `k / x` the wanted gradient is that of `other`. "
        "Which parameters has its rule?",
        "Only `x`, because `x` wants the gradient.": "The rule that is wanted also asks for "
        "`self`, and that is `k`.",
        "Both.": "`x` is `other`, and the rule of `other` needs `self` and `other`.",
    },
    answer="Both.",
    shown="DivBackward0 {'other': tensor(5.), 'self': tensor(3.)}",
)

prediction(
    "03.d",
    "`x` is 5. How many `MulBackward0` nodes does `power_up(x)` leave?",
    {
        "1, for the line is there once.": "The line runs more than once, and each run of it makes "
        "a node. The graph knows nothing about lines.",
        "2": "5 becomes 25 and then 125, which ends the loop.",
        "3, with the comparison.": "A comparison gives a bool tensor. No gradient goes through it, "
        "and nothing is recorded.",
    },
    answer="2",
    shown="#2: ×",
)


@exercise(
    "03.1",
    "Which are leaves?",
    difficulty=1,
    minutes=4,
    hint="Ask of each tensor: did an operation make it, and did one of the inputs of that "
    "operation require grad at that time?",
    solution="""
        leaves = {"a": True, "b": True, "c": True, "d": False, "e": True}
    """,
    right="Only `d` has a `grad_fn`: `a` required grad when `a * c` ran.",
)
def check_leaves(leaves):
    expect(set(leaves) == set("abcde"), "Give True or False for each of a, b, c, d and e.")
    expect(leaves["a"], "No operation made `a`. It is a leaf that requires grad.")
    expect(leaves["b"], "Tensors that do not require grad are leaves as well: no `grad_fn`.")
    expect(
        leaves["c"],
        "A product made `c`, but it was not recorded, since `b` does not require grad. No "
        "`grad_fn`, so a leaf.",
    )
    expect(not leaves["d"], "`d` was made by a recorded operation: its input `a` requires grad.")
    expect(
        leaves["e"],
        "For `e`, the flag came after the product, which had not been recorded. It makes `e` a "
        "leaf that requires grad.",
    )


@exercise(
    "03.2",
    "Count the operations",
    difficulty=2,
    minutes=8,
    hint="Keep a set of the nodes you have met and a list of those still to look at. Skip `None` "
    "and `AccumulateGrad`.",
    solution="""
        def count_operations(root):
            met, waiting = set(), [root]
            while waiting:
                node = waiting.pop()
                if node is None or node in met or isinstance(node, AccumulateGrad):
                    continue
                met.add(node)
                waiting += [following for following, _ in node.next_functions]
            return len(met)
    """,
    right="Nodes once, paths often: the difference is 2ⁿ, and chapter 04 begins with it.",
)
def check_count_operations(count_operations):
    x = yours().tensor(2.0, requires_grad=True)
    got = count_operations((x.exp() + x.log()).grad_fn)
    expect(got != 4, "Yours counts `AccumulateGrad`, which ends a path and computes nothing.")
    expect(got == 3, f"`x.exp() + x.log()` has 3 operations, and yours finds {got}.")
    y = x
    for _ in range(4):
        y = y + y
    got = count_operations(y.grad_fn)
    expect(got != 15, "Yours counts a node once for each path to it: 15 in place of 4.")
    expect(
        got != 1,
        "`y = y + y`, four times, leaves 4 nodes of one class, and yours finds 1. Tell nodes apart "
        "by what they are (`is`, or a set), not by their names.",
    )
    expect(got > 3, f"Yours stops too early: a chain of 4 operations, of which it finds {got}.")
    expect(got == 4, f"`y = y + y`, four times, leaves 4 operations. Yours finds {got}.")
    with error_means(
        "NoneType",
        "Yours looks at `None` as if it were a node. The edge of a constant is `(None, 0)`.",
    ):
        got = count_operations((x * 3.0 + 1.0).grad_fn)
    expect(got == 2, f"`x * 3.0 + 1.0` has 2 operations, and yours finds {got}.")
    again = count_operations(y.grad_fn)
    expect(
        again == 4,
        f"Asked for the same graph once more, yours finds {again} in place of 4: it remembers the "
        "nodes of the first call. A default such as `set()` is made once, for all calls.",
    )


@exercise(
    "03.3",
    "A row of the table",
    difficulty=2,
    minutes=6,
    hint="The derivative of exp(x) − 1 is exp(x). How do you get that from the result?",
    solution="""
        expm1 = op("expm1", np.expm1, self=lambda grad, result: grad * (result + 1))
    """,
    right="PyTorch's table has the same rule, and its node saves the result, too.",
)
def check_expm1(expm1):
    expect(callable(expm1), "Hand in what `op(...)` returns: a function.")
    expect(
        not isinstance(expm1, np.ufunc),
        "That is NumPy's own function: without `op` it knows no tensors and records nothing.",
    )
    mine = yours()
    row = getattr(expm1, "row", None)
    written = [rule.__globals__["__name__"] for rule in getattr(row, "rules", {}).values()]
    expect(
        {*written} <= {"__main__"},
        "That row is from a library, which has `expm1` already. Call `op` and write it yourself.",
    )
    name = getattr(row, "name", "expm1")
    expect(name == "expm1", f"Your row is named `{name}`, and its node would say so.")
    at = 1.5
    x = mine.tensor(at, dtype=mine.float64, requires_grad=True)
    y = call_row(lambda: expm1(x))
    expect(same(y._data, math.expm1(at)), f"At {at} the value is to be {math.expm1(at):.4f}.")
    node = y.grad_fn
    expect(node is not None, "Yours records nothing: a row with a rule for `self` would.")
    following = [after for after, _ in node.next_functions]
    expect(
        following == [mine.gradient_edge(x)[0]],
        "Yours leaves two operations or more. One row makes one node, whose edge leads to `x`.",
    )
    small = 1e-10
    got = expm1(mine.tensor(small, dtype=mine.float64)).item()
    expect(
        got == math.expm1(small),
        f"At {small} yours gives {got}, and the true value is {math.expm1(small)}. To subtract 1 "
        "loses the digits: take `np.expm1` as the kernel.",
    )
    grads = [mine.tensor(number, dtype=mine.float64) for number in (1.0, 2.0)]
    once, twice = (node.backward(grad)[0].item() for grad in grads)
    expect(
        not same(once, math.expm1(at)),
        "That is the rule of `exp`. Here the result is smaller by 1 than the derivative.",
    )
    expect(
        same(twice, 2 * math.exp(at)) or not same(once, math.exp(at)),
        "You forgot the gradient that arrives: the derivative is right, and must be multiplied by "
        "`grad`.",
    )
    expect(
        same(once, math.exp(at)),
        f"At {at} the gradient is to be {math.exp(at):.4f}, not {once:.4f}.",
    )
    saved = sorted(node._saved)
    expect(
        "self" not in saved,
        "The gradient is right, but the node saves the input. The rule needs the result only.",
    )
    expect(saved == ["result"], f"The node is to save the result only, not {saved}.")


@exercise(
    "03.4",
    "On an empty page: the recorder",
    difficulty=3,
    minutes=18,
    hint="Inside `recorder`, write a function of `*inputs`. It collects arrays, computes, asks "
    "for the edges, and makes a node if one of them leads to a node. The array of the result is "
    "one more to save.",
    solution="""
        class Recorded(Node):
            def backward(self, grad):
                edges = zip(self.rules, self.next_functions)
                return [None if node is None else rule(grad, *self.arrays)
                        for rule, (node, _) in edges]


        def recorder(kernel, *rules):
            def operation(*inputs):
                arrays = [each._data for each in inputs]
                out = new_tensor(np.asarray(kernel(*arrays)))
                arrays.append(out._data)
                edges = [gradient_edge(each) for each in inputs]
                if any(node is not None for node, _ in edges):
                    node = Recorded()
                    node.rules, node.arrays = rules, arrays
                    node.record(edges, [out])
                return out

            return operation
    """,
    right="That is what `Operation` does. It only saves less, and lets the rules compute with "
    "tensors.",
)
def check_recorder(recorder):
    mine = yours()
    product = recorder(np.multiply, rule_of(1, 2), rule_of(0, 2))
    expect(callable(product), "`recorder` is to return a function of tensors.")
    x, k = mine.tensor(5.0, requires_grad=True), mine.tensor(3.0)
    out = product(k, k)
    expect(same(out._data, 9.0), "The product of 3 and 3 is to be a tensor of 9.")
    expect(
        out.is_leaf and not out.requires_grad,
        "Yours records although no input wants a gradient. The result is to be a leaf.",
    )
    end = mine.gradient_edge(x)
    for inputs, ends, wanted in (
        ((x, k), [end, (None, 0)], [6.0, None]),
        ((k, x), [(None, 0), end], [None, 6.0]),
        ((x, x), [end, end], [10.0, 10.0]),
    ):
        check_recorded(product(*inputs), ends, wanted)
    inner = product(x, k)
    product(inner, x)
    (got, _) = inner.grad_fn.backward(1.0)
    expect(
        same(got, 3.0),
        f"An older node must not change when another product runs. x * 3 gave x {got}, not 3: does "
        "each node have arrays of its own?",
    )
    check_freed(product, x)
    exponential = recorder(np.exp, rule_of(1, 1))
    out = exponential(product(x, k))
    (got,) = out.grad_fn.backward(2.0)
    expect(
        same(got, 2 * math.exp(15.0), 1e-5),
        "The rule of `exp` multiplies `grad` by the result. At 15 its gradient is wrong.",
    )


def rule_of(number, count):
    """A rule that multiplies by saved value `number`; the first `count` of these are inputs."""

    def rule(grad, *saved):
        got = f"A rule is to get `grad`, then {count} inputs and the result."
        expect(len(saved) != count, f"{got} Yours calls it without the result.")
        expect(len(saved) == count + 1, f"{got} Yours passes {1 + len(saved)} values.")
        expect(
            not any(hasattr(each, "grad_fn") for each in saved),
            "A rule got a tensor in the place of an array.",
        )
        return grad * saved[number]

    return rule


def check_recorded(out, ends, wanted):
    """Expect a node of `out` with the edges `ends`, whose gradients for 2 are `wanted`."""
    expect(
        out.requires_grad and out.grad_fn is not None,
        "An input wants a gradient: the result must require grad and have a `grad_fn`.",
    )
    expect(not hasattr(out.grad_fn, "row"), "That is `op` itself. Write what it does anew.")
    edges = list(out.grad_fn.next_functions)
    expect(
        len(edges) == len(ends),
        "Yours leaves out the edge of a constant. It is `(None, 0)`, and keeps its place.",
    )
    expect(edges == ends, "Each edge must be what `gradient_edge` says of that input, in order.")
    got = list(out.grad_fn.backward(2.0))
    expect(
        [each is None for each in got] == [each is None for each in wanted],
        "`backward` is to return None for an input that wants no gradient, and a gradient for "
        "each other.",
    )
    expect(
        all(each is None or same(each, value) for each, value in zip(got, wanted, strict=True)),
        f"Where the gradient 2.0 arrives, the inputs are to get {wanted}. Yours gives {got}.",
    )


def check_freed(product, x):
    """Expect a result to be freed without the garbage collector once nothing refers to it."""
    with without_collector():
        watch = weakref.ref(product(x, x))
        expect(
            watch() is None,
            "Without the collector the result stays in memory: its node holds its result in a "
            "cycle. A node may hold arrays and edges.",
        )


NO_ARRAY = (
    "The kernel got a tensor in the place of its array. `op` takes the arrays only out of inputs "
    "that have a rule: the parameter of the kernel must have the name of the rule, `self`."
)


def call_row(action):
    """Call `action`, turning errors of the row into messages for the learner."""
    try:
        return action()
    except RuntimeError as error:
        expect("Can't call numpy()" not in str(error), NO_ARRAY)
        raise
    except TypeError as error:
        why = "A row needs a rule for `self`: without rules it takes no input and records nothing."
        expect(False, f"The call fails: {error}. {why}")
