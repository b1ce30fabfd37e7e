"""Operations as generated code, which replaces `Operation.__call__`.

A row's function is generated when it is first called, since generating all of them at import would
take 0.2 s. Until then it is a stub. The first call replaces the `__code__` of the stub, so every
reference to it runs the new code. (A stub that called the generated function would add 2 % to the
time of each operation, and a frame to each traceback.) `print(source(mul))` shows the code.
"""

from __future__ import annotations

import itertools
import linecache
import threading
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.grad_mode import mode, set_mode
from ..core.node import FREED, sequence_numbers
from ..core.operation import Operation
from ..core.tensor import Tensor, as_array, new_tensor
from ..rows.operands import ABSENT, PYTHONS_NUMBERS, Absent, wrapped
from ..rows.row import rules
from ..rows.silence import IGNORE, SETTINGS
from ..support import dtypes, errors, observers
from . import arrays, modes
from .leaves import leaf_node
from .nodes import GeneratedNode, check_saved, result_of
from .views import refresh_view, track_view

Function = Callable[..., Any]

# Replaces an operand that is a Python number: it does not require grad and never changes.
NUMBER = new_tensor(np.float32(0))
NUMBER._counter, NUMBER._view, NUMBER._node, NUMBER._requires_grad = [0], None, None, False
# The same goes for the operand that replaces an omitted tensor.
for _name, _blank in {"_counter": [0], "_view": None, "_node": None, "dtype": None}.items():
    setattr(Absent, _name, _blank)
ORDINARY: set[Any] = {Tensor, Absent}  # classes whose results are plain Tensors; Parameter is added

_generating = threading.RLock()
_numbers = itertools.count()


def operation(row: Operation, function: Function) -> Function:
    """The stub that `core.operation.op` returns instead of `function`, which calls the row."""
    stub = types.FunctionType(_stub.__code__, {"__name__": GENERATED_GLOBALS["__name__"]}, row.name)
    stub.__kwdefaults__ = {"_row": row, "_first_call": first_call, "out": None}
    stub.__module__, stub.__qualname__ = function.__module__, function.__qualname__
    stub.__dict__.update(function.__dict__)  # the row, and the signature
    row.function, row.plain, row.source = stub, function, ""  # type: ignore[attr-defined]
    return stub


def _stub(*args: Any, _row: Any, _first_call: Any, **kwargs: Any) -> Any:
    return _first_call(_row, args, kwargs)


