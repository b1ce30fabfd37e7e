"""Chapter 03, recording: nodes, edges, leaves, what is saved, and rows of the table."""

import math

import numpy as np

from course.declare import exercise, expect, prediction, same
from minigrad import Tensor, tensor

prediction(
    "03.a",
    "The collector is off, and `del product` takes the only name of the product away. What "
    "happens to the object?",
    {
        "It goes at once: no name leads to it.": "A name is one kind of reference. What does the "
        "function `hand_on` refer to?",
        "It stays: something that it holds itself also holds it.": "It holds `hand_on`, and "
        "`hand_on` uses `out`, which is the product. Each keeps the other.",
        "It stays: `a` and `b` hold it.": "`a` and `b` know nothing about the product. Look at "
        "the direction of the references: the product leads to them.",
    },
    answer="It stays: something that it holds itself also holds it.",
    shown="the product is still in memory: True",
)

prediction(
    "03.b",
    "`c = tensor(2.0)` wants no gradient, and `d = c * c`. What is `d.is_leaf`?",
    {
        "`True`": "No input wanted a gradient, so nothing was recorded and `d` has no `grad_fn`.",
        "`False`, since an operation made it.": "One did, but did anybody record it? `is_leaf` "
        "asks for `grad_fn` and for nothing else.",
        "`False`, since it does not require grad.": "`is_leaf` does not look at `requires_grad`. "
        "By that rule `c` would be no leaf either.",
    },
    answer="`True`",
    shown="d: leaf True",
)

prediction(
    "03.c",
    "Both paths lead from `z` to `x`. How many `AccumulateGrad` nodes do you meet?",
    {
        "Two, one at the end of each path.": "Then who would add the two gradients? `leaf_edge` "
        "returns the node that is there already.",
        "One, at which both paths end.": "A leaf has one, however often it is used.",
        "None; `backward` makes it.": "The edges are made while the operations run, and an edge "
        "needs a node to lead to.",
    },
    answer="One, at which both paths end.",
    shown="the same object: True",
)

prediction(
    "03.d",
    "`x` wants a gradient, `k` does not. What does the node of `x * k` save?",
    {
        "Both factors, as the draft did.": "The draft did. But who would use the value of `x`?",
        "Only `x`, because `x` wants the gradient.": "The slope of `x * k` along `x` is not `x`. "
        "A product is differentiated by the other factor.",
        "Only `k`.": "The gradient of `x` is `grad * k`. The value of `x` would serve the gradient "
        "of `k`, which nobody wants.",
    },
    answer="Only `k`.",
    shown="MulBackward0 {'other': tensor(3.)}",
)

