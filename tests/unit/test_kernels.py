"""Kernels that are long for the sake of speed compute what one line of NumPy does."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from minigrad.ops import elementwise, gather_scatter, indexing, statistics

random = np.random.default_rng(0)
SIZES = [(3, 4), (70, 60)]  # few, and enough that kernels switch algorithms
Case = tuple[Any, tuple[Any, ...], Any]  # a row, its arguments, and NumPy's result


def numbers(*shape: int) -> Any:
    return random.standard_normal(shape).astype(np.float32)


def where_true(*shape: int) -> Any:
    return random.random(shape) < 0.5


def indices_to(length: int, *shape: int) -> Any:
    return random.integers(0, length, shape)


def added(array: Any, index: Any, values: Any) -> Any:
    """A copy with `values` added at `index`, where repeated indices add up."""
    result = array.copy()
    np.add.at(result, index, values)
    return result


def put_along(array: Any, index: Any, values: Any, dim: int) -> Any:
    """A copy with `values` at `index` along `dim`."""
    result = array.copy()
    np.put_along_axis(result, index, values, dim)
    return result


def along(index: Any, dim: int) -> tuple[Any, ...]:
    """`index` along `dim` as an index into the whole array."""
    grids = list(np.indices(index.shape, sparse=True))
    grids[dim] = index
    return tuple(grids)


def elementwise_cases(rows: int, columns: int) -> Iterator[Case]:
    x, y, mask = numbers(rows, columns), numbers(rows, columns), where_true(rows, columns)
    odd = x.copy()
    odd[0, :4] = [np.inf, -np.inf, np.nan, -0.0]
    yield elementwise.tanh_backward, (x, y), x * (1 - y * y)
    yield elementwise.sigmoid_backward, (x, y), (1 - y) * y * x
    for each in (x, x.T, odd):
        yield elementwise.relu, (each,), np.maximum(0, each)
    for array, chosen, value in ((odd, mask, 0), (odd.T, mask.T, 0), (x, mask, 2.5)):
        yield elementwise.masked_fill_number, (array, chosen, value), np.where(chosen, value, array)
    yield elementwise.masked_fill_number, (x, mask[0], -0.0), np.where(mask[0], -0.0, x)
    for exponent in (-3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5.0):
        base = abs(x) if exponent % 1 else x
        yield elementwise.pow_number, (base, exponent), base**exponent
    yield elementwise.pow_number, (np.arange(5), 3), np.arange(5) ** 3


def index_cases(rows: int, columns: int) -> Iterator[Case]:
    x = numbers(rows, columns)
    by_row = (indices_to(rows, 2 * rows) - rows // 2, slice(None))
    by_both = (indices_to(rows, rows * columns), indices_to(columns, rows * columns))
    for index in (by_row, by_both, (where_true(rows, columns),), (slice(None), by_both[1])):
        values = numbers(*x[index].shape)
        yield indexing.index_, (x, index), x[index]
        yield indexing.index_put_add, (x, index, values), x + added(np.zeros_like(x), index, values)
    for dim in (0, 1):
        index, values = indices_to(x.shape[dim], rows, columns), numbers(rows, columns)
        for row in (gather_scatter.gather, gather_scatter.topk_values):
            yield row, (x, dim, index), np.take_along_axis(x, index, dim)
        once = np.argsort(numbers(rows, columns), dim)
        expected = put_along(x, once, values, dim)
        yield gather_scatter.scatter_src, (x, dim, once, values), expected
        expected = put_along(x, index, 2.0, dim)
        yield gather_scatter.scatter_number, (x, dim, index, 2.0), expected
        expected = added(x, along(index, dim), values)
        yield gather_scatter.scatter_add, (x, dim, index, values), expected
        for row in (statistics.max_dim, statistics.min_dim, statistics.median_dim):
            which = indices_to(x.shape[dim], x.shape[1 - dim])
            expected = np.take_along_axis(x, np.expand_dims(which, dim), dim).squeeze(dim)
            yield row, (x, dim, False, which), expected
        which = indices_to(x.shape[dim], 9)
        source = numbers(9, columns) if dim == 0 else numbers(rows, 9)
        for alpha in (1, 2.5):
            expected = added(x, (*(slice(None),) * dim, which), alpha * source)
            yield gather_scatter.index_add_, (x, dim, which, source, alpha), expected
        for largest in (True, False):
            best = np.argsort(-x if largest else x, dim, kind="stable").take(range(2), dim)
            yield gather_scatter.topk_indices, (x, 2, dim, largest), best
    for ignored in (-1, 3):
        words = indices_to(11, rows)
        expected = added(np.zeros((11, columns), np.float32), words, x)
        if ignored >= 0:
            expected[ignored] = 0
        yield gather_scatter.embedding_backward, (x, (11, columns), words, ignored), expected
    mask = where_true(rows, columns)
    yield gather_scatter.masked_select_, (x, mask), x[mask]


@pytest.mark.parametrize("size", SIZES, ids=["few", "many"])
@pytest.mark.parametrize("cases", [elementwise_cases, index_cases])
def test_a_kernel_computes_what_numpy_computes(
    cases: Callable[[int, int], Iterator[Case]], size: tuple[int, int]
) -> None:
    with np.errstate(all="ignore"):
        for function, args, expected in cases(*size):
            before = [np.copy(each) if isinstance(each, np.ndarray) else each for each in args]
            found = np.asarray(function.row.kernel(*args))
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
            tolerance = 2e-5 if found.dtype.kind == "f" else 0
            np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)
            for each, old in zip(args, before, strict=True):  # its arguments are unchanged
                if isinstance(old, np.ndarray):
                    np.testing.assert_array_equal(each, old)