def first_call(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Generate the operation, replace the code of the stub, and call it."""
    if modes.switched_off:
        return row.plain(*args, **kwargs)
    generate(row)
    return row.function(*args, **kwargs)


def source(function: Function) -> str:
    """The Python code generated for an operation: its function, and the backward of its node.

    TypeError for a function that is not a row of the table. Such a function is plain Python, and
    may call several rows.
    """
    row: Any = getattr(function, "row", None)
    if row is None:
        raise TypeError(f"{function!r} is no row of the table, so nothing was written for it")
    generate(row)
    return row.source  # type: ignore[no-any-return]


def generate(row: Any) -> None:
    """Generate and compile the function of a row, and its node class if it has a derivative."""
    from . import kernels, writer  # noqa: F401 - kernels fill the tables of `arrays`

    with _generating:
        if row.source:
            return
        text = writer.Text(row, arrays.FASTER_RULES.get(row.function, {}))
        parts = [text.function()]
        names = row.function.__globals__
        if row.rules:
            parts += [text.backward(), text.backward(graph=True)]
            run = evaluate(parts[1], "run", GENERATED_GLOBALS | text.run_names)
            run_graph = evaluate(parts[2], "run_graph", GENERATED_GLOBALS | text.graph_names)
            names["node_class"] = node_class(row, run, run_graph)
        names.update({**GENERATED_GLOBALS, **text.names, "plain": fallback(row)})
        parts[0] = with_public_names(row, parts[0])
        compiled = evaluate(parts[0], row.name, names)
        # Another thread may be inside the stub, so the stub's keyword defaults have to stay.
        row.function.__defaults__ = compiled.__defaults__
        row.function.__code__ = compiled.__code__
        row.source = "\n\n\n".join(parts) + "\n"


def with_public_names(row: Operation, text: str) -> str:
    """`text` with the first parameter renamed to the one in PyTorch's signature: `exp(input=x)`."""
    import re

    return text if "input" in row.inputs else re.sub(r"\bself\b", "input", text)


def evaluate(text: str, name: str, names: dict[str, Any]) -> Any:
    """The function `name` that `text` defines, with `names` as globals; tracebacks show it."""
    filename = f"<written by minigrad: {name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    namespace: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), names, namespace)
    return namespace[name]


def fallback(row: Any) -> Function:
    """The function that generated code falls back to: it calls the row."""

    def plain(*args: Any) -> Any:
        for each in args:
            if isinstance(each, Tensor) and each._class_of_results is Tensor:
                ORDINARY.add(type(each))  # so that the next call takes the fast path
        return row.plain(*args)

    return plain


def node_class(row: Operation, run: Any, run_graph: Any) -> type[GeneratedNode]:
    """The node class of a row, with a slot for each edge and each saved value."""
    saved = row.names_to_save(*row.rules)
    tensors = [name for name in saved if name in row.tensors or name == "result"]
    slots = "".join(f"node.{name}_edge, " for name in row.rules)
    attributes: dict[str, Any] = {
        "__module__": "builtins",
        "__slots__": [
            *(f"{name}_edge" for name in row.rules),
            *(f"saved_{name}" for name in saved),
            *(f"version_{name}" for name in tensors),
            *(["counter_result"] if "result" in saved else ()),
        ],
        "row": row,
        "edges": property(eval(f"lambda node: ({slots})")),
        "run": run,
        "run_graph": run_graph,
        **row.saved_properties(),  # type: ignore[attr-defined]
    }
    return type(row.node_name.rpartition("::")[2], (GeneratedNode,), attributes)


def saved_as_tensor(data: Any) -> Any:
    """A saved array as a tensor outside the graph, for a rule that needs tensors."""
    if type(data) in PYTHONS_NUMBERS:
        return data
    return ABSENT if data is None else new_tensor(np.asarray(data))


def on_tensors(rule: Function, grad: Any, *needs: Any) -> Any:
    """Call a rule that needs tensors with the gradient as an array; returns an array."""
    before = set_mode(False)
    try:
        result = rule(new_tensor(np.asarray(grad)), *needs)
    finally:
        set_mode(before)
    return result if result is None else result._data


# The globals of all generated code. NumPy issues a warning in the name of the module whose code is
# running. If that name is None, Python drops the warning before it looks at any filter (because of
# modules that are being torn down at exit: `warn_explicit` in Python/_warnings.c). So arithmetic in
# the generated code itself does not warn, and only calls of other functions need IGNORE.
GENERATED_GLOBALS: dict[str, Any] = {
    "__name__": None,
    "IGNORE": IGNORE,
    "set_silence": SETTINGS.set,
    "end_silence": SETTINGS.reset,
    "ndarray": np.ndarray,
    "Tensor": Tensor,
    "ORDINARY": ORDINARY,
    "new": object.__new__,
    "as_array": as_array,
    "track_view": track_view,
    "refresh_view": refresh_view,
    "leaf_node": leaf_node,
    "next_number": sequence_numbers.__next__,
    "mode": mode,
    "modes": modes,
    "no_grad_threads": modes.no_grad_threads,
    "rules": rules,
    "observers": observers,
    "watched": modes.watched,
    "freed_graph": errors.freed_graph,
    "no_out": errors.no_out,
    "check_saved": check_saved,
    "result_of": result_of,
    "wrapped": wrapped,
    "saved_as_tensor": saved_as_tensor,
    "on_tensors": on_tensors,
    "FREED": FREED,
    "NUMBER": NUMBER,
    "WRAPPED": (np.float64, np.int64),  # a number that a node saved, see `operands.wrapped`
    "BOOL": dtypes.bool_,
    "INT64": dtypes.int64,
    "BY_NUMBER": dtypes.BY_NUMBER,
}
