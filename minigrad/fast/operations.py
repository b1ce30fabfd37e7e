"""Operations as written code, in place of `Operation.__call__`.

A row's function is written when it is called for the first time: all of them at import would take
0.2 s. Until then it is a stub, and the first call replaces its `__code__`, whoever holds it. (A
stub that goes on calling what was written would cost a fiftieth of each operation, and a frame of
each traceback.) `print(source(mul))` shows what was written.
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
from .nodes import WrittenNode, check_saved, result_of
from .views import follow, track_view

Function = Callable[..., Any]

# Stands where a Python number took a tensor's place: it wants no gradient and never changes.
NUMBER = new_tensor(np.float32(0))
NUMBER._counter, NUMBER._view, NUMBER._node, NUMBER._requires_grad = [0], None, None, False
# So does what stands where a tensor was left out.
for _name, _blank in {"_counter": [0], "_view": None, "_node": None, "dtype": None}.items():
    setattr(Absent, _name, _blank)
ORDINARY: set[Any] = {Tensor, Absent}  # whose results are of class Tensor; Parameter comes later

_writing = threading.RLock()
_numbers = itertools.count()


def operation(row: Operation, function: Function) -> Function:
    """What `core.operation.op` returns for a row, in place of `function`, which calls the row."""
    made = types.FunctionType(_stub.__code__, {"__name__": WRITTEN["__name__"]}, row.name)
    made.__kwdefaults__ = {"_row": row, "_first_call": first_call, "out": None}
    made.__module__, made.__qualname__ = function.__module__, function.__qualname__
    made.__dict__.update(function.__dict__)  # the row, and the signature
    row.function, row.plain, row.source = made, function, ""  # type: ignore[attr-defined]
    return made


def _stub(*args: Any, _row: Any, _first_call: Any, **kwargs: Any) -> Any:
    return _first_call(_row, args, kwargs)


def first_call(row: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Write the operation, put its code in the stub's place, and call it."""
    if modes.switched_off:
        return row.plain(*args, **kwargs)
    write(row)
    return row.function(*args, **kwargs)


def source(function: Function) -> str:
    """The Python that was written for an operation: its function, and the backward of its node.

    TypeError for what is no row of the table: that is plain Python, and may call several rows.
    """
    row: Any = getattr(function, "row", None)
    if row is None:
        raise TypeError(f"{function!r} is no row of the table, so nothing was written for it")
    write(row)
    return row.source  # type: ignore[no-any-return]


def write(row: Any) -> None:
    """Compile what the row declares: the node class, if it has a derivative, and the function."""
    from . import kernels, writer  # noqa: F401 - they fill the tables of `arrays`

    with _writing:
        if row.source:
            return
        text = writer.Text(row, arrays.RULES.get(row.function, {}))
        parts = [text.function()]
        names = row.function.__globals__
        if row.rules:
            parts += [text.backward(), text.backward(graph=True)]
            run = evaluate(parts[1], "run", WRITTEN | text.run_names)
            run_graph = evaluate(parts[2], "run_graph", WRITTEN | text.graph_names)
            names["node_class"] = node_class(row, run, run_graph)
        names.update({**WRITTEN, **text.names, "plain": declining(row)})
        parts[0] = users_names(row, parts[0])
        made = evaluate(parts[0], row.name, names)
        row.function.__defaults__ = made.__defaults__
        # Another thread may be about to call the stub, which needs these two to the end.
        row.function.__code__ = made.__code__
        row.source = "\n\n\n".join(parts) + "\n"


def users_names(row: Operation, text: str) -> str:
    """`text` with the first parameter under the name that users know: `exp(input=x)`."""
    import re

    return text if "input" in row.inputs else re.sub(r"\bself\b", "input", text)


def evaluate(text: str, name: str, names: dict[str, Any]) -> Any:
    """The function `name` that `text` defines, with `names` as globals; tracebacks show it."""
    filename = f"<written by minigrad: {name} {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    made: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), names, made)
    return made[name]


def declining(row: Any) -> Function:
    """What written code calls for the unusual: the function that calls the row."""

    def plain(*args: Any) -> Any:
        for each in args:
            if isinstance(each, Tensor) and each._class_of_results is Tensor:
                ORDINARY.add(type(each))  # now it is known, and usual
        return row.plain(*args)

    return plain


def node_class(row: Operation, run: Any, run_graph: Any) -> type[WrittenNode]:
    """The class that `grad_fn` shows, with a slot for each edge and each saved value."""
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
    return type(row.node_name.rpartition("::")[2], (WrittenNode,), attributes)


def saved_as_tensor(data: Any) -> Any:
    """A saved array as a tensor outside the graph, for a rule that takes no arrays."""
    if type(data) in PYTHONS_NUMBERS:
        return data
    return ABSENT if data is None else new_tensor(np.asarray(data))


def on_tensors(rule: Function, grad: Any, *needs: Any) -> Any:
    """What a rule that takes no arrays gives for a gradient that is an array: an array again."""
    before = set_mode(False)
    try:
        result = rule(new_tensor(np.asarray(grad)), *needs)
    finally:
        set_mode(before)
    return result if result is None else result._data


# What all written code knows. A warning of NumPy's is issued in the name of the module whose code
# runs; where that has none, Python drops the warning before it looks at any filter. (It does so for
# what is left of modules when the interpreter ends: `warn_explicit` in Python/_warnings.c.) So what
# the written code itself computes is silent; what it calls, it calls in silence.
WRITTEN: dict[str, Any] = {
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
    "follow": follow,
    "leaf_node": leaf_node,
    "next_number": sequence_numbers.__next__,
    "mode": mode,
    "modes": modes,
    "unrecorded": modes.unrecorded,
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
    "WRAPPED": (np.float64, np.int64),  # a number that a node has kept, see `operands.wrapped`
    "BOOL": dtypes.bool_,
    "INT64": dtypes.int64,
    "BY_NUMBER": dtypes.BY_NUMBER,
}
