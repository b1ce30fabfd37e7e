"""Operations that switch algorithms for thousands of elements still give the same results."""

from __future__ import annotations

import math

import numpy as np
import pytest

import minigrad as torch
from minigrad.ops import elementwise

random = np.random.default_rng(0)
MANY = 3000  # enough that kernels switch algorithms
ROWS, COLUMNS, SHEETS = 80, 40, 3
SIZE = ROWS * COLUMNS
assert SIZE > MANY

ROW_INDEX = random.integers(-ROWS, ROWS, 90)
INDICES = {
    "rows twice": ROW_INDEX,
    "each row once": random.permutation(ROWS),
    "rows in a matrix": ROW_INDEX.reshape(9, 10),
    "many rows": random.integers(-ROWS, ROWS, MANY),
    "many columns": (slice(None), random.integers(-COLUMNS, COLUMNS, MANY)),
    "columns": (slice(None), random.integers(-COLUMNS, COLUMNS, 50)),
    "each column once": (slice(None), random.permutation(COLUMNS)),
    "elements": (random.integers(-ROWS, ROWS, SIZE), random.integers(-COLUMNS, COLUMNS, SIZE)),
    "elements, broadcast": (ROW_INDEX[:, None], np.arange(COLUMNS)),
    "last dimensions": (slice(None), ROW_INDEX % COLUMNS, ROW_INDEX % SHEETS),
    "slice between": (ROW_INDEX, slice(None), ROW_INDEX % SHEETS),
    "sheets": (..., random.integers(-SHEETS, SHEETS, 7)),
    "mask": random.random((ROWS, COLUMNS, SHEETS)) < 0.5,
    "mask of rows": random.random(ROWS) < 0.5,
    "mask of elements": random.random((ROWS, COLUMNS)) < 0.5,
    "mask behind": (slice(None), random.random((COLUMNS, SHEETS)) < 0.5),
    "mask and rows": (np.arange(ROWS) % 2 == 0, np.full(ROWS // 2, -1)),
    "nothing": np.zeros(0, np.int64),
    "int32": ROW_INDEX.astype(np.int32),
}


# The layout in which PyTorch returns elements of a transposed tensor.
TRANSPOSED = {
    "rows twice": (120, 1, 40),
    "rows in a matrix": (1200, 120, 1, 40),
    "columns": (1, 80, 4000),
    "elements, broadcast": (120, 3, 1),
    "slice between": (40, 1),
    "sheets": (7, 560, 1),
    "mask of rows": (120, 1, 40),
}


def as_tensors(index: object) -> object:
    if isinstance(index, tuple):
        return tuple(map(as_tensors, index))
    return torch.tensor(index) if isinstance(index, np.ndarray) else index


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("name", INDICES)
def test_index(name: str, transposed: bool) -> None:
    index = INDICES[name]
    data = random.standard_normal((ROWS, COLUMNS, SHEETS)).astype(np.float32)
    data = np.asarray(data, order="F" if transposed else "C")
    x = torch.from_numpy(data).requires_grad_()
    y = x[as_tensors(index)]
    assert y.shape == data[index].shape
    assert np.array_equal(y.detach().numpy(), data[index])
    steps = TRANSPOSED.get(name, y.stride()) if transposed else torch.empty(y.shape).stride()
    assert y.stride() == steps
    cotangent = random.standard_normal(y.shape).astype(np.float32)
    y.backward(torch.tensor(cotangent))
    expected = np.zeros_like(data)
    np.add.at(expected, index, cotangent)
    assert np.array_equal(x.grad.numpy(), expected)  # to the last bit: both add in index order


def test_negative_zero_gradients_lose_their_sign() -> None:
    for index in (torch.arange(SIZE), torch.ones(SIZE, dtype=torch.bool)):
        x = torch.ones(SIZE, requires_grad=True)
        (x[index] * -0.0).sum().backward()
        assert not np.signbit(x.grad.numpy()).any()


@pytest.mark.parametrize("dim", [0, 1, 2, -1])
@pytest.mark.parametrize("dtype", [torch.int64, torch.int32])
def test_along_a_dimension(dim: int, dtype: torch.dtype) -> None:
    data = random.standard_normal((ROWS, COLUMNS, SHEETS)).astype(np.float32)
    index = random.integers(0, data.shape[dim], data.shape)
    cotangent = random.standard_normal(data.shape).astype(np.float32)
    place: list[object] = list(np.ogrid[tuple(map(slice, data.shape))])
    place[dim] = index
    x, indices = torch.tensor(data, requires_grad=True), torch.tensor(index, dtype=dtype)
    y = x.gather(dim, indices)
    assert np.array_equal(y.detach().numpy(), data[tuple(place)])
    y.backward(torch.tensor(cotangent))
    added, put = np.zeros_like(data), data.copy()
    np.add.at(added, tuple(place), cotangent)
    assert np.array_equal(x.grad.numpy(), added)
    summed = torch.zeros(data.shape).scatter_add(dim, indices, torch.tensor(cotangent))
    assert np.array_equal(summed.numpy(), added)
    put[tuple(place)] = cotangent
    assert np.array_equal(torch.tensor(data).scatter(dim, indices, torch.tensor(cotangent)), put)


@pytest.mark.parametrize("dim", [0, 1, 2])
@pytest.mark.parametrize("once", [True, False])
def test_slices(dim: int, once: bool) -> None:
    data = random.standard_normal((ROWS, COLUMNS, SHEETS)).astype(np.float32)
    length = data.shape[dim]
    index = random.permutation(length) if once else random.integers(0, length, 2 * length)
    x = torch.tensor(data, requires_grad=True)
    y = x.index_select(dim, torch.tensor(index))
    cotangent = random.standard_normal(y.shape).astype(np.float32)
    y.backward(torch.tensor(cotangent))
    expected = np.zeros_like(data)
    np.add.at(np.moveaxis(expected, dim, 0), index, np.moveaxis(cotangent, dim, 0))
    assert np.array_equal(x.grad.numpy(), expected)
    added = torch.zeros(data.shape).index_add(dim, torch.tensor(index), torch.tensor(cotangent))
    assert np.array_equal(added.numpy(), expected)


def test_masks() -> None:
    data = random.standard_normal((ROWS, COLUMNS, SHEETS)).astype(np.float32)
    mask = random.random(data.shape) < 0.5
    for given in (data, np.asarray(data, order="F")):
        x = torch.from_numpy(given).requires_grad_()
        filled = x.masked_fill(torch.tensor(mask), 7.0)
        assert np.array_equal(filled.detach().numpy(), np.where(mask, np.float32(7), data))
        picked = x.masked_select(torch.tensor(mask))
        assert np.array_equal(picked.detach().numpy(), data[mask])
        (filled.sum() + 2 * picked.sum()).backward()
        assert np.array_equal(x.grad.numpy(), np.where(mask, np.float32(2), np.float32(1)))


@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dim", [0, 1])
@pytest.mark.parametrize("values", ["different", "equal", "nan"])
def test_topk(values: str, dim: int, largest: bool) -> None:
    data = random.standard_normal((ROWS, 2 * COLUMNS)).astype(np.float32)
    if values == "equal":
        data = data.round(1)
    if values == "nan":
        data[:, ::7] = np.nan
    assert data.size > MANY
    found, indices = torch.tensor(data).topk(5, dim, largest)
    wanted = np.take(np.sort(data, dim), range(5), dim)
    if largest:
        wanted = np.take(np.flip(np.sort(data, dim), dim), range(5), dim)
    assert np.array_equal(found.numpy(), wanted, equal_nan=True)
    assert np.array_equal(np.take_along_axis(data, indices.numpy(), dim), wanted, equal_nan=True)


def test_erf() -> None:
    numbers = np.concatenate([np.linspace(-6, 6, 10_001), [0.0, -0.0, np.inf, -np.inf, 1e-30]])
    x = numbers.astype(np.float32)
    exact = np.array([math.erf(each) for each in x.tolist()])
    for given in (x, x[-50:]):
        result = torch.erf(torch.tensor(given)).numpy()
        wanted = exact[-len(given) :]
        assert result.dtype == np.float32
        assert (np.abs(result - wanted) <= 2 * np.spacing(np.abs(wanted).astype(np.float32))).all()
        assert np.array_equal(np.signbit(result), np.signbit(given))
    assert math.isnan(torch.erf(torch.tensor(math.nan)))


@pytest.mark.parametrize("order", ["C", "F"])
def test_activations(order: str) -> None:
    """Activations with a condition give the same for a whole array as for its single elements."""
    data = np.asarray(random.standard_normal((ROWS, 2 * COLUMNS)), np.float32, order=order)
    data[0, :4] = [0.0, -0.0, np.inf, -np.inf]
    functional = torch.nn.functional
    for function in (functional.leaky_relu, functional.elu, functional.relu6, functional.hardtanh):
        results = []
        for parts in ([data], list(data)):
            leaves = [torch.tensor(part, requires_grad=True) for part in parts]
            outputs = [function(leaf) for leaf in leaves]
            for output in outputs:
                output.backward(torch.full(output.shape, 2.0))
            results.append(
                [
                    np.concatenate([np.atleast_2d(each.detach().numpy()) for each in tensors])
                    for tensors in (outputs, [leaf.grad for leaf in leaves])
                ]
            )
        assert np.array_equal(results[0], results[1])


def test_masked_fill_overwrites_inf_and_nan() -> None:
    data = random.standard_normal((ROWS, 2 * COLUMNS)).astype(np.float32)
    data[:, :3] = [np.inf, -np.inf, np.nan]
    mask = random.random(data.shape) < 0.5
    for dtype in (np.float16, np.float32, np.float64):
        for array in (data.astype(dtype), data.astype(dtype).T):
            which = torch.from_numpy(mask if array.shape == mask.shape else mask.T)
            filled = torch.from_numpy(array).masked_fill(which, 0)
            wanted = np.where(which.numpy(), dtype(0), array)
            assert np.array_equal(filled.numpy(), wanted, equal_nan=True)
            assert filled.is_contiguous()
    assert np.signbit(torch.ones(3).masked_fill(torch.tensor([True] * 3), -0.0).numpy()).all()


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
@pytest.mark.parametrize("length", [5, MANY + 1])
def test_selecting_by_bit_masks_is_selecting(dtype: type, length: int) -> None:
    values = np.resize(np.array([1.5, np.inf, -np.inf, np.nan, -0.0], dtype), (2, length))
    others = np.flip(values, 1)
    mask = random.random((2, length)) < 0.5
    for found, wanted in (
        (elementwise.zero_where(mask, values), np.where(mask, dtype(0), values)),
        (elementwise.either(mask, values, others), np.where(mask, values, others)),
        (torch.where(*map(torch.tensor, (mask, values, others))).numpy(),
         np.where(mask, values, others)),
    ):  # fmt: skip
        assert (found.dtype, found.tobytes()) == (wanted.dtype, wanted.tobytes())
