"""The operations: the table, row by row, and what hangs them on `Tensor` as methods and operators.

`core.operation` says how an operation is declared. The rows that the course shows stand in
`elementwise`, `reductions`, `shapes`, `products` and `indexing`, the others beside them:
`functions`, `special`, `statistics`, `layouts`, `contractions`, `gather_scatter`, and for networks
`activations`, `losses`, `normalization` and `convolution`. In-place forms are made in `inplace`.
What users call is made of these by `support.arguments.public`, and what `help` says of rows stands
in `docstrings`.
"""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..support import dtypes
from ..support.arguments import by_name, function_form, public
from ..support.methods import method_of, property_of
from . import inplace  # 11
from . import (
    attributes,
    contractions,
    creation,
    docstrings,
    elementwise,
    functions,
    gather_scatter,
    indexing,
    layouts,
    products,
    random_fills,
    reductions,
    shapes,
    special,
    statistics,
)

__all__ = ["FUNCTIONS"]

# name → operation, for `minigrad.exp(x)` and `x.exp()` alike
OPERATIONS: dict[str, Any] = by_name(
    elementwise.neg, elementwise.square, elementwise.reciprocal, elementwise.abs_, elementwise.sign,
    elementwise.exp, elementwise.log, elementwise.sqrt, elementwise.sin,
    elementwise.cos, elementwise.tanh, elementwise.sigmoid, elementwise.relu,
    elementwise.logical_not, elementwise.isnan, elementwise.isinf, elementwise.isfinite,
    reductions.sum_, reductions.mean, reductions.all_, reductions.any_, reductions.argmax,
    reductions.argmin, reductions.equal, reductions.allclose, shapes.clone, shapes.reshape,
    shapes.flatten, shapes.permute, shapes.squeeze, shapes.t, shapes.transpose, shapes.unsqueeze,
    indexing.select, indexing.unbind, products.bmm, products.dot, products.matmul, products.mm,
    products.mv,
)  # fmt: skip
OPERATIONS |= {
    **{
        name: function_form(operator)
        for name, operator in {**elementwise.OPERATORS, **functions.OPERATORS}.items()
    },
    **functions.FUNCTIONS,
    **special.FUNCTIONS,
    **statistics.FUNCTIONS,
    **layouts.FUNCTIONS,
    **contractions.FUNCTIONS,
    **gather_scatter.FUNCTIONS,
    **random_fills.FUNCTIONS,
}

# Operations that have an in-place form too, besides those that `inplace` makes.
ALSO_IN_PLACE = [
    "neg", "abs", "sign", "square", "reciprocal", "exp", "log", "sqrt", "sin", "cos", "tanh",
    "sigmoid", "relu",
    "rsqrt", "floor", "ceil", "trunc", "round", "remainder",
    "tril", "triu", "scatter", "scatter_add", "addcmul", "addcdiv", "lerp",
]  # fmt: skip

# The in-place forms that are not quite the operation itself.
OWN_IN_PLACE: dict[str, Any] = {
    **{
        name: functions.within_dtype(OPERATIONS[name])
        for name in ("clamp", "clamp_min", "clamp_max")
    },
    "cumsum": statistics.cumsum_there,
    "masked_fill": gather_scatter.masked_fill_there,
}

ALIASES = {
    "absolute": "abs", "clip": "clamp", "divide": "div", "moveaxis": "movedim",
    "multiply": "mul", "negative": "neg", "subtract": "sub", "true_divide": "div",
}  # fmt: skip
OPERATIONS |= {alias: OPERATIONS[name] for alias, name in ALIASES.items()}
OPERATIONS["numel"] = attributes.numel
OPERATIONS["is_floating_point"] = attributes.is_floating_point
ONLY_FUNCTIONS = by_name(
    contractions.einsum, layouts.hstack, layouts.meshgrid,
    indexing.stack, layouts.vstack, gather_scatter.where,
)  # fmt: skip

docstrings.describe(OPERATIONS | ONLY_FUNCTIONS)

FUNCTIONS: dict[str, Any] = {
    name: public(function, name)
    for name, function in {
        **OPERATIONS,
        **dict.fromkeys(["cat", "concat", "concatenate"], indexing.cat),
        **ONLY_FUNCTIONS,
        "split": layouts.split_function,
    }.items()
}


def changing(function: Any, name: str) -> Any:  # 11
    """The in-place form of an operation, with its errors for arguments that do not fit."""
    return public(inplace.changing(function, name), name, method=True)


METHODS: dict[str, Any] = {
    **OPERATIONS,
    **creation.METHODS,
    **by_name(
        shapes.contiguous, shapes.cpu, shapes.expand, shapes.expand_as,
        shapes.to, shapes.type_, shapes.type_as, shapes.view, shapes.view_as,
    ),
    "where": gather_scatter.where_method,
    **layouts.METHODS,
    **functions.METHODS,
    **{f"{name}_": changing(OPERATIONS[name], f"{name}_") for name in ALSO_IN_PLACE},  # 11
    **{f"{name}_": changing(each, f"{name}_") for name, each in OWN_IN_PLACE.items()},  # 11
    # Operators, each beside its reflected form.
    "__add__": elementwise.add, "__radd__": elementwise.add,
    "__sub__": elementwise.sub, "__rsub__": elementwise.reversed_sub,
    "__mul__": elementwise.mul, "__rmul__": elementwise.mul,
    "__truediv__": elementwise.div, "__rtruediv__": elementwise.rdiv,
    "__div__": elementwise.div, "__rdiv__": elementwise.rdiv,
    "__pow__": elementwise.pow_, "__rpow__": elementwise.rpow,
    "__matmul__": products.matmul_operator, "__rmatmul__": products.reversed_matmul,
    "__and__": elementwise.bitwise_and, "__rand__": elementwise.bitwise_and,
    "__or__": elementwise.bitwise_or, "__ror__": elementwise.bitwise_or,
    "__xor__": elementwise.bitwise_xor, "__rxor__": elementwise.bitwise_xor,
    "__neg__": elementwise.neg, "__abs__": elementwise.abs_, "__invert__": elementwise.bitwise_not,
    "__eq__": functions.equal_to, "__ne__": elementwise.ne,
    "__lt__": elementwise.lt, "__gt__": elementwise.gt,
    "__le__": elementwise.le, "__ge__": elementwise.ge,
    "__getitem__": indexing.getitem,
    **inplace.METHODS,  # 11
    **random_fills.METHODS,
}  # fmt: skip

METHODS |= {
    name: public(method, name, method=True)
    for name, method in METHODS.items()
    if not name.endswith("_")  # in-place forms and operators
}
METHODS |= {kind.legacy.lower(): shapes.conversion(kind) for kind in dtypes.ALL}  # `x.long()`, …
docstrings.cite({**FUNCTIONS, **creation.FACTORIES}, "torch")
for name, method in METHODS.items():
    setattr(Tensor, name, method)
docstrings.add_details(vars(Tensor))  # 15
docstrings.cite(vars(Tensor), "torch.Tensor")

Tensor.__array_priority__ = 1000  # type: ignore[attr-defined]  # np.array([1.0]) * tensor is ours
method_of(Tensor, "__pos__")(functions.positive)
property_of(Tensor, "T")(shapes.reversed_dims)
property_of(Tensor, "mT")(shapes.matrix_transpose)
