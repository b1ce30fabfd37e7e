"""What some helpers of rules are on arrays.

They fill the tables of `fast.arrays`. These functions take arrays, or NumPy's scalars for 0-d ones,
and may return either.
"""

from . import elementwise, indexing, statistics

__all__ = ["elementwise", "indexing", "statistics"]
