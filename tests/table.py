"""The table of operations in the form that tests iterate over."""

from __future__ import annotations

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
# Every operation, under its module and the name that it has there, such as `elementwise.mul`.
OPERATIONS: dict[str, Any] = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(getattr(value, "row", None), Operation)
    and f"\n{name} = op(" in inspect.getsource(module)
}
