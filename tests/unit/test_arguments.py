"""The checks between users and operations: argument names, and errors about arguments."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import ops
from minigrad.core.tensor import Tensor
from minigrad.rows.arguments import sizes_of, with_checked_arguments


def test_numpy_names_are_accepted_in_functions_and_methods() -> None:
    x = minigrad.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert minigrad.sum(x, axis=0).tolist() == [4.0, 6.0]
    assert x.amax(axis=1, keepdims=True).tolist() == [[2.0], [4.0]]
    assert minigrad.cat([x, x], axis=1).shape == (2, 4)


def test_rows_without_a_dimension_are_not_wrapped() -> None:
    assert minigrad.exp is ops.elementwise.exp
    assert minigrad.Tensor.transpose is ops.shapes.transpose
    assert minigrad.Tensor.mul_ is ops.METHODS["mul_"]


def test_signatures_are_those_of_the_operations() -> None:
    parameters = inspect.signature(minigrad.sum).parameters
    assert list(parameters) == ["input", "dim", "keepdim", "dtype"]
    assert minigrad.max.__name__ == minigrad.max.__qualname__ == "max"
    assert minigrad.max.__doc__.startswith("The largest element")


def test_out_is_refused_by_name() -> None:
    with pytest.raises(TypeError, match=r"^minigrad's sum\(\) has no argument 'out'"):
        minigrad.sum(minigrad.ones(2), out=minigrad.ones(()))
    with pytest.raises(TypeError, match=r"^minigrad's zeros\(\) has no argument 'out'"):
        minigrad.zeros(2, out=minigrad.ones(2))
    for name, function in ops.FUNCTIONS.items():
        with pytest.raises(TypeError) as error:
            function(minigrad.ones(2, 2), out=minigrad.ones(2))
        known = ("has no argument 'out'", "missing", "must be")
        assert any(each in str(error.value) for each in known), name


def test_out_may_be_none() -> None:
    x = minigrad.ones(2)
    assert minigrad.exp(x, out=None).tolist() == x.exp().tolist()
    assert minigrad.mul(x, 2, out=None).tolist() == minigrad.maximum(x, x + 1, out=None).tolist()


def test_errors_that_are_not_about_arguments_pass_unchanged() -> None:
    cause, error = KeyError("cause"), TypeError("raised by a hook")

    def pack(tensor: Any) -> Any:
        raise error from cause

    x = minigrad.ones(2, requires_grad=True)
    hooks = minigrad.autograd.graph.saved_tensors_hooks(pack, lambda packed: packed)
    with hooks, pytest.raises(TypeError) as caught:
        x.logsumexp(0)
    assert caught.value is error
    assert error.__cause__ is cause


def test_the_first_wrong_argument_is_reported() -> None:
    def operation(input: Tensor, dim: int, *, flag: bool = False) -> None:
        raise ValueError("inside")

    call, x = with_checked_arguments(operation, "name"), minigrad.ones(2)
    for args, kwargs, message in [
        ((x, 0, 1), {}, r"name\(\) takes 2 positional arguments but 3 were given"),
        ((x,), {}, r'name\(\) missing 1 required positional arguments: "dim"'),
        (([1], 0), {}, r"name\(\): argument 'input' \(position 1\) must be Tensor, not list"),
        ((x, 1.5), {}, r"name\(\): argument 'dim' \(position 2\) must be int, not float"),
        ((x, 0), {"flag": 1}, r"name\(\): argument 'flag' must be bool, not int"),
        ((x, 0), {"other": 1}, r"name\(\) got an unexpected keyword argument 'other'"),
    ]:
        with pytest.raises(TypeError) as caught:
            call(*args, **kwargs)
        assert re.fullmatch(message, str(caught.value))  # without its notes
    with pytest.raises(ValueError, match=r"^inside$"):
        call(x, 0)
    with pytest.raises(TypeError, match=r"^name\(\) missing 1 required .*: \"dim\"$"):
        with_checked_arguments(operation, "name", method=True)(x)


def test_sizes() -> None:
    for sizes in [(2, 3), ((2, 3),), ([2, 3],), (np.int64(2), 3), (minigrad.tensor(2), 3)]:
        assert sizes_of(sizes) == (2, 3)
        assert [type(each) for each in sizes_of(sizes)] == [int, int]
    assert sizes_of(((),)) == sizes_of((), []) == ()
    assert sizes_of((), (4,)) == (4,)
    for wrong in [(), ("ab",), (1.5,), (2, None)]:
        with pytest.raises(TypeError):
            sizes_of(wrong)
