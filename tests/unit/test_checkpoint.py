"""Checkpointing: what is kept, what is recomputed, and what it leaves unchanged."""

import weakref
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.utils.checkpoint import CheckpointError, checkpoint

pytestmark = pytest.mark.usefixtures("collector_off")


def leaf() -> Tensor:
    return tensor([1.0, 2.0], requires_grad=True)


def test_nothing_in_between_is_kept_until_backward_and_nothing_after_it() -> None:
    arrays: list[weakref.ref[Any]] = []

    def function(x: Tensor) -> Tensor:
        y = x.exp()
        z = y.sin()
        arrays.extend([weakref.ref(y._data), weakref.ref(z._data)])
        return (z * y).sum()

    x = leaf()
    loss = checkpoint(function, x, use_reentrant=False)
    assert [each() for each in arrays] == [None, None]
    loss.backward(retain_graph=True)
    assert [each() for each in arrays] == [None, None, None, None]
    loss.backward()
    assert len(arrays) == 6


def test_the_graph_is_freed_with_its_result() -> None:
    x = leaf()
    between = x * 1
    loss = checkpoint(lambda x: x.exp().sum(), between, use_reentrant=False)
    references = [weakref.ref(x), weakref.ref(between), weakref.ref(loss.grad_fn)]
    del x, between, loss
    assert [each() for each in references] == [None, None, None]


def test_an_error_in_the_second_run_leaves_modes_and_random_numbers_alone() -> None:
    runs: list[Tensor] = []

    def function(x: Tensor) -> Tensor:
        runs.append(minigrad.rand(1))
        if len(runs) > 1:
            raise ValueError("second run")
        return x.exp()

    x = leaf()
    y = checkpoint(function, x, use_reentrant=False)
    minigrad.manual_seed(1)
    expected = minigrad.rand(3)
    minigrad.manual_seed(1)
    with pytest.raises(ValueError, match=r"^second run$"):
        y.sum().backward()
    assert minigrad.rand(3).tolist() == expected.tolist()
    assert minigrad.is_grad_enabled()
    assert (x * x).requires_grad  # no hooks are left that would pack this
    assert runs[0].tolist() == runs[1].tolist()


def test_without_preserve_rng_state_the_second_run_draws_new_numbers() -> None:
    drawn: list[float] = []

    def function(x: Tensor) -> Tensor:
        drawn.append(minigrad.rand(1).item())
        return x.exp()

    checkpoint(function, leaf(), use_reentrant=False, preserve_rng_state=False).sum().backward()
    assert drawn[0] != drawn[1]


def test_what_the_second_run_saves_is_compared() -> None:
    dtypes = iter([minigrad.float32, minigrad.float64])
    y = checkpoint(lambda x: x.to(next(dtypes)).exp(), leaf(), use_reentrant=False)
    with pytest.raises(CheckpointError, match="have different metadata") as caught:
        y.sum().backward()
    assert "saved metadata: {'shape': torch.Size([2]), 'dtype': torch.float32" in str(caught.value)
    assert "recomputed metadata: {'shape': torch.Size([2]), 'dtype': torch.float64" in str(
        caught.value
    )


@pytest.mark.parametrize("variant", [{}, {"use_reentrant": None}, {"use_reentrant": True}])
def test_the_reentrant_variant_is_refused(variant: dict[str, Any]) -> None:
    with pytest.raises(NotImplementedError, match="use_reentrant=False"):
        checkpoint(lambda x: x, leaf(), **variant)
