"""What notebook 13_jacobians asks: products with a Jacobian, and which nodes run for them."""

from minigrad_course.ask.declare import error_means, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.machine import DEEP
from minigrad_course.kernel.reader import yours

prediction(
    "13.a",
    """Two fixes are on offer: `y.sum().backward()`, and `y.backward(torch.ones_like(y))`. What will
    they leave in `measured.grad`?""",
    {
        "the derivatives of the most probable class": """Neither fix knows which class you are
        interested in, so both treat the three probabilities alike.""",
        "zeros, both of them": """Both compute the gradient of the sum of the probabilities, and
        that sum is always 1.""",
        "how far all three probabilities move, added up": """Each probability's derivative has a
        sign, because what one class gains, the others lose.""",
    },
    answer="zeros, both of them",
    shown="sum:  [0.0, 0.0, 0.0]",
)

prediction(
    "13.b",
    """The rows of `A` are [1, 2, 3] and [40, 50, 60], and `y = A @ x`. What does
    `y.backward(tensor([2.0, 1.0]))` leave in `x.grad`?""",
    {
        "[42, 54, 66]": """Twice the first row plus once the second.""",
        "[81, 102, 123]": """That is the first row plus twice the second, but the 2 belongs to
        `y[0]`.""",
        "[2, 4, 6]": """That is twice the first row alone, but the second output counts once.""",
    },
    answer="[42, 54, 66]",
    shown="[42.0, 54.0, 66.0]",
)

prediction(
    "13.c",
    """We want just one row of the Jacobian of `y` with respect to `h`. Which of the three Functions
    have to run?""",
    {
        "`Left`": """It is the only one between `y` and `h`. What arrives at the node of `h` is
        already the row.""",
        "`Left` and `Trunk`": """`Trunk` computed `h`, so running its node would compute the
        gradient with respect to `x`. What arrives at it is already the row.""",
        "`Left` and `Right`": """`Right` leads only to `w`, and no path from it leads to `h`.""",
    },
    answer="`Left`",
    shown="tensor([2., 0.]) ['LeftBackward']",
)

prediction(
    "13.d",
    """`centered` subtracts the mean of the batch from each of its four samples. What does the same
    pass, `centered(x).sum()` and backward, compute for them?""",
    {
        "[0.75, 0.75, 0.75, 0.75]": """That is how each output depends on its own sample. But each
        sample also lowers the three other outputs, by 0.25 each.""",
        "[1, 1, 1, 1]": """That would be right if the mean were a constant, but it depends on every
        sample.""",
        "[0, 0, 0, 0]": """The samples, centered, always add up to 0.""",
    },
    answer="[0, 0, 0, 0]",
    shown="centered: tensor([0., 0., 0., 0.])",
)

prediction(
    "13.e",
    """The loss has 200 inputs and one output. How many backward passes does its whole Jacobian
    take, and how many does the curve's, which has two inputs and 200 outputs?""",
    {
        "1 for the loss, 200 for the curve": """A pass computes one row, however long it is. The
        loss has one row, and the curve has 200.""",
        "200 for the loss, 2 for the curve": """Those are the numbers of *columns*, but a backward
        pass computes a whole row at once.""",
        "1 for the loss, 1 for the curve": """A pass takes a single `v`, and 200 rows need 200 of
        them. (`is_grads_batched`, which computes them in one, comes later.)""",
    },
    answer="1 for the loss, 200 for the curve",
    shown="a loss   backward passes   1",
)


