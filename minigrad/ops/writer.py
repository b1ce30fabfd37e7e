"""From a row of the table to Python text: the function, and the backward of its node.

The text is what one would write by hand for this one operation: no loop over inputs, no call that
could be a line. What is usual is checked in a few nanoseconds; what is not (numbers, mixed dtypes,
subclasses) goes to functions in `minigrad.ops.runtime`.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable
from typing import Any

from ..node import Node
from ..saved_hooks import SavedTensor
from .runtime import saved_attribute
from .table import DESCRIBED, TENSORS, Row, flatten, rename


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def function(row: Row) -> str:
    """The operation itself: compute, wrap, and record if an input requires grad."""
    lines = ["cls = Tensor", *unwrap(row), *compute(row)]
    if row.gives != "same":
        lines += [f"kind = {'BOOL' if row.gives == 'bool' else 'BY_NUMBER[result.dtype.num]'}"]
    lines += [
        "out = new(Tensor)",
        "out._data = result",
        "out.dtype = kind",
        f"out._requires_grad = {'self._requires_grad' if row.view else 'False'}",
        "out._edge = out._grad = out._counter = out._accumulator = out._view = out._hooks = None",
    ]
    if row.view:
        others = "".join(f"{param}, " for param in row.params if param != "self")
        lines += [f"track_view(out, self, {row.name}_view, ({others}))"]
    done = "return out if cls is Tensor else out.as_subclass(cls)"
    lines += ["if grad_mode.threads_off and grad_mode.leave_out(out):", f"    {done}"]
    for param in row.rules:
        lines += [
            f"if {param}._view is not None:",
            f"    {param}._view.refresh({param})",
            f"{param}_edge = {param}._edge",
            f"if {param}_edge is None and {param}._requires_grad:",
            f"    known = {param}._accumulator",
            f"    {param}_edge = (known and known()) or leaf_edge({param})",
        ]
    if row.rules:
        lines += [
            f"if {' and '.join(f'{param}_edge is None' for param in row.rules)}:",
            f"    {done}",
            *record(row),
            "out._edge = node",
            "out._requires_grad = True",
            "if watching.active:",
            "    watching.recorded(node)",
        ]
    text = "\n".join([f"def {row.name}({row.signature}):", *indent([*lines, done])]) + "\n"
    if "input" in row.params:
        return text
    return re.sub(r"\bself\b", "input", text)  # as PyTorch's functions name it: exp(input=x)


def unwrap(row: Row) -> list[str]:
    """From tensors to arrays of one dtype; `cls` becomes the class of the result."""
    if row.promote and len(row.tensors) > 1:
        a, b = row.tensors[-2:]
        floating = f" and {a}.dtype.is_floating_point" if row.promote == "float" else ""
        lines = []
        for param in row.tensors[:-2]:
            lines += [*take(row, param), f"{param}_data = {param}._data"]
        return [
            *lines,
            (
                f"if {a}.__class__ is Tensor and {b}.__class__ is Tensor and {a}.dtype is"
                f" {b}.dtype{floating}:"
            ),
            f"    {a}_data, {b}_data, kind = {a}._data, {b}._data, {a}.dtype",
            (
                f"elif {b}.__class__ in (float, int) and {a}.__class__ is Tensor and"
                f" {a}.dtype.is_floating_point:"
            ),
            f"    {a}_data, {b}_data, kind, {b} = {a}._data, {b}, {a}.dtype, NUMBER",
            "else:",
            f"    found = operands({row.public!r}, {a}, {b}, {row.promote!r}, cls)",
            "    if found is None:",
            "        return NotImplemented",
            f"    {a}, {b}, {a}_data, {b}_data, kind, cls = found",
        ]
    lines = []
    for param in row.tensors:
        data = "as_array(self)" if row.view else f"{param}._data"
        lines += [*take(row, param), f"{param}_data = {data}"]
    first = row.tensors[0]
    lines += [f"kind = {first}.dtype"]
    if row.promote == "float":
        lines += [
            "if not kind.is_floating_point:",
            f"    {first}_data, kind = {first}_data.astype(FLOAT.numpy), FLOAT",
        ]
    return lines


def take(row: Row, param: str) -> list[str]:
    position = row.tensors.index(param) + 1
    return [
        f"if {param}.__class__ is not Tensor:",
        f"    cls = argument({row.public!r}, {param!r}, {position}, {param}, cls)",
    ]


def compute(row: Row) -> list[str]:
    """The result, computed on arrays; where NumPy refuses, PyTorch's error."""
    arrays = {param: f"{param}_data" for param in row.tensors}
    if callable(row.forward):
        arguments = ", ".join(arrays.get(param, param) for param in row.params)
        return [f"result = {row.name}_kernel({arguments})"]
    lines = [f"result = {rename(row.forward, arrays)}"]
    a, b = arrays[row.tensors[0]], "None"
    if row.promote and len(row.tensors) > 1:
        a, b = (arrays[param] for param in row.tensors[-2:])
    return [
        "try:",
        *indent(lines),
        "except (TypeError, ValueError) as error:",
        f"    raise refusal({row.name!r}, {a}, {b}) or error from None",
    ]


