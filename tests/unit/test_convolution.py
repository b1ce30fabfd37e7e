"""Convolutions work in blocks of columns, and small ones are cached for the backward pass."""

from typing import Any

import numpy as np
import pytest

from minigrad.ops import convolution

random = np.random.default_rng(0)


def numbers(*shape: int) -> Any:
    return random.standard_normal(shape).astype(np.float32)


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    convolution.KEPT.clear()


def test_columns_are_kept_for_the_gradient_of_the_weight() -> None:
    x, weight = numbers(5, 2, 6, 7), numbers(3, 2, 2, 3)
    how = ((1, 1), (0, 0), (1, 1), 1)
    result = convolution.convolve(x, weight, None, *how)
    assert len(convolution.KEPT) == 1
    with_kept = convolution.weight_grad(result, x, weight.shape, *how)
    assert not convolution.KEPT  # once
    without = convolution.weight_grad(result, x, weight.shape, *how)
    np.testing.assert_array_equal(with_kept, without)
    convolution.convolve(x, weight, None, *how)
    del x
    assert not convolution.KEPT  # nor after the input has been freed
    inputs = [numbers(5, 2, 6, 7) for _ in range(convolution.MOST + 3)]
    for each in inputs:
        convolution.convolve(each, weight, None, *how)
    assert len(convolution.KEPT) == convolution.MOST
    convolution.KEPT.clear()
    convolution.convolve(numbers(5, 2, 150, 150), weight, None, *how)  # more than a block
    assert not convolution.KEPT


def one_by_one(x: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    """The definition: the sum over each window of its products with each filter."""
    x = np.pad(x, ((0, 0), (0, 0), *((side, side) for side in padding)))
    size = [step * (n - 1) + 1 for n, step in zip(weight.shape[2:], dilation, strict=True)]
    height, width = (
        (length - reach) // move + 1
        for length, reach, move in zip(x.shape[2:], size, stride, strict=True)
    )
    result = np.zeros((len(x), len(weight), height, width), x.dtype)
    c, o = weight.shape[1], len(weight) // groups
    for n, k, i, j in np.ndindex(*result.shape):
        top, left = i * stride[0], j * stride[1]
        rows = slice(top, top + size[0], dilation[0])
        columns = slice(left, left + size[1], dilation[1])
        window = x[n, k // o * c : (k // o + 1) * c, rows, columns]
        result[n, k, i, j] = (window * weight[k]).sum()
    return result


WAYS = [
    ((1, 1), (0, 0), (1, 1), 1),
    ((2, 2), (1, 1), (1, 1), 2),
    ((2, 3), (1, 2), (2, 1), 1),
    ((2, 3), (0, 0), (1, 1), 2),  # windows do not overlap
]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("block", [1, 1000, convolution.BLOCK])
def test_a_convolution_does_not_depend_on_the_block_size(
    how: Any, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convolution, "BLOCK", block)
    x, weight = numbers(5, 4, 6, 7), numbers(6, 4 // how[-1], 2, 3)
    result = convolution.convolve(x, weight, None, *how)
    np.testing.assert_allclose(result, one_by_one(x, weight, *how), rtol=1e-4, atol=1e-5)
    # It is linear in both, so its derivatives are its adjoints.
    grad, x2, weight2 = numbers(*result.shape), numbers(*x.shape), numbers(*weight.shape)
    of_input = convolution.input_grad(grad, weight, x.shape, *how)
    of_weight = convolution.weight_grad(grad, x, weight.shape, *how)
    for gradient, other, moved in (
        (of_input, x2, convolution.convolve(x2, weight, None, *how)),
        (of_weight, weight2, convolution.convolve(x, weight2, None, *how)),
    ):
        np.testing.assert_allclose((gradient * other).sum(), (grad * moved).sum(), 1e-3, 1e-3)
