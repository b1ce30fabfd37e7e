"""Turn the arguments of an operation into arrays of one dtype, or raise PyTorch's errors."""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

import numpy as np

from ..support import dtypes, errors, extension_points
from ..support.options import LazySignature
from ..support.shapes import broadcast_shape
from ..support.tensor_like import is_tensor
from . import layouts
from .declarations import docstring, export
from .silence import silence

NUMBERS = (int, float, np.number, np.bool_)  # bool is an int
PYTHONS_NUMBERS = (int, float, bool)
FLOATS = (float, np.float64)  # Python's float, and the form in which a node saves one


class NotAnOperand(Exception):  # noqa: N818 - not an error: Python tries the other operand next
    """Raised for an operand that is neither a tensor nor a number."""


class Absent:
    """Marks an optional tensor argument that was omitted; the kernel gets None for it."""

    requires_grad = _requires_grad = False
    _class_of_results = object
    _data = None


ABSENT: Any = Absent()


def optional(tensor: Any) -> Any:
    """`tensor`, or ABSENT for None, to pass to a row with an optional tensor argument."""
    return ABSENT if tensor is None else tensor


def is_absent(value: Any) -> bool:
    """Whether an optional tensor argument was omitted, as a rule or a kernel sees it."""
    return value is None or value is ABSENT


def wrapped(value: Any) -> Any:
    """A number in the form in which a node saves it instead of a tensor: as a NumPy scalar.

    The type tells it apart from the Python numbers in derivative rules. PyTorch saves a tensor that
    is marked as a "wrapped number".
    """
    return np.asarray(value)[()] if isinstance(value, NUMBERS) else value


def parameters(function: Any) -> list[str]:
    """The names of a function's parameters; an empty list for ufuncs, which do not expose them."""
    code = getattr(function, "__code__", None)
    if code is None:
        return []
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def check_names(row: Any) -> None:
    """TypeError for a rule whose name is not an input, or that asks for an unknown value."""
    inputs = ", ".join(row.inputs)
    for name, needs in row.needs.items():
        if name not in row.inputs:
            raise TypeError(f"{row.name} has no input '{name}' for a rule: its inputs are {inputs}")
        for need in needs:
            owner, _, fact = need.rpartition("_")
            is_fact = fact in row.facts and owner in row.inputs
            if not is_fact and need != "result" and need not in row.inputs:
                raise TypeError(
                    f"the rule for '{name}' of {row.name} asks for '{need}': it can have the inputs"
                    f" {inputs}, the result, and facts such as {row.inputs[0]}_shape"
                )


def as_function(row: Any) -> Callable[..., Any]:
    """The function that users call, named after the row; it works as a method, too.

    Its code object carries the row's name as well, so a debugger or profiler shows `mul`. The
    accelerator may replace it with a faster one.
    """
    check_names(row)

    def operation(*args: Any, **kwargs: Any) -> Any:
        usual = not kwargs and len(args) == len(row.inputs)
        try:
            return row(*(args if usual else bound(row, args, kwargs)))
        except NotAnOperand:
            return NotImplemented  # so Python tries the other operand

    operation.__module__, operation.__name__ = "minigrad", row.name
    operation.__qualname__ = row.name
    operation.__code__ = named(operation.__code__, row.name)
    operation.row = row  # type: ignore[attr-defined]
    operation.__signature__ = LazySignature(lambda: signature(row))  # type: ignore[attr-defined]
    function = extension_points.operation(row, operation)
    if row.doc:
        function.__doc__ = docstring(row)
    if not row.numbers:
        function = between_tensors(function)
    if row.doc or row.in_place:
        operator = row.numbers and len(row.tensors) == 2 and bool(row.promote)
        only = "" if row.doc else "in-place"
        options = {"alias": row.alias, "only": only, "in_place": row.in_place, "page": row.page}
        export(name=row.name, operator=operator, **options)(function)
    return function


def named(code: CodeType, name: str) -> CodeType:
    """The code object under another name, which is the one that a debugger shows."""
    return code.replace(co_name=name, co_qualname=name)


def between_tensors(operation: Any) -> Any:
    """`operation` for tensors only: TypeError for the numbers that an operator would accept."""

    @functools.wraps(operation)
    def function(input: Any, other: Any, *, out: None = None) -> Any:
        if out is not None:
            raise errors.no_out(operation.__name__)
        for name, position, value in (("input", 1, input), ("other", 2, other)):
            if not is_tensor(value):
                raise errors.argument_type(operation.__name__, name, position, "Tensor", value)
        return operation(input, other)

    return function


