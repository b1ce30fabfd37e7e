"""What notebook 18_learning_rates asks: steps, passes, power iteration, and a Jacobian."""

from minigrad_course.ask.declare import (
    counted_calls,
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
)
from minigrad_course.kernel.reader import yours

prediction(
    "18.a",
    """The second run is the same, with the rate 0.15 instead of 0.11. What will its loss do?""",
    {
        "it falls at every step, and faster": """That is what it does at first, and so it looks
        safe. But how large a rate may be can change while the network trains.""",
        "it grows from the first steps on, and never recovers": """A much larger rate does that,
        such as 0.4. For 0.15, the loss is not curved enough at the start.""",
        "it falls for a while, then climbs and falls again": """For about 90 steps it is ahead of
        the other run. Then it climbs to five times what it was, with no change in the data or
        the rate.""",
    },
    answer="it falls for a while, then climbs and falls again",
    shown="first at step 92",
)

prediction(
    "18.b",
    """The loss is λw²/2 with λ = 20, and `w` is 1. What does a step with the rate 0.09 do?""",
    {
        "91 percent of the distance to the minimum is left": """That would be 1 - rate. But the
        gradient is λw, so the step takes away rate · λ of the distance, which is 1.8 times all of
        it.""",
        "it jumps over the minimum and lands closer to it": """1 - 0.09 · 20 is -0.8: it lands on
        the other side, with 80 percent of the distance left.""",
        "it jumps over the minimum and lands farther from it": """It does jump over it, but lands at
        1 - 0.09 · 20 = -0.8, which is closer than 1. From the rate 0.1 on, it would land farther
        away.""",
    },
    answer="it jumps over the minimum and lands closer to it",
    shown="rate 0.09: factor -0.80",
)

prediction(
    "18.c",
    """The network has 1,057 weights. How many backward passes does its product with the Hessian
    take, and how many the whole Hessian?""",
    {
        "2 and 1058": """Both need one pass for the gradient. After that, a product takes one more,
        and the matrix one for each of its rows.""",
        "2 and 2": """A pass returns as many numbers as there are weights. The Hessian has 1,057
        times as many.""",
        "1057 and 1057": """A row of the Hessian does take a pass. But the product is a single
        row, a weighted sum that one pass adds up, and the gradient has to be computed first.""",
    },
    answer="2 and 1058",
    shown="product: 2 passes  Hessian: 1058 passes",
)

prediction(
    "18.d",
    """`f` has 2 outputs. Without dual numbers, how many backward passes does Ju take? And how many
    if there are 1000 outputs?""",
    {
        "1, and 1": """One pass computes vᵀJ, which adds up over the outputs, while Ju adds up over
        the inputs.""",
        "2, and 1000": """That is how many it takes to compute the rows of J one by one, but Ju does
        not need them.""",
        "2, and 2": """One pass records vᵀJ as a function of `v`, and another one differentiates it,
        so no row of J is needed.""",
    },
    answer="2, and 2",
    shown="jvp: 2 passes for 1000 outputs",
)

prediction(
    "18.e",
    """`cube` is x · x², and its second derivative at 1 is 6. The backward of `Square` is marked
    with `once_differentiable`. What will `functional.hessian(cube, x)` do?""",
    {
        "return 6": """The derivative of Square's backward would be needed for that, and it computes
        with NumPy.""",
        "raise an error": """The Error node would raise if it ran. But a pass runs only what
        leads to `x`, and this node does not.""",
        "return 2": """The share that passes through the backward of Square is missing, and nobody
        is told.""",
    },
    answer="return 2",
    shown="hessian tensor([[2.]])",
)


def saddle(package, turned=False):
    """Two leaves, and a loss of them whose Hessian has the eigenvalues 2, 1 and -6 (or 6)."""
    weights = [
        package.tensor([1.0, 2.0], dtype=package.float64, requires_grad=True),
        package.tensor([[3.0]], dtype=package.float64, requires_grad=True),
    ]
    sign = 1.0 if turned else -1.0

    def loss(weights):
        a, b = weights
        return a[0] ** 2 + a[1] ** 2 / 2 + sign * 3.0 * (b**2).sum()

    return weights, loss


