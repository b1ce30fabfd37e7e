"""`minigrad.linalg`: a few functions of `torch.linalg`.

Source: https://docs.pytorch.org/docs/2.13/linalg.html
"""

from __future__ import annotations

from typing import Any

from .core.tensor import Tensor
from .ops import products, statistics
from .rows.arguments import Dims, with_checked_arguments
from .support.missing import public_names

__all__ = ["matmul", "norm", "vector_norm"]


def vector_norm(
    x: Tensor, ord: float = 2, dim: Dims = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The `ord`-norm of all elements as a single vector, or of the vectors along `dim`."""
    return statistics.norm_p(x, float(ord), dim, keepdim, dtype)


def norm(
    A: Tensor,  # noqa: N803 - PyTorch's name
    ord: Any = None,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    dtype: Any = None,
) -> Tensor:
    """`vector_norm`, or the Frobenius norm of a matrix. NotImplementedError for others."""
    matrix = (dim is None and A.ndim == 2) or (isinstance(dim, (list, tuple)) and len(dim) == 2)
    if ord == "fro" or ord is None:
        dim = (-2, -1) if matrix and ord and dim is None else dim
        return vector_norm(A, 2, dim, keepdim, dtype=dtype)
    if matrix or isinstance(ord, str):
        raise NotImplementedError(f"minigrad's linalg.norm has no matrix norm of order {ord!r}")
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


matmul = products.matmul
for _name in __all__:
    globals()[_name] = with_checked_arguments(globals()[_name], f"linalg_{_name}")

__getattr__, __dir__ = public_names(__name__, __all__)
