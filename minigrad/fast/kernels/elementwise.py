"""Faster kernels for `ops.elementwise`.

NumPy takes a microsecond for a branch or a Python number where the arithmetic takes a tenth of
that: most of what stands here avoids them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import elementwise as plain
from ...ops import shapes
from ...ops.elementwise import MANY, zero_where
from ...support.layouts import new_like
from ..arrays import kernel_of, rule_of, twin_of

BOOL = np.dtype(bool)


@twin_of(plain.zeros_like)
def zeros_like(self: Any) -> Any:
    return np.zeros_like(self)[()]


@twin_of(shapes.reshape)
def reshape(self: Any, shape: Any) -> Any:
    return self.reshape(shape)


# To convert a Python number costs NumPy as much as to multiply 1,000 floats.
ONE = {np.dtype(code).num: np.ones((), code) for code in "efd"}


@kernel_of(plain.tanh_backward)
def tanh_backward(grad_output: Any, output: Any) -> Any:
    """grad_output * (1 - output * output)"""
    slope = output * output
    if slope.__class__ is not np.ndarray:
        return grad_output * (1 - slope)
    np.subtract(ONE[slope.dtype.num], slope, slope)
    return np.multiply(grad_output, slope, slope)


@kernel_of(plain.sigmoid_backward)
def sigmoid_backward(grad_output: Any, output: Any) -> Any:
    """(1 - output) * output * grad_output"""
    slope = ONE[output.dtype.num] - output
    slope *= output
    slope *= grad_output
    return slope


@kernel_of(plain.relu)
def relu(self: Any) -> Any:
    """np.maximum(0, self). Against zeros NumPy compares several numbers at once, against one 0
    singly.
    """
    if self.dtype is BOOL:
        return plain.rectified(self)  # which refuses them
    zeros = np.zeros(self.shape, self.dtype)
    if not self.flags.c_contiguous:
        zeros = new_like(self)
        zeros.fill(0)
    return np.maximum(zeros, self, out=zeros)[()]


# Filling


def true_in(mask: Any) -> Any:
    """Where in a mask, read flat, it is true.

    With such indices NumPy takes a fifth of the time that it takes with a mask of no pattern.
    """
    return mask.reshape(-1).nonzero()[0]


@kernel_of(plain.masked_fill_number)
def masked_fill(self: Any, mask: Any, value: Any) -> Any:
    """np.where(mask, value, self), with `value` in the dtype of `self`"""
    plain_zero = value.__class__ is int and value == 0  # not -0.0
    alike = mask.shape == self.shape and mask.flags.c_contiguous and self.flags.c_contiguous
    if plain_zero and self.dtype.kind == "f" and alike:
        return zero_where(mask, self)[()]
    if self.ndim and mask.shape in (self.shape, ()):  # faster where few are filled
        filled = self.copy()
        if mask.size >= MANY and filled.flags.c_contiguous and mask.flags.c_contiguous:
            filled.reshape(-1)[true_in(mask)] = value
        elif mask.ndim or mask:
            np.copyto(filled, value, "unsafe", mask)
        return filled
    return plain.filled(self, mask, value)[()]


# Powers


@kernel_of(plain.pow_number)
def power(self: Any, exponent: Any) -> Any:
    """self**exponent; small powers by multiplication, which may differ in the last digit."""
    if exponent == 1 and self.dtype.kind == "f":
        return +self
    if exponent == 2:
        return self * self
    if exponent == 3:
        return self * self * self
    if exponent == 0.5:
        return np.sqrt(self)
    if self.dtype.kind == "f":
        if exponent in (-1, -2):
            return 1 / (self if exponent == -1 else self * self)
        if exponent % 1 == 0 and exponent != 0:  # of negative numbers NumPy takes 50 times as long
            size = np.abs(self) ** exponent
            return np.copysign(size, self) if exponent % 2 else size
    return plain.power(self, exponent)


@rule_of(plain.pow_number, "self")
def pow_backward(grad: Any, self: Any, exponent: Any) -> Any:
    """grad * (self ** (exponent - 1) * exponent), in one array"""
    if exponent == 0:
        return zeros_like(grad)
    if exponent == 2:
        slope = self * exponent
    else:
        slope = power(self, exponent - 1)
        slope *= exponent
    slope *= grad
    return slope
