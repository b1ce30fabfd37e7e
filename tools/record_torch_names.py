"""Record the names that PyTorch has: `python tools/record_torch_names.py`.

Needs PyTorch 2.13.0 (the extra `parity`). They go to `minigrad/support/torch_names.py`, where
`minigrad.support.missing` looks up whether a name that minigrad lacks is one of PyTorch's.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import textwrap
import typing
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

TARGET = Path(__file__).resolve().parents[1] / "minigrad" / "support" / "torch_names.py"
MODULES = [
    "torch", "torch.autograd", "torch.autograd.function", "torch.autograd.functional",
    "torch.autograd.graph", "torch.cuda", "torch.linalg", "torch.nn", "torch.nn.functional",
    "torch.nn.init", "torch.nn.parameter", "torch.nn.utils", "torch.optim",
    "torch.optim.lr_scheduler", "torch.utils", "torch.utils.checkpoint", "torch.utils.data",
    "torch.utils.hooks",
]  # fmt: skip
CLASSES = ["torch.Tensor", "torch.nn.Module"]
STUBS = ["_C/_VariableFunctions.pyi", "_C/__init__.pyi"]  # signatures, beside what is written in C
EVERYWHERE = {"out"}  # of so many functions that it needs no list

HEAD = '''"""The names that PyTorch 2.13 has; written by `tools/record_torch_names.py`.

`NAMES`: the public names of its modules and classes. `KEYWORDS`: for an optional argument, the
functions and methods that have it.
"""

# fmt: off
'''


def public_names(place: Any) -> list[str]:
    """What a module or class offers, without what it has imported from elsewhere."""
    names = {name for name in dir(place) if belongs(place, name)}
    names |= {each.name for each in pkgutil.iter_modules(getattr(place, "__path__", []))}
    return sorted(name for name in names if not name.startswith("_"))


def belongs(place: Any, name: str) -> bool:
    if not isinstance(place, ModuleType):
        return True
    value = getattr(place, name, None)
    if value is vars(typing).get(name, typing):  # which of them it has depends on the Python
        return False
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch")
    origin = str(getattr(value, "__module__", None) or type(value).__module__)
    return origin.startswith("torch") or origin == "builtins"


def keywords() -> dict[str, list[str]]:
    """For each optional argument: the functions and methods that have it."""
    found: dict[str, set[str]] = {}
    for stub in STUBS:
        tree = ast.parse((Path(torch.__file__).parent / stub).read_text(encoding="utf-8"))
        for part in ast.walk(tree):
            if isinstance(part, ast.FunctionDef) and not part.name.startswith("_"):
                given = part.args
                optional = given.args[len(given.args) - len(given.defaults) :] + given.kwonlyargs
                for each in optional:
                    found.setdefault(each.arg, set()).add(part.name)
    return {keyword: sorted(found[keyword]) for keyword in sorted(found.keys() - EVERYWHERE)}


def written(name: str, table: dict[str, list[str]]) -> str:
    """A dictionary of words, in lines of the house's length."""
    lines = [f"{name} = {{"]
    for key, words in table.items():
        rows = textwrap.wrap(" ".join(words), 88)
        lines += [f'    "{key}": (', *(f'        "{row} "' for row in rows), "    ),"]
    return "\n".join([*lines, "}"])


def text() -> str:
    """What the file says."""
    places = {name: importlib.import_module(name) for name in MODULES}
    for name in CLASSES:
        module, _, own = name.rpartition(".")
        places[name] = getattr(places[module], own)
    names = {name: public_names(place) for name, place in places.items()}
    return "\n".join([HEAD, written("NAMES", names), "", written("KEYWORDS", keywords()), ""])


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
