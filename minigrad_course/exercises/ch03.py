"""What notebook 03_recording asks: nodes, edges, what is saved, and rows of the table."""

import math

import numpy as np

from minigrad_course import yours
from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_entries,
    freed_at_once,
    prediction,
    same,
)

prediction(
    "03.a",
    "`u` is x²y, so with `x` = 5 and `y` = 3 the gradient at `x` is 2xy = 30. The next cell "
    "calls the node of `u` with 1, the gradient at `u` itself. What does this one node return "
    "for `x`?",
    {
        "30": "That is the sum over both paths. The node of `u` knows only the product of `z` and "
        "`x`, and nothing about the product inside `z`, so it can only return its own part.",
        "15": "It returns the gradient for its own edge to `x`, which is 1 times the other "
        "factor, `z`.",
        "5": "5 is what it returns for its first input, `z`, because the other factor there is "
        "`x`.",
    },
    answer="15",
    shown="to x: 15.0 and 15.0",
)

prediction(
    "03.b",
    "The node of `held` saves the tensor `held` itself, and the node of `packed` saves a new "
    "tensor around the same array. Which of the two is still in memory after `del held, packed`?",
    {
        "Neither, since no name refers to them.": "A name is only one kind of reference. Does any "
        "object still refer to `held`?",
        "`held` only.": "The tensor holds its node, and the node holds the tensor, so each of them "
        "keeps the other one alive, whereas no object refers to `packed`.",
        "Both, because `k` holds them.": "`k` knows nothing about what was computed from it. "
        "References lead from a result to its inputs, never the other way.",
    },
    answer="`held` only.",
    shown="in memory: {'held': True, 'packed': False,",
)

prediction(
    "03.c",
    "The network holds 2.0 MB: 0.4 for `x` and 1.6 for the result of `relu`. How much will it hold "
    "if the rule of `relu` is `grad * (self > 0)`?",
    {
        "2.0 MB: the node still saves one array.": "The node of `relu` does, but it is no longer "
        "the array that the last product saves.",
        "2.0 MB: the rule computes the same gradients.": "It does, but what is saved depends on "
        "what a rule names, and not on what it computes.",
        "3.6 MB": "The input of `relu` is now saved by `relu`, and its result by the last product, "
        "so both are held.",
        "5.2 MB": "The last product and `relu` each hold one array of 1.6 MB. Is there a third "
        "one?",
    },
    answer="3.6 MB",
    shown="3.6 MB",
)

prediction(
    "03.d",
    "`x` requires grad and `k` does not. What does the node of `k / x` save?",
    {
        "Both.": "`x` is `other`, and the rule for `other` names both `self` and `other`.",
        "Only `k`, as the node of `x * k` does.": "Here `x` is the second input, so the rule that "
        "will run is the one for `other`. Which parameters does it have?",
        "Only `x`, because the gradient is needed there.": "What is saved depends on what the rule "
        "names, not on which input needs the gradient. The rule for `other` names `self` as well, "
        "and that is `k`.",
    },
    answer="Both.",
    shown="DivBackward0 {'self': 3.0, 'other': 5.0}",
)

prediction(
    "03.e",
    "`x` is 5. How many `MulBackward0` nodes does `power_up(x)` in the next cell leave, if it "
    "repeats `y = y * x` until `y` is 100 or more?",
    {
        "1, because the line occurs once.": "The recorder does not see lines: each time the line "
        "runs, the product that it computes leaves a node.",
        "2": "`y` starts as 5, and two products turn it into 25 and then 125, which ends the loop.",
        "3, counting the comparison.": "`item()` returns a plain Python number, and comparing that "
        "with 100 is not an operation on tensors, so nothing is recorded.",
    },
    answer="2",
    shown="#2: ×",
)

prediction(
    "03.f",
    "How much do the two networks hold, first the one with `ReLU` and then the one with `GELU`, if "
    "you freeze the last `Linear`?",
    {
        "2.0 and 3.6 MB: the gradient has to pass through it anyway.": "It has to, which is why "
        "the node is recorded. But does the frozen layer still need its *input*? Only the rule for "
        "its weight names that.",
        "0.4 and 2.0 MB: it no longer needs its input.": "That is true of the `Linear`. But is "
        "there another node that has saved the same array?",
        "2.0 and 2.0 MB": "The frozen `Linear` drops its input in both. In the first network, "
        "`ReLU` has saved the same array as its result, whereas in the second, `GELU` has saved "
        "a different one, its input.",
    },
    answer="2.0 and 2.0 MB",
    shown="GELU         3.6 MB   1.6 MB   2.0 MB",
)


