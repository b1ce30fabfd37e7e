"""The names of arguments: those of every function and method, against PyTorch's schemas."""

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from minigrad import ops

# What the schemas have for other purposes than calls from Python, or of devices and layouts.
INTERNAL = {
    "a", "b", "l", "n", "x", "device", "idx", "implicit", "indices", "layout", "list", "max_values",
    "memory_format", "min_indices", "out_dtype", "pin_memory", "separator", "sparse_grad", "values",
}  # fmt: skip
# What minigrad leaves out.
ABSENT = {
    "bernoulli": {"p"}, "copy_": {"src"}, "max": {"max"},
    "min": {"min"}, "scatter": {"reduce"},
    "scatter_": {"reduce"}, "sort": {"reverse"}, "split": {"max", "split_sizes"},
    "to": {"other"}, "uniform_": {"from"}, "view": {"dtype"},
}  # fmt: skip
# What the schemas lack: PyTorch adds `as_tuple` in Python, `from` is no name in Python, and the
# errors of `copy_` call `src` other.
OURS = {
    "copy_": {"other"}, "nonzero": {"as_tuple"}, "true_divide": {"rounding_mode"},
    "uniform_": {"start"},
}  # fmt: skip
# What takes any number of values: `reshape(2, 3)`. It has no name to call it by.
SEVERAL = {"axes", "lengths", "order", "sizes", "times"}
# Written in Python in PyTorch too: their arguments have other names than those of the schema.
IN_PYTHON = {"einsum", "split"}


def names_of(function: Callable[..., Any]) -> set[str]:
    """The names of the parameters, as `help` shows them."""
    names = {*inspect.signature(function).parameters}
    if "options" in names:  # of the creation functions
        names = names - {"options"} | {"dtype", "requires_grad"}
    return {"input" if name == "self" else name for name in names}


def wanted(name: str) -> set[str]:
    """The names that PyTorch gives to the arguments of all overloads."""
    schemas = torch._C._jit_get_schemas_for_operator(f"aten::{name}")
    called = [
        s for s in schemas if "out" not in s.overload_name.lower() and "Dimname" not in str(s)
    ]
    return {
        "input" if argument.name == "self" else argument.name
        for schema in called
        for argument in schema.arguments
    }


def operations() -> Iterator[Any]:
    for kind, table in (("function", ops.FUNCTIONS), ("method", ops.METHODS)):
        for name, function in table.items():
            if not name.startswith("__") and (kind == "method" or name not in IN_PYTHON):
                yield pytest.param(kind, name, function, id=f"{kind} {name}")


@pytest.mark.parametrize(("kind", "name", "function"), list(operations()))
def test_arguments_have_pytorch_names(kind: str, name: str, function: Any) -> None:
    assert hasattr(torch if kind == "function" else torch.Tensor, name)
    missing = wanted(name) - names_of(function) - INTERNAL - ABSENT.get(name, set())
    assert missing - ({"input"} if kind == "method" else set()) == set()


@pytest.mark.parametrize(("kind", "name", "function"), list(operations()))
def test_no_argument_has_another_name(kind: str, name: str, function: Any) -> None:
    known = wanted(name)
    if known:  # some methods have no schema
        extra = names_of(function) - known - OURS.get(name, set()) - SEVERAL
        assert extra <= {"requires_grad", "targets"}  # of `new_zeros` and of `to`
