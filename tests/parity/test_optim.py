"""Optimizers under both libraries: the same twenty steps in float64.

Those of the recorded programs, optim_*, are in float32.
"""

import itertools
from typing import Any

import numpy as np
import pytest
import torch

import minigrad

LIBRARIES = (torch, minigrad)
SHAPES = [(3, 2), (3,), ()]
TOLERANCE = 1e-12

SGD = [
    dict(lr=0.05, momentum=momentum, dampening=dampening, weight_decay=decay, maximize=maximize)
    for momentum, dampening, decay, maximize in itertools.product(
        (0, 0.9), (0, 0.2), (0, 0.1), (False, True)
    )
]
SGD += [
    dict(lr=0.05, momentum=0.8, nesterov=True, weight_decay=decay, maximize=maximize)
    for decay, maximize in itertools.product((0, 0.1), (False, True))
]
ADAM = [
    dict(lr=0.05, betas=betas, eps=eps, weight_decay=decay, maximize=maximize)
    for betas, eps, decay, maximize in itertools.product(
        ((0.9, 0.999), (0.3, 0.5), (0.0, 0.9)), (1e-8, 1e-2), (0, 0.1), (False, True)
    )
]
ADAMW = [
    dict(lr=0.05, weight_decay=decay, amsgrad=amsgrad, maximize=maximize)
    for decay, amsgrad, maximize in itertools.product((0, 0.1), (False, True), (False, True))
]
CASES = [("SGD", options) for options in SGD] + [("Adam", options) for options in ADAM + ADAMW]
CASES += [("AdamW", options) for options in ADAMW]


def trajectory(library: Any, name: str, options: dict[str, Any]) -> list[Any]:
    """The values of the parameters after each of twenty steps, and the optimizer at the end."""
    rng = np.random.default_rng(0)
    parameters = [
        library.nn.Parameter(library.from_numpy(np.asarray(rng.standard_normal(shape))))
        for shape in SHAPES
    ]
    optimizer = getattr(library.optim, name)(parameters, **options)
    values = []
    for step in range(20):
        optimizer.zero_grad()
        weight, bias, scale = parameters
        x = library.from_numpy(rng.standard_normal((4, 2)))
        loss = library.tanh((x @ weight.t() + bias) * scale).mean()
        if step != 5:  # once without gradients
            loss.backward()
        optimizer.step()
        values.append([parameter.detach().numpy().copy() for parameter in parameters])
    return [values, optimizer, [parameter._version for parameter in parameters]]


@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_trajectory(name: str, options: dict[str, Any]) -> None:
    (theirs, their_optimizer, their_versions), (ours, our_optimizer, our_versions) = (
        trajectory(library, name, options) for library in LIBRARIES
    )
    for step, (expected, actual) in enumerate(zip(theirs, ours, strict=True)):
        for one, other in zip(expected, actual, strict=True):
            np.testing.assert_allclose(other, one, TOLERANCE, TOLERANCE, err_msg=f"step {step}")
    assert our_versions == their_versions
    assert min(our_versions) >= 19  # once there was no gradient
    assert repr(our_optimizer) == repr(their_optimizer)
    their_state, our_state = their_optimizer.state_dict(), our_optimizer.state_dict()
    assert their_state["param_groups"] == our_state["param_groups"]
    assert list(their_state["state"]) == list(our_state["state"])
    for number, expected in their_state["state"].items():
        assert list(expected) == list(our_state["state"][number])
        for key, value in expected.items():
            mine = our_state["state"][number][key]
            assert str(value.dtype) == str(mine.dtype)
            np.testing.assert_allclose(mine.numpy(), value.numpy(), TOLERANCE, TOLERANCE)


@pytest.mark.parametrize(("name", "options"), [("SGD", dict(momentum=0.9)), ("Adam", {})])
def test_saved_state_continues_the_trajectory(name: str, options: dict[str, Any]) -> None:
    """Two optimizers that take turns by state_dict go the way of one, under either library."""
    for library in LIBRARIES:
        alone, shared = (library.nn.Parameter(library.ones(3)) for _ in range(2))
        single = getattr(library.optim, name)([alone], **options)
        twins = [getattr(library.optim, name)([shared], **options) for _ in range(2)]
        for step in range(6):
            for parameter in (alone, shared):
                parameter.grad = library.tensor([1.0, -2.0, 0.5]) * (step + 1)
            single.step()
            twins[step % 2].step()
            twins[1 - step % 2].load_state_dict(twins[step % 2].state_dict())
        assert alone.tolist() == shared.tolist()