@exercise(
    "03.1",
    "Which are leaves?",
    difficulty=1,
    minutes=4,
    hint="For each tensor, ask whether an operation computed it, and if so, whether one of the "
    "inputs required grad when the operation ran. Only then was there anything to record.",
    solution="""
        leaves = {"a": True, "b": True, "c": True, "d": False, "e": True}
    """,
    right="Only `d` has a `grad_fn`, because `a` required grad when `a * c` ran. `is_leaf` in "
    "PyTorch gives the same five answers.",
)
def check_leaves(leaves):
    why = {
        "a": "No operation computed `a`, so it is a leaf, and one that requires grad.",
        "b": "Tensors without the flag are leaves as well, since they have no `grad_fn`.",
        "c": "A product computed `c`, but it was not recorded, because `b` does not require grad. "
        "Without a `grad_fn`, `c` is a leaf.",
        "d": "`d` was computed by a recorded operation, because its input `a` requires grad.",
        "e": "For `e`, the flag was set after the product, which had not been recorded. So `e` is "
        "a leaf that requires grad.",
    }
    wanted = {name: name != "d" for name in why}
    expect_entries(leaves, wanted, why, "Give True or False for each of a, b, c, d and e.")


@exercise(
    "03.2",
    "Count the operations",
    difficulty=2,
    minutes=8,
    hint="Keep a set of the nodes you have seen and a list of those you still have to visit. Skip "
    "`None` and `AccumulateGrad`.",
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
    right="Counting nodes instead of paths makes the difference between n and 2ⁿ, which is where "
    "chapter 04 begins.",
)
def check_count_operations(count_operations):
    x = yours().tensor(2.0, requires_grad=True)
    got = count_operations((x.exp() + x.log()).grad_fn)
    expect(
        isinstance(got, int),
        f"Return the number of operations. Your function returns a {type(got).__name__}.",
    )
    expect(
        got != 4,
        "Your function counts `AccumulateGrad`, which ends a path and is not an operation. Its "
        "`name()` begins with `torch::autograd::`, so test the class, with `isinstance`.",
    )
    expect(got == 3, f"`x.exp() + x.log()` has 3 operations, and your function finds {got}.")
    y = x
    for _ in range(4):
        y = y + y
    got = count_operations(y.grad_fn)
    expect(
        got != 15,
        "Your function counts a node once for each path that leads to it: 15 instead of 4.",
    )
    expect(
        got != 1,
        "Four times `y = y + y` leaves 4 nodes of the same class, and your function finds 1. Tell "
        "nodes apart as objects (with `is`, or in a set), not by their names.",
    )
    expect(
        got > 3,
        f"Your function says that a chain of 4 operations has {got}. Does it follow the edges of "
        "every node that it finds?",
    )
    expect(got == 4, f"Four times `y = y + y` leaves 4 operations, and your function finds {got}.")
    with error_means(
        "NoneType",
        "Your function treats `None` as if it were a node, but the edge of a constant is `(None, "
        "0)`.",
    ):
        got = count_operations((x * 3.0 + 1.0).grad_fn)
    expect(got == 2, f"`x * 3.0 + 1.0` has 2 operations, and your function finds {got}.")
    again = count_operations(y.grad_fn)
    expect(
        again == 4,
        f"Called again with the same graph, your function finds {again} instead of 4, because it "
        "remembers the nodes of the first call. A default such as `set()` is created only once, "
        "and shared by all calls.",
    )


