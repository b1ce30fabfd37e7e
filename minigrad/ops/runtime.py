"""What written code calls for the unusual: numbers, mixed dtypes, subclasses, saved tensors."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import dtypes, errors, grad_mode, watching
from ..dtypes import dtype
from ..inplace import track_view
from ..node import (
    FREED,
    AccumulateGrad,
    Edge,
    HandWrittenNode,
    Node,
    PackedValue,
    check_saved,
    gradient_edge,
    leaf_edge,
    meta_of,
    modified,
    next_sequence_number,
    saved_edge,
)
from ..tensor import Tensor, as_array, new, new_tensor
from .broadcasting import broadcastable
from .table import ARRAYS, TENSORS

# Stands where a Python number took a tensor's place: it wants no gradient and never changes.
NUMBER = new_tensor(np.float32(0))
NUMBER._counter = [0]
# Stands where a tensor was left out: a kernel gets None for it, and `node._saved_…` shows None.
ABSENT = new_tensor(np.float32(0))
ABSENT._data, ABSENT._counter = None, [0]
NUMBERS = (bool, int, float)  # exactly these: np.float64 is a subclass of float


def argument(function: str, name: str, position: int, value: Any, cls: type[Tensor]) -> Any:
    """The class of the result, so far `cls`, if `value` is a tensor of some subclass.

    TypeError if it is none.
    """
    if isinstance(value, Tensor):
        return cls if value.class_of_results is cls else result_class(function, cls, value)
    raise errors.argument_type(function, name, position, "Tensor", value)


def result_class(function: str, cls: type[Tensor], value: Tensor) -> type[Tensor]:
    """The class of what `function` gives for a tensor of class `cls` and `value`.

    A subclass spreads to results unless it is Parameter. TypeError for two unrelated ones.
    """
    other = value.class_of_results
    if issubclass(other, cls):
        return other
    if issubclass(cls, other):
        return cls
    raise errors.unrelated_subclasses(function, cls, other)


def finish(
    function: str, node: HandWrittenNode, sources: Sequence[Tensor], results: Sequence[Tensor]
) -> tuple[Tensor, ...]:
    """What an operation returns whose node is written out: its fresh `results` as the outputs of
    `node`, if one of `sources` wants a gradient.
    """
    cls: type[Tensor] = Tensor
    for source in sources:
        cls = result_class(function, cls, source)
    left_out = any(list(map(grad_mode.leave_out, results)))
    edges = () if left_out else tuple(gradient_edge(each) for each in sources)
    if results and any(edges):
        node.next, node.seq, node.extra = edges, next_sequence_number(), None
        metas = [meta_of(each._data) for each in results]
        node.meta = metas if len(metas) > 1 else metas[0]
        for number, each in enumerate(results):
            each._edge, each._requires_grad = node.edge(number), True
        if watching.active:
            watching.recorded(node)
    return tuple(each if cls is Tensor else each.as_subclass(cls) for each in results)


def operands(
    function: str, a: Any, b: Any, promote: str, cls: type[Tensor]
) -> tuple[Tensor, Tensor, Any, Any, dtype, type[Tensor]] | None:
    """Two operands that are not plain tensors of one dtype: as tensors, as arrays, their common
    dtype, and the class of the result.

    The tensors are returned as they are, for their edges: the engine casts gradients back to their
    dtype. None if one of them is neither a tensor nor a number; an operator then lets Python ask
    the other operand.
    """
    if isinstance(a, Tensor) and a.dtype.is_floating_point:  # of a subclass, as parameters are
        if isinstance(b, Tensor) and b.dtype is a.dtype:
            cls = result_class(function, result_class(function, cls, a), b)
            return a, b, a._data, b._data, a.dtype, cls
        if b.__class__ in (int, float):
            return a, NUMBER, a._data, b, a.dtype, result_class(function, cls, a)
    return converted(function, a, b, promote, cls)


def converted(
    function: str, a: Any, b: Any, promote: str, cls: type[Tensor]
) -> tuple[Tensor, Tensor, Any, Any, dtype, type[Tensor]] | None:
    """The same where a dtype has to be found for both."""
    kinds, data, tensors = [], [], []
    for value in (a, b):
        if isinstance(value, Tensor):
            kinds.append((value.dtype, 2 if value._data.ndim else 1))
            data.append(value._data)
            tensors.append(value)
            cls = result_class(function, cls, value)
        elif isinstance(value, (int, float, np.number, np.bool_)):
            number = value.item() if isinstance(value, np.generic) else value
            kinds.append((dtypes.of_number(number), 0))
            data.append(number)
            tensors.append(NUMBER)
        else:
            return None
    bools = [each is dtypes.bool_ for each, _ in kinds]
    if promote == "number" and any(bools):
        raise errors.bool_subtraction(both=all(bools))
    kind = dtypes.result_type(kinds)
    if promote == "float" and not kind.is_floating_point:
        kind = dtypes.default
    for index, value in enumerate(data):
        if value.__class__ in NUMBERS:
            if kind.is_floating_point:
                data[index] = float(value)
        elif value.dtype != kind.numpy:
            data[index] = value.astype(kind.numpy)
    if tensors[0] is tensors[1] is NUMBER:
        data[0] = kind.numpy.type(data[0])  # two Python numbers make an array scalar, too
    return tensors[0], tensors[1], data[0], data[1], kind, cls


def refusal(function: str, a: Any, b: Any) -> Exception | None:
    """PyTorch's error for two arrays that NumPy refused; None if NumPy's own has to do."""
    if a.dtype.kind == "b" and function in ("sub", "rsub"):
        return errors.bool_subtraction(both=True)
    if a.dtype.kind == "b" and function == "neg":
        return errors.bool_negation()
    if a.dtype.kind == "f" and function == "bitwise_not":
        return errors.float_inversion()
    if a.dtype.kind == "f" and function.startswith("bitwise"):
        return errors.not_implemented(f"{function}_cpu", dtypes.from_numpy_dtype(a.dtype))
    shapes = [getattr(each, "shape", ()) for each in (a, b)]
    return None if broadcastable(*shapes) else errors.does_not_broadcast(*shapes)


def function_form(operation: Any) -> Any:
    """The operator as a function and method: TypeError where it returns NotImplemented."""

    @functools.wraps(operation)
    def function(input: Any, *args: Any, **kwargs: Any) -> Any:
        result = operation(input, *args, **kwargs)
        if result is NotImplemented:
            name = operation.__name__.removesuffix("_")
            if not isinstance(input, Tensor):
                raise errors.argument_type(name, "input", 1, "Tensor", input)
            raise errors.argument_type(name, "other", 2, "Tensor", args[0] if args else None)
        return result

    return function


def saved_tensor(node: Node, name: str) -> Any:
    """A saved value as the tensor it was, part of the graph; a number as the number it was."""
    data = check_saved(node, name)
    if data is None:
        return None
    return in_graph(data, getattr(node, f"counter_{name}"), saved_edge(node, name))


def in_graph(data: Any, counter: list[Any], edge: Edge) -> Any:
    """A saved array as the tensor with the history that `edge` leads to; a leaf as itself, and a
    number as the number it is.
    """
    if data.__class__ in NUMBERS:
        return data
    if data is None:
        return ABSENT
    packed = isinstance(data, PackedValue)
    if edge.__class__ is AccumulateGrad and not packed:
        return edge.variable
    tensor = new_tensor(data.open()._data if packed else data)
    tensor._counter, tensor._requires_grad = counter, edge is not None
    if isinstance(edge, AccumulateGrad):
        tensor._accumulator = weakref.ref(edge)
    else:
        tensor._edge = edge
    return tensor


def saved_attribute(node: Node, name: str) -> Any:
    """What `node._saved_<name>` shows: a tensor, None if not needed, a plain value as it is."""
    if name not in node.saved:
        return getattr(node, f"saved_{name}", None)
    value = saved_tensor(node, name)
    if value.__class__ in NUMBERS:
        return new_tensor(np.array(value))
    return value


ARRAYS.update(
    np=np,
    ndarray=np.ndarray,
    Tensor=Tensor,
    new=new,
    as_array=as_array,
    track_view=track_view,
    operands=operands,
    argument=argument,
    leaf_edge=leaf_edge,
    next_sequence_number=next_sequence_number,
    grad_mode=grad_mode,
    watching=watching,
    freed_graph=errors.freed_graph,
    modified=modified,
    refusal=refusal,
    FREED=FREED,
    NUMBER=NUMBER,
    BOOL=dtypes.bool_,
    FLOAT=dtypes.float32,
    BY_NUMBER=dtypes.BY_NUMBER,
)
TENSORS.update(in_graph=in_graph, modified=modified, freed_graph=errors.freed_graph, FREED=FREED)

# PyTorch computes inf and nan in silence; NumPy warns, naming the written code as the place.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad\.")
