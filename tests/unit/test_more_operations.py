"""Behavior of further operations that the recorded cases cannot show."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import minigrad as torch

F = torch.nn.functional
SHAPES = [(5, 2, 6, 7), (3, 2, 2, 3), (3,)]  # of an input, a weight and a bias for conv2d


def test_dropout_zeroes_its_share_and_scales_the_rest() -> None:
    torch.manual_seed(0)
    x = torch.ones(100, 100, dtype=torch.float64, requires_grad=True)
    y = F.dropout(x, 0.25)
    values = y.detach().numpy()
    assert set(np.unique(values)) == {0.0, 1 / 0.75}
    assert abs((values == 0).mean() - 0.25) < 0.02
    y.sum().backward()
    assert x.grad.equal(y.detach())


def test_dropout_repeats_with_the_seed() -> None:
    x = torch.ones(50)
    torch.manual_seed(3)
    first = F.dropout(x)
    torch.manual_seed(3)
    assert F.dropout(x).equal(first)
    assert not F.dropout(x).equal(first)


@pytest.mark.parametrize("call", ["x.max(0)", "x.min(0)", "x.sort()", "x.topk(1)"])
def test_named_results(call: str) -> None:
    result = eval(call, {"x": torch.tensor([[1.0, 3.0], [2.0, 0.0]])})
    values, indices = result
    assert values is result.values is result[0]
    assert indices is result.indices is result[1]
    assert isinstance(result, tuple)
    assert repr(result).startswith(f"torch.return_types.{call[2:5].rstrip('(')}")


def test_indices_are_integers_that_require_no_grad() -> None:
    x = torch.randn(4, requires_grad=True)
    for result in (x.max(0), x.min(0), x.sort(), x.topk(2)):
        assert result.values.requires_grad
        assert not result.indices.requires_grad
        assert result.indices.dtype is torch.int64


def test_saved_indices_are_not_part_of_the_graph() -> None:
    x = torch.randn(2, 3, requires_grad=True)
    index = torch.tensor([[0, 1, 1]])
    saved = x.gather(0, index).grad_fn._saved_index
    assert saved.equal(index)
    assert not saved.requires_grad
    assert saved.grad_fn is None


@pytest.mark.parametrize(
    "change", ["index.fill_(0)", "mask.fill_(False)", "y.mul_(2)"], ids=["index", "mask", "values"]
)
def test_backward_notices_changed_saved_tensors(change: str) -> None:
    x = torch.randn(3, requires_grad=True)
    index, mask, y = torch.tensor([2, 1]), torch.tensor([True, False, True]), x * 1
    names = {"index": index, "mask": mask, "y": y}
    z = x.gather(0, index).sum() + x.masked_fill(mask, 0).sum() + y.var()
    eval(change, names)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


@pytest.mark.parametrize(
    "code",
    ["(x * 1).split(2)", "(x * 1).sort()", "(x * 1).chunk(3)",
     "[F.conv2d(x[None, None] * 1, x[None, None])]", "[F.cross_entropy(x * 1, torch.arange(4))]"],
)  # fmt: skip
def test_graphs_are_freed_with_their_last_tensor(code: str) -> None:
    x = torch.randn(4, 4, requires_grad=True)
    gc.disable()
    try:
        results: Any = eval(code, {"x": x, "torch": torch, "F": F})
        node = weakref.ref(results[0].grad_fn)
        results[0].sum().backward()
        assert node() is not None
        del results
        assert node() is None
    finally:
        gc.enable()


def test_split_parts_share_memory_and_version() -> None:
    x = torch.arange(6.0)
    a, b = x.split(3)
    x.mul_(2)
    assert a.tolist() == [0.0, 2.0, 4.0]
    b.zero_()
    assert x.tolist() == [0.0, 2.0, 4.0, 0.0, 0.0, 0.0]
    assert a._version == b._version == x._version == 2
    assert a._base is x


def test_diagonal_is_a_view_that_can_be_written_to() -> None:
    x = torch.zeros(3, 3, requires_grad=True)
    y = x * 1
    y.diagonal().add_(torch.tensor([1.0, 2.0, 3.0]))
    assert y.tolist() == [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]
    (y * y).sum().backward()
    assert x.grad.equal(2 * y.detach())


@pytest.mark.parametrize("zeros", [0, 1, 2, 3])
def test_product_has_its_derivatives_with_zeros(zeros: int) -> None:
    x = torch.tensor([0.0] * zeros + [1.5, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(torch.prod, (x,))
    assert torch.autograd.gradgradcheck(torch.prod, (x,))


@pytest.mark.parametrize(("stride", "padding", "dilation", "groups"), [
    (1, 0, 1, 1), (2, 1, 1, 2), ((1, 2), (2, 0), (2, 1), 1),
])  # fmt: skip
def test_convolution_is_the_sum_in_its_definition(
    stride: Any, padding: Any, dilation: Any, groups: int
) -> None:
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 4, 6, 5)), rng.standard_normal((2, 4 // groups, 2, 3))
    result = F.conv2d(
        torch.from_numpy(x), torch.from_numpy(w), None, stride, padding, dilation, groups
    ).numpy()
    (s0, s1), (p0, p1), (d0, d1) = (
        each if isinstance(each, tuple) else (each, each) for each in (stride, padding, dilation)
    )
    wide = np.pad(x, [(0, 0), (0, 0), (p0, p0), (p1, p1)])
    for n, o, i, j in np.ndindex(*result.shape):
        first = o // (2 // groups) * (4 // groups)
        expected = sum(
            wide[n, first + c, i * s0 + a * d0, j * s1 + b * d1] * w[o, c, a, b]
            for c, a, b in np.ndindex(*w.shape[1:])
        )
        assert result[n, o, i, j] == pytest.approx(expected)


def test_convolution_has_second_derivatives() -> None:
    x = torch.randn(1, 2, 4, 4, dtype=torch.float64, requires_grad=True)
    w = torch.randn(2, 2, 2, 2, dtype=torch.float64, requires_grad=True)
    b = torch.randn(2, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradgradcheck(lambda *args: F.conv2d(*args, 2, 1), (x, w, b))


def test_convolution_uses_the_input_that_a_hook_unpacks() -> None:
    x, w, b = (torch.ones(*shape, requires_grad=True) for shape in SHAPES)
    F.conv2d(x, w, b).sum().backward()
    plain, w.grad = w.grad, None
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: 2 * t):
        y = F.conv2d(x, w, b)
    y.sum().backward()
    assert w.grad.equal(2 * plain)
    w.grad = None
    y = F.conv2d(x, w, b)
    y.grad_fn._raw_saved_input.register_hooks(lambda t: t * 3, lambda t: t)
    y.sum().backward()
    assert w.grad.equal(3 * plain)


def test_a_dilated_window_that_misses_the_input() -> None:  # PyTorch writes out of bounds
    x = torch.ones(1, 1, 2, requires_grad=True)
    y = F.max_pool2d(x, (1, 2), 1, (0, 1), (1, 3))
    assert y.tolist() == [[[-float("inf")]]]
    y.sum().backward()


def test_failed_operations_leave_their_tensors_alone() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    y = x * 1
    for call in (
        lambda: y.scatter_(0, torch.tensor([[9]]), 1.0),
        lambda: y.masked_fill_(torch.tensor([True, False]), 0),
        lambda: y.clamp_(torch.ones(2)),
        lambda: y.cumsum_(5),
    ):
        with pytest.raises((RuntimeError, IndexError)):
            call()
    assert y._version == 0
    assert y.tolist() == [[1.0] * 3] * 2
    assert y.grad_fn.name() == "MulBackward0"


def test_arrays_on_either_side_of_an_operator() -> None:
    x, array = torch.tensor([1.5, 2.5, 0.5]), np.array([3.0, 2.5, 1.0], np.float32)
    for result, values in [
        (x + array, [4.5, 5.0, 1.5]),
        (array / x, [2.0, 1.0, 2.0]),
        (x / array, [0.5, 1.0, 0.5]),
        (x**array, [1.5**3, 2.5**2.5, 0.5]),
        (x @ array, 11.25),
        (x == array, [False, True, False]),
        (array == x, [False, True, False]),
        (np.float32(2) ** x, [2**1.5, 2**2.5, 2**0.5]),
        (np.int64(3) * x, [4.5, 7.5, 1.5]),
    ]:
        assert isinstance(result, torch.Tensor)
        assert result.tolist() == pytest.approx(values)
    with pytest.raises(TypeError, match="unsupported operand"):
        array * x  # as in PyTorch
    with pytest.raises(RuntimeError, match=r"^Can't call numpy\(\) on Tensor that requires grad"):
        array / x.requires_grad_()


def test_erf_of_each_dtype() -> None:
    for dtype in (torch.float16, torch.float32, torch.float64):
        assert torch.zeros(2, dtype=dtype).erf().dtype is dtype
    assert torch.tensor(1).erf().item() == pytest.approx(0.8427007929)
