"""What notebook 12_broadcasting asks: sums over copies, products, shapes that match by accident."""

import numpy as np

from minigrad_course.ask.declare import (
    error_means,
    exercise,
    expect,
    expect_none_of,
    names_used,
    prediction,
    same,
)
from minigrad_course.kernel.reader import yours

prediction(
    "12.a",
    """`v` is [1., 2., 3.], `h = v @ v` is 14., and `z = (h * [1., 10., 100.]).sum()`. So `z` is
    111 · h. Draft 1 sums at leaves only. What does it leave in `v.grad`?""",
    {
        "[222., 444., 666.]": """That is the true gradient, 111 · 2 · v. But to get 111, something
        has to add up the three numbers that reach the node of `h`, and `h` is not a leaf.""",
        "an error": """An error would be better. But the rule of the dot product multiplies what it
        receives by the three elements of `v`, and three numbers times three elements is fine.""",
        "[2., 40., 600.]": """The node of `h` receives [1., 10., 100.], and its rule multiplies that
        by `v`, element by element. Since the shape is right, there is no error.""",
    },
    answer="[2., 40., 600.]",
    shown="draft 1: tensor([  2.,  40., 600.])",
)

prediction(
    "12.b",
    """The targets are [1., 2., 3.], and the three predictions have shape (3, 1). We no longer use a
    model, but move the predictions themselves until `((prediction - target) ** 2).mean()` is as
    small as it can get. Where do they end?""",
    {
        "at 1, 2 and 3": """There the gradient is [-0.6667, 0., 0.6667], as you have just seen, so
        the first prediction goes up and the last one goes down.""",
        "all three at 2": """The gradient of a prediction is 0 when the sum over its row is 0, and
        that is where it equals the mean of all targets.""",
        "they never stop": """The loss is a mean of squares, so it has a minimum. It is just not the
        minimum that was meant.""",
    },
    answer="all three at 2",
    shown="predictions [2.0, 2.0, 2.0]",
)

prediction(
    "12.c",
    """`inputs` has shape (4, 3), `bias` has shape (2), and `outputs = inputs @ weight + bias`. What
    is `bias.grad` after `outputs.sum().backward()`?""",
    {
        "[1., 1.]": """That is what one of the four samples contributes.""",
        "[4., 4.]": """`bias` is stretched to four rows, each of which receives ones, and the rows
        are added up.""",
        "four rows of [1., 1.]": """The rule of `+` returns these four rows, in the shape of
        `outputs`. But the gradient of `bias` has the shape of `bias`.""",
    },
    answer="[4., 4.]",
    shown="tensor([4., 4.])",
)

prediction(
    "12.d",
    """`p` and `q` have shape (2, 2), and so does `g`, the gradient of `p @ q`. All of these
    products fit. Which one is the gradient of `p`?""",
    {
        "`g @ q.mT`": """The gradient of `p[i, j]` is the sum of `g[i, k] * q[j, k]` over k: row i
        of `g` times row j of `q`, and a row of `q` is a column of `q.mT`.""",
        "`g @ q`": """That product sums `g[i, k] * q[k, j]`, so it goes down a column of `q`. But
        `p[i, j]` was multiplied by row j of `q`.""",
        "`q.mT @ g`": """`q` was to the right of `p`, and stays to the right of `g`. With a factor
        on the left, each row of the result would mix all rows of `g`, but row i of `p` is used only
        for row i of the product.""",
        "`g.mT @ q`": """Transposing `g` mixes up the rows, but row i of `p` is used only for row i
        of the product, so its gradient can depend only on row i of `g`.""",
    },
    answer="`g @ q.mT`",
    shown="g @ q.mT [[21.0, 30.0], [2100.0, 3000.0]] right",
)


