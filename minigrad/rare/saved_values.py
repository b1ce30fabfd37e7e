"""The attributes that show what a node has saved: `grad_fn._saved_self` and so on."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..core.operation import Operation, OperationNode
from ..core.tensor import new_tensor
from ..ops.indexing import Indices
from ..support.methods import method_of
from ..rows.operands import ABSENT
from ..support.tensor_like import is_tensor
from .saved_tensors_hooks import RawSavedTensor


def shown_names(row: Operation) -> dict[str, str]:
    """Map PyTorch's attribute names to our names, for everything that the rules of a row need.

    PyTorch calls a shape `self_sym_sizes`. Our strides are in bytes, so they are never shown.
    """
    needs = [need for need in row.names_to_save(*row.rules) if not need.endswith("_strides")]
    ends = {
        need: need.removesuffix("_shape") + "_sym_sizes"
        for need in needs
        if need.endswith("_shape")
    }
    return {f"_saved_{ends.get(need, need)}": need for need in needs}


@method_of(OperationNode, "__getattr__")
def saved_attribute(self: OperationNode, name: str) -> Any:
    """`_saved_<name>`: a saved value, or None if none was needed. RuntimeError if it was freed."""
    known = shown_names(self.row) if name.startswith(("_saved_", "_raw_saved_")) else {}
    need = known.get(name.replace("_raw", "", 1))
    if name.startswith("_raw_saved_") and need is not None:  #@rare
        return RawSavedTensor(self, need)
    if need is not None:
        return shown(self, need)
    if name.removeprefix("_saved_") in self.row.display:  #@rare
        return self.row.display[name.removeprefix("_saved_")]
    raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


@method_of(Operation)
def saved_properties(self: Operation) -> dict[str, property]:
    """The same attributes as properties, for the accelerator's nodes, which lack `__getattr__`."""
    return {name: property(partial(saved_attribute, name=name)) for name in all_names(self)}


@method_of(OperationNode, "__dir__")
def attribute_names(self: OperationNode) -> list[str]:
    return sorted({*object.__dir__(self), *all_names(self.row)})


def all_names(row: Operation) -> list[str]:
    """All attributes that show saved values, including `_raw_saved_…` for tensors."""
    tensors = [name for name, need in shown_names(row).items() if is_saved_tensor(row, need)]
    raw = [name.replace("_saved", "_raw_saved", 1) for name in tensors]
    constant = [f"_saved_{name}" for name in row.display]
    return [*shown_names(row), *raw, *constant]


def is_saved_tensor(row: Operation, need: str) -> bool:
    return need in row.tensors or need == "result"


def shown(node: OperationNode, need: str) -> Any:
    """A saved value. A number that was saved as an operand becomes a 0-d tensor, ABSENT None."""
    if need not in node._saved:
        return None
    value = node._unpack(need)
    if isinstance(value, Indices):
        value.check()
        return value.as_tensors()
    if value is ABSENT:
        return None
    if is_saved_tensor(node.row, need):
        return value if is_tensor(value) else new_tensor(np.array(value))
    return written(node, need, value)


def written(node: OperationNode, need: str, value: Any) -> Any:
    """A saved value that is not a tensor, in the form in which PyTorch shows it: reduced dimensions
    as a tuple, integers as unsigned, the kind of a reduction as a number.
    """
    if need == "reduction":
        return REDUCTIONS.index(value)
    if need not in UNSIGNED or value is None:
        return value
    if isinstance(value, (tuple, list)):
        return tuple(number % 2**64 for number in value)
    unsigned = value % 2**64
    return (unsigned,) if need == "dim" and node.name() in REDUCING else unsigned


REDUCTIONS = ("none", "mean", "sum")
UNSIGNED = {
    "dim", "dim0", "dim1", "dim2", "dims", "index", "start", "end", "diagonal", "offset", "shifts",
    "k", "ignore_index",
}  # fmt: skip
REDUCING = {
    "SumBackward1", "MeanBackward1", "NansumBackward0", "AmaxBackward0", "AminBackward0",
    "VarBackward0", "StdBackward0", "LogsumexpBackward0", "LinalgVectorNormBackward0",
}  # fmt: skip
