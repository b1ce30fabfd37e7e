"""What notebook 12_broadcasting asks: sums over copies, products, shapes that fit by accident."""

import numpy as np

from minigrad_course.ask.declare import Mistake, exercise, expect, names_used, prediction, same
from minigrad_course.kernel.reader import yours

prediction(
    "12.a",
    """`v` is [1., 2., 3.], `h = v @ v` is 14., and `z = (h * [1., 10., 100.]).sum()`. So `z` is
    111 · h. The draft sums at leaves only. What does it leave in `v.grad`?""",
    {
        "[222., 444., 666.]": """That would be right: 111 · 2 · v. But who sums the three numbers
        that arrive at the node of `h`, which is no leaf?""",
        "an error": """It would be better. But the rule of the dot product multiplies what arrives
        by the three elements of `v`, and three times three elements fit.""",
        "[2., 40., 600.]": """[1., 10., 100.] arrives at the node of `h`, and its rule multiplies
        that by `v`, element by element. The shape is right, the numbers are not.""",
    },
    answer="[2., 40., 600.]",
    shown="draft 1: tensor([  2.,  40., 600.])",
)

prediction(
    "12.b",
    """The targets 1, 3, 5, 7, 9 lie on a line of slope 2. The model is a line, `w * x + b`. But its
    predictions have shape (5, 1), and the targets (5). Which slope does it learn?""",
    {
        "2": """That needs prediction i compared with target i alone. Here it is compared with all
        five.""",
        "0": """Each prediction is pulled to the mean of all targets, 5. So the line is flat.""",
        "none, the loss grows": """The loss falls, as far as it can. It is only another loss than
        the one that was meant.""",
    },
    answer="0",
    shown="slope 0.00",
)

prediction(
    "12.c",
    """`inputs` has shape (4, 3), `bias` has shape (2), and `outputs = inputs @ weight + bias`. What
    is `bias.grad` after `outputs.sum().backward()`?""",
    {
        "[1., 1.]": """That is what one sample brings. There are four.""",
        "[4., 4.]": """`bias` is stretched to four rows. Each brings a 1, and they are added.""",
        "four rows of [1., 1.]": """That is what arrives. It has the shape of `outputs`; the
        gradient of `bias` has the shape of `bias`.""",
    },
    answer="[4., 4.]",
    shown="tensor([4., 4.])",
)

prediction(
    "12.d",
    """`a` has shape (2, 3), `b` has shape (3, 4), and `g` is the gradient of `a @ b`. Which product
    is the gradient of `a`?""",
    {
        "`g @ b.mT`": """(2, 4) @ (4, 3) has the shape of `a`. Each element of `a` meets a row of
        `b`, and that is a column of `b.mT`.""",
        "`b.mT @ g`": """(4, 3) @ (2, 4) does not even fit.""",
        "`g @ b`": """(2, 4) @ (3, 4) does not fit. With square matrices it would, and would be
        wrong all the same.""",
    },
    answer="`g @ b.mT`",
    shown="g @ b.mT [[201.0, 12.0, 1030.0], [3.0, 3.0, 4.0]] right",
)


@exercise(
    "12.1",
    "Sums over copies",
    difficulty=1,
    minutes=8,
    hint="""What arrives at `b` has the shape of `a * b`, and is `a` stretched to that shape. Then
    sum over the dimensions along which `b` was stretched.""",
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
    right="The shape of a gradient is never a question: it is that of its tensor.",
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
            f"{number}: the right number of elements. But the gradient has the shape of `b` also in"
            f" its brackets: {shape}.",
        )
        expect(
            got == shape,
            f"{number}: yours has shape {got}; a gradient has the shape of `b`, {shape}.",
        )
    expect(
        right(1) and right(2),
        "1 and 2: count the number of copies. In 1 there are two rows, in 2 three columns.",
    )
    expect(
        right(3),
        "3: both operands are stretched, to (4, 5). So `b` has four copies, one in each row.",
    )
    expect(
        right(4) and right(5),
        "4 and 5: in 4 the copies of `b` lie below each other, so sum down the columns of `a`; in 5"
        " they lie beside each other, so sum along the rows.",
    )
    expect(
        right(6), "6: one number meets all four elements. Sum over everything, not over one row."
    )


