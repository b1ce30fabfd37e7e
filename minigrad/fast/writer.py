"""Generates Python code from a row of the table: its function, and the backward of its node.

The code is what you would write by hand for this one operation, without a loop over its inputs and
without calls that can be inlined. It takes a few nanoseconds to check for the common case, and
otherwise calls `plain`, the row itself. Objects that only this row needs are in `Text.names`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..core.operation import Operation
from . import sources
from .arrays import NotOnArraysError, on_arrays

# Ufuncs as operators, which are many times faster on NumPy scalars.
OPERATORS = {
    np.add: "{} + {}", np.subtract: "{} - {}", np.multiply: "{} * {}", np.divide: "{} / {}",
    np.negative: "-{}", np.equal: "{} == {}", np.not_equal: "{} != {}", np.less: "{} < {}",
    np.less_equal: "{} <= {}", np.greater: "{} > {}", np.greater_equal: "{} >= {}",
    np.bitwise_and: "{} & {}", np.bitwise_or: "{} | {}", np.bitwise_xor: "{} ^ {}",
}  # fmt: skip


class Text:
    """The generated code of a row, and the globals that it needs.

    Args:
        row: the row.
        rules: input → a faster rule for its gradient, on arrays; may be empty.

    Attributes:
        names: the globals of the function, in addition to those of all generated code.
        run_names, graph_names: the same for `run` and `run_graph`.
        saved: saved value → the inputs whose gradients need it.
    """

    def __init__(self, row: Operation, rules: Mapping[str, Callable[..., Any]]) -> None:
        self.row, self.kernel, self.faster_rules = row, row.kernel, rules
        self.names: dict[str, Any] = {}
        self.run_names: dict[str, Any] = {}
        self.graph_names: dict[str, Any] = {}
        self.saved = {
            need: [name for name in row.rules if need in row.needs[name]]
            for need in row.names_to_save(*row.rules)
        }

    # The operation itself

    def function(self) -> str:
        """The function: it computes, wraps, and records if an input requires grad."""
        row = self.row
        plain = f"return plain({', '.join(row.inputs)})"
        if row.node_name.endswith("NotImplemented"):  # the placeholder of a missing derivative
            return "\n".join([f"def {row.name}({self.signature()}):", *indent([plain])])
        refused = ["if out is not None:", f"    raise no_out('{row.name}')"]
        lines = [
            *refused * row.refuses_out,
            "if observers.active and watched():",
            f"    {plain}",
            *self.unwrap(plain),
            *self.compute(plain),
        ]
        lines += ["out = new(Tensor)", "out._data = result", f"out.dtype = {self.dtype()}"]
        if row.view:
            lines += [f"track_view(out, {row.inputs[0]})"]
        else:
            lines += ["out._view = None"]
        seen = f"observers.made({row.name!r}, ({', '.join(row.inputs)},), out)"
        lines += ["if observers.results:", f"    out = {seen}"]
        if row.rules:
            lines += ["if no_grad_threads and not mode.recording:", "    return out"]
            operands = row.tensors[-2:] if row.promote and len(row.tensors) > 1 else []
            for name in row.rules:
                lines += edge_lines(name, name in operands[1:], self.fall_back(plain))
            nowhere = " and ".join(f"{name}_edge is None" for name in row.rules)
            lines += [f"if {nowhere}:", "    return out", *self.record()]
        return "\n".join([f"def {row.name}({self.signature()}):", *indent([*lines, "return out"])])

    def dtype(self) -> str:
        """The expression for the dtype of the result, which most ufuncs fix in advance."""
        if isinstance(self.kernel, np.ufunc):
            if not {"f->?", "ff->?"}.isdisjoint(self.kernel.types):
                return "BOOL"
            if self.row.promote == "float" or self.kernel in OPERATORS:
                return "kind"
        return "kind" if self.row.view else "BY_NUMBER[result.dtype.num]"

    def signature(self) -> str:
        """The parameters, with the defaults of the kernel."""
        defaults = list(getattr(self.row.kernel, "__defaults__", None) or ())
        plain = len(self.row.inputs) - len(defaults)
        self.names["defaults"] = defaults
        parameters = [
            name if index < plain else f"{name}=defaults[{index - plain}]"
            for index, name in enumerate(self.row.inputs)
        ]
        return ", ".join([*parameters, *["*", "out=None"] * self.row.refuses_out])

    def unwrap(self, plain: str) -> list[str]:
        """The lines that get arrays of one dtype from the tensors."""
        row = self.row
        operands = row.tensors[-2:] if row.promote and len(row.tensors) > 1 else []
        lines = []
        for name in row.tensors:
            if name not in operands:
                data = f"as_array({name})" if row.view else f"{name}._data"
                unknown = f"if {name}.__class__ is not Tensor and {name}.__class__ not in ORDINARY:"
                lines += [unknown, f"    {plain}", f"{name}_data = {data}"]
        if not operands:
            first = row.tensors[0]
            lines += [f"kind = {first}.dtype"]
            if row.promote == "float":
                lines += ["if not kind.is_floating_point:", f"    {plain}"]
            return lines
        a, b = operands
        floating = f" and {a}.dtype.is_floating_point" if row.promote == "float" else ""
        arrays = f"    {a}_data, {b}_data, kind = {a}._data, {b}._data, {a}.dtype"
        usual = f"{a}.dtype.is_floating_point"
        if row.promote != "float":
            usual = f"({usual} or ({b}.__class__ is int and {a}.dtype is INT64))"
        number = []
        if row.scalar is not None:
            self.names["scalar"] = row.scalar
            number = [
                "    if modes.recorded_backward and rules.running:",
                f"        return scalar({a}, {b})",
            ]
        return [
            *lines,
            f"if {a}.__class__ is Tensor and {b}.__class__ is Tensor and {a}.dtype is"
            f" {b}.dtype{floating}:",
            arrays,
            f"elif {b}.__class__ in (float, int) and {a}.__class__ in ORDINARY and {usual}:",
            *number,
            f"    {a}_data, {b}_data, kind, number, {b} = {a}._data, {b}, {a}.dtype, {b}, NUMBER",
            f"elif {b}.__class__ in WRAPPED and {a}.__class__ in ORDINARY and"
            f" {a}.dtype.is_floating_point:",
            f"    {a}_data, {b}_data, kind, number, {b} ="
            f" {a}._data, {b}.item(), {a}.dtype, {b}, NUMBER",
            f"elif {a}.__class__ in ORDINARY and {b}.__class__ in ORDINARY and {a}.dtype is"
            f" {b}.dtype{floating}:",
            arrays,
            "else:",
            f"    {plain}",
        ]

    def compute(self, plain: str) -> list[str]:
        """The lines that compute the result; if NumPy raises, the row raises PyTorch's error."""
        names = {*self.names}
        result = self.forward()
        called = [value for name, value in self.names.items() if name not in names]
        fall_back = indent(self.fall_back(plain))
        lines = ["try:", f"    result = {result}", "except Exception:", *fall_back]
        if any(each is not np and not isinstance(each, np.ufunc) for each in called):
            # A function warns in the name of its own module, so silence it.
            lines = ["before = set_silence(IGNORE)", *lines, "finally:", "    end_silence(before)"]
        return lines

    def fall_back(self, plain: str) -> list[str]:
        """The lines that fall back to the row, with the number that `NUMBER` replaced."""
        row = self.row
        if not row.promote or len(row.tensors) < 2:
            return [plain]
        b = row.tensors[-1]
        return [f"if {b} is NUMBER:", f"    {b} = number", plain]

    def forward(self) -> str:
        """The expression that computes the result."""
        row, kernel = self.row, self.kernel
        arrays = {name: f"{name}_data" if name in row.tensors else name for name in row.inputs}
        if isinstance(kernel, np.ufunc) and kernel in OPERATORS:
            return OPERATORS[kernel].format(*arrays.values())
        body = sources.lambda_body(kernel)
        if body is not None:
            meanings = {name: global_of(kernel, name) for name in free_names(body, kernel)}
            return rename_variables(body, arrays | self.bind(meanings, self.names))
        self.names["kernel"] = kernel
        return f"kernel({', '.join(arrays.values())})"

    @staticmethod
    def bind(meanings: dict[str, Any], names: dict[str, Any]) -> dict[str, str]:
        """Add these objects to `names`, under a different name if theirs is reserved or in use."""
        given = {}
        for name, value in meanings.items():
            own = name
            while own in RESERVED or names.get(own, value) is not value:
                own += "_"
            names[own] = value
            given[name] = own
        return given

    def record(self) -> list[str]:
        """The lines that create the node and save what the requested gradients need."""
        lines = [
            "node = node_class()",
            "node.order = next_number()",
            *(f"node.{name}_edge = {name}_edge" for name in self.row.rules),
            "node._extra = None",
            "node.like = result.__class__ if result.__class__ is not ndarray else (result.shape,"
            " result.dtype)",
        ]
        for need, users in self.saved.items():
            if need in self.row.tensors:
                save = self.save_tensor(need)
            else:
                save = [f"node.saved_{need} = {self.value_to_save(need)}"]
            if need == "result":
                save += ["out._counter = node.counter_result = [0]", "node.version_result = 0"]
            lines += self.if_needed(users, save)
        return [*lines, "out._node = node", "out._output_nr = 0", "out._requires_grad = True"]

    def save_tensor(self, need: str) -> list[str]:
        """The lines that save a tensor and its version, or the number if `NUMBER` replaced it."""
        lines = [
            f"node.saved_{need} = {need}",
            f"counter = {need}._counter",
            "if counter is None:",
            f"    counter = {need}._counter = [0]",
            f"node.version_{need} = counter[0]",
        ]
        if not self.may_be_number(need):
            return lines
        number = [f"if {need} is NUMBER:", f"    node.saved_{need} = {need}_data"]
        return [*number, "else:", *indent(lines)]

    def may_be_number(self, need: str) -> bool:
        """Whether this operand may be a Python number instead of a tensor."""
        row = self.row
        return bool(row.promote) and len(row.tensors) > 1 and need == row.tensors[-1]

    def value_to_save(self, need: str) -> str:
        """The expression to save: for `self_shape` the shape of the array, else the argument."""
        name, _, fact = need.rpartition("_")
        if fact in self.row.facts and name in self.row.inputs:
            return f"{name}_data.{fact}"
        return need

    def if_needed(self, users: list[str], lines: list[str]) -> list[str]:
        """`lines`, inside an `if` unless the gradients of all inputs need them."""
        if len(users) == len(self.row.rules):
            return lines
        return [f"if {' or '.join(f'{each}_edge is not None' for each in users)}:", *indent(lines)]

    # Its backward

    def backward(self, graph: bool = False) -> str:
        """The node's `run`, on arrays, or with `graph` its `run_graph`, on tensors."""
        row = self.row
        several = len(row.rules) > 1
        edges = {name: f"node.{name}_edge" for name in row.rules}
        lines = [f"{name}_edge = {edge}" for name, edge in edges.items()] if several else []
        freed = [need for need in self.saved if need in row.freed]
        for need, users in self.saved.items():
            load = [f"{need} = node.saved_{need}"]
            if need in freed:
                load += [f"if {need} is FREED:", "    raise freed_graph()"]
            if need == "result":
                load += [
                    "if node.counter_result[0] is not node.version_result:",
                    "    check_saved(node, 'result')",
                    *(["result = result_of(node)"] if graph else []),
                ]
            elif need in row.tensors:
                load += self.unpack(need, graph)
            lines += self.if_needed(users, load)
        for name in sorted(row.rules):
            gradient = self.rule_on_tensors(name) if graph else self.rule(name)
            if several:
                gradient = f"({gradient}) if {name}_edge is not None else None"
            lines += [f"{name}_grad = {gradient}"]
        for need in freed:
            free = ["if not keep:", f"    node.saved_{need} = FREED"]
            lines += self.if_needed(self.saved[need], free)
        ends = {name: f"{name}_edge" if several else edge for name, edge in edges.items()}
        lines += [f"return {', '.join(f'{end}, {name}_grad' for name, end in ends.items())}"]
        head = f"def {'run_graph' if graph else 'run'}(node, grad, keep):"
        return "\n".join([head, *indent(lines)])

    def unpack(self, need: str, graph: bool) -> list[str]:
        """The lines that check a saved tensor's version and, unless `graph`, get its array."""
        lines = [
            f"if {need}._counter[0] is not node.version_{need}:",
            f"    check_saved(node, {need!r})",
            *([] if graph else [f"{need} = {need}._data"]),
        ]
        if not self.may_be_number(need):
            return lines
        return [
            f"if {need}.__class__ is not float and {need}.__class__ is not int:",
            *indent(lines),
            *(["else:", f"    {need} = wrapped({need})"] if graph else []),
        ]

    def rule(self, name: str) -> str:
        """The expression for the gradient of `name`: on arrays unless the rule needs tensors."""
        rule = self.row.rules[name]
        if name in self.faster_rules:
            self.run_names[f"{name}_rule"] = self.faster_rules[name]
            return f"{name}_rule({', '.join(['grad', *self.row.needs[name]])})"
        body = sources.lambda_body(rule)
        if body is not None:
            try:
                known = on_arrays(rule)
            except NotOnArraysError:
                pass
            else:
                meanings = {name: global_of(known, name) for name in free_names(body, rule)}
                return rename_variables(body, self.bind(meanings, self.run_names))
        self.run_names[f"{name}_rule"] = rule
        needs = [
            f"saved_as_tensor({need})" if need in {*self.row.tensors, "result"} else need
            for need in self.row.needs[name]
        ]
        return f"on_tensors({', '.join([f'{name}_rule', 'grad', *needs])})"

    def rule_on_tensors(self, name: str) -> str:
        self.graph_names[f"{name}_rule"] = self.row.rules[name]
        return f"{name}_rule({', '.join(['grad', *self.row.needs[name]])})"