@exercise(
    "03.3",
    "A row of the table",
    difficulty=2,
    minutes=6,
    hint="The derivative of exp(x) − 1 is exp(x). How do you compute that from the result alone?",
    solution="""
        expm1 = op("expm1", np.expm1, self=lambda grad, result: grad * (result + 1))
    """,
    right="PyTorch's table has the same rule, `grad * (result + 1)`, so its node saves only the "
    "result, too.",
)
def check_expm1(expm1):
    expect(callable(expm1), "`expm1` should be what `op(...)` returns, a function.")
    expect(
        not isinstance(expm1, np.ufunc),
        "That is NumPy's own function, and only `op` turns it into one that takes tensors and "
        "records.",
    )
    mine = yours()
    row = getattr(expm1, "row", None)
    written = [rule.__globals__["__name__"] for rule in getattr(row, "rules", {}).values()]
    expect(
        {*written} <= {"__main__"},
        "That row belongs to a library, which already has `expm1`. Call `op` and write the row "
        "yourself.",
    )
    named = list(getattr(row, "rules", {"self": None}))
    expect(
        named in ([], ["self"]),
        f"Your row calls its input `{', '.join(named)}`. PyTorch calls the first input `self`, and "
        "the rule is named after the input: `self=lambda grad, result: ...`.",
    )
    name = getattr(row, "name", "expm1")
    expect(name == "expm1", f"Your row is named `{name}`, and its node would carry that name.")
    at = 1.5
    x = mine.tensor(at, dtype=mine.float64, requires_grad=True)
    with (
        error_means(
            "Can't call numpy()",
            "The kernel got a tensor instead of an array. `op` passes the array of an input only "
            "if the input has a rule, so the kernel's parameter must have the name of the rule, "
            "`self`.",
        ),
        error_means(
            TypeError,
            "The call fails: {error}. A row needs a rule for `self`. Without rules it takes no "
            "inputs and records nothing.",
        ),
    ):
        y = expm1(x)
    expect(same(y._data, math.expm1(at)), f"At {at} the value should be {math.expm1(at):.4f}.")
    node = y.grad_fn
    expect(
        node is not None,
        "Your operation records nothing, although its input requires grad, because its row needs a "
        "rule for `self`.",
    )
    following = [after for after, _ in node.next_functions]
    expect(
        following == [mine.gradient_edge(x)[0]],
        "Your function leaves two operations or more. A single row makes a single node, and the "
        "edge of that node leads to `x`.",
    )
    small = 1e-10
    got = expm1(mine.tensor(small, dtype=mine.float64)).item()
    expect(
        got == math.expm1(small),
        f"At {small} your row gives {got}, but the true value is {math.expm1(small)}. Subtracting "
        "1 loses the digits, so use `np.expm1` as the kernel.",
    )
    grads = [mine.tensor(number, dtype=mine.float64) for number in (1.0, 2.0)]
    once, twice = (node.backward(grad)[0].item() for grad in grads)
    expect(
        not same(once, math.expm1(at)),
        "That is the rule of `exp`, but here the result is smaller than the derivative, by 1.",
    )
    expect(
        same(twice, 2 * math.exp(at)) or not same(once, math.exp(at)),
        "The derivative is right, but the rule has to multiply it by `grad`, the gradient at the "
        "result.",
    )
    expect(
        same(once, math.exp(at)),
        f"At {at} the gradient should be {math.exp(at):.4f}, not {once:.4f}.",
    )
    saved = sorted(node._saved)
    expect(
        "self" not in saved,
        "The gradient is right, but the node saves the input, because your rule names it. The "
        "result is enough.",
    )
    expect(saved == ["result"], f"The node should save the result only, not {saved}.")


@exercise(
    "03.4",
    "How many megabytes?",
    difficulty=2,
    minutes=10,
    hint="""Each `Linear` saves its input if its weight requires grad, a sigmoid saves its result,
    and a GELU its input. Write the five arrays of the forward pass in a row: the input, and what
    each layer computes. Mark an array if some node saves it, and count each marked one once. The
    input takes 0.4 MB, and each array of 1000 × 400 takes 1.6 MB. A node is recorded only if
    something before it requires grad.""",
    solution="""
        megabytes = {
            "sigmoid": 3.6,
            "gelu": 6.8,
            "gelu, first Linear frozen": 4.8,
            "gelu, last Linear frozen": 5.2,
            "gelu, in no_grad": 0.0,
        }
    """,
    right="""These are the numbers that PyTorch's hook for saved tensors gives. The rule: each array
    counts once if a rule that will run names it, and where nothing requires grad, nothing is
    saved.""",
)
def check_megabytes(megabytes):
    def given(case, *others):
        """Whether the answer for `case` is one of `others`, mistakes that have a reason."""
        return any(abs(megabytes[case] - other) < 0.05 for other in others)

    expect(
        not given("sigmoid", 6.8),
        "For `sigmoid` you count the results of the first two `Linear`s as well. A sigmoid saves "
        "its result, so nobody needs its input.",
    )
    expect(
        not given("sigmoid", 6.8 - 0.4, 3.2),
        "For `sigmoid`, the batch counts as well: the first `Linear` needs it for the gradient at "
        "its weight.",
    )
    expect(
        not given("sigmoid", 2.0),
        "For `sigmoid` you count one hidden layer, but there are two, with an array of 1.6 MB "
        "each.",
    )
    expect(
        given("sigmoid", 3.6),
        "For `sigmoid`, count the batch and the results of the two sigmoids. The `Linear` after "
        "each sigmoid saves the same array as the sigmoid, and it counts once.",
    )
    expect(
        not given("gelu", 3.6),
        "For `gelu` you count one array for each GELU. It saves its input, but the `Linear` after "
        "it saves its result, which is another array.",
    )
    expect(
        given("gelu", 6.8),
        "For `gelu`, count the batch, and for each GELU its input and its result.",
    )
    case = "gelu, first Linear frozen"
    expect(
        not given(case, 6.4),
        f"For `{case}`, the batch is no longer needed, but neither is the input of the first GELU: "
        "nothing before it requires grad, so it leaves no node.",
    )
    expect(
        not given(case, 6.8, 3.2),
        f"For `{case}`: what does the *second* `Linear` save, whose weight requires grad, although "
        "its input does not?",
    )
    expect(
        given(case, 4.8),
        f"For `{case}`: recording begins at the second `Linear`. It saves its input, and so do the "
        "second GELU and the last `Linear`.",
    )
    case = "gelu, last Linear frozen"
    expect(
        not given(case, 6.8),
        f"For `{case}`: only the rule for its weight names the input of the last `Linear`, and "
        "that rule is no longer wanted.",
    )
    expect(
        not given(case, 3.6),
        f"For `{case}`: the second GELU is still recorded, because the gradient has to pass "
        "through it, and it saves its input.",
    )
    expect(
        given(case, 5.2),
        f"For `{case}`: without freezing it is 6.8 MB. Which array is no longer saved?",
    )
    expect(
        given("gelu, in no_grad", 0.0),
        "In `no_grad` nothing is recorded, so no node saves anything.",
    )


