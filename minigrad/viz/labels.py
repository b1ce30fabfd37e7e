"""The text in a box and on an arrow."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from minigrad.viz import values
from minigrad.viz.gradients import Flow, Gradient
from minigrad.viz.modules import Call
from minigrad.viz.picture import Row
from minigrad.viz.protocol import NodeLike, TensorLike, hooks_of, name_of_hook
from minigrad.viz.saved import Saved, read_saved

SYMBOLS = {
    "Add": "+", "Sub": "−", "Mul": "×", "Div": "÷", "Pow": "**",
    "Mm": "@", "Mv": "@", "Dot": "@", "Bmm": "@", "T": "T", "CopySlices": "write through a view",
}  # fmt: skip
"""Operations with a sign that says more than their name."""

WIDEST = 34
"""Characters in the widest line of a box; anything longer is put on its own line, or shortened."""

ELEMENTWISE = {
    "Abs", "Clamp", "Cos", "Div", "Dot", "Exp", "Log", "Mul", "Neg", "Pow", "Reciprocal", "Relu",
    "Rsqrt", "Sigmoid", "Sin", "Sqrt", "Sub", "Tan", "Tanh",
}  # fmt: skip
"""Operations whose gradient is what arrives, times a factor, element by element."""
BROADCASTING = {"Add", "Sub", "Mul", "Div", "Pow", "Maximum", "Minimum", "Where", "Atan2"}
"""Operations that broadcast their inputs, so that the engine sums gradients on their edges."""

SMALLEST = 1e-30
"""Closer to 0 a number may have lost digits, so that a quotient of two is not exact."""

PRE_HOOKS = {"register_prehook": "pre-hook"}
POST_HOOKS = {"register_hook": "post-hook"}
TENSOR_HOOKS = {"register_hook": "tensor hook"}
ACCUMULATE_HOOKS = {"register_post_accumulate_grad_hook": "post-accumulate hook"}
"""What the hooks are called, by the methods that register them."""


def operation_rows(
    node: NodeLike,
    saved: Saved,
    name_of: Callable[[TensorLike], str | None],
    hooks: Sequence[Row] = (),
    since: str = "",
) -> list[Row]:
    """Describe an operation: its sign, the name of its node, its hooks, and what it has saved.

    Saved tensors appear under the caller's names. `since` is the result that added the operation.
    """
    name = type(node).__name__
    rows = [
        Row("title", sign_of(node, saved)),
        Row("node", f"{name} · {since}" if since else name),
        *hooks,
    ]
    wrapped = getattr(node, "inner", None)  # of CopySlices: the operation that wrote
    if wrapped is not None:
        inside = read_saved(wrapped)
        rows.append(Row("node", f"on the part: {sign_of(wrapped, inside)}"))
        saved = Saved(saved.items | inside.items, saved.lost | inside.lost, saved.freed)
    for name, value in saved.tensors().items():
        text = name_of(value) or values.short(value)
        rows.append(Row("saved", f"saved {name} = {text}"))
    return [*rows, *_loss_rows(saved)]


def _loss_rows(saved: Saved) -> list[Row]:
    """Say which saved tensors cannot be read anymore, and why."""
    rows = [Row("wrong", f"✗ saved {name}: {why}") for name, why in saved.lost.items()]
    return [*rows, Row("gone", "saved tensors: freed")] if saved.freed else rows


def hook_rows(thing: NodeLike | TensorLike, kinds: Mapping[str, str]) -> list[Row]:
    """Name the hooks of a node or a tensor; `kinds` are the methods that register them."""
    found = {
        kind: list(map(name_of_hook, hooks_of(thing, register).values()))
        for register, kind in kinds.items()
    }
    return [Row("hook", _hooks_text(kind, hooks)) for kind, hooks in found.items() if hooks]


def _hooks_text(kind: str, hooks: list[str]) -> str:
    """Name the hooks and their kind, unless the names begin with the kind."""
    says_it = all(name.startswith(kind.removesuffix(" hook")) for name in hooks)
    return ", ".join(hooks) if says_it else f"{kind}: {', '.join(hooks)}"


def result_hook_rows(node: NodeLike, results: Mapping[int, TensorLike]) -> list[Row]:
    """Name the tensor hooks on the results of `node`, which the node keeps.

    minigrad's nodes show them; PyTorch's do not, so there we ask the tensors that are still alive.
    """
    kept: Mapping[int, Mapping[int, object]] | None = getattr(node, "_tensor_hooks", None)
    if kept is None:
        return [row for each in results.values() for row in hook_rows(each, TENSOR_HOOKS)]
    names = [name_of_hook(hook) for hooks in kept.values() for hook in hooks.values()]
    return [Row("hook", _hooks_text("tensor hook", names))] if names else []


def call_rows(call: Call, title: str, flow: Flow) -> list[Row]:
    """Describe the call of a module: its class, its operations, and the parameters that it used."""
    kinds = [type(node).__name__ for node in call.operations]
    recorded = ", ".join(kinds) if len(kinds) < 3 else f"{len(kinds)} operations"
    rows = [Row("title", title), Row("value", call.kind), Row("node", recorded)]
    for name, parameter in call.parameters.items():
        rows.append(_parameter_row(name, parameter, flow.leaves.get(id(parameter))))
    losses = [row for node in call.operations for row in _loss_rows(read_saved(node))]
    return [*rows, *dict.fromkeys(losses)]


def _parameter_row(name: str, parameter: TensorLike, arriving: Gradient | None) -> Row:
    """Say which gradient a parameter gets or has, or that it has one if it is large."""
    if values.numbers(parameter) is not None:
        grad = f"adds {arriving.text}" if arriving else f"grad = {values.grad_of(parameter)}"
    elif arriving:
        grad = "gets a gradient"
    else:
        grad = "grad = None" if parameter.grad is None else "has a gradient"
    return Row("gradient", f"{name} {tuple(parameter.shape)} · {grad}")


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

    Whether it is a leaf, and requires grad, is left to the colour and frame of the box. Without its
    value a tensor is its name and shape.
    """
    lines = values.lines(tensor) if with_value else [f"shape {tuple(tensor.shape)}"]
    rows = value_rows(name, lines)
    if (name or tensor.requires_grad) and (flags := _flags(tensor)):
        rows.append(Row("flags", " · ".join(flags)))
    rows.extend(flow_rows)
    keeps_grad = tensor.is_leaf and tensor.requires_grad
    if keeps_grad or getattr(tensor, "retains_grad", False):
        rows.append(Row("gradient", f"grad = {values.grad_of(tensor)}"))
    return rows


