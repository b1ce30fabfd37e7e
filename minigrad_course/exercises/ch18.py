"""What notebook 18_passes_and_products asks: whole matrices, hooks of targets, freed numbers."""

from minigrad_course.ask.declare import (
    counted_passes,
    error_means,
    exercise,
    expect,
    names_used,
    prediction,
    same,
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

prediction(
    "18.c",
    """`grad(z, y)` gives 20: 2 arrives at `y`, and the hook makes 20 of it. What does
    `grad(z, [y, x])` give for `y`?""",
    {
        "2": """The node of `y` has to run now. It calls the hook when it does, and what arrived
        was noted before.""",
        "20": """The hook runs here, too. But the answer for `y` is noted before it runs.""",
        "200": """The hook is called once in each pass.""",
    },
    answer="2",
    shown="(tensor(2.), tensor(120.))",
)

prediction(
    "18.d",
    """Each result goes backward twice in PyTorch. `2 * x` fails. Which of these fails as well:
    `x[:2]`, which has saved numbers, or `x[[0, 2]]`, which has saved an array of indices?""",
    {
        "`x[:2]`": """The ends of a slice stay plain numbers in PyTorch.""",
        "`x[[0, 2]]`": """An array of indices is a tensor in PyTorch. The ends of a slice are
        not.""",
        "both": """Where a slice begins and ends are plain numbers in PyTorch.""",
        "neither": """What backward frees are tensors, whether they have gradients or not.""",
    },
    answer="`x[[0, 2]]`",
    shown="PyTorch:                  picked fails",
)


@exercise(
    "18.2",
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


@exercise(
    "18.1",
    "Before or after the hook?",
    difficulty=1,
    minutes=8,
    hint="""The node of `y` runs only if something behind it was asked for. The AccumulateGrad of
    `x` never runs in `grad`.""",
    solution="""
        found = {
            "grad(z, y)": 10,
            "y of grad(z, [y, x])": 5,
            "x of grad(z, [y, x])": 61,
            "y.grad after grad(z, [y, x])": 10,
            "x.grad after grad(z, [y, x])": None,
        }
    """,
    right="""To get the gradient after the hooks in every case, call `retain_grad`.""",
)
def check_found(found):
    for name, value in found.items():
        expect(
            not isinstance(value, tuple),
            f"{name}: yours is a tuple. `grad` returns one, but here write the number in it.",
        )
    alone, beside = found["grad(z, y)"], found["y of grad(z, [y, x])"]
    behind, retained = found["x of grad(z, [y, x])"], found["y.grad after grad(z, [y, x])"]
    expect(
        same(alone, 10), "grad(z, y): the node of `y` does not run, so its hook comes first: 2 · 5."
    )
    expect(
        same(beside, 5),
        "y of grad(z, [y, x]): the node runs and calls the hook, but what arrived was noted"
        " before.",
    )
    expect(
        not same(behind, 31),
        "x of grad(z, [y, x]): 31 is without the hook of `y`. That one runs with its node.",
    )
    expect(
        same(behind, 61),
        "x of grad(z, [y, x]): 10 arrives at the node of `y`, 10 · 6 at `x`, and then comes the"
        " hook of `x`.",
    )
    expect(
        not same(retained, 20),
        "y.grad: 20 is 10 twice. Each line begins with a new graph, so nothing adds up.",
    )
    expect(same(retained, 10), "y.grad: `retain_grad` keeps the gradient after the hook.")
    expect(
        found["x.grad after grad(z, [y, x])"] is None,
        "x.grad: `grad` writes no `.grad` of a leaf.",
    )
