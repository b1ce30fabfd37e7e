"""What notebook 18_learning_rates asks: how many passes a product takes, and a Jacobian."""

from minigrad_course.ask.declare import (
    counted_passes,
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
)
from minigrad_course.kernel.reader import yours

prediction(
    "18.a",
    """`f` has 2 outputs. Without dual numbers, how many backward passes are enough for Ju? And with
    1000 outputs?""",
    {
        "2, and 2": """One records vᵀJ as a function of `v`, and one differentiates it: no row of
        J is needed.""",
        "2, and 1000": """That many it takes to compute the rows of J one by one. Ju can be had
        without its rows.""",
        "1, and 1": """One pass gives vᵀJ, which adds up over the outputs. Ju adds up over the
        inputs.""",
    },
    answer="2, and 2",
    shown="2 passes for 1000 outputs",
)

prediction(
    "18.b",
    """`big` has 200 elements. How many backward passes does the Hessian take, and how many the
    product with one vector?""",
    {
        "200 and 200": """A row of the Hessian takes one pass; but the product is one row only, a
        sum of rows that one pass can add up. And the gradient comes first.""",
        "201 and 2": """One for the gradient in both; then a pass for each row, or one for all.""",
        "1 and 1": """One pass gives the gradient. Second derivatives come after it.""",
    },
    answer="201 and 2",
    shown="Hessian: 201 passes for (200, 200)   product: 2 passes",
)

@exercise(
    "18.1",
    "A Jacobian by columns",
    difficulty=3,
    minutes=15,
    hint="""vᵀJ has an element for each input. Recorded as a function of `v`, the gradient of its
    element j with respect to `v` is column j.""",
    solution="""
        def by_columns(func, x):
            x = x.detach().requires_grad_()
            y = func(x)
            v = y.new_zeros(y.shape).requires_grad_()
            (product,) = grad(y, x, v, create_graph=True)
            columns = [grad(each, v, retain_graph=True)[0] for each in product.unbind()]
            return stack(columns, 1)
    """,
    right="""One pass to record vᵀJ, and one for each column: a curve of one input takes two,
    however many points it has.""",
)
def check_by_columns(by_columns):
    expect(
        "torch" not in names_used(by_columns),
        "Yours calls `torch`, which knows nothing of the tensors of your library. Call `grad`.",
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
            "`x` comes without a graph, so `func(x)` was not recorded. Begin as `draft_jvp` does,"
            " with `x.detach().requires_grad_()`.",
        ),
        counted_passes(package) as passes,
    ):
        result = by_columns(curve, x)
    expect(result is not None, "Yours returns nothing: a `return` is missing.")
    expect(isinstance(result, package.Tensor), f"Yours returns {result!r}, which is no tensor.")
    found = result.tolist()
    right = [[1.0, 0.0], [4.0, 0.0], [5.0, 2.0], [0.0, 1.0], [0.0, 3.0]]
    expect(
        passes,
        "Yours makes no backward pass. Either nothing was recorded, for `x` comes without a graph,"
        " or these are no derivatives of the graph.",
    )
    expect(
        found != [list(column) for column in zip(*right, strict=True)],
        "Yours has rows and columns exchanged: the output's length comes first.",
    )
    expect(found == right, f"The Jacobian is {right}; yours is {found}.")
    expect(not x.requires_grad, "`x` requires grad now. It shall stay as it is: `detach` first.")
    expect(
        len(passes) != 5,
        "Five passes for five outputs: that is J by rows. There are only two inputs.",
    )
    expect(
        len(passes) != 4,
        "Four passes: yours records vᵀJ anew for each column. Once is enough.",
    )
    expect(len(passes) <= 3, f"{len(passes)} passes; three are enough for two inputs.")
