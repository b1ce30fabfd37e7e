"""Wrap operations for users: accept NumPy's argument names, and raise PyTorch's errors for misuse.

Operations assume that their arguments are right and spend no time on checks. Only when one fails
are its arguments compared with its signature, and if they do not match it, the error says why in
PyTorch's words. That makes the annotated signature the only description of the arguments. When
each argument is fine but the combination is not, the operation just does `raise TypeError`.

Rows without a `dim` argument (`exp`, `mul`, …) are called directly, because they are the hot path
and check their tensors themselves.
"""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..support import dtypes, errors
from ..support.missing import with_advice
from ..support.tensor_like import is_tensor
from .declarations import Declaration

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}

# PyTorch overloads these, so its error lists the signatures instead of naming one argument.
OVERLOADED = {
    "addmm", "all", "any", "arange", "argsort", "clamp", "clamp_max", "clamp_min", "lerp",
    "linspace", "masked_fill", "max", "mean", "min", "movedim", "narrow", "pow", "prod", "randint",
    "repeat_interleave", "scatter", "sort", "squeeze", "std", "sum", "var", "view", "where",
}  # fmt: skip

# annotation → the type as PyTorch's error calls it
KINDS = {
    **{kind: kind for kind in ("Tensor", "int", "bool", "Number")},
    **dict.fromkeys(("Dims", "Dims | bool", "Sizes", "Sequence[int]"), "tuple of ints"),
    "int | Sequence[int]": "tuple of ints",
}
SEQUENCES = (list, tuple)  # what PyTorch takes for sizes and dimensions
MISSING: Any = ...  # "not passed", where None is a valid value that selects another overload
Dims = int | Sequence[int] | None
Sizes = Any  # for `*sizes: Sizes`: several integers, or one sequence of them
Number = Any  # a number or a 0-d tensor

MISUSE = (AttributeError, TypeError, ValueError)  # what wrong arguments can raise inside
Arguments = tuple[tuple[Any, ...], Mapping[str, Any]]


def sizes_of(sizes: tuple[Any, ...], named: Any = None) -> tuple[int, ...]:
    """Return `(2, 3)` for the arguments `2, 3` or `(2, 3)`, or for the keyword argument `named`.

    TypeError if there are no sizes, or if they are not integers.
    """
    if named is not None:
        sizes = (named,)
    if len(sizes) == 1 and isinstance(sizes[0], SEQUENCES):
        return tuple(map(operator.index, sizes[0]))
    if not sizes:
        raise TypeError
    return tuple(map(operator.index, sizes))


def is_integer(value: Any) -> bool:
    """Whether `value` can serve as an integer: an int, a NumPy integer, or a one-element tensor."""
    return hasattr(value, "__index__")


def fits(kind: str, value: Any) -> bool:
    """Whether `value` matches `kind`, one of the annotations in KINDS."""
    if kind == "Tensor":
        return is_tensor(value)
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "Number":
        return is_tensor(value) or isinstance(value, (int, float, np.number, np.bool_))
    single = kind not in ("Sizes", "Sequence[int]") and is_integer(value)
    return single or (kind != "int" and isinstance(value, SEQUENCES))


def with_checked_arguments(
    function: Callable[..., Any], name: str, method: bool = False
) -> Callable[..., Any]:
    """Wrap `function` for users, who call it as the function or method `name`."""
    row = getattr(function, "row", None)
    if row is not None and "dim" not in row.inputs:
        row.refuses_out = not hasattr(function, "__wrapped__")  # a wrapper checks `out` itself
        return function

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs = {NUMPY_NAMES.get(key, key): value for key, value in kwargs.items()}
            if kwargs.get("dtype") is not None:
                kwargs["dtype"] = dtypes.as_dtype(name, kwargs["dtype"])
        try:
            return function(*args, **kwargs)
        except MISUSE as error:
            wrong = misuse(function, name, (args, kwargs), method, together=bool(error.args))
            if wrong is None:
                raise
            raise wrong from None

    return quick_wraps(function, call, name)


def functions_and_methods(declared: Declaration) -> tuple[dict[str, Any], dict[str, Any]]:
    """The functions and the methods of a declaration by name, without the in-place form."""
    function = function_form(declared.function) if declared.operator else declared.function
    names = declared.names
    functions = {name: with_checked_arguments(function, name) for name in names}
    methods = {name: with_checked_arguments(function, name, method=True) for name in names}
    return functions if declared.is_function else {}, methods if declared.is_method else {}


def function_form(operation: Any) -> Any:
    """The operator as a function or method, which raises TypeError instead of NotImplemented."""

    name = operation.__name__.removesuffix("_")

    @functools.wraps(operation)
    def function(input: Any, *args: Any, out: None = None, **kwargs: Any) -> Any:
        if out is not None:
            raise errors.no_out(name)
        result = operation(input, *args, **kwargs)
        if result is NotImplemented:
            if not is_tensor(input):
                raise errors.argument_type(name, "input", 1, "Tensor", input)
            raise errors.argument_type(name, "other", 2, "Tensor", args[0] if args else None)
        return result

    return function