def bound(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments by position, defaults included. TypeError, worded as Python's, for misuse."""
    if kwargs.pop("out", None) is not None:
        raise errors.no_out(row.name)
    try:
        given = signature(row).bind(*args, **kwargs)
    except TypeError as error:
        names = signature(row).parameters.values()
        least, most = sum(each.default is each.empty for each in names), len(names)
        count = f"from {least} to {most}" if least < most else f"{most}"
        takes = f"takes {count} positional argument{'s' * (most != 1)} but {len(args)} were given"
        raise TypeError(f"{row.name}() {takes if len(args) > most else error}") from None
    given.apply_defaults()
    return given.args


@functools.cache
def signature(row: Any) -> inspect.Signature:
    """The row's signature as users see it, with annotations derived from the declaration.

    The rows call the first parameter `self`, but PyTorch's functions take `exp(input=x)`.
    """
    first = "self" if "input" in row.inputs else "input"
    defaults = list(getattr(row.kernel, "__defaults__", None) or ())
    padded = [inspect.Parameter.empty] * (len(row.inputs) - len(defaults)) + defaults
    kinds = dict.fromkeys(("self", "input", *row.tensors), "Tensor")
    kinds |= {"dim": "Dims" if "keepdim" in row.inputs else "int", "keepdim": "bool"}
    return inspect.Signature(
        [
            inspect.Parameter(
                first if name == "self" else name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=default,
                annotation=kinds.get(name, "Any"),
            )
            for name, default in zip(row.inputs, padded, strict=True)
        ],
        return_annotation="Tensor",
    )


# How arguments become arrays: chosen once per row, when it is first called

AsArrays = Callable[[Sequence[Any]], "Sequence[Any] | None"]


def arguments_as_arrays(row: Any) -> AsArrays:
    """The function that converts the arguments of `row` into those of its kernel.

    It replaces tensors by arrays of one dtype, and returns None if an operand is neither a tensor
    nor a number.
    """
    if not row.promote or len(row.tensors) < 2:
        made: Any = for_tensors(row)
    else:
        made = for_two_operands(row) if len(row.inputs) == 2 else for_operands_among_others(row)
    made.__code__ = named(made.__code__, f"arrays_of_{row.name}")
    return made  # type: ignore[no-any-return]


def for_tensors(row: Any) -> AsArrays:
    """For rows without type promotion."""
    places = [(row.inputs.index(name), name) for name in row.tensors]
    first, floats = places[0][0], row.promote == "float"

    def as_arrays(args: Sequence[Any]) -> list[Any]:
        arrays = [*args]
        for index, name in places:
            array = getattr(args[index], "_data", None)
            usual = array.__class__ is np.ndarray
            arrays[index] = array if usual else argument(row, name, args[index])
        if floats:
            arrays[first] = to_float(arrays[first])
        return arrays

    return as_arrays


def for_two_operands(row: Any) -> AsArrays:
    """For rows like `mul`, which promote their two operands.

    A NumPy ufunc can take two floating-point tensors of one dtype, or a tensor and a Python float,
    directly; everything else is promoted first.
    """
    how, is_numpys = row.promote, isinstance(row.kernel, np.ufunc)

    def as_arrays(args: Sequence[Any]) -> Sequence[Any] | None:
        a, b = args
        kind = getattr(a, "dtype", None)
        if is_numpys and kind.__class__ is dtypes.dtype and kind.is_floating_point:
            if getattr(b, "dtype", None) is kind:
                return a._data, b._data
            if b.__class__ in FLOATS:
                return a._data, float(b)
        return promoted(how, a, b)

    return as_arrays


def for_operands_among_others(row: Any) -> AsArrays:
    """For rows whose last two tensors are operands, after other arguments."""
    places = [(row.inputs.index(name), name) for name in row.tensors]
    (first, _), (second, _) = places[-2:]

    def as_arrays(args: Sequence[Any]) -> list[Any] | None:
        arrays = [*args]
        for index, name in places[:-2]:
            arrays[index] = argument(row, name, args[index])
        operands = promoted(row.promote, args[first], args[second])
        if operands is None:
            return None
        arrays[first], arrays[second] = operands
        return arrays

    return as_arrays


def argument(row: Any, name: str, value: Any) -> Any:
    """The array of an argument that must be a tensor. TypeError if it is not."""
    if not is_tensor(value):
        users_name = "input" if name == "self" and "input" not in row.inputs else name
        position = row.tensors.index(name) + 1
        raise errors.argument_type(row.name, users_name, position, "Tensor", value)
    return value._data if value._data is None else as_array(value)


def as_array(tensor: Any) -> np.ndarray[Any, Any]:
    """The array of a tensor, for code that keeps a reference to it or writes to it."""
    if not isinstance(tensor._data, np.ndarray):
        tensor._data = np.array(tensor._data)  # it was still a NumPy scalar
    return tensor._data


# Two operands of one dtype


def promoted(how: str, a: Any, b: Any) -> tuple[Any, Any] | None:
    """Two operands, tensors or numbers, as arrays of the dtype that PyTorch computes in.

    None if one of them is neither, in which case an operator lets Python try the other operand.
    """
    if not all(is_tensor(value) or isinstance(value, NUMBERS) for value in (a, b)):
        return None
    kinds = [kind_and_rank(a), kind_and_rank(b)]
    check_promotion(how, kinds)
    kind = dtypes.result_type(kinds)
    if how == "float" and not kind.is_floating_point:
        kind = dtypes.default
    return cast(a, kind), cast(b, kind)


def check_promotion(how: str, kinds: list[tuple[dtypes.dtype, int]]) -> None:
    """RuntimeError for bools in an operation that is defined for numbers only."""
    bools = [kind is dtypes.bool_ for kind, _ in kinds]
    if how == "number" and any(bools):
        raise errors.bool_subtraction(both=all(bools))


def check_alpha(how: str, alpha: Any, *operands: Any) -> Any:
    """`alpha` as a number. RuntimeError if the dtype of the operands does not allow it."""
    number = alpha.item() if is_tensor(alpha) or isinstance(alpha, np.generic) else alpha
    kinds = [kind_and_rank(value) for value in operands]
    check_promotion(how, kinds)
    kind = dtypes.result_type(kinds)
    if isinstance(number, bool) and kind is not dtypes.bool_:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(number, float) and not kind.is_floating_point:
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    return number


def kind_and_rank(value: Any) -> tuple[dtypes.dtype, int]:
    """The dtype of an operand and its rank in type promotion, see `dtypes.result_type`."""
    if is_tensor(value):
        return value.dtype, 2 if value._data.ndim else 1
    return dtypes.of_number(as_number(value)), 0


def as_number(value: Any) -> Any:
    """A NumPy scalar as a Python number; a NumPy bool becomes a float, as in PyTorch."""
    if isinstance(value, np.bool_):
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def cast(value: Any, kind: dtypes.dtype) -> Any:
    """A tensor or number as an array of this dtype."""
    if is_tensor(value):
        return converted(as_array(value), kind.numpy)
    return converted(np.asarray(as_number(value)), kind.numpy)


def checked_convert(value: Any, kind: np.dtype[Any], rounding: bool = False) -> Any:
    """A number as an array of this dtype. RuntimeError if the dtype cannot represent it.

    With `rounding`, a float that is too large becomes inf instead. Negative numbers wrap around in
    unsigned dtypes.
    """
    number = as_number(value)
    if kind.kind in "iu":
        most = np.iinfo(kind).max
        fits = (-most if kind.kind == "u" else np.iinfo(kind).min) <= number <= most
    elif kind.kind == "f":
        finite = isinstance(number, int) or math.isfinite(number)
        fits = rounding or not finite or abs(number) <= float(np.finfo(kind).max)
    else:
        fits = True
    if not fits:
        raise errors.overflow(kind.name)
    with silence():
        return np.asarray(number).astype(kind)


def c_cast(number: Any, array: Any) -> Any:
    """A number in the dtype of `array`; integers that are too large wrap around, as in C."""
    return np.asarray(number).astype(array.dtype)


def to_float(array: Any) -> Any:
    """The array itself if it is floating point, else converted to the default dtype."""
    return array if array.dtype.kind == "f" else array.astype(dtypes.default.numpy)


def converted(array: Any, kind: np.dtype[Any]) -> Any:
    """The array in this dtype, without a copy if possible; overflow silently becomes inf."""
    if array.dtype == kind:
        return array
    with silence():
        return layouts.copied(array, kind)


def refusal(row: Any, arrays: Sequence[Any], error: Exception) -> Exception:
    """PyTorch's error for arrays that NumPy rejected; NumPy's own error if there is none."""
    by_name = dict(zip(row.inputs, arrays, strict=True))
    first, *others = [by_name[name] for name in row.tensors]
    a = by_name[row.tensors[-2]] if row.promote and others else first
    kind = a.dtype.kind
    if kind == "b" and row.name in ("sub", "rsub"):
        return errors.bool_subtraction(both=True)
    if kind == "b" and row.name == "neg":
        return RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to"
            " invert a mask, use the `~` or `logical_not()` operator instead."
        )
    if kind == "f" and row.name == "bitwise_not":
        return TypeError(
            "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
        )
    try:
        broadcast_shape(*map(np.shape, (first, *others)))
    except RuntimeError as wrong:
        return wrong
    if kind == "f" and row.name.startswith("bitwise"):
        return errors.not_implemented(f"{row.name}_cpu", dtypes.from_numpy_dtype(a.dtype))
    return error
