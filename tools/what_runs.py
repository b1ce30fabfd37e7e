"""Measure how far what stands in the core is what runs; for `measure.py`.

    MINIGRAD_FAST=0 python tools/what_runs.py

It prints, as JSON:

- how many functions of minigrad `z = (x * w).sum(); z.backward()` calls when it has run before: so
  long is a debugger's way through it. Python 3.11 counts comprehensions, later ones do not;
- the definitions that stand in `minigrad/core` and do not run, since other files put something else
  in their places. Decorators that stand in the text of the core are part of its definitions.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "minigrad" / "core"
WARM_UP = 3  # runs


def library_calls() -> int:
    """How many functions of minigrad `z = (x * w).sum(); z.backward()` calls, warm."""
    torch = importlib.import_module("minigrad")
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    seen = 0

    def program() -> None:
        z = (x * w).sum()
        z.backward()

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal seen
        module = str(frame.f_globals.get("__name__", ""))  # generated code has no file
        seen += event == "call" and module.partition(".")[0] == "minigrad"

    for _ in range(WARM_UP):
        program()
        x.grad = w.grad = None
    sys.setprofile(count)
    program()
    sys.setprofile(None)
    return seen


def replaced() -> list[str]:
    """The definitions of the core in whose place another file's run, as `BackwardPass.run`."""
    importlib.import_module("minigrad")
    found = []
    for path in sorted(CORE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = sys.modules.get(name)
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for holder, node in defined(tree, module) if module else ():
            if not comes_from(path, node, inspect.getattr_static(holder, node.name, None)):
                label = holder.__name__.rpartition(".")[2]
                found.append(f"{label}.{node.name}")
    return found


def defined(tree: ast.Module, module: Any) -> Iterator[tuple[Any, ast.FunctionDef]]:
    """The functions and methods that a module defines, with the module or class that holds each."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            yield from ((getattr(module, node.name), member) for member in members)
        elif isinstance(node, ast.FunctionDef):
            attached = [re.match(r"method_of\((\w+)", text) for text in decorators(node)]
            holders = [getattr(module, match[1]) for match in attached if match] or [module]
            for holder in holders:  # some are attached under other names
                if inspect.getattr_static(holder, node.name, None) is not None:
                    yield holder, node


def decorators(node: ast.FunctionDef) -> list[str]:
    """The decorators of a function, as they are written."""
    return [ast.unparse(each) for each in node.decorator_list]


def comes_from(path: Path, node: ast.FunctionDef, value: Any) -> bool:
    """Whether what a name holds runs the code of this file, or is made by a decorator in it."""
    written = decorators(node)
    if any(text.endswith((".setter", ".deleter")) or "overload" in text for text in written):
        return True
    value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    value = inspect.unwrap(value) if callable(value) else value
    code = getattr(value, "__code__", None) or getattr(
        getattr(value, "func", None), "__code__", None
    )
    return bool(written) if code is None else Path(code.co_filename).resolve() == path


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    print(json.dumps([library_calls(), replaced()]))