def quick_wraps(function: Any, call: Any, name: str) -> Callable[..., Any]:
    """Make `call` look like `function`, under the name `name`.

    `functools.wraps` does more than we need and takes 4 µs per function, which would add up to a
    tenth of the time of `import minigrad`.
    """
    call.__name__ = call.__qualname__ = name
    call.__module__, call.__doc__ = function.__module__, function.__doc__
    call.__wrapped__ = function
    row = getattr(function, "row", None)
    if row is not None:
        call.row = row
    return call  # type: ignore[no-any-return]


def misuse(
    function: Callable[..., Any],
    name: str,
    arguments: Arguments,
    method: bool = False,
    together: bool = True,
) -> TypeError | None:
    """The error for arguments that do not match the signature of `function`, or each other."""
    args, kwargs = arguments
    parameters = parameters_of(function)
    known = {each.name for each in parameters}
    unknown = kwargs.keys() - known
    if "out" in unknown:
        return errors.no_out(name)
    wrong = wrong_count(name, parameters, method, arguments)
    if wrong is None:
        wrong = next(wrong_kinds(name, parameters, method, arguments), None)
    if wrong is None and together:
        return None
    if wrong is not None and (name not in OVERLOADED or (len(args), method, kwargs) == (1, 0, {})):
        return wrong
    kinds = [errors.type_name(value) for value in args[method:]]
    named = [f"{key}={errors.type_name(value)}" for key, value in sorted(kwargs.items())]
    given = ", ".join(kinds + named) + (", " if named and not kinds else "")
    error = TypeError(
        f"{name}() received an invalid combination of arguments - got ({given}), but expected one"
        f" of:\n * ({', '.join(map(str, parameters))})"
    )
    return with_advice(error) if unknown else error


def parameters_of(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters, with a method's `self` renamed to `input`."""
    parameters = list(inspect.signature(function).parameters.values())
    if parameters[0].name == "self":
        parameters[0] = parameters[0].replace(name="input", annotation="Tensor")
    return parameters


def wrong_count(
    name: str, parameters: list[inspect.Parameter], method: bool, arguments: Arguments
) -> TypeError | None:
    """The error for missing or surplus arguments, or None if their number is right."""
    args, kwargs = arguments
    positional = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    required = [each.name for each in positional if each.default is each.empty]
    any_number = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    if len(args) > len(positional) and not any_number:
        most, least, got = len(positional) - method, len(required) - method, len(args) - method
        count = f"from {least} to {most}" if least < most else f"{most}"
        return TypeError(
            f"{name}() takes {count} positional argument{'s' * (most != 1)} but {got}"
            f" {'was' if got == 1 else 'were'} given"
        )
    missing = [each for each in required[len(args) :] if each not in kwargs]
    sizes = name_of_sizes(parameters)
    if sizes and len(args) == len(positional) and sizes not in kwargs:
        missing.append(sizes)
    if missing:
        which = ", ".join(f'"{each}"' for each in missing)
        return TypeError(
            f"{name}() missing {len(missing)} required positional"
            f" argument{'s' * (len(missing) == 1)}: {which}"  # PyTorch's plural
        )
    return None


def wrong_kinds(
    name: str, parameters: list[inspect.Parameter], method: bool, arguments: Arguments
) -> Iterator[TypeError]:
    """Yield the errors for arguments of a wrong type, and for unknown keyword arguments."""
    args, kwargs = arguments
    known = {each.name: each for each in parameters}
    for position, (parameter, value) in enumerate(zip(parameters, args, strict=False), 1 - method):
        argument = parameter.name
        if parameter.annotation == "Sizes":
            argument, rest = name_of_sizes(parameters), args[position - 1 + method :]
            value = rest[0] if len(rest) == 1 and not is_integer(rest[0]) else rest
        yield from wrong_kind(name, argument, position, parameter.annotation, value)
    for key, value in kwargs.items():
        if key in known:
            yield from wrong_kind(name, key, None, known[key].annotation, value)
        else:
            error = TypeError(f"{name}() got an unexpected keyword argument '{key}'")
            yield with_advice(error)


def name_of_sizes(parameters: list[inspect.Parameter]) -> str:
    """The keyword for `*sizes`, which is the parameter right after it; "" if there is none."""
    names = [each.name for each in parameters]
    found = [n for n, each in enumerate(parameters, 1) if each.annotation == "Sizes"]
    return names[found[0]] if found else ""


def wrong_kind(
    name: str, argument: str, position: int | None, annotation: Any, value: Any
) -> Iterator[TypeError]:
    kind = str(annotation)
    if kind.endswith(" | None") and value is None:
        return
    kind = kind.removesuffix(" | None")
    if kind not in KINDS:
        return
    if not fits(kind, value):
        yield errors.argument_type(name, argument, position, KINDS[kind], value)
    elif isinstance(value, SEQUENCES):
        yield from wrong_element(name, argument, position, value)


def wrong_element(
    name: str, argument: str, position: int | None, values: Sequence[Any]
) -> Iterator[TypeError]:
    place = "" if position is None else f" (position {position})"
    for index, value in enumerate(values):
        if not is_integer(value):
            kind = errors.type_name(value)
            yield TypeError(
                f"{name}(): argument '{argument}' failed to unpack the object at pos {index + 1}"
                f' with error "type must be tuple of ints,but got {kind}"'
                if index
                else f"{name}(): argument '{argument}'{place} must be tuple of ints, but found"
                f" element of type {kind} at pos 0"
            )
