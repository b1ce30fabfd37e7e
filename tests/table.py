"""The table of operations in the form that tests iterate over."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from typing import Any

from minigrad import ops
from minigrad.core.operation import Operation

MODULES = [
    importlib.import_module(f"minigrad.ops.{info.name}")
    for info in pkgutil.iter_modules(ops.__path__)
]


def assigned(module: Any) -> set[str]:
    """The names that a module assigns itself, as opposed to those that it imports."""
    tree = ast.parse(inspect.getsource(module))
    targets = [each for node in tree.body if isinstance(node, ast.Assign) for each in node.targets]
    names = [node for target in targets for node in ast.walk(target)]
    return {node.id for node in names if isinstance(node, ast.Name)}


# Every operation, under its module and the name that it has there, such as `elementwise.mul`.
OPERATIONS: dict[str, Any] = {
    f"{module.__name__.rpartition('.')[2]}.{name}": vars(module)[name]
    for module in MODULES
    for name in sorted(assigned(module))
    if isinstance(getattr(vars(module)[name], "row", None), Operation)
}
