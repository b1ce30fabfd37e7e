"""What `help` says of the operations that are no functions written out: most are rows.

PyTorch keeps its docstrings apart from the operations, too (`torch/_torch_docs.py`). Each public
docstring ends with the page of PyTorch's documentation that says the same of its function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PAGES = "https://docs.pytorch.org/docs/2.13/generated"

# Of one tensor, element by element: in any shape, out the same shape.
FLOATS = {  # computed in floating point
    "acos": "The angle between 0 and π whose cosine is x, nan outside [-1, 1]",
    "asin": "The angle between -π/2 and π/2 whose sine is x, nan outside [-1, 1]",
    "atan": "The angle between -π/2 and π/2 whose tangent is x",
    "cos": "The cosine of x, an angle in radians",
    "cosh": "The hyperbolic cosine, (e^x + e^-x) / 2",
    "erf": "The error function, 2/√π · ∫ e^(-t²) dt from 0 to x",
    "exp": "The exponential function e^x",
    "expm1": "e^x - 1, exact for small x too",
    "log": "The natural logarithm, nan below 0",
    "log10": "The logarithm to base 10, nan below 0",
    "log1p": "log(1 + x), exact for small x too",
    "log2": "The logarithm to base 2, nan below 0",
    "reciprocal": "1 / x",
    "rsqrt": "1 / √x, nan below 0",
    "sigmoid": "The logistic function 1 / (1 + e^-x)",
    "sin": "The sine of x, an angle in radians",
    "sinh": "The hyperbolic sine, (e^x - e^-x) / 2",
    "sqrt": "The square root, nan below 0",
    "tan": "The tangent of x, an angle in radians",
    "tanh": "The hyperbolic tangent, between -1 and 1",
}
SAME = {  # of the dtype of the input
    "abs": "The absolute value; its derivative at 0 is 0. NotImplementedError for bools",
    "ceil": "The smallest integer that is not below x; its derivative is 0",
    "clone": "A copy, through which gradients flow back to `input`",
    "floor": "The largest integer that is not above x; its derivative is 0",
    "nan_to_num": "`nan`, `posinf` and `neginf` in the place of nan, inf and -inf; of the last two"
    " the largest and the smallest number of the dtype, unless they are given",
    "neg": "-x. RuntimeError for bools",
    "relu": "x where it is positive, else 0; the derivative at 0 is 0. RuntimeError for bools",
    "sign": "-1, 0 or 1 by the sign of x; its derivative is 0",
    "trunc": "x without its digits behind the point; its derivative is 0",
}
BOOLS = {  # of dtype bool, outside the graph
    "isfinite": "Whether x is neither infinite nor nan",
    "isinf": "Whether x is inf or -inf",
    "isnan": "Whether x is nan",
    "logical_not": "Whether x is zero",
}

# Of two tensors that broadcast, element by element.
PAIRS = {
    "add": "`input + alpha * other`; `other` may be a number",
    "atan2": "The angle of the point (`other`, `input`), between -π and π",
    "eq": "Whether `input == other`, a tensor of bools; `other` may be a number",
    "floor_divide": "`input // other`: the quotient, rounded down; `other` may be a number. It has"
    " no derivative: backward raises a RuntimeError",
    "ge": "Whether `input >= other`, a tensor of bools; `other` may be a number",
    "gt": "Whether `input > other`, a tensor of bools; `other` may be a number",
    "hypot": "√(input² + other²)",
    "le": "Whether `input <= other`, a tensor of bools; `other` may be a number",
    "logical_and": "Whether both are not zero, a tensor of bools",
    "logical_or": "Whether one at least is not zero, a tensor of bools",
    "logical_xor": "Whether exactly one is not zero, a tensor of bools",
    "lt": "Whether `input < other`, a tensor of bools; `other` may be a number",
    "maximum": "The larger of the two; equal ones share the gradient. TypeError for numbers",
    "minimum": "The smaller of the two; equal ones share the gradient. TypeError for numbers",
    "mul": "`input * other`; `other` may be a number",
    "ne": "Whether `input != other`, a tensor of bools; `other` may be a number",
    "sub": "`input - alpha * other`; `other` may be a number. RuntimeError for bools",
}

OTHERS = {
    "amax": "The largest elements over `dim`, by default of all; equal ones share the gradient.\n\n"
    "IndexError for a dimension of length 0, or one that is not there.",
    "amin": "The smallest elements over `dim`, by default of all; equal ones share the gradient.\n"
    "\nIndexError for a dimension of length 0, or one that is not there.",
    "bmm": "The matrix products of two batches. Shapes: (b, n, m), (b, m, p) → (b, n, p).\n\n"
    "RuntimeError for other shapes, and for two dtypes.",
    "diagonal": "A view of the diagonal that two dimensions have, `offset` above the main one.\n\n"
    "Shapes: the two dimensions go, and the diagonal is the last one of the result.",
    "dot": "The sum of the products of two vectors. Shapes: (n), (n) → ().\n\n"
    "RuntimeError for other shapes, and for two dtypes.",
    "gather": "The elements of `input` that `index` names along `dim`. Shape: that of `index`.\n\n"
    "`out[i, j] = input[index[i, j], j]` for dim 0, `input[i, index[i, j]]` for dim 1.\n"
    "RuntimeError for an index outside `input`, or of another number of dimensions.",
    "index_select": "The slices of `input` along `dim` that a vector of integers names.\n\n"
    "Shapes: (…, n, …), (k) → (…, k, …). IndexError or RuntimeError for one that is not there.",
    "logsumexp": "log Σ e^x over `dim`, without overflow; `keepdim` keeps it at length 1.",
    "max": "The largest element, or along a dimension, or of two tensors.\n\n"
    "`max(x)` → a 0-d tensor, equal elements share the gradient; `max(x, dim)` → values and\n"
    "indices, without the dimension; `max(x, other)` is `maximum`. IndexError for no elements.",
    "min": "The smallest element, or along a dimension, or of two tensors.\n\n"
    "`min(x)` → a 0-d tensor, equal elements share the gradient; `min(x, dim)` → values and\n"
    "indices, without the dimension; `min(x, other)` is `minimum`. IndexError for no elements.",
    "mm": "The product of two matrices. Shapes: (n, m), (m, p) → (n, p).\n\n"
    "RuntimeError for other shapes, and for two dtypes.",
    "mv": "The product of a matrix and a vector. Shapes: (n, m), (m) → (n).\n\n"
    "RuntimeError for other shapes, and for two dtypes.",
    "scatter_add": "A copy to which the elements of `src` are added where `index` says.\n\n"
    "`out[index[i, j], j] += src[i, j]` for dim 0, `out[i, index[i, j]] += …` for dim 1.\n"
    "RuntimeError for an index outside `input`, or larger than `src`.",
    "select": "A view without the dimension `dim`, at `index` along it: `input[:, index]` for dim"
    " 1.\n\nIndexError for an index that is not there.",
    "std": "The standard deviation, the square root of `var`, which has the same arguments.",
    "transpose": "A view with two dimensions exchanged. IndexError for one that is not there.",
    "tril": "The matrix with zeros above its diagonal, or the `diagonal`-th one above that.\n\n"
    "Shapes: (…, n, m) → (…, n, m). RuntimeError for fewer dimensions.",
    "triu": "The matrix with zeros below its diagonal, or the `diagonal`-th one above that.\n\n"
    "Shapes: (…, n, m) → (…, n, m). RuntimeError for fewer dimensions.",
    "var": "The variance of all elements, or over `dim`: Σ (x - mean)² / (n - correction).\n\n"
    "`correction` is 1 unless given, 0 if `unbiased` is False. `keepdim` keeps `dim` at length 1.\n"
    "RuntimeError for integers; warns where n <= correction, for the result is inf or nan.",
    "unsqueeze": "A view with a new dimension of length 1 at `dim`.\n\n"
    "IndexError unless -ndim - 1 <= dim <= ndim.",
}

OF_ONE = {
    "floats": ".\n\nElement by element: any shape, the same out; integers are computed as floats.",
    "same": ".\n\nElement by element: any shape, the same shape and dtype out.",
    "bools": ".\n\nElement by element: any shape, the same shape out, of dtype bool.",
    "pairs": ".\n\nElement by element; the shapes broadcast, else RuntimeError.",
}
ROWS: dict[str, str] = {
    **{name: text + OF_ONE["floats"] for name, text in FLOATS.items()},
    **{name: text + OF_ONE["same"] for name, text in SAME.items()},
    **{name: text + OF_ONE["bools"] for name, text in BOOLS.items()},
    **{name: text + OF_ONE["pairs"] for name, text in PAIRS.items()},
    **OTHERS,
}


# Of methods of the core what their short docstrings do not say.
DETAILS = {
    "backward": """