def with_counters(library, func):
    """`func`, and two lists that collect its calls and the backward passes that reach it."""
    calls, passes = [], []

    class Watched(library.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1.0

        @staticmethod
        def backward(ctx, grad):
            passes.append(grad)
            return grad

    def noting(x):
        calls.append(x)
        return func(Watched.apply(x))

    return noting, calls, passes


@exercise(
    "13.1",
    "Rows, columns, passes",
    difficulty=1,
    minutes=8,
    hint="""vᵀJ adds up the rows, each times its number in `v`. Ju adds up the columns, each times
    its number in `u`. There are 3 outputs and 4 inputs.""",
    solution="""
        found = {
            "x.grad for v = [1, 0, 0]": [1, 0, 2, 0],
            "x.grad for v = [1, 1, 2]": [11, 3, 2, 14],
            "v for the sum of all rows": [1, 1, 1],
            "Ju for u = [1, 1, 0, 0]": [1, 3, 5],
            "backward passes for one product": 1,
            "backward passes for J": 3,
            "forward runs for J": 4,
        }
    """,
    right="""A product takes one pass, whichever side it is on. Only for the whole matrix does it
    matter which side is shorter.""",
)
def check_found(found):
    row = found["x.grad for v = [1, 0, 0]"]
    expect(
        not same(row, [1, 0, 5]),
        "For v = [1, 0, 0] you give a column of J. But `v` picks a row, because `x.grad` has the "
        "shape of `x`.",
    )
    expect(same(row, [1, 0, 2, 0]), "v = [1, 0, 0] picks the first row.")
    expect(
        same(found["x.grad for v = [1, 1, 2]"], [11, 3, 2, 14]),
        "For v = [1, 1, 2], add the first row, the second, and twice the third.",
    )
    ones = found["v for the sum of all rows"]
    expect(
        not same(ones, [1, 1, 1, 1]),
        "`v` has as many numbers as there are outputs, which is 3.",
    )
    expect(
        same(ones, [1, 1, 1]),
        "In the sum of all rows, each row counts once, so `v` is a vector of ones.",
    )
    moved = found["Ju for u = [1, 1, 0, 0]"]
    expect(
        not same(moved, [1, 3, 2, 0]),
        "For Ju, `u` adds up columns, not rows, so the result has a number for each output.",
    )
    expect(same(moved, [1, 3, 5]), "For Ju, add the first column and the second.")
    expect(
        found["backward passes for one product"] != 3,
        "You do not need three passes for a product, because `v` goes in whole.",
    )
    expect(found["backward passes for one product"] == 1, "One product takes one pass.")
    pair = found["backward passes for J"], found["forward runs for J"]
    expect(
        pair != (4, 3),
        "It is the other way around: a backward pass gives a row, a forward run a column.",
    )
    expect(pair == (3, 4), "J has 3 rows, one for each output, and 4 columns, one for each input.")


@exercise(
    "13.2",
    "May you use the sum?",
    difficulty=1,
    minutes=8,
    hint="""Ask two questions. Does a sample affect the output of another one? And does each sample
    have just one output?""",
    solution="""
        sum_is_right = {
            "(x @ w) ** 2": True,
            "x @ M": False,
            "x.softmax(1)[:, 0]": True,
            "x.softmax(0)[:, 0]": False,
            "(x - x.mean(0)) @ w": False,
            "(x - x.mean(1, keepdim=True)) @ w": True,
        }
    """,
    right="""The last two are at the heart of batch normalization and of layer normalization, and
    only the first of these two mixes samples.""",
)
def check_sum_is_right(sum_is_right):
    reasons = {
        "(x @ w) ** 2": "each row of `x` has one output, and no other row takes part in it.",
        "x @ M": "each sample has two outputs, and the sum adds up their derivatives.",
        "x.softmax(1)[:, 0]": "this softmax divides by a sum over the three numbers of a sample, "
        "so no other sample takes part.",
        "x.softmax(0)[:, 0]": "this softmax divides by a sum over the batch, so every sample "
        "affects all outputs.",
        "(x - x.mean(0)) @ w": "this mean is taken over the batch, so every sample moves it.",
        "(x - x.mean(1, keepdim=True)) @ w": "each row has a mean of its own, so no other sample "
        "takes part.",
    }
    mixed = {"x @ M", "x.softmax(0)[:, 0]", "(x - x.mean(0)) @ w"}
    for func, reason in reasons.items():
        expect(sum_is_right[func] == (func not in mixed), f"`{func}`: {reason}")


@exercise(
    "13.3",
    "A column",
    difficulty=2,
    minutes=12,
    hint="""Column `j` has element `j` of each row. `grad` gives a row at a time; keep the graph for
    the next one.""",
    solution="""
        def column(func, x, j):
            y = func(x)
            return stack([grad(each, x, retain_graph=True)[0][j] for each in y.unbind()])
    """,
    right="""That took one pass for each of the 2 outputs. Forward mode gives the same column in one
    run: it is Ju for a unit vector `u`.""",
)
def check_column(column):
    library = yours()
    x = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x.grad = kept = library.tensor([0.0] * 3)

    # its Jacobian at x: [2, 1, 0], [0, 3, 2]
    func, _, passes = with_counters(library, lambda x: library.stack([x[0] * x[1], x[1] * x[2]]))
    used = names_used(column)
    expect(
        "jacobian" not in used,
        "Your function calls `jacobian`, ready-made or from the page above. Write the passes "
        "yourself.",
    )
    expect(
        not {"jvp", "Dual"} & set(used),
        "That is forward mode, a good way to a column. Here, practice the backward passes.",
    )
    with (
        error_means(
            "not have been used",
            "`x[j]` in the call is a new tensor, from which the outputs were not computed. Ask for "
            "`x`, and index the gradient.",
        ),
        error_means("second time", "The first row freed the graph, so pass `retain_graph=True`."),
    ):
        got = column(func, x, 1)
    expect(not isinstance(got, tuple), "Your result is a tuple. `stack` turns it into one tensor.")
    expect(isinstance(got, library.Tensor), "Return a tensor.")
    expect(
        passes,
        "Your function did not run a backward pass, and differences of values are not exact.",
    )
    values = got.tolist()
    expect(values != [0.0, 3.0, 2.0], "That is row j, which has all the inputs of one output.")
    expect(
        values != 4.0, "That is the sum of the column: `sum()` adds the rows up before you index."
    )
    expect(values == [1.0, 3.0], f"Column 1 of [[2, 1, 0], [0, 3, 2]] is [1, 3], not {values}.")
    expect(
        x.grad is kept and kept.tolist() == [0.0] * 3,
        "Your function has changed `x.grad`. Use `grad`, which returns the gradient instead of "
        "storing it.",
    )
    expect(
        len(passes) == 2,
        f"The column is right, and took {len(passes)} passes for 2 outputs. Take one for each.",
    )


@exercise(
    "13.4",
    "The Jacobian on an empty page",
    difficulty=2,
    minutes=12,
    hint="""Call `grad` for one element of the output after another, and keep the graph for the next
    one. An output may not depend on `x` at all.""",
    solution="""
        def jacobian_rows(func, x):
            y, found = func(x), []
            for n in range(y.numel()):
                (row,) = grad(y[n], x, retain_graph=True, allow_unused=True)
                found.append([0.0] * x.numel() if row is None else row.tolist())
            return found
    """,
    right="""That is `jacobian`, and also what gradcheck compares with finite differences, with its
    rows and columns exchanged.""",
)
def check_jacobian_rows(jacobian_rows):
    library = yours()
    x = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x.grad = kept = library.tensor([0.0] * 3)
    w = library.tensor([5.0, 7.0], requires_grad=True)

    # its Jacobian at x: [10, 5, 0], [0, 21, 14]
    func, calls, passes = with_counters(
        library, lambda x: w * library.stack([x[0] * x[1], x[1] * x[2]])
    )
    expect(
        "jacobian" not in names_used(jacobian_rows),
        "Your function calls `jacobian`, ready-made or from the page above. Write the passes "
        "yourself.",
    )

    def listed(func):
        rows = jacobian_rows(func, x)
        tuples = any(isinstance(row, tuple) and len(row) == 1 for row in rows)
        expect(
            not tuples,
            "`grad` returns a tuple with one gradient, and your rows are such tuples, so take "
            "their first entry.",
        )
        tensors = any(isinstance(row, library.Tensor) for row in rows)
        expect(not tensors, "Your rows are tensors. `tolist()` turns each into a list of numbers.")
        return [[float(each) for each in row] for row in rows]

    with error_means("second time", "The first row freed the graph."):
        got = listed(func)
    right = [[10.0, 5.0, 0.0], [0.0, 21.0, 14.0]]
    expect(
        got != [list(column) for column in zip(*right, strict=True)],
        "Your rows and columns are exchanged: there should be a row for each output.",
    )
    expect(
        got != [right[0], [10.0, 26.0, 14.0]],
        "Your rows add up, so the second contains the first as well: `.grad` accumulates, while "
        "`grad` does not.",
    )
    expect(
        passes,
        "Your function did not run a backward pass, and differences of values are not exact.",
    )
    expect(got == right, f"Your result is {got}, not {right}.")
    expect(
        w.grad is None,
        "Your function has filled the `.grad` of another leaf that `func` uses. Ask for `x` alone.",
    )
    expect(x.grad is kept and kept.tolist() == [0.0] * 3, "Your function has changed `x.grad`.")
    expect(
        len(calls) == 1,
        f"The rows are right, but `func` ran {len(calls)} times. One graph is enough for all rows.",
    )
    unused = (
        "In `w * w` no output depends on `x`, so `grad` raises. With `allow_unused=True` it "
        "returns None, and you fill in a row of zeros."
    )
    nothing = (
        "In `w * w` no output depends on `x`, so its gradient is None, and the row should be zeros."
    )
    with error_means("not have been used", unused), error_means("NoneType", nothing):
        got = listed(lambda x: w * w)
    expect(got == [[0.0] * 3] * 2, "An output that does not depend on `x` has a row of zeros.")


@exercise(
    "13.5",
    "Which nodes have to run",
    difficulty=3,
    minutes=18,
    hint="""First collect all nodes behind `root`. Then go through them from the oldest to the
    newest: a node belongs to the set if one of its edges leads to `target`, or to a node that is
    already in the set.""",
    solution="""
        def on_the_way(root, target):
            nodes = [root]
            seen = {root}
            for node in nodes:  # the list grows
                for following, _ in node.next_functions:
                    if following is not None and following not in seen:
                        seen.add(following)
                        nodes.append(following)
            needed = set()
            for node in sorted(nodes, key=lambda node: node._sequence_nr()):
                ways = [following for following, _ in node.next_functions]
                if any(each is target or each in needed for each in ways):
                    needed.add(node)
            return needed
    """,
    right="""That is `leading_to`, the heart of `grad`.""",
)
def check_on_the_way(on_the_way):
    library = yours()
    x = library.tensor([1.0, 2.0], requires_grad=True)
    w = library.tensor([3.0, 4.0], requires_grad=True)
    h = x * x
    left, right = h * 2.0, w * w
    y = left + right
    total = y.sum()
    wanted = {left.grad_fn, y.grad_fn, total.grad_fn}
    one, other = h.exp(), h * 3.0
    product = one * other
    deep = h
    for _ in range(DEEP):
        deep = deep + 1.0
    expect(
        "leading_to" not in names_used(on_the_way),
        "Your function calls `leading_to` from the page above. Write the walk yourself.",
    )
    with error_means(
        RecursionError,
        "Your function calls itself for each node, and Python limits how deep such calls may go. "
        "Use a loop instead.",
    ):
        got = set(on_the_way(total.grad_fn, h.grad_fn))
        branches = set(on_the_way(product.grad_fn, h.grad_fn))
        count = len(set(on_the_way(deep.grad_fn, h.grad_fn)))
    expect(
        right.grad_fn not in got, "Your set has nodes that lead elsewhere: `w * w` never meets `h`."
    )
    expect(
        h.grad_fn not in got,
        "Your set includes the target itself, but what arrives there is already the answer.",
    )
    expect(
        got != {left.grad_fn},
        "Your set has only the last edge of the path. Begin with the oldest node, so that for each "
        "node, those behind it are already decided.",
    )
    expect(
        got == wanted, f"In (2h + w²).sum() your set has {len(got)} nodes, but it should have 3."
    )
    expect(
        branches == {one.grad_fn, other.grad_fn, product.grad_fn},
        f"In h.exp() * (h * 3) your set has {len(branches)} nodes, but it should have 3. You may "
        "have stopped after one path, although both factors lead to `h`.",
    )
    expect(count == DEEP, f"For a chain of {DEEP} nodes, your set has {count}.")
