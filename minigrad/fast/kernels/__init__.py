"""Array versions of the helpers that rules call.

Importing these modules fills the tables of `fast.arrays`. The functions take arrays, or NumPy
scalars for 0-d arrays, and may return either.
"""

from . import elementwise, indexing, statistics

__all__ = ["elementwise", "indexing", "statistics"]
