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
    "bernoulli": {"p"}, "diff": {"prepend", "append"}, "max": {"max"}, "min": {"min"},
    "nanmean": {"dtype"}, "nansum": {"dtype"}, "scatter": {"reduce"}, "sort": {"reverse"},
    "split": {"max", "split_sizes"}, "to": {"other"}, "view": {"dtype"},
}  # fmt: skip
# Written in Python in PyTorch too: their arguments have other names than those of the schema.
IN_PYTHON = {"einsum", "result_type", "split", "tensordot"}


def names_of(function: Callable[..., Any]) -> set[str]:
    row = getattr(function, "row", None)
    names = {*(inspect.signature(function).parameters if row is None else row.inputs)}
    if "options" in names:  # of the creation functions
        names |= {"dtype", "requires_grad"}
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
            if not name.endswith("_") and (kind == "method" or name not in IN_PYTHON):
                yield pytest.param(kind, name, function, id=f"{kind} {name}")


@pytest.mark.parametrize(("kind", "name", "function"), list(operations()))
def test_arguments_have_pytorch_names(kind: str, name: str, function: Any) -> None:
    assert hasattr(torch if kind == "function" else torch.Tensor, name)
    missing = wanted(name) - names_of(function) - INTERNAL - ABSENT.get(name, set())
    assert missing - ({"input"} if kind == "method" else set()) == set()