@exercise(
    "12.2",
    "sum_to, on an empty page",
    difficulty=2,
    minutes=12,
    hint="""Put a 1 in front for each missing dimension. Sum, with `keepdims=True`, over the
    dimensions whose lengths differ then. `reshape` does the rest.""",
    solution="""
        def reduced(grad, shape):
            padded = (1,) * (grad.ndim - len(shape)) + tuple(shape)
            over = tuple(d for d in range(grad.ndim) if padded[d] != grad.shape[d])
            return grad.sum(axis=over, keepdims=True).reshape(shape)
    """,
    right="With this a whole engine handles every broadcast. No rule has to know.",
)
def check_reduced(reduced):
    expect(
        "sum_to" not in names_used(reduced),
        "Yours calls `sum_to` from the page above. Write the sums yourself, with NumPy.",
    )
    numbers = np.arange(24.0).reshape(2, 3, 4)
    square = np.arange(9.0).reshape(3, 3)

    def got(grad, shape):
        try:
            return reduced(grad.copy(), shape)
        except (ValueError, IndexError, TypeError) as error:
            raise Mistake(f"For {grad.shape} and {shape} yours raised: `{error}`") from None

    row = got(square, (3,))
    expect(
        not same(row, square.sum()),
        "From (3, 3) to (3) yours makes one number for everything. Three elements need three sums.",
    )
    expect(
        np.shape(row) != (1, 3),
        "From (3, 3) to (3) yours has shape (1, 3), too many dimensions: drop the missing ones.",
    )
    expect(
        not same(row, square.sum(1)),
        "From (3, 3) to (3) yours sums along the rows. What is missing is at the left.",
    )
    expect(
        not same(row, square),
        "From (3, 3) to (3) yours sums nothing, because no length is new. Compare the shapes"
        " dimension by dimension, from the right.",
    )
    expect(not same(row, square.mean(0)), "Yours is the mean. Each copy counts in full.")
    expect(same(row, square.sum(0)), f"From (3, 3) to (3) yours gives {row}.")
    column = got(square, (3, 1))
    expect(
        np.shape(column) != (3, 3),
        "From (3, 3) to (3, 1) yours sums nothing. A dimension of length 1 is stretched as well.",
    )
    for shape in [(3, 1), (1, 3), (1, 1), ()]:
        want = square.sum(axis={(3, 1): 1, (1, 3): 0}.get(shape), keepdims=True).reshape(shape)
        expect(same(got(square, shape), want), f"From (3, 3) to {shape} yours is not right.")
    for shape, over in [((3, 1), (0, 2)), ((2, 1, 1), (1, 2)), ((4,), (0, 1)), ((2, 3, 4), ())]:
        want = numbers.sum(axis=over, keepdims=True).reshape(shape)
        expect(same(got(numbers, shape), want), f"From (2, 3, 4) to {shape} yours is not right.")
    empty = got(np.zeros((0, 3)), (1, 3))
    expect(
        np.shape(empty) == (1, 3),
        "A length of 0 is a stretched 1 as well: from (0, 3) to (1, 3) the sum is zeros. Nothing is"
        " to do only where both are of length 1.",
    )


@exercise(
    "12.3",
    "A layer as one row",
    difficulty=2,
    minutes=12,
    hint="""`grad` has the shape of the result, (N, out). With `weight`, (out, in), make (N, in) of
    it; with `x`, (N, in), make (out, in). And `bias` is stretched: what must its rule do?""",
    solution="""
        affine = op(
            "affine",
            lambda x, weight, bias: x @ weight.T + bias,
            x=lambda grad, weight: grad @ weight,
            weight=lambda grad, x: grad.mT @ x,
            bias=lambda grad: grad,
        )
    """,
    right="""PyTorch's row for this is `addmm`. Its rule for the bias is `grad` alone: the engine
    sums, so a rule need not.""",
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
        "x": "(N, out) and (out, in) give (N, in) as they are. Forward needs `weight.T`, and so has"
        " transposed it already.",
        "weight": "It has the shape (out, in) of `weight`. Yours came out transposed, or does not"
        " fit at all.",
        "bias": "Return `grad`, or its sum over the batch; one number for both outputs is too"
        " little.",
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
        "A row takes as tensors what has a rule. Each of the three inputs needs one; yours has"
        f" rules for {', '.join(f'`{name}`' for name in rules)}.",
    )
    expect(
        not (names_used(affine) & {"torch", "linear"}),
        "`torch` is the finished library here, and does not know your tensors. Make a row of your"
        " own, with `op`.",
    )
    inputs, y = result()
    values = arrays["x"] @ arrays["weight"].T + arrays["bias"]
    expect(same(y, values), "The values of forward are not `x @ weight.T + bias`.")
    following = [node for node, _ in y.grad_fn.next_functions]
    ends = [getattr(node, "variable", None) for node in following if node is not None]
    expect(
        all(end is not None for end in ends),
        "Yours is made of several operations, each with a node. Make one row, with `op`.",
    )
    for name, want in wanted.items():
        inputs, y = result([name])
        try:
            y.backward(library.tensor(grad))
        except RuntimeError as error:
            raise Mistake(
                f"The gradient of `{name}` does not fit. {what[name]}\n\n`{error}`"
            ) from None
        got = inputs[name].grad
        expect(got is not None, f"`{name}` gets no gradient: give it a rule, too.")
        expect(
            not (name == "bias" and same(got, grad.mean(0))),
            "The gradient of `bias` is the mean over the batch in yours. Each sample counts in"
            " full.",
        )
        expect(same(got, want), f"The gradient of `{name}` is wrong.")