def value_rows(name: str | None, lines: list[str]) -> list[Row]:
    title = lines[0] if name is None else f"{name} = {lines[0]}"
    if len(lines) == 1 and len(title) <= WIDEST and not lines[0].startswith("shape"):
        return [Row("title", title)]
    return [*([Row("title", name)] if name else []), *(Row("value", line) for line in lines)]


def _flags(tensor: TensorLike) -> list[str]:
    dtype = values.dtype_name(tensor)
    version = getattr(tensor, "_version", 0)  # counts edits in place
    if type(tensor).__name__ == "Parameter":
        version = 0  # filling it with initial values counted as an edit
    return [
        *(["retains_grad"] if getattr(tensor, "retains_grad", False) else []),
        *([dtype] if dtype not in ("float32", "bool") else []),
        *([f"version {version}"] if version else []),
    ]


def misfit_rows(node: NodeLike, arriving: Sequence[Gradient | None]) -> list[Row]:
    """Say which gradients do not have the shape of the output that they belong to.

    The library's engine never sends such a gradient. A draft may, and its nodes know their shapes.
    """
    rows = []
    for grad, output in zip(arriving, getattr(node, "_meta", ()), strict=False):
        if grad is None or output is None:  # a Function may return something else than a tensor
            continue
        shape = tuple(output[0])
        if grad.shape != shape:
            rows.append(Row("wrong", f"✗ receives {grad.shape}, its output is {shape}"))
    return rows


