"""The operations: a table of rows, and the code that turns it into functions, methods, operators.

`core.operation` explains how to declare an operation. The rows that the course shows are in
`elementwise`, `reductions`, `shapes`, `products` and `indexing`. The others are in `functions`,
`special`, `statistics`, `layouts`, `contractions` and `gather_scatter`, and those for neural
networks in `activations`, `losses`, `normalization` and `convolution`. `inplace` builds the
in-place forms, and `operators` sets what `*` and `x[0]` call.
"""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..support import dtypes
from ..rows.arguments import functions_and_methods
from ..rows.declarations import DECLARED, cite
from . import inplace  #@11
from . import (  # noqa: F401 - importing them declares the operations
    attributes,
    contractions,
    creation,
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
from . import operators  # noqa: F401 - sets the special methods  #@03

__all__ = ["FUNCTIONS"]

FUNCTIONS: dict[str, Any] = {}  # `minigrad.exp`
METHODS: dict[str, Any] = {}  # `x.exp`, `x.exp_`
for each in DECLARED:  #@03
    made = functions_and_methods(each)
    FUNCTIONS |= made[0]
    METHODS |= made[1]
    METHODS |= inplace.in_place_forms(each)  #@11

METHODS |= {kind.legacy.lower(): shapes.conversion(kind) for kind in dtypes.ALL}  # `x.long()`, …
cite({**FUNCTIONS, **creation.FACTORIES}, "torch")
for name, method in METHODS.items():
    setattr(Tensor, name, method)
cite(vars(Tensor), "torch.Tensor")