@exercise(
    "12.4",
    "Rows without their mean",
    difficulty=2,
    minutes=8,
    hint="""The means must keep their dimension, so that they are a column. A square matrix shows
    whether you have it.""",
    solution="""
        def centered(matrix):
            return matrix - matrix.mean(1, keepdim=True)
    """,
    right="Layer normalization begins with this line. Its `keepdim` is what people forget.",
)
def check_centered(centered):
    library = yours()
    square = np.array([[1.0, 3.0], [10.0, 30.0]])
    wide = np.array([[1.0, 2.0, 6.0], [4.0, 4.0, 10.0]])

    def got(array):
        matrix = library.tensor(array, requires_grad=True)
        try:
            return matrix, centered(matrix)
        except RuntimeError as error:
            why = {
                "must match": " Without `keepdim` the means have one dimension; that fits only a"
                " square matrix, and there it is wrong.",
                "in-place": " Do not write into `matrix`: return a new tensor.",
            }
            told = "".join(text for words, text in why.items() if words in str(error))
            what = str(error).splitlines()[0]
            raise Mistake(f"It fails for shape {array.shape}: `{what}`.{told}") from None

    for array in (wide, square):
        matrix, result = got(array)
        expect(isinstance(result, library.Tensor), "Return a tensor.")
        expect(
            result.shape == array.shape,
            f"Yours loses a dimension: for {array.shape} it has shape {tuple(result.shape)}.",
        )
        expect(
            not same(result, array - array.mean(0)),
            "Each element has lost the mean of its column. Take that of its row.",
        )
        expect(
            not same(result, array - array.mean()),
            "You have taken away the mean of all elements. Each row has a mean of its own.",
        )
        expect(
            same(result, array - array.mean(1, keepdims=True)),
            f"For {array.tolist()} yours gives {result.tolist()}.",
        )
        factors = np.arange(array.size, dtype=float).reshape(array.shape) ** 2
        (result * library.tensor(factors)).sum().backward()
        expect(matrix.grad is not None, "The values are right, but no gradient reaches the matrix.")
        expect(
            not same(matrix.grad, factors),
            "The values are right, the gradient is not: the mean changes with the matrix as well,"
            " and yours is cut off.",
        )
        expect(
            same(matrix.grad, factors - factors.mean(1, keepdims=True)),
            "The values are right, the gradient is not.",
        )


@exercise(
    "12.5",
    "All pairs",
    difficulty=3,
    minutes=12,
    hint="""`p.unsqueeze(1)` has shape (N, 1, D). What does it give with `q`, (M, D)? Then square,
    and sum over the last dimension.""",
    solution="""
        def distances(p, q):
            difference = p.unsqueeze(1) - q
            return (difference * difference).sum(2)
    """,
    right="Attention and nearest neighbours begin like this: the trap, used on purpose.",
)
def check_distances(distances):
    library = yours()
    numbers = np.random.default_rng(5)

    def shaped(*counts):
        points = [numbers.normal(size=(count, 2)) for count in counts]
        return [library.tensor(each, requires_grad=True) for each in points]

    def nodes_behind(tensor):
        found = [tensor.grad_fn]
        for node in found:  # the list grows
            found += [each for each, _ in node.next_functions if each not in (None, *found)]
        return len(found)

    p, q = shaped(4, 3)
    points, others = np.array(p.tolist()), np.array(q.tolist())
    try:
        result = distances(p, q)
    except RuntimeError as error:
        raise Mistake(
            f"Yours needs the same number of points in both. Here are four and three: `{error}`"
        ) from None
    want = ((points[:, None] - others) ** 2).sum(2)
    expect(isinstance(result, library.Tensor), "Return a tensor.")
    expect(tuple(result.shape) != (3, 4), "Yours has shape (M, N). Let `p` have the rows.")
    expect(
        tuple(result.shape) == (4, 3),
        f"Yours has shape {tuple(result.shape)} for four and three points. Sum over the"
        " coordinates, the last dimension.",
    )
    expect(
        not same(result, want**0.5), "Leave out the root: the distance that is asked is squared."
    )
    expect(same(result, want), "The numbers are not the squared distances.")
    expect(
        result.requires_grad,
        "Yours has no `grad_fn`: compute with `p` and `q` themselves, not with their numbers.",
    )
    few, many = nodes_behind(result), nodes_behind(distances(*shaped(8, 6)))
    expect(
        few == many,
        f"Right, but the graph grows with the points, from {few} to {many} nodes: a loop. Let"
        " broadcasting make the pairs.",
    )
    result.sum().backward()
    expect(
        same(p.grad, 2 * (3 * points - others.sum(0))),
        "The values are right, but the gradient of `p` is not: is something cut off?",
    )
