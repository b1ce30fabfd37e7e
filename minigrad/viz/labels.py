"""What stands in a box and on an arrow."""

import math
import re
from collections.abc import Callable, Sequence

from minigrad.viz import values
from minigrad.viz.gradients import Gradient
from minigrad.viz.picture import Row
from minigrad.viz.protocol import NodeLike, TensorLike
from minigrad.viz.saved import Saved

SYMBOLS = {
    "Add": "+", "Sub": "−", "Mul": "×", "Div": "÷", "Pow": "**",
    "Mm": "@", "Mv": "@", "Dot": "@", "Bmm": "@", "T": "T",
}  # fmt: skip
"""Operations whose sign says more than their lower-case name."""

WIDEST = 34
"""Characters in the widest line of a box; what is longer gets a line of its own, or a shape."""


def operation_rows(
    node: NodeLike, saved: Saved, name_of: Callable[[TensorLike], str | None] | None
) -> list[Row]:
    """Describe an operation: its sign, the name of its node, and what it has saved.

    Saved tensors that have a name are called by it; without `name_of` they are left out.
    """
    rows = [Row("title", _sign(node, saved)), Row("node", type(node).__name__)]
    if name_of is None:
        return rows
    for name, value in saved.tensors().items():
        text = name_of(value) or " ".join(_lines(value, None))
        rows.append(Row("saved", f"saved {name} = {text}"))
    rows.extend(Row("saved", f"saved {name}: edited in place since") for name in saved.stale)
    if saved.freed:
        rows.append(Row("gone", "saved tensors: freed"))
    return rows


def _sign(node: NodeLike, saved: Saved) -> str:
    """Return "log" for LogBackward0, "** 3" for a third power, "MyPow" for a user's operation."""
    stem, _, overload = type(node).__name__.rpartition("Backward")
    if not overload.isdigit():  # a user's Function, or a node like CopySlices
        return stem or overload
    sign = SYMBOLS.get(stem, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower())
    exponent, base = saved.items.get("exponent"), saved.items.get("self")
    if isinstance(exponent, int | float):
        return f"{sign} {values.number(exponent)}"
    if stem == "Pow" and isinstance(base, int | float):
        return f"{values.number(base)} {sign}"
    return sign


def tensor_rows(tensor: TensorLike, name: str | None, flow_rows: Sequence[Row]) -> list[Row]:
    """Describe a tensor: name and value, what autograd knows of it, its `.grad` if it keeps one."""
    rows = _value_rows(name, _lines(tensor, name))
    rows.append(Row("flags", " · ".join(_flags(tensor, name))))
    rows.extend(flow_rows)
    keeps_grad = tensor.is_leaf and tensor.requires_grad
    if keeps_grad or getattr(tensor, "retains_grad", False):
        grad = "None" if tensor.grad is None else values.short(tensor.grad)
        rows.append(Row("gradient", f"grad = {grad}"))
    return rows


def _lines(tensor: TensorLike, name: str | None) -> list[str]:
    """Write the value, a nameless constant as a number: `x * 2` and `x * 2.0` save the same."""
    if name is None and not tensor.requires_grad and not tensor.shape:
        return list(map(values.plain, values.numbers(tensor) or ())) or values.lines(tensor)
    return values.lines(tensor)


def _value_rows(name: str | None, lines: list[str]) -> list[Row]:
    title = lines[0] if name is None else f"{name} = {lines[0]}"
    if len(lines) == 1 and len(title) <= WIDEST and not lines[0].startswith("shape"):
        return [Row("title", title)]
    return [*([Row("title", name)] if name else []), *(Row("value", line) for line in lines)]


def _flags(tensor: TensorLike, name: str | None) -> list[str]:
    if not tensor.requires_grad and tensor.is_leaf and name is None:
        return ["constant"]
    dtype = values.dtype_name(tensor)
    dtype_matters = dtype not in ("float32", "int64", "bool") or values.numbers(tensor) is None
    version = getattr(tensor, "_version", 0)
    return [
        *(["leaf"] if tensor.is_leaf else []),
        "requires_grad" if tensor.requires_grad else "requires_grad=False",
        *(["retains_grad"] if getattr(tensor, "retains_grad", False) else []),
        *([dtype] if dtype_matters else []),
        *([f"version {version}"] if version else []),
    ]


def handed_on(arriving: Sequence[Gradient | None], part: Gradient | None) -> str:
    """Write what a node hands on to one input: `0.008 × 75 = 0.6` where all are single numbers.

    Backward is linear in what arrives, so the factor of a 0-d gradient is the local derivative.
    """
    if part is None:
        return "None"
    came = arriving[0] if len(arriving) == 1 else None
    if came is None or part.scalar is None or not came.scalar:
        return part.text
    factor = values.plain(part.scalar / came.scalar)
    return part.text if factor == "1" else f"{came.text} × {factor} = {part.text}"


def sum_of(parts: Sequence[Gradient], total: Gradient) -> str:
    """Write a gradient as the sum of the `parts` that met: `0.6 + 1 = 1.6`.

    Where a hook or a hidden operation had its say, the parts do not add up, and an arrow says so.
    """
    equation = _equation(parts, total)
    if equation is not None and len(equation) <= WIDEST:
        return equation
    return total.text if len(parts) < 2 else f"{total.text} (sum of {len(parts)})"


def _equation(parts: Sequence[Gradient], total: Gradient) -> str | None:
    if total.scalar is not None and all(part.numbers is not None for part in parts):
        terms = [term for part in parts for term in part.numbers or ()]
        if len(terms) < 2:
            return None
        left = " + ".join(map(values.plain, terms)).replace("+ -", "− ")
        exact = math.isclose(sum(terms), total.scalar, rel_tol=1e-4, abs_tol=1e-12)
        return f"{left} {'=' if exact else '→'} {total.text}"
    if len(parts) < 2:
        return None
    return f"{' + '.join(part.text for part in parts)} = {total.text}"