# Names that generated code uses itself.
RESERVED = {
    "BOOL", "BY_NUMBER", "FREED", "IGNORE", "INT64", "NUMBER", "ORDINARY", "Tensor", "WRAPPED",
    "as_array", "saved_as_tensor", "before", "check_saved", "counter", "defaults", "end_silence",
    "refresh_view", "freed_graph", "keep", "kernel", "kind", "known", "leaf_node", "mode", "modes",
    "ndarray", "new", "next_number", "node", "node_class", "number", "on_tensors", "out", "plain",
    "result", "result_of", "rules", "scalar", "observers", "set_silence", "track_view",
    "no_grad_threads", "watched", "wrapped",
}  # fmt: skip


def indent(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def edge_lines(name: str, may_be_number: bool, plain: list[str]) -> list[str]:
    """The lines that inline `core.node.gradient_edge` for the input `name`."""
    if may_be_number:
        lines = edge_lines(name, False, plain)
        return [f"if {name} is NUMBER:", f"    {name}_edge = None", "else:", *indent(lines)]
    return [
        f"if {name}._view is not None and refresh_view({name}._view, {name}):",
        *indent(plain),
        f"{name}_edge = {name}._node",
        f"if {name}_edge is None:",
        f"    if {name}._requires_grad:",
        f"        known = {name}._accumulator",
        f"        {name}_edge = (known and known()) or leaf_node({name})",
        f"elif {name}._output_nr:",
        f"    {name}_edge = {name}_edge, {name}._output_nr",
    ]


def free_names(body: ast.expr, function: Any) -> list[str]:
    """The names in `body` that are neither parameters of `function` nor assigned in it."""
    parts = [part for part in ast.walk(body) if isinstance(part, ast.Name)]
    own = {part.id for part in parts if isinstance(part.ctx, ast.Store)}  # (gate := sigmoid(x))
    own |= {part.arg for part in ast.walk(body) if isinstance(part, ast.arg)}
    own |= {*function.__code__.co_varnames}
    return list(dict.fromkeys(part.id for part in parts if part.id not in own))


def global_of(function: Any, name: str) -> Any:
    """The value of a global name in `function`."""
    names = function.__globals__
    return names[name] if name in names else __builtins__[name]  # type: ignore[index]


def rename_variables(body: ast.expr, names: dict[str, str]) -> str:
    """The text of an expression, with its variables renamed by `names`."""
    for part in ast.walk(body):
        if isinstance(part, ast.Name):
            part.id = names.get(part.id, part.id)
    return ast.unparse(body)