def passed_gradient(
    node: NodeLike,
    saved: Saved,
    slot: int,
    arriving: Sequence[Gradient | None],
    part: Gradient | None,
) -> str:
    """Write the gradient that `node` passes to input number `slot`, and why: `0.008 × 75 = 0.6`.

    Backward is linear in the gradient that arrives, so the quotient of two numbers is the local
    derivative, also for each element of an elementwise operation. A factor that is not certain is
    left out. If the input was broadcast, a second line shows the sum that the engine takes on the
    edge, after the node's rule: `sum over dim 0: (3,) → () = 29`.
    """
    came = arriving[0] if len(arriving) == 1 else None
    if part is None or came is None:
        return "None" if part is None else part.text
    name = type(node).__name__.partition("Backward")[0]
    if name in BROADCASTING and came.shape != part.shape:
        return _broadcast(name, saved, slot, came, part)
    how = ""
    if came.numbers is None or part.numbers is None:
        return part.text
    if not came.shape or (came.shape == part.shape and name in ELEMENTWISE):
        factor = _factor(came, part)
        how = f"{came.text} × {factor}" if factor not in ("", "1") else ""
    return f"{how} = {part.text}" if how and len(how) <= WIDEST else part.text


def _broadcast(name: str, saved: Saved, slot: int, came: Gradient, part: Gradient) -> str:
    """Write what the rule gives for an input that was broadcast, if that is known, and its sum."""
    new = len(came.shape) - len(part.shape)
    kept = [1] * new + list(part.shape)
    dims = [n for n, size in enumerate(came.shape) if n < new or (kept[n] == 1 and size != 1)]
    over = f"dim {dims[0]}" if len(dims) == 1 else f"dims {', '.join(map(str, dims))}"
    total = f" = {part.text}" if part.numbers is not None else ""
    line = f"sum over {over}: {came.shape} → {part.shape}{total}"
    if came.numbers is None or part.numbers is None:
        return line
    arrived = np.reshape(came.numbers, came.shape)
    rule, product = "", arrived
    other = saved.tensors().get("self" if slot else "other") if name == "Mul" else None
    if name == "Add":
        rule = came.text
    elif other is not None and tuple(other.shape) == came.shape:
        product = arrived * np.reshape(values.numbers(other) or (), came.shape)
        rule = f"{came.text} × {values.short(other)} = {values.short(product)}"
    summed = np.sum(product, axis=tuple(dims)).ravel()
    certain = np.isfinite(product).all() and np.allclose(summed, part.numbers, 1e-4, 1e-12)
    return f"{rule}\n{line}" if rule and certain else line


def _factor(came: Gradient, part: Gradient) -> str:
    """Divide `part` by the gradient that came; "" if that is not finite, or shows rounding."""
    divisors, products = np.array(came.numbers), np.array(part.numbers)
    lossy = (abs(divisors) < SMALLEST) | ((products != 0) & (abs(products) < SMALLEST))
    if lossy.any() or not (products.size and came.precise and part.precise):
        return ""
    with np.errstate(all="ignore"):
        factors = products / divisors
    if not (np.isfinite(divisors).all() and np.isfinite(factors).all()):
        return ""
    alike = came.shape == part.shape and len(set(map(values.number, factors.tolist()))) == 1
    return values.short(factors[0] if alike else factors.reshape(part.shape))


def sum_of(parts: Sequence[Gradient], total: Gradient) -> str:
    """Write a gradient as the sum of the `parts` that met: `0.6 + 1 = 1.6`.

    If a hook or a hidden operation changed it, the parts do not add up, so `=` becomes `→`.
    """
    equation = _equation(parts, total)
    if len(parts) == 1 and parts[0].text != total.text and equation is None:
        equation = f"{parts[0].text} → {total.text}"
    if equation is not None and len(equation) <= WIDEST:
        return equation
    return total.text if len(parts) < 2 else f"{total.text} (sum of {len(parts)})"


def _equation(parts: Sequence[Gradient], total: Gradient) -> str | None:
    if total.numbers and not total.shape and all(part.numbers is not None for part in parts):
        terms = [term for part in parts for term in part.numbers or ()]
        if len(terms) < 2:
            return None
        equal = np.isclose(sum(terms), total.numbers[0], rtol=1e-4, atol=1e-12, equal_nan=True)
        text = " + ".join(map(values.number, terms)).replace("+ −", "− ")
        return f"{text} {'=' if equal else '→'} {total.text}"
    if len(parts) < 2:
        return None
    return f"{' + '.join(part.text for part in parts)} = {total.text}"
