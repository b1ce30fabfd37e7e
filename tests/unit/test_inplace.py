"""In-place edits that the recorded programs do not have."""

from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import grad

STALE = "^one of the variables needed for gradient computation has been modified by an inplace"


def leaf(value: Any = (1.0, 2.0, 3.0)) -> Tensor:
    return tensor(value, requires_grad=True)


def value(x: Tensor | None) -> Any:
    return None if x is None else x.tolist()


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("edited", [0, 1])
@pytest.mark.parametrize("use", ["read", "write", "write into a constant"])
def test_the_tensors_of_an_index_count_as_saved(use: str, edited: int, graph: bool) -> None:
    x = leaf()
    index = (tensor([0, 2, 0]), tensor([True]))
    y = (x * 1)[:, None] if use != "write into a constant" else minigrad.zeros(3, 1)
    if use == "read":
        y = y[index]
    else:
        y[index] = x * 2
    index[edited].zero_()
    with pytest.raises(RuntimeError, match=STALE):
        grad(y.sum(), x, create_graph=graph)


@pytest.mark.parametrize(
    "use",
    [
        lambda view: view * 1,
        lambda view: minigrad.stack([view])[0],
        lambda view: minigrad.cat([view]),
        lambda view: minigrad.stack(view.unbind(0)),
        lambda view: grad(view.sum() * 1, view, minigrad.ones(()))[0] * view,
        lambda view: view.sum() + 0 * view,
    ],
)
def test_every_use_of_a_view_refreshes_its_history(use: Any) -> None:
    x, base = leaf(), minigrad.zeros(3)
    view = base[1:]
    base.copy_(x * 3)
    use(view).sum().backward()
    assert x.grad is not None
    assert value(x.grad[0]) == 0.0
    assert value(x.grad[1]) in (3.0, 6.0)


def test_a_part_of_a_base_with_gaps_in_its_memory() -> None:
    w = tensor(2.0, requires_grad=True)
    base = minigrad.arange(24.0).reshape(3, 8)[:, ::2].detach()
    base[1].mul_(w)
    base.sum().backward()
    assert value(w.grad) == 8.0 + 10.0 + 12.0 + 14.0