@exercise(
    "18.1",
    "Power iteration, on an empty page",
    difficulty=2,
    minutes=12,
    hint="""A product is `grad` of the recorded gradient, with the vectors as `grad_outputs` and
    `retain_graph=True`. Divide the vectors by their common length in each round. At the end,
    multiply once more, because v · Hv is λ.""",
    solution="""
        def largest(loss, weights, rounds):
            gradient = grad(loss(weights), weights, create_graph=True)

            def times(vectors):
                return grad(gradient, weights, vectors, retain_graph=True)

            def inner(ones, others):
                return sum((a * b).sum().item() for a, b in zip(ones, others))

            vectors = [w.new_zeros(w.shape) + 1.0 for w in weights]
            for _ in range(rounds):
                vectors = times(vectors)
                length = inner(vectors, vectors) ** 0.5
                vectors = [each / length for each in vectors]
            return inner(vectors, times(vectors))
    """,
    right="""You can paste these lines into any training script, because with PyTorch's `grad` they
    work as they are. Each round takes a single pass.""",
)
def check_largest(largest):
    expect(
        "torch" not in names_used(largest),
        "Your function calls `torch`, which knows nothing of your library's tensors. Call `grad`.",
    )
    expect(
        not {"product", "sharpest", "dot"} & set(names_used(largest)),
        "Your function calls a function from the page. Write it with `grad` alone.",
    )
    package = yours()
    weights, loss = saddle(package, turned=True)
    calls = []

    def counted_loss(weights):
        calls.append(weights)
        return loss(weights)

    with (
        error_means(
            "does not require grad",
            "The gradient was not recorded, because `create_graph=True` is missing.",
        ),
        error_means(
            "Mismatch in shape",
            "Each vector must have the shape of its weight, which is (2,) or (1, 1) here.",
        ),
        error_means(
            "second time",
            "The first product freed the graph of the gradient, because `retain_graph=True` is "
            "missing.",
        ),
        counted_calls(package.core.engine.BackwardPass, "run") as passes,
    ):
        found = largest(counted_loss, weights, 20)
    expect(found is not None, "Your function returns nothing, because a `return` is missing.")
    expect(isinstance(found, float), f"Your function returns {found!r}, which is not a float.")
    expect(
        all(w.grad is None for w in weights),
        "Your function has filled the `.grad` of the weights, and an optimizer would use it.",
    )
    expect(
        abs(found) < 1e6,
        "Your function returns a huge number. Divide the vectors by their length in each round.",
    )
    expect(
        abs(found - 8.0) > 0.01,
        "Your function divides each tensor by its own length. But the list is one vector, with one "
        "length.",
    )
    expect(
        abs(found - 36.0) > 0.01,
        "Your function returns λ², the square of a length. Take its square root.",
    )
    expect(
        abs(found - 6.0) < 1e-4,
        f"For a Hessian with the eigenvalues 2, 1 and 6, your function returns {found:g}.",
    )
    expect(
        len(calls) <= 1,
        f"Your function calls `loss` {len(calls)} times. Once is enough: record one gradient, "
        "before the rounds, and differentiate it in each of them.",
    )
    expect(
        len(passes) <= 22,
        f"20 rounds took {len(passes)} passes. There should be at most 22: one for the gradient, "
        "and one for each product, the last one included.",
    )
    weights, loss = saddle(package)
    found = largest(loss, weights, 20)
    expect(
        abs(found - 6.0) > 0.01,
        "With the eigenvalues 2, 1 and -6, your function returns 6, because a length does not have "
        "a sign. Use v · Hv, which does.",
    )
    expect(
        abs(found + 6.0) < 1e-4,
        f"With the eigenvalues 2, 1 and -6, your function returns {found:g}.",
    )


