"""What stands in a box and on an arrow."""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from minigrad.viz import values
from minigrad.viz.gradients import Flow, Gradient
from minigrad.viz.modules import Call
from minigrad.viz.picture import Row
from minigrad.viz.protocol import NodeLike, TensorLike, hooks_of
from minigrad.viz.saved import Saved, read_saved

SYMBOLS = {
    "Add": "+", "Sub": "−", "Mul": "×", "Div": "÷", "Pow": "**",
    "Mm": "@", "Mv": "@", "Dot": "@", "Bmm": "@", "T": "T", "CopySlices": "write into a view",
}  # fmt: skip
"""Operations whose sign says more than their lower-case name."""

WIDEST = 34
"""Characters in the widest line of a box; what is longer gets a line of its own, or a shape."""


NODE_HOOKS = {"register_prehook": "pre-hook", "register_hook": "post-hook"}
TENSOR_HOOKS = {"register_hook": "tensor hook"}
ACCUMULATE_HOOKS = {"register_post_accumulate_grad_hook": "post-accumulate hook"}
"""What the hooks are called, by the methods that register them."""

MOST_PARAMETERS = 6
"""Parameters that the box of a module lists; more are counted."""


def operation_rows(
    node: NodeLike, saved: Saved, name_of: Callable[[TensorLike], str | None], order: int = 1
) -> list[Row]:
    """Describe an operation: its sign, the name of its node, its hooks, and what it has saved.

    Saved tensors that have a name are called by it.
    """
    name = type(node).__name__
    rows = [
        Row("title", sign_of(node, saved)),
        Row("node", name if order == 1 else f"{name} · order {order}"),
        *hook_rows(node, NODE_HOOKS),
    ]
    for name, value in saved.tensors().items():
        text = name_of(value) or " ".join(value_lines(value, None))
        rows.append(Row("saved", f"saved {name} = {text}"))
    return [*rows, *_loss_rows(saved)]


def _loss_rows(saved: Saved) -> list[Row]:
    """Say what of the saved tensors is no longer to be had, and why."""
    rows = [Row("saved", f"saved {name}: {why}") for name, why in saved.lost.items()]
    return [*rows, Row("gone", "saved tensors: freed")] if saved.freed else rows


def hook_rows(thing: NodeLike | TensorLike, kinds: Mapping[str, str]) -> list[Row]:
    """Name the hooks of a node or a tensor; `kinds` are the methods that register them."""
    found = {kind: hooks_of(thing, register) for register, kind in kinds.items()}
    return [Row("hook", f"{kind}: {', '.join(hooks)}") for kind, hooks in found.items() if hooks]


def call_rows(call: Call, title: str, flow: Flow) -> list[Row]:
    """Describe the call of a module: its class, what it recorded, the parameters it used."""
    kinds = [type(node).__name__ for node in call.operations]
    recorded = ", ".join(kinds) if len(kinds) < 3 else f"{len(kinds)} operations"
    rows = [Row("title", title), Row("node", f"{call.part.type_name}: {recorded}")]
    used = [(name, p) for name, p in call.part.parameters.items() if id(p) in call.used]
    for name, parameter in used[:MOST_PARAMETERS]:
        rows.append(_parameter_row(name, parameter, flow.leaves.get(id(parameter))))
    if len(used) > MOST_PARAMETERS:
        rows.append(Row("flags", f"… {len(used) - MOST_PARAMETERS} more parameters"))
    losses = [row for node in call.operations for row in _loss_rows(read_saved(node))]
    return [*rows, *dict.fromkeys(losses)]


def _parameter_row(name: str, parameter: TensorLike, arriving: Gradient | None) -> Row:
    """Say which gradient a parameter gets or has; the shape of a large one is the parameter's."""
    if values.numbers(parameter) is not None:
        grad = f"adds {arriving.text}" if arriving else _grad(parameter)
    elif arriving:
        grad = "gets a gradient"
    else:
        grad = "grad = None" if parameter.grad is None else "has a gradient"
    return Row("gradient", f"{name} {tuple(parameter.shape)} · {grad}")


def _grad(tensor: TensorLike) -> str:
    return f"grad = {'None' if tensor.grad is None else values.short(tensor.grad)}"


def sign_of(node: NodeLike, saved: Saved) -> str:
    """Return "log" for LogBackward0, "** 3" for a third power, "MyPow" for a user's operation."""
    stem, _, overload = type(node).__name__.rpartition("Backward")
    if not overload.isdigit():  # a user's Function, or a node like CopySlices
        return stem or SYMBOLS.get(overload, overload)
    sign = SYMBOLS.get(stem, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", stem).lower())
    exponent, base = saved.items.get("exponent"), saved.items.get("self")
    if isinstance(exponent, int | float):
        return f"{sign} {values.number(exponent)}"
    if stem == "Pow" and isinstance(base, int | float):
        return f"{values.number(base)} {sign}"
    return sign


def tensor_rows(
    tensor: TensorLike, name: str | None, flow_rows: Sequence[Row], with_value: bool = True
) -> list[Row]:
    """Describe a tensor: name and value, what autograd knows of it, its `.grad` if it keeps one.

    Without its value a tensor is its name and shape.
    """
    lines = value_lines(tensor, name) if with_value else [f"shape {tuple(tensor.shape)}"]
    rows = value_rows(name, lines)
    rows.append(Row("flags", " · ".join(_flags(tensor, name))))
    rows.extend(hook_rows(tensor, TENSOR_HOOKS) if tensor.requires_grad else [])
    rows.extend(flow_rows)
    keeps_grad = tensor.is_leaf and tensor.requires_grad
    rows.extend(hook_rows(tensor, ACCUMULATE_HOOKS) if keeps_grad else [])
    if keeps_grad or getattr(tensor, "retains_grad", False):
        rows.append(Row("gradient", _grad(tensor)))
    return rows


def value_lines(tensor: TensorLike, name: str | None) -> list[str]:
    """Write the value, a nameless constant as a number: `x * 2` and `x * 2.0` save the same."""
    if name is None and not tensor.requires_grad and not tensor.shape:
        return list(map(values.plain, values.numbers(tensor) or ())) or values.lines(tensor)
    return values.lines(tensor)


def value_rows(name: str | None, lines: list[str]) -> list[Row]:
    title = lines[0] if name is None else f"{name} = {lines[0]}"
    if len(lines) == 1 and len(title) <= WIDEST and not lines[0].startswith("shape"):
        return [Row("title", title)]
    return [*([Row("title", name)] if name else []), *(Row("value", line) for line in lines)]


def _flags(tensor: TensorLike, name: str | None) -> list[str]:
    if not tensor.requires_grad and tensor.is_leaf and name is None:
        return ["constant"]
    dtype = values.dtype_name(tensor)
    dtype_matters = dtype not in ("float32", "int64", "bool") or values.numbers(tensor) is None
    version = getattr(tensor, "_version", 0)  # how often it was edited in place
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
    if len(parts) == 1 and parts[0].text != total.text and equation is None:
        equation = f"{parts[0].text} → {total.text}"
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