@exercise(
    "03.5",
    "On an empty page: the recorder",
    difficulty=3,
    minutes=18,
    hint="Inside `recorder`, write a function of `*inputs` that collects their arrays, computes, "
    "and determines the edges. If one of them leads to a node, make a node of your own class, "
    "and save the arrays of the inputs and of the result.",
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
    right="That is the core of any library that records while it computes. The course's own saves "
    "less, and lets its rules compute with tensors.",
)
def check_recorder(recorder):
    mine = yours()
    product = recorder(np.multiply, rule_of(1, 2), rule_of(0, 2))
    expect(callable(product), "`recorder` should return a function of tensors.")
    x, k = mine.tensor(5.0, requires_grad=True), mine.tensor(3.0)
    out = product(k, k)
    expect(same(out._data, 9.0), "The product of 3 and 3 should be a tensor with the value 9.")
    expect(
        isinstance(out._data, np.ndarray),
        "NumPy returned a bare scalar instead of a 0-d array: wrap the kernel's result in "
        "`np.asarray`.",
    )
    expect(
        out.is_leaf and not out.requires_grad,
        "Your recorder records although no input needs a gradient. The result should be a leaf.",
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
        "An older node must not change when another product runs, but the one of x * 3 now "
        f"returns {got} instead of 3. Does each node have its own arrays?",
    )
    expect(
        freed_at_once(lambda: product(x, x)),
        "Without the garbage collector the result stays in memory, because its node holds its "
        "result in a cycle. Let the node hold only arrays and edges.",
    )
    runs = []

    def noted_exp(array):
        runs.append(array)
        return np.exp(array)

    exponential = recorder(noted_exp, rule_of(1, 1))
    out = exponential(product(x, k))
    (got,) = out.grad_fn.backward(2.0)
    expect(
        len(runs) == 1,
        f"Your recorder calls the kernel {len(runs)} times, although the result is there after the "
        "first. Save its array, and give that to the rules.",
    )
    expect(
        same(got, 2 * math.exp(15.0), 1e-5),
        "The rule of `exp` multiplies `grad` by the result, and at 15 what it returns is wrong. "
        "Is the array of the result the last argument?",
    )


def rule_of(number, count):
    """The rule of a recorder that multiplies by saved value `number`; `count` inputs come first."""

    def rule(grad, *saved):
        got = f"A rule should get `grad`, then {count} inputs and the result."
        expect(len(saved) != count, f"{got} Your recorder calls it without the result.")
        expect(len(saved) == count + 1, f"{got} Your recorder passes {1 + len(saved)} values.")
        expect(
            not any(hasattr(each, "grad_fn") for each in saved),
            "A rule got a tensor instead of an array.",
        )
        return grad * saved[number]

    return rule


def check_recorded(out, ends, wanted):
    """Whether `out` has a node with these edges, and with these gradients where 2 arrives."""
    expect(
        out.requires_grad and out.grad_fn is not None,
        "An input requires grad, so the result must require grad and have a `grad_fn`.",
    )
    expect(
        not hasattr(out.grad_fn, "row"),
        "That is the page's own `op` or `Operation`. Write a recorder yourself, with a class of "
        "nodes of your own.",
    )
    edges = list(out.grad_fn.next_functions)
    expect(
        len(edges) == len(ends),
        "Your recorder leaves out the edge of a constant. That edge is `(None, 0)`, and it keeps "
        "the others in position.",
    )
    expect(
        edges == ends,
        "Each edge must be what `gradient_edge` returns for that input, in the order of the "
        "inputs.",
    )
    got = list(out.grad_fn.backward(2.0))
    expect(
        [each is None for each in got] == [each is None for each in wanted],
        "`backward` should return None for an input that needs no gradient, and a gradient for "
        "every other.",
    )
    expect(
        all(each is None or same(each, value) for each, value in zip(got, wanted, strict=True)),
        f"If the gradient at the result is 2.0, those at the inputs are {wanted}. Your recorder "
        f"returns {got}.",
    )
