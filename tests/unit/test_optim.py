"""Optimizers: types of options, and what a step must not keep."""

import pickle
import weakref

import numpy as np
import pytest

import minigrad
from minigrad import nn
from minigrad.optim import SGD, Adam, AdamW, Optimizer
from minigrad.optim.lr_scheduler import LambdaLR


def parameter(*values: float) -> nn.Parameter:
    made = nn.Parameter(minigrad.tensor(values))
    made.grad = minigrad.tensor([2.0, -4.0][: len(values)])
    return made


@pytest.mark.parametrize("kind", [SGD, Adam])
@pytest.mark.parametrize("lr", [0.5, np.float64(0.5), minigrad.tensor(0.5)], ids=repr)
def test_learning_rate_of_any_number_type(kind: type[Optimizer], lr: float) -> None:
    expected, actual = parameter(1.0, 2.0), parameter(1.0, 2.0)
    kind([expected], lr=0.5).step()
    kind([actual], lr=lr).step()
    assert actual.equal(expected)
    assert actual.dtype is minigrad.float32


@pytest.mark.parametrize("kind", [SGD, Adam])
def test_a_parameter_keeps_its_memory_and_stays_a_leaf(kind: type[Optimizer]) -> None:
    whole = minigrad.zeros(3, 2)
    weight = nn.Parameter(whole.t())  # not contiguous
    single = nn.Parameter(minigrad.tensor(1.0))
    for each in (weight, single):
        each.grad = minigrad.ones_like(each)
    address = single.data_ptr()
    kind([weight, single], lr=0.5).step()
    assert whole.tolist() == [[-0.5, -0.5]] * 3 or kind is Adam
    assert (whole < 0).all()
    assert single.data_ptr() == address
    assert weight.is_leaf
    assert weight.requires_grad
    assert weight.grad_fn is None


def test_gradients_are_left_as_they_are() -> None:
    weight = parameter(1.0, 2.0)
    optimizer = SGD([weight], lr=0.1, momentum=0.9, weight_decay=0.1, maximize=True)
    for _ in range(3):
        optimizer.step()
    assert weight.grad is not None
    assert weight.grad.tolist() == [2.0, -4.0]
    assert optimizer.state[weight]["momentum_buffer"] is not weight.grad


def test_zero_grad_detaches_gradients_from_their_graph() -> None:
    weight = nn.Parameter(minigrad.tensor([1.0, 2.0]))
    with pytest.warns(UserWarning, match="create_graph=True"):
        (weight**3).sum().backward(create_graph=True)
    grad = weight.grad
    assert grad is not None
    assert grad.requires_grad
    SGD([weight]).zero_grad(set_to_none=False)
    assert weight.grad is grad
    assert (grad.tolist(), grad.grad_fn, grad.requires_grad) == ([0.0, 0.0], None, False)


def test_loaded_state_is_cast_to_the_parameters_dtype_or_shared() -> None:
    weight, wide = parameter(1.0, 2.0), nn.Parameter(minigrad.ones(2, dtype=minigrad.float64))
    first = Adam([weight])
    first.step()
    same, second = Adam([weight]), Adam([wide])
    for each in (same, second):
        each.load_state_dict(first.state_dict())
    first.step()
    state = second.state[wide]
    assert state["exp_avg"].dtype is minigrad.float64
    assert state["step"].dtype is minigrad.float32
    assert state["step"] is first.state[weight]["step"]
    assert same.state[weight]["exp_avg"] is first.state[weight]["exp_avg"]


def test_unsupported_options_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="minigrad's optimizers have no differentiable"):
        SGD([parameter(1.0)], differentiable=True)
    with pytest.raises(NotImplementedError, match="minigrad's optimizers have no capturable"):
        AdamW([parameter(1.0)], capturable=True)


def test_a_schedule_keeps_neither_functions_nor_the_optimizer_in_its_state() -> None:
    optimizer = SGD([parameter(1.0)], lr=1.0)
    scheduler = LambdaLR(optimizer, lambda epoch: 0.5**epoch)
    optimizer.step()
    scheduler.step()
    state = pickle.loads(pickle.dumps(scheduler.state_dict()))
    other = SGD([parameter(1.0)], lr=1.0)
    resumed = LambdaLR(other, lambda epoch: 0.5**epoch)
    resumed.load_state_dict(state)
    other.step()
    resumed.step()
    assert (resumed.last_epoch, other.param_groups[0]["lr"]) == (2, 0.25)
    gone = weakref.ref(other)
    del other, resumed
    assert gone() is None


def test_an_optimizer_is_freed_with_its_last_reference() -> None:
    weight = parameter(1.0)
    optimizer = SGD([weight], momentum=0.9)
    optimizer.step()
    buffer = weakref.ref(optimizer.state[weight]["momentum_buffer"])
    del optimizer
    assert buffer() is None