prediction(
    "03.e",
    "`x` is 5. How many `MulBackward0` nodes does `power_up(x)` leave?",
    {
        "1, for the line is there once.": "The line runs more than once, and each run of it makes "
        "a node. The graph knows nothing about lines.",
        "2": "5 becomes 25 and then 125, which ends the loop.",
        "3, with the comparison.": "A comparison gives a bool tensor; nothing flows through it, "
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
    hint="Ask of each tensor: did an operation make it, and was one of the inputs of that "
    "operation asking for a gradient at that time?",
    solution="""
        leaves = {"a": True, "b": True, "c": True, "d": False, "e": True}
    """,
    wrong={
        "do not require grad are leaves": """
            leaves = {"a": True, "b": False, "c": False, "d": False, "e": True}
        """,
        "was not recorded": """
            leaves = {"a": True, "b": True, "c": False, "d": False, "e": True}
        """,
        "came after the product": """
            leaves = {"a": True, "b": True, "c": True, "d": False, "e": False}
        """,
        "made by a recorded operation": """
            leaves = {"a": True, "b": True, "c": True, "d": True, "e": True}
        """,
    },
    right="Only `d` has a `grad_fn`: `a` wanted a gradient when `a * c` ran.",
)
def check_leaves(leaves):
    expect(set(leaves) == set("abcde"), "Give True or False for each of a, b, c, d and e.")
    expect(leaves["a"], "Nothing made `a` but you. It is the very model of a leaf.")
    expect(leaves["b"], "Tensors that do not require grad are leaves as well: no `grad_fn`.")
    expect(
        leaves["c"],
        "A product made `c`, but it was not recorded, since `b` wants no gradient. No `grad_fn`, "
        "so a leaf.",
    )
    expect(not leaves["d"], "`d` was made by a recorded operation: its input `a` requires grad.")
    expect(
        leaves["e"],
        "For `e`, `requires_grad_()` came after the product, which had not been recorded. That "
        "makes a leaf that wants a gradient.",
    )


@exercise(
    "03.2",
    "Count the operations",
    difficulty=2,
    minutes=8,
    hint="Keep a set of the nodes you have met and a list of those still to look at. Skip `None`, "
    "and what is called `AccumulateGrad`.",
    solution="""
        def count_operations(root):
            met, waiting = set(), [root]
            while waiting:
                node = waiting.pop()
                if node is None or node in met or type(node).__name__ == "AccumulateGrad":
                    continue
                met.add(node)
                waiting += [following for following, _ in node.next_functions]
            return len(met)
    """,
    wrong={
        "once for each path": """
            def count_operations(root):
                if root is None or type(root).__name__ == "AccumulateGrad":
                    return 0
                return 1 + sum(count_operations(node) for node, _ in root.next_functions)
        """,
        "counts `AccumulateGrad`": """
            def count_operations(root):
                met, waiting = set(), [root]
                while waiting:
                    node = waiting.pop()
                    if node is not None and node not in met:
                        met.add(node)
                        waiting += [following for following, _ in node.next_functions]
                return len(met)
        """,
        "no attribute 'next_functions'": """
            def count_operations(root):
                met, waiting = set(), [root]
                while waiting:
                    node = waiting.pop()
                    if node not in met and type(node).__name__ != "AccumulateGrad":
                        met.add(node)
                        waiting += [following for following, _ in node.next_functions]
                return len(met)
        """,
        "stops too early": """
            def count_operations(root):
                return 1 + len(root.next_functions)
        """,
    },
    right="Nodes once, paths often: the difference is 2ⁿ, and chapter 04 begins with it.",
)
def check_count_operations(count_operations):
    x = tensor(2.0, requires_grad=True)
    got = count_operations((x.exp() + x.log()).grad_fn)
    expect(got != 4, "Yours counts `AccumulateGrad`, which ends a path and computes nothing.")
    expect(got == 3, f"`x.exp() + x.log()` has 3 operations, and yours finds {got}.")
    y = x
    for _ in range(4):
        y = y + y
    got = count_operations(y.grad_fn)
    expect(got != 15, "Yours counts a node once for each path to it: 15 in place of 4.")
    expect(got > 3, f"Yours stops too early: a chain of 4 operations, of which it finds {got}.")
    expect(got == 4, f"`y = y + y`, four times, leaves 4 operations. Yours finds {got}.")
    got = count_operations((x * 3.0 + 1.0).grad_fn)
    expect(got == 2, f"`x * 3.0 + 1.0` has 2 operations, and yours finds {got}.")


@exercise(
    "03.3",
    "Record no more than needed",
    difficulty=3,
    minutes=10,
    hint="Ask for both edges first. The gradient of `self` is `grad * other`: which of the two "
    "values is needed if only the edge of `self` is not `None`?",
    solution="""
        def careful_times(self, other):
            out = new_tensor(self._data * other._data)
            self_edge, other_edge = gradient_edge(self), gradient_edge(other)
            if self_edge is None and other_edge is None:
                return out
            node = TimesBackward0()
            node.seq, node.extra = next_sequence_number(), None
            node.meta = meta_of(out._data)
            node.next = (self_edge, other_edge)
            if self_edge is not None:
                node.saved_other = other._data
            if other_edge is not None:
                node.saved_self = self._data
            out._edge, out._requires_grad = node, True
            return out
    """,
    wrong={
        "records although": """
            def careful_times(self, other):
                return times(self, other)
        """,
        "keeps both factors": """
            def careful_times(self, other):
                if gradient_edge(self) is None and gradient_edge(other) is None:
                    return new_tensor(self._data * other._data)
                return times(self, other)
        """,
        "the other way round": """
            def careful_times(self, other):
                out = new_tensor(self._data * other._data)
                self_edge, other_edge = gradient_edge(self), gradient_edge(other)
                if self_edge is None and other_edge is None:
                    return out
                node = TimesBackward0()
                node.seq, node.extra = next_sequence_number(), None
                node.meta = meta_of(out._data)
                node.next = (self_edge, other_edge)
                if self_edge is not None:
                    node.saved_self = self._data
                if other_edge is not None:
                    node.saved_other = other._data
                out._edge, out._requires_grad = node, True
                return out
        """,
        "leave out the edge": """
            def careful_times(self, other):
                out = times(self, other)
                node = out._edge
                node.next = tuple(edge for edge in node.next if edge is not None)
                if not node.next:
                    out._edge, out._requires_grad = None, False
                if gradient_edge(self) is None:
                    del node.saved_other
                if gradient_edge(other) is None:
                    del node.saved_self
                return out
        """,
    },
    right="These `if`s are what `when_wanted` writes into every operation of the table.",
)
def check_careful_times(careful_times):
    x, k = tensor(5.0, requires_grad=True), tensor(3.0)
    out = careful_times(k, k)
    expect(same(out, 9.0), "The product of 3 and 3 is to be 9.")
    expect(
        out.is_leaf and not out.requires_grad,
        "Yours records although neither input wants a gradient. The result is to be a leaf.",
    )
    for self, other, wanted in ((x, k, "saved_other"), (k, x, "saved_self"), (x, x, "both")):
        check_record(careful_times(self, other), self, other, wanted)


def check_record(out: Tensor, self: Tensor, other: Tensor, wanted: str) -> None:
    """Whether the product of `self` and `other` has a node that holds what is `wanted`."""
    expect(not out.is_leaf and out.requires_grad, "An input wants a gradient: record the product.")
    node = out.grad_fn
    entries = len(node.next_functions)
    expect(entries == 2, "Do not leave out the edge of a constant: it is None, and has its place.")
    ends = [None if end is None else end.variable for end, _ in node.next_functions]
    inputs = [each if each.requires_grad else None for each in (self, other)]
    expect(
        all(got is needed for got, needed in zip(ends, inputs, strict=True)),
        "The edges must lead to the two inputs, in their order; None for a constant.",
    )
    held = {name for name in ("saved_self", "saved_other") if getattr(node, name, None) is not None}
    needed = {"saved_self", "saved_other"} if wanted == "both" else {wanted}
    expect(
        held == needed or held != {"saved_self", "saved_other"},
        "Yours keeps both factors when one gradient is wanted. That needs the other factor only.",
    )
    expect(
        held == needed or len(held) != 1 or wanted == "both",
        "You have it the other way round: the gradient of `self` needs the value of `other`.",
    )
    expect(held == needed, f"Here the node is to hold {sorted(needed)}; yours has {sorted(held)}.")
    for name, source in (("saved_self", self), ("saved_other", other)):
        if name in needed:
            got = getattr(node, name)
            expect(same(got, source._data), f"`{name}` is to be {source.item()}, not {got}.")


@exercise(
    "03.4",
    "A row of the table",
    difficulty=2,
    minutes=6,
    hint="The slope of `exp(x) - 1` is `exp(x)`. How do you get that from the result?",
    solution="""
        expm1 = op("expm1(self)", "np.expm1(self)", promote="float", self="grad * (result + 1)")
    """,
    wrong={
        "forgot the gradient that arrives": """
            expm1 = op("expm1(self)", "np.expm1(self)", self="result + 1")
        """,
        "saves the input": """
            expm1 = op("expm1(self)", "np.expm1(self)", self="grad * exp(self)")
        """,
        "That is the rule of `exp`": """
            expm1 = op("expm1(self)", "np.expm1(self)", self="grad * result")
        """,
        "records nothing": """
            expm1 = op("expm1(self)", "np.expm1(self)")
        """,
    },
    right="PyTorch's table has the same rule, and its node has the same `_saved_result`.",
)
def check_expm1(expm1):
    expect(callable(expm1), "Hand in what `op(...)` returns: a function.")
    at = 1.5
    y = expm1(tensor(at, dtype=tensor(0.0).double().dtype, requires_grad=True))
    expect(same(y, math.expm1(at)), f"At {at} the value is to be {math.expm1(at):.4f}.")
    node = y.grad_fn
    expect(node is not None, "Yours records nothing: the row has no rule for `self`.")
    (_, slope), (_, twice) = (node.backward(np.float64(factor), True) for factor in (1.0, 2.0))
    expect(
        not same(slope, math.expm1(at)),
        "That is the rule of `exp`. Here the result is smaller by 1 than the slope.",
    )
    expect(
        same(twice, 2 * math.exp(at)) or not same(slope, math.exp(at)),
        "You forgot the gradient that arrives: the slope is right, and must be multiplied by "
        "`grad`.",
    )
    expect(same(slope, math.exp(at)), f"At {at} the slope is {math.exp(at):.4f}, not {slope:.4f}.")
    saved = [name for name in dir(node) if name.startswith("_saved_")]
    expect(
        "_saved_self" not in saved,
        "The gradient is right, but the node saves the input and computes `exp` again. The result "
        "knows it already.",
    )
    expect(saved == ["_saved_result"], f"The node is to save the result only, not {saved}.")