@exercise(
    "12.1",
    "Sums over copies",
    difficulty=1,
    minutes=8,
    hint="""The rule of `*` returns `a`, stretched to the shape of `a * b`. Then sum that over the
    dimensions along which `b` was stretched.""",
    solution="""
        found = {
            1: [2.0, 2.0, 2.0],
            2: [[3.0], [3.0]],
            3: [[4.0, 4.0, 4.0, 4.0, 4.0]],
            4: [4.0, 6.0],
            5: [[3.0], [7.0]],
            6: 10.0,
        }
    """,
    right="You never have to work out the shape of a gradient: it is the shape of its tensor.",
)
def check_found(found):
    shapes = {1: (3,), 2: (2, 1), 3: (1, 5), 4: (2,), 5: (2, 1), 6: ()}
    wanted = {1: [2.0] * 3, 2: [[3.0]] * 2, 3: [[4.0] * 5], 4: [4.0, 6.0], 5: [[3.0], [7.0]], 6: 10}

    def right(number):
        return same(found[number], wanted[number])

    for number, shape in shapes.items():
        got = np.shape(found[number])
        flat = got != shape and np.size(found[number]) == np.prod(shape, dtype=int)
        expect(
            not flat,
            f"{number}: your answer has the right number of elements. But a gradient has exactly "
            f"the shape of `b`, {shape}, so its brackets have to agree as well.",
        )
        expect(
            got == shape,
            f"{number}: your answer has shape {got}, but a gradient has the shape of `b`, {shape}.",
        )
    expect(
        not all(np.all(np.asarray(each) == 1) for each in found.values()),
        "The shapes are right, but all your numbers are ones. That is what a single copy of `b` "
        "gets from an `a` of ones; add up what all its copies get.",
    )
    expect(
        right(1) and right(2),
        "1 and 2: count the copies. In 1, `b` is copied to two rows, and in 2 to three columns.",
    )
    expect(
        right(3),
        "3: both operands are stretched to (4, 5), so `b` has four copies, one in each row.",
    )
    expect(
        right(4) and right(5),
        "4 and 5: in 4, the copies of `b` are on top of each other, so sum down the columns of `a`."
        " In 5, they are side by side, so sum along the rows.",
    )
    expect(
        right(6),
        "6: a single number is multiplied by all four elements, so sum over all of them, not over"
        " one row.",
    )


@exercise(
    "12.2",
    "sum_to, on an empty page",
    difficulty=2,
    minutes=12,
    hint="""Put a 1 in front of `shape` for each missing dimension. Then sum over the dimensions
    whose lengths differ, with `keepdims=True`, and let `reshape` do the rest.""",
    solution="""
        def reduced(grad, shape):
            padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
            over = tuple(d for d in range(grad.ndim) if padded[d] != grad.shape[d])
            return grad.sum(axis=over, keepdims=True).reshape(shape)
    """,
    right="With this one function, an engine handles every broadcast, and the rules can ignore it.",
)
def check_reduced(reduced):
    expect(
        "sum_to" not in names_used(reduced),
        "Your function calls `sum_to` from the page above. Write the sums yourself, in NumPy.",
    )
    numbers = np.arange(24.0).reshape(2, 3, 4)
    square = np.arange(9.0).reshape(3, 3)

    def got(grad, shape):
        raised = f"For {grad.shape} and {shape}, your function raised `{{error}}`"
        with error_means((ValueError, IndexError, TypeError), raised):
            return reduced(grad.copy(), shape)

    row = got(square, (3,))
    expect(
        not same(row, square.sum()),
        "From (3, 3) to (3), your function returns one number for everything. Three elements need "
        "three sums.",
    )
    expect(
        np.shape(row) != (1, 3),
        "From (3, 3) to (3), your result has shape (1, 3), which is one dimension too many: drop "
        "the 1.",
    )
    expect_none_of(
        row,
        {
            "From (3, 3) to (3), your function sums along the rows, but the missing dimension is "
            "on the left.": square.sum(1),
            "From (3, 3) to (3), your function does not sum, because both lengths occur in the "
            "shape. Compare the shapes dimension by dimension, from the right.": square,
            "Your function takes the mean, but each copy counts in full.": square.mean(0),
        },
    )
    expect(same(row, square.sum(0)), f"From (3, 3) to (3), your function gives {row}.")
    column = got(square, (3, 1))
    expect(
        np.shape(column) != (3, 3),
        "From (3, 3) to (3, 1), your function does not sum, although a dimension of length 1 is "
        "stretched as well.",
    )
    for shape in [(3, 1), (1, 3), (1, 1), ()]:
        want = square.sum(axis={(3, 1): 1, (1, 3): 0}.get(shape), keepdims=True).reshape(shape)
        expect(same(got(square, shape), want), f"From (3, 3) to {shape}, your result is wrong.")
    for shape, over in [((3, 1), (0, 2)), ((2, 1, 1), (1, 2)), ((4,), (0, 1)), ((2, 3, 4), ())]:
        want = numbers.sum(axis=over, keepdims=True).reshape(shape)
        expect(same(got(numbers, shape), want), f"From (2, 3, 4) to {shape}, your result is wrong.")
    empty = got(np.zeros((0, 3)), (1, 3))
    expect(
        np.shape(empty) == (1, 3),
        "A 1 can be stretched to a length of 0 as well, and from (0, 3) to (1, 3) the sum is zeros."
        " A dimension needs no sum only if both lengths are 1.",
    )