def record(row: Row) -> list[str]:
    """Make the node, and save what the gradients that are wanted will need."""
    lines = [
        f"node = {row.name}_node()",
        "node.seq = next_sequence_number()",
        *(f"node.{param}_edge = {param}_edge" for param in row.rules),
        "node.extra = None",
        (
            "node.meta = result.__class__ if result.__class__ is not ndarray else (result.shape,"
            " result.dtype)"
        ),
    ]
    for name, users in row.saved.items():
        save = [f"node.saved_{name} = {value_to_save(row, name)}"]
        if name in row.saved_tensors:
            tensor = "out" if name == "result" else name
            save += [
                f"counter = {tensor}._counter",
                "if counter is None:",
                f"    counter = {tensor}._counter = [0]",
                f"node.counter_{name} = counter",
                f"node.version_{name} = counter[0]",
            ]
        lines += when_wanted(row, users, save)
    return lines


def value_to_save(row: Row, name: str) -> str:
    """The array of a tensor; for `self_shape` the shape of an array; any other value as it is."""
    if name in row.tensors:
        return f"{name}_data"
    for ending in DESCRIBED:
        if name.endswith(ending):
            return f"{name.removesuffix(ending)}_data.{ending[1:]}"
    return name


def when_wanted(row: Row, users: list[str], lines: list[str]) -> list[str]:
    """`lines`, under an `if` where not every gradient needs them."""
    if len(users) == len(row.rules):
        return lines
    return [f"if {' or '.join(f'{param}_edge is not None' for param in users)}:", *indent(lines)]


def backward(row: Row, graph: bool = False) -> str:
    """The node's backward: from the gradient of the result to those of the inputs."""
    several = len(row.rules) > 1
    edges = {param: f"node.{param}_edge" for param in row.rules}
    lines = [f"{param}_edge = {edge}" for param, edge in edges.items()] if several else []
    for name, users in row.saved.items():
        load = [f"{name} = node.saved_{name}"]
        if name in [*row.saved_tensors, *row.arrays]:
            load += [f"if {name} is FREED:", "    raise freed_graph()"]
        if name in row.saved_tensors:
            load += [
                f"if node.counter_{name}[0] != node.version_{name}:",
                f"    raise modified(node, {name!r})",
            ]
        if name in row.saved_tensors and graph:
            load += [f"{name} = in_graph({name}, node.counter_{name}, {edge_of(row, name)})"]
        lines += when_wanted(row, users, load)
    for param, rule in row.rules.items():
        gradient = with_numbers(row, rule) if graph else flatten(rule)
        if several:
            gradient = f"({gradient}) if {param}_edge is not None else None"
        lines += [f"{param}_grad = {gradient}"]
    for name in [*row.saved_tensors, *row.arrays]:
        lines += when_wanted(
            row, row.saved[name], ["if not keep:", f"    node.saved_{name} = FREED"]
        )
    sent = (
        f"{param}_edge, {param}_grad" if several else f"{edges[param]}, {param}_grad"
        for param in row.rules
    )
    lines += [f"return {', '.join(sent)}"]
    name = "backward_graph" if graph else "backward"
    return "\n".join([f"def {name}(node, grad, keep):", *indent(lines)]) + "\n"


