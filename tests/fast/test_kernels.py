"""The accelerator's kernels compute what the plain ones do, for few elements and for many."""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from minigrad.core import broadcasting
from minigrad.core.tensor import new_tensor
from minigrad.ops import (
    activations,
    elementwise,
    functions,
    gather_scatter,
    indexing,
    inplace,
    losses,
    normalization,
    products,
    reductions,
    shapes,
    statistics,
)
from minigrad.rows.arguments import is_integer, sizes_of
from minigrad.rows.operands import is_absent
from tests.table import OPERATIONS

arrays = pytest.importorskip("minigrad.fast.arrays")
pytest.importorskip("minigrad.fast.kernels")  # importing it fills its tables

random = np.random.default_rng(0)
SIZES = [(3, 4), (70, 60)]  # few elements, and enough that kernels switch algorithms


def numbers(*shape: int, dtype: Any = np.float32) -> Any:
    return random.standard_normal(shape).astype(dtype)


def where_true(*shape: int) -> Any:
    return random.random(shape) < 0.5


def indices_to(length: int, *shape: int) -> Any:
    return random.integers(0, length, shape)


def same(plain: Any, fast: Any) -> None:
    plain, fast = np.asarray(plain), np.asarray(fast)
    assert (fast.dtype, fast.shape) == (plain.dtype, plain.shape)
    tolerance = {"f": 1e-3 if plain.dtype == np.float16 else 2e-5}.get(plain.dtype.kind, 0)
    np.testing.assert_allclose(fast, plain, rtol=tolerance, atol=tolerance)


def twin_cases(rows: int, columns: int) -> Iterator[tuple[Any, ...]]:
    x, y, z = (numbers(rows, columns) for _ in range(3))
    yield elementwise.zeros_like, x
    yield elementwise.scaled, x, 1
    yield elementwise.scaled, x, 2.5
    for shape in ((), (columns,), (1, columns), (rows, 1), (1, 1), (rows, columns)):
        yield broadcasting.sum_to, x, shape
    yield broadcasting.sum_to, numbers(2, rows, columns), (rows, 1)
    yield shapes.expand, x, (2, rows, columns)
    yield shapes.expand, numbers(), 3
    yield shapes.reshape, x, (columns, -1)
    yield shapes.squeeze, numbers(rows, 1), 1
    yield shapes.squeeze, numbers(rows, 1), (0, -1)
    yield shapes.unsqueeze_to, x, (rows, 1, columns), (1,)
    for helper in (activations.u, activations.du, activations.ddu):
        yield helper, x
    yield functions.per_square, x, np.abs(y) * (x > 0)
    yield functions.where_won, x, y == z, y < z
    yield functions.inside, x, -0.5, None
    yield functions.inside, x, -0.5, 0.5
    for helper in (functions.below, functions.above):
        yield helper, x, y, z
    yield functions.below, x, y, None
    yield functions.above, x, None, z
    yield losses.curved, x, y, 0.5
    yield losses.near, x, y, 0.5
    yield losses.odds_product, x
    for each in (None, abs(z)):
        yield losses.logit_slope, x, y, each
        yield losses.target_slope, x, each
        yield losses.weighted, x, each
    for how in ("mean", "sum"):
        yield losses.averaged, x, how
    for strides in ((4 * columns, 4), (4, 4 * rows)):
        yield products.grad_of_left, numbers(rows, 3), strides, numbers(columns, 3)
        yield products.grad_of_right, numbers(3, columns), numbers(3, rows), strides
    for dim in (0, 1, None):
        total = numbers() if dim is None else numbers(x.shape[1 - dim])
        yield reductions.unsqueezed, total, x.shape, dim, False
        yield statistics.var_backward, total, x, dim, 1, False
    yield statistics.half_over, x, y
    yield statistics.put_along, numbers(columns), x.shape, 0, False, indices_to(rows, columns)
    yield statistics.sum_from_end, x, 1
    yield statistics.affine, x, numbers(columns), numbers(columns)
    yield statistics.affine, x, None, None
    yield statistics.normalized, x, (-1,), 1e-5
    yield statistics.layer_norm_backward, x, y, numbers(columns), (-1,), 1e-5
    index = (indices_to(rows, 5000), slice(None))
    yield indexing.index_backward, numbers(5000, columns), x.shape, index
    yield indexing.index_backward, x, x.shape, (np.arange(rows),)
    yield inplace.index_drop, x, index
    channels = abs(numbers(columns)) + 0.5
    images, grads = numbers(rows, columns, 2), numbers(rows, columns, 2)
    yield normalization.of_channels, images
    yield normalization.by_channel, channels, 3
    for training in (True, False):
        yield normalization.batch_norm_backward, grads, images, y[0], channels, training, 0.1
        yield normalization.standard_form, images, y[0], channels, training, 0.1
    along = indices_to(rows, rows, columns)
    yield gather_scatter.gather_backward, y, x.shape, 0, along
    yield gather_scatter.put_back, y, x.shape, 0, np.argsort(x, 0)
    yield gather_scatter.index_select_backward, numbers(9, columns), x.shape, 0, indices_to(rows, 9)
    mask = where_true(rows, columns)
    yield gather_scatter.masked_select_backward, numbers(mask.sum()), x.shape, mask


@pytest.mark.parametrize("size", SIZES, ids=["few", "many"])
def test_an_array_twin_computes_what_the_tensor_helper_computes(size: tuple[int, int]) -> None:
    with np.errstate(all="ignore"):
        for helper, *args in twin_cases(*size):
            tensors = [
                new_tensor(np.asarray(each)) if isinstance(each, (np.ndarray, np.generic)) else each
                for each in args
            ]
            result = helper(*tensors)
            same(result._data, arrays.meaning(helper)(*args))


OF_ARGUMENTS = {is_absent, is_integer, sizes_of, functions.underivable}


def helpers_of(function: Any) -> Iterator[Any]:
    """The helpers on arrays that a rule calls, directly or through other helpers."""
    for helper in arrays.globals_of(function).values():
        of_arrays = arrays.meaning(helper)
        if of_arrays is not helper and not hasattr(helper, "row"):
            yield helper
            if helper not in arrays.TWINS:
                yield from helpers_of(helper)


def test_every_helper_used_in_a_rule_has_a_case() -> None:
    tried = {case[0] for case in twin_cases(3, 4)} | OF_ARGUMENTS
    found = set()
    for operation in OPERATIONS.values():
        for rule in operation.row.rules.values():
            with contextlib.suppress(arrays.NotOnArraysError):  # such a rule runs on tensors
                found |= {*helpers_of(rule)}
    assert {helper.__name__ for helper in found - tried} == set()
    assert set(arrays.TWINS) <= found


def test_a_rule_runs_on_arrays() -> None:
    rule = arrays.on_arrays(elementwise.sqrt.row.rules["self"])  # type: ignore[attr-defined]
    assert rule(np.float32(3), np.float32(2)) == np.float32(0.75)
    x, y = numbers(3), numbers(3)
    rule = arrays.on_arrays(elementwise.pow_number.row.rules["self"])  # type: ignore[attr-defined]
    np.testing.assert_allclose(rule(y, x, 3), y * (x * x * 3), rtol=1e-6)
    assert isinstance(rule(y, x, 0), np.ndarray)
