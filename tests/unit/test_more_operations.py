"""Behavior of further operations that the recorded cases cannot show."""

import weakref
from typing import Any

import pytest

import minigrad as torch

F = torch.nn.functional
SHAPES = [(5, 2, 6, 7), (3, 2, 2, 3), (3,)]  # of an input, a weight and a bias for conv2d


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


@pytest.mark.usefixtures("collector_off")
@pytest.mark.parametrize(
    "code",
    ["(x * 1).split(2)", "(x * 1).sort()", "(x * 1).chunk(3)",
     "[F.conv2d(x[None, None] * 1, x[None, None])]", "[F.cross_entropy(x * 1, torch.arange(4))]"],
)  # fmt: skip
def test_graphs_are_freed_with_their_last_tensor(code: str) -> None:
    x = torch.randn(4, 4, requires_grad=True)
    results: Any = eval(code, {"x": x, "torch": torch, "F": F})
    node = weakref.ref(results[0].grad_fn)
    results[0].sum().backward()
    assert node() is not None
    del results
    assert node() is None


def test_split_parts_share_memory_and_version() -> None:
    x = torch.arange(6.0)
    a, b = x.split(3)
    x.mul_(2)
    assert a.tolist() == [0.0, 2.0, 4.0]
    b.zero_()
    assert x.tolist() == [0.0, 2.0, 4.0, 0.0, 0.0, 0.0]
    assert a._version == b._version == x._version == 2
    assert a._base is x


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