`gradient` is what arrives at this tensor, and has its shape; with one element it may be left out.
`retain_graph` keeps what the nodes have saved, `create_graph` records backward itself, and with
`inputs` only these tensors get a `.grad`.

RuntimeError for a tensor without a graph, a graph that was freed, a gradient that is missing or of
another shape.""",
    "register_hook": """
`grad` has this tensor's shape, and so has what the hook returns. The handle that comes back has
`remove()`. RuntimeError for a tensor that does not require grad.""",
    "register_post_accumulate_grad_hook": """
The handle that comes back has `remove()`. RuntimeError for a tensor that is no leaf, or does not
require grad.""",
}

# What has no page of its own, and the page that says it.
ELSEWHERE = {
    "clamp_max": "torch.clamp",
    "clamp_min": "torch.clamp",
    "log_softmax": "torch.nn.functional.log_softmax",
    "masked_fill": "torch.Tensor.masked_fill",
    "relu": "torch.nn.functional.relu",
}


def describe(rows: dict[str, Any]) -> None:
    """Give the functions that have none their docstrings."""
    for name, text in ROWS.items():
        rows[name].__doc__ = text


def add_details(methods: Mapping[str, Any]) -> None:
    """Add to the docstrings of methods of the core what DETAILS has."""
    for name, text in DETAILS.items():
        methods[name].__doc__ += f"\n{text}"


def cite(functions: Mapping[str, Any], owner: str) -> None:
    """Add PyTorch's page to each docstring; what has several names has that of the first."""
    for name, function in functions.items():
        text = function.__doc__ if callable(function) else None
        if text and PAGES not in text and not name.startswith("__"):
            page = ELSEWHERE.get(name.removesuffix("_"), f"{owner}.{name}")
            function.__doc__ = f"{text}\n\nSource: {PAGES}/{page}.html"