@exercise(
    "18.2",
    "The largest one near a saddle",
    difficulty=2,
    minutes=10,
    hint="""Multiplying by H + c · I turns `v` into Hv + c · v. Iterate with that. The
    eigenvectors are those of H, so v · Hv at the end is λ of H.""",
    solution="""
        def most_curved(loss, weights, shift):
            vectors = [w.new_zeros(w.shape) + 1.0 for w in weights]
            for _ in range(50):
                along = product(loss, weights, vectors)
                vectors = [a + shift * v for a, v in zip(along, vectors)]
                length = dot(vectors, vectors) ** 0.5
                vectors = [each / length for each in vectors]
            return dot(vectors, product(loss, weights, vectors))
    """,
    right="""The shift changes which λ is the largest in size, but no eigenvector. So v · Hv at the
    end is λ of H, and so is λ of H + c · I after you subtract the shift.""",
)
def check_most_curved(most_curved):
    package = yours()
    weights, loss = saddle(package)
    found = most_curved(loss, weights, 8.0)
    expect(found is not None, "Your function returns nothing, because a `return` is missing.")
    expect(isinstance(found, float), f"Your function returns {found!r}, which is not a float.")
    expect(
        abs(found + 6.0) > 0.1,
        "The eigenvalues are 2, 1 and -6, and your function returns -6, as it would without a "
        "shift.",
    )
    expect(
        abs(found - 10.0) > 0.1,
        "The eigenvalues are 2, 1 and -6, and your function returns 10. That is λ of H + 8 · I, "
        "not of H.",
    )
    expect(
        abs(found - 2.0) < 0.01,
        f"The largest of the eigenvalues 2, 1 and -6 is 2, but your function returns {found:g}.",
    )
    expect(
        all(w.grad is None for w in weights),
        "Your function has filled the `.grad` of the weights.",
    )


@exercise(
    "18.3",
    "A Jacobian by columns",
    difficulty=3,
    minutes=15,
    hint="""vᵀJ has an element for each input. If you record it as a function of `v`, the gradient
    of element j with respect to `v` is column j.""",
    solution="""
        def by_columns(func, x):
            x = x.detach().requires_grad_()
            y = func(x)
            v = y.new_zeros(y.shape).requires_grad_()
            (product,) = grad(y, x, v, create_graph=True)
            columns = [grad(each, v, retain_graph=True)[0] for each in product.unbind()]
            return stack(columns, 1)
    """,
    right="""One pass records vᵀJ, and one more computes each column, so a curve with a single input
    takes two, no matter how many points it has.""",
)
def check_by_columns(by_columns):
    expect(
        "torch" not in names_used(by_columns),
        "Your function calls `torch`, which cannot differentiate with your library's tensors. Call "
        "`grad`.",
    )
    package = yours()

    def curve(x):  # its Jacobian: [1, 0], [2 x0, 0], [x1, x0], [0, 1], [0, 3]
        parts = [x[0], x[0] * x[0], x[0] * x[1], x[1], 3 * x[1]]
        return package.stack(parts)

    x = package.tensor([2.0, 5.0])
    with (
        error_means("second time", "The graph was freed by the first column."),
        error_means(
            "does not require grad",
            "`x` does not have a graph, so `func(x)` was not recorded. Begin like `draft_jvp`,"
            " with `x.detach().requires_grad_()`.",
        ),
        counted_calls(package.core.engine.BackwardPass, "run") as passes,
    ):
        result = by_columns(curve, x)
    expect(result is not None, "Your function returns nothing, because a `return` is missing.")
    expect(
        isinstance(result, package.Tensor),
        f"Your function returns {result!r}, which is not a tensor.",
    )
    found = result.tolist()
    right = [[1.0, 0.0], [4.0, 0.0], [5.0, 2.0], [0.0, 1.0], [0.0, 3.0]]
    expect(
        passes,
        "Your function runs no backward pass. Either nothing was recorded, because `x` does not "
        "have a graph, or these derivatives were not computed from the graph.",
    )
    expect(
        found != [list(column) for column in zip(*right, strict=True)],
        "Your rows and columns are swapped: there should be a row for each output.",
    )
    expect(found == right, f"The Jacobian is {right}, not {found}.")
    expect(not x.requires_grad, "`x` requires grad now. Leave it as it was: call `detach` first.")
    expect(
        len(passes) != 5,
        "Five passes for five outputs means J by rows, but there are only two inputs.",
    )
    expect(
        len(passes) != 4,
        "Your function took four passes, because it records vᵀJ again for each column. Once is "
        "enough.",
    )
    expect(
        len(passes) <= 3,
        f"Your function took {len(passes)} passes, but three are enough for two inputs.",
    )