def edge_of(row: Row, name: str) -> str:
    """Where a saved tensor came from: this node itself, one of its edges, or nowhere."""
    if name == "result":
        return "node"
    if name not in row.rules:
        return "None"
    return f"{name}_edge" if len(row.rules) > 1 else f"node.{name}_edge"


NAMES = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div"}


def with_numbers(row: Row, rule: str) -> str:
    """`rule` with PyTorch's functions for arithmetic of a tensor with a number: `2 * x` is
    `mul_number(x, 2)`. What comes second to a number cannot change places: it is `sub(1, x)`.
    """

    class Arithmetic(ast.NodeTransformer):
        def visit_BinOp(self, part: ast.BinOp) -> ast.expr:
            self.generic_visit(part)
            name = NAMES.get(type(part.op))
            left, right = is_number(row, part.left), is_number(row, part.right)
            if name is None or left == right:
                return part
            first, second = part.left, part.right
            if left and name in ("add", "mul"):
                first, second = second, first
            called = name if left and name in ("sub", "div") else f"{name}_number"
            return ast.Call(ast.Name(called), [first, second], [])

    return ast.unparse(Arithmetic().visit(ast.parse(flatten(rule), mode="eval")))


def is_number(row: Row, part: ast.expr) -> bool:
    """Whether a part of a rule is a number, by what it says: constants, parameters that take no
    tensor, and calls of functions that are annotated to return one.
    """
    if isinstance(part, ast.BinOp):
        return is_number(row, part.left) and is_number(row, part.right)
    if isinstance(part, ast.UnaryOp):
        return is_number(row, part.operand)
    if isinstance(part, ast.Name):
        return part.id in row.params and part.id not in row.tensors
    if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
        function = TENSORS.get(part.func.id)
        return getattr(function, "__annotations__", {}).get("return") in ("int", "float")
    return isinstance(part, ast.Constant)


def node_class(
    row: Row, backward: Callable[..., Any], backward_graph: Callable[..., Any]
) -> type[Node]:
    """The class that `grad_fn` shows, with a slot and a `_saved_…` attribute for each value."""
    inputs = list(row.rules)
    attributes: dict[str, Any] = {
        "__module__": "builtins",
        "__slots__": [
            *(f"{name}_edge" for name in inputs),
            *(f"saved_{name}" for name in row.saved),
            *(f"{kind}_{name}" for kind in ("counter", "version") for name in row.saved_tensors),
        ],
        "saved": {
            name: inputs.index(name) if name in inputs else "output" if name == "result" else None
            for name in row.saved_tensors
        },
        # By attrgetter it would be shorter, but that gives no tuple for a single edge.
        "next": property(
            eval(f"lambda node: ({''.join(f'node.{name}_edge, ' for name in inputs)})")
        ),
        "is_view": row.view,
        "backward": backward,
        "backward_graph": backward_graph,
        **{f"_saved_{name}": value for name, value in row.shown.items()},
    }
    for name in row.saved:
        if name.endswith("_strides"):
            continue  # in bytes, which PyTorch never shows
        shown = re.sub("_shape$", "_sym_sizes", name)  # as PyTorch calls the shape of an input
        attributes[f"_saved_{shown}"] = property(functools.partial(saved_attribute, name=name))
    for name in row.saved_tensors:
        attributes[f"_raw_saved_{name}"] = property(functools.partial(SavedTensor, name=name))
    namespace, _, short = row.node.rpartition("::")
    if namespace:
        attributes["name"] = lambda node: row.node
    return type(short, (Node,), attributes)