@exercise(
    "12.3",
    "A layer as one row",
    difficulty=2,
    minutes=12,
    hint="""`grad` has the shape of the result, (N, out). Which product with `weight`, (out, in),
    has the shape (N, in) of `x`? Which one with `x` has the shape of `weight`? And since `bias` is
    stretched, does its rule have to do anything about it?""",
    solution="""
        affine = op(
            "affine",
            lambda x, weight, bias: x @ weight.T + bias,
            x=lambda grad, weight: grad @ weight,
            weight=lambda grad, x: grad.mT @ x,
            bias=lambda grad: grad,
        )
    """,
    right="""PyTorch's row for a layer is `addmm`, and its rule for the bias is `grad` alone, as you
    saw above: the engine sums, so the rule doesn't have to.""",
)
def check_affine(affine):
    library = yours()
    numbers = np.random.default_rng(3)
    arrays = {
        "x": numbers.normal(size=(4, 3)),
        "weight": numbers.normal(size=(2, 3)),
        "bias": numbers.normal(size=2),
    }
    grad = numbers.normal(size=(4, 2))
    wanted = {"x": grad @ arrays["weight"], "weight": grad.T @ arrays["x"], "bias": grad.sum(0)}
    what = {
        "x": "(N, out) times (out, in) is (N, in). Forward has transposed `weight` already, so"
        " backward multiplies by `weight` itself.",
        "weight": "It needs the shape (out, in) of `weight`. Your product came out transposed, or "
        "it does not fit at all.",
        "bias": "Return `grad` or its sum over the batch. A single number is not enough for two"
        " outputs.",
    }

    def result(asked=("x", "weight", "bias")):
        inputs = {
            name: library.tensor(array, requires_grad=name in asked)
            for name, array in arrays.items()
        }
        return inputs, affine(*inputs.values())

    rules = getattr(getattr(affine, "row", None), "rules", arrays)
    expect(
        len(rules) == len(arrays),
        "Each of the three inputs needs a rule, because a row treats an input as a tensor only if "
        f"it has one. Your row has rules for {', '.join(f'`{name}`' for name in rules)}.",
    )
    expect(
        not (names_used(affine) & {"torch", "linear"}),
        "`torch` is the finished library here and does not know your tensors, so make a row of "
        "your own, with `op`.",
    )
    inputs, y = result()
    values = arrays["x"] @ arrays["weight"].T + arrays["bias"]
    expect(same(y, values), "The values that your row computes are not `x @ weight.T + bias`.")
    following = [node for node, _ in y.grad_fn.next_functions]
    ends = [getattr(node, "variable", None) for node in following if node is not None]
    expect(
        all(end is not None for end in ends),
        "Your layer consists of several operations, each with a node of its own. Make one row, "
        "with `op`.",
    )
    for name, want in wanted.items():
        inputs, y = result([name])
        misfit = f"The gradient of `{name}` does not fit. {what[name]}\n\n`{{error}}`"
        with error_means(RuntimeError, misfit):
            y.backward(library.tensor(grad))
        got = inputs[name].grad
        expect(got is not None, f"`{name}` does not get a gradient, so give it a rule as well.")
        expect(
            not (name == "bias" and same(got, grad.mean(0))),
            "Your rule computes the gradient of `bias` as the mean over the batch, but each sample "
            "counts in full.",
        )
        expect(same(got, want), f"The gradient of `{name}` is wrong.")


