"""The helpers that the rules of `ops.elementwise` call, on arrays."""

from __future__ import annotations

import numpy as np

from ...ops import elementwise as plain
from ...ops import shapes
from ..arrays import Array, faster_rule, twin_of

twin_of(shapes.reshape)(lambda self, shape: self.reshape(shape))


@twin_of(plain.zeros_like)
def zeros_like(self: Array) -> Array:
    return np.zeros_like(self)[()]


@faster_rule(plain.pow_number, "self")
def pow_backward(grad: Array, self: Array, exponent: float) -> Array:
    """grad * (self ** (exponent - 1) * exponent), computed in a single array."""
    if exponent == 0:
        return np.zeros_like(grad)
    if exponent == 2:
        slope = self * exponent
    else:
        slope = plain.power(self, exponent - 1)
        slope *= exponent
    slope *= grad
    return slope
