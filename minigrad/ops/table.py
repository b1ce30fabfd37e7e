"""How an operation is declared.

A row of the table reads like PyTorch's `derivatives.yaml`: the signature, the computation, and for
every input that has a derivative the expression of its gradient:

    mul = op("mul(self, other)", "self * other", self="grad * other", other="grad * self")
    exp = op("exp(self)", "np.exp(self)", self="grad * result")

In an expression, `grad` is the gradient of the result and the other names are inputs, or `result`.
Those names say what backward needs, so that and no more is saved; of `self.shape` only the shape.
Functions in an expression are other rows of the table. Expressions never mention broadcasting: the
engine reduces a gradient to the shape of the input it belongs to.

From a row, `minigrad.ops.writer` writes the Python that one would have written by hand: the
function that computes and records, and a node class whose `backward` evaluates the expressions.
`print(source(mul))` shows it. It is written when the operation is called for the first time, so
that a hundred rows cost nothing at import: until then the function is a stub, and the first call
replaces its `__code__`, whoever holds it.

The gradients are compiled twice, as `backward` with the names of the table bound to NumPy kernels,
and as `backward_graph` with the same names bound to operations on tensors. The second makes a graph
of the gradient, so second derivatives need no second rule.

Source of the form: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import ast
import functools
import linecache
import re
import threading
import types
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..tensor import Tensor

# What written code sees: in ARRAYS the name of an operation means its kernel, in TENSORS the
# operation itself.
ARRAYS: dict[str, Any] = {"__name__": "minigrad.ops.written"}
TENSORS: dict[str, Any] = {"__name__": "minigrad.ops.written"}
ROWS: dict[str, Row] = {}
DESCRIBED = ("_shape", "_ndim", "_strides")  # what a rule may name of a tensor without saving it

_writing = threading.RLock()


class Row:
    """One operation of the table.

    Args:
        signature: as in a `def`; a parameter that takes a tensor without having a derivative is
            annotated `: Tensor`. Without any of these the first parameter takes the tensor. One
            that takes a tuple of index arrays is annotated `: Arrays`.
        forward: the computation: an expression over the parameters, or a function, of arrays.
        node: the name of the node class, if not the operation's with `Backward0`.
        promote: "any" brings operands of different dtype, and numbers, to one dtype first; "float"
            makes integers floating point as well, as division and sqrt do; "number" refuses bools.
        gives: the dtype of the result: "same" as the operands', "bool", or as the "kernel" has it.
        shown: name → what `_saved_<name>` of the node shows, where that is always the same.
        view: the result shares the memory of the first parameter.
        rules: for a parameter, the expression of its gradient.

    Attributes, beside these:
        name: of the function.
        params: its parameters, in order.
        tensors: those of them that take tensors: the ones with a rule or marked `: Tensor`.
        arrays: those marked `: Arrays`, which backward lets go of as well.
        source: the text written for it; empty before the first call.
        function: what users call.
    """

    def __init__(
        self,
        signature: str,
        forward: str | Callable[..., Any],
        /,
        *,
        node: str | None = None,
        promote: str = "",
        gives: str = "same",
        shown: Mapping[str, Any] | None = None,
        view: bool = False,
        **rules: str,
    ) -> None:
        self.name, _, inside = signature.rstrip(")").partition("(")
        # Without regular expressions, which take longer than all the rest of a row.
        self.signature = inside.replace(": Tensor", "").replace(": Arrays", "")
        described = [part for part in inside.split(", ") if part != "*"]
        named = [(part.partition(":")[0].partition("=")[0], part) for part in described]
        self.params = [name for name, _ in named]
        self.tensors = [name for name, part in named if name in rules or ": Tensor" in part]
        self.tensors = self.tensors or ["self"]
        self.arrays = [name for name, part in named if ": Arrays" in part]
        self.forward, self.rules = forward, rules
        self.promote, self.gives, self.view = promote, gives, view
        self.shown = dict(shown or {})
        self.node = node or "".join(part.title() for part in self.name.split("_")) + "Backward0"
        self.source = ""
        self.function: Any = None

    @property
    def public(self) -> str:
        """The name that users know: `sum`, behind which stand the rows sum_all and sum_dim."""
        return re.sub("_(all|dim|number|tensor|to|as_shape|scaled)$", "", self.name)

    @functools.cached_property
    def saved(self) -> dict[str, list[str]]:
        """What backward needs → the parameters whose gradient needs it."""
        users: dict[str, list[str]] = {}
        for param, rule in self.rules.items():
            for name in names_in(rule):
                if name in self.params or name == "result" or name.endswith(DESCRIBED):
                    users.setdefault(name, []).append(param)
        return users

    @property
    def saved_tensors(self) -> list[str]:
        """The names in `saved` that stand for tensors."""
        return [name for name in self.saved if name in self.tensors or name == "result"]

    def kernel(self) -> Callable[..., Any]:
        """The computation alone, a function of arrays."""
        if callable(self.forward):
            return self.forward
        kernel: Callable[..., Any] = eval(f"lambda {self.signature}: {self.forward}", ARRAYS)
        return kernel


def op(signature: str, forward: str | Callable[..., Any], /, **more: Any) -> Callable[..., Tensor]:
    """Declare an operation, with the arguments of `Row`; returns what computes and records it."""
    row = Row(signature, forward, **more)
    function = types.FunctionType(_stub.__code__, ARRAYS, row.name)
    function.__kwdefaults__ = {"_row": row}
    function.__module__, function.__qualname__ = "minigrad", row.name
    function.row = row  # type: ignore[attr-defined]
    row.function = TENSORS[row.name] = function
    ROWS[row.name] = row
    return function


def _stub(*args: Any, _row: Row, **kwargs: Any) -> Any:
    return first_call(_row, args, kwargs)


def first_call(row: Row, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Write the operation, put its code in the stub's place, and call it."""
    write(row)
    return row.function(*args, **kwargs)