@exercise(
    "12.4",
    "Rows without their mean",
    difficulty=2,
    minutes=8,
    hint="""The means have to stay a column, which takes `keepdim`. Try a square matrix, because
    that is the shape for which a mistake raises no error.""",
    solution="""
        def centered(matrix):
            return matrix - matrix.mean(1, keepdim=True)
    """,
    right="Layer normalization begins with this line, and its `keepdim` is what people forget.",
)
def check_centered(centered):
    library = yours()
    square = np.array([[1.0, 3.0], [10.0, 30.0]])
    wide = np.array([[1.0, 2.0, 6.0], [4.0, 4.0, 10.0]])

    def got(array):
        matrix = library.tensor(array, requires_grad=True)
        fails = f"It fails for shape {array.shape}: `{{error}}`."
        with (
            error_means(RuntimeError, fails),
            error_means(
                "must match",
                f"{fails} Without `keepdim`, the means have one dimension, which fits only a "
                "square matrix, and there it is wrong.",
            ),
            error_means("in-place", f"{fails} Do not write to `matrix`, but return a new tensor."),
        ):
            return matrix, centered(matrix)

    for array in (wide, square):
        matrix, result = got(array)
        expect(isinstance(result, library.Tensor), "Return a tensor.")
        expect(
            result.shape == array.shape,
            f"Your function loses a dimension: for shape {array.shape}, it returns "
            f"{tuple(result.shape)}.",
        )
        expect_none_of(
            result,
            {
                "Your function subtracts the mean of each column. Subtract that of each row.": (
                    array - array.mean(0)
                ),
                "Your function subtracts the mean of all elements. Each row has a mean of its "
                "own.": array - array.mean(),
            },
        )
        expect(
            same(result, array - array.mean(1, keepdims=True)),
            f"For {array.tolist()}, your function gives {result.tolist()}.",
        )
        factors = np.arange(array.size, dtype=float).reshape(array.shape) ** 2
        (result * library.tensor(factors)).sum().backward()
        expect(matrix.grad is not None, "The values are right, but no gradient reaches the matrix.")
        expect(
            not same(matrix.grad, factors),
            "The values are right, but the gradient is not, because the mean changes with the "
            "matrix as well, and your mean is cut off from it.",
        )
        expect(
            same(matrix.grad, factors - factors.mean(1, keepdims=True)),
            "The values are right, but the gradient is not.",
        )


@exercise(
    "12.5",
    "All pairs",
    difficulty=3,
    minutes=12,
    hint="""`p.unsqueeze(1)` has shape (N, 1, D). Which shape do you get if you subtract `q`, (M,
    D), from it? Then square, and sum over the last dimension.""",
    solution="""
        def distances(p, q):
            difference = p.unsqueeze(1) - q
            return (difference * difference).sum(2)
    """,
    right="Attention and nearest-neighbor search begin like this, with the trap used on purpose.",
)
def check_distances(distances):
    library = yours()
    numbers = np.random.default_rng(5)

    def shaped(*counts, coordinates=2):
        points = [numbers.normal(size=(count, coordinates)) for count in counts]
        return [library.tensor(each, requires_grad=True) for each in points]

    def nodes_behind(tensor):
        found = [tensor.grad_fn]
        for node in found:  # the list grows
            found += [each for each, _ in node.next_functions if each not in (None, *found)]
        return len(found)

    p, q = shaped(4, 3)
    points, others = np.array(p.tolist()), np.array(q.tolist())
    with error_means(
        RuntimeError,
        "Your function works only if `p` and `q` have the same number of points. With four and "
        "three, it raises `{error}`",
    ):
        result = distances(p, q)
    want = ((points[:, None] - others) ** 2).sum(2)
    expect(isinstance(result, library.Tensor), "Return a tensor.")
    expect(
        tuple(result.shape) != (3, 4),
        "Your result has shape (M, N). There should be a row for each point of `p`.",
    )
    expect(
        tuple(result.shape) == (4, 3),
        f"For four and three points, your result has shape {tuple(result.shape)}. Sum over the "
        "coordinates, which are the last dimension.",
    )
    expect(
        not same(result, want**0.5),
        "Leave out the square root: the exercise asks for squared distances.",
    )
    expect(
        same(result, want),
        "The numbers are not the squared distances, which are sums over the coordinates.",
    )
    expect(
        result.requires_grad,
        "Your result does not have a `grad_fn`, so compute with `p` and `q` themselves, not with "
        "their numbers.",
    )
    few, many = nodes_behind(result), nodes_behind(distances(*shaped(8, 6)))
    expect(
        few == many,
        f"The numbers are right, but the graph grows with the points, from {few} to {many} nodes,"
        " so there is a loop. Let broadcasting make the pairs.",
    )
    longer = nodes_behind(distances(*shaped(4, 3, coordinates=7)))
    expect(
        few == longer,
        f"The numbers are right, but the graph grows with the coordinates, from {few} to {longer} "
        "nodes, so there is a loop. Let `sum` add them up.",
    )
    result.sum().backward()
    expect(
        same(p.grad, 2 * (3 * points - others.sum(0))),
        "The values are right, but the gradient of `p` is not. Is something cut off?",
    )
