"""Faster computations for some rows, where the plain ones cost a program a good part of its time.

They fill the tables of `fast.arrays`. What the row's own kernel would refuse they leave to that
one, which says why. These functions take arrays, or NumPy's scalars for 0-d ones, and may return
either. Their first line says which plain expression they stand for.
"""

# All of `ops` is to be there before it is nameless.
from ...ops import activations, losses, normalization, padding  # noqa: F401
from ..silence import nameless

from . import elementwise, indexing, pooling, statistics  # isort: skip

__all__ = ["elementwise", "indexing", "pooling", "statistics"]

# The kernels of the table are called from here, too.
nameless("fast.kernels.", "ops.", "support.layouts")