ARRAYS["first_call"] = first_call


def source(function: Callable[..., Any]) -> str:
    """The Python that was written for an operation: its function, and the backward of its node."""
    row = row_of(function)
    write(row)
    return row.source


def row_of(function: Callable[..., Any]) -> Row:
    """The row of the table that an operation was made from."""
    row = getattr(function, "row", None)
    assert isinstance(row, Row)
    return row


def write(row: Row) -> None:
    """Compile what the row declares: the node class, if it has a derivative, and the function."""
    from . import writer

    with _writing:
        if row.source:
            return
        for name in operations_in(row):
            ARRAYS.setdefault(name, ROWS[name].kernel())
        parts = [writer.function(row)]
        if row.rules:
            parts += [writer.backward(row), writer.backward(row, graph=True)]
            ARRAYS[f"{row.name}_node"] = writer.node_class(
                row,
                evaluate(parts[1], "backward", ARRAYS),
                evaluate(parts[2], "backward_graph", TENSORS),
            )
        if callable(row.forward):
            ARRAYS[f"{row.name}_kernel"] = row.forward
        if row.view:
            ARRAYS[f"{row.name}_view"] = row.function
        made = evaluate(parts[0], row.name, ARRAYS)
        row.function.__defaults__ = made.__defaults__
        # Another thread may be about to call the stub, which needs `_row` to the end.
        row.function.__kwdefaults__ = {**(made.__kwdefaults__ or {}), "_row": row}
        row.function.__code__ = made.__code__
        row.source = "\n\n".join(parts)


def evaluate(text: str, name: str, names: dict[str, Any]) -> Any:
    """The function `name` that `text` defines, with `names` as globals; tracebacks show it."""
    filename = f"<written by minigrad: {name} {len(linecache.cache)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    made: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), names, made)
    return made[name]


def names_in(expression: str) -> list[str]:
    """The names in an expression, each once; `self.shape` counts as the name `self_shape`."""
    tree = ast.parse(flatten(expression), mode="eval")
    names = [part for part in ast.walk(tree) if isinstance(part, ast.Name)]
    own = {part.id for part in names if isinstance(part.ctx, ast.Store)}  # (square := x * x)
    return list(dict.fromkeys(part.id for part in names if part.id not in own))


def flatten(expression: str) -> str:
    """`expression` with `x.shape` written as the name `x_shape`: of `x` no more is needed."""
    return re.sub(r"\b(\w+)\.(shape|ndim|strides)\b", r"\1_\2", expression)


def rename(expression: str, names: dict[str, str]) -> str:
    """`expression` with other names for some variables."""
    tree = ast.parse(expression, mode="eval")
    for part in ast.walk(tree):
        if isinstance(part, ast.Name):
            part.id = names.get(part.id, part.id)
    return ast.unparse(tree)


def operations_in(row: Row) -> list[str]:
    """The operations of the table that the row's expressions call."""
    expressions = [*row.rules.values(), *([row.forward] if isinstance(row.forward, str) else [])]
    return [n for e in expressions for n in names_in(e) if n in ROWS and n not in row.params]
