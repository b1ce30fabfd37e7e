"""Names that the second edition of the course calls otherwise, told to who still uses the old one.

A notebook in which the reader has written stays as it is when the course changes, so it may ask the
library for a name of before. Below the error that follows stands a line with the new one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from course.cards import OPEN, Card, box, inline, show

# What the first edition called it → what it is called now: functions, classes, methods, modules.
RENAMED: dict[str, str] = {
    "Pass": "BackwardPass",
    "Targets": "PassTo",
    "accumulated": "new_sum",
    "conform": "validate_outputs",
    "conformed": "validate_output",
    "connected": "attach_output",
    "copied_as_gradient": "copy_for_grad",
    "count_edges": "count_dependencies",
    "fire": "run_node",
    "hand_on": "propagate",
    "missing": "dependencies",
    "needed": "names_to_save",
    "no_leaf_to_hook": "check_hookable",
    "nothing_to_hook": "check_hookable",
    "outside": "without_graph",
    "rebase": "rebase_history",
    "result_of": "compute",
    "turns": "locks",
}

_told: set[str] = set()  # old names that this kernel has defined, and that were told


def told(names: Iterable[str]) -> str:
    """What there is to say about names, a line for each that was renamed."""
    return "\n".join(
        f"`{name}` is called `{RENAMED[name]}` since the second edition."
        for name in sorted({*names} & RENAMED.keys())
    )


def missed(error: BaseException | None) -> str:
    """The name that an error says is not there; an empty text if it says something else."""
    if isinstance(error, ModuleNotFoundError):
        return (error.name or "").rpartition(".")[2]
    if isinstance(error, ImportError):
        found = re.match(r"cannot import name '(\w+)'", str(error))
        return found[1] if found else ""
    return (error.name or "") if isinstance(error, NameError | AttributeError) else ""


def tell_what_was_renamed() -> None:
    """Let the notebook that runs this say, below an error, which names of its cell are old ones."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        shell.events.register("post_run_cell", _after_cell)


def _after_cell(result: Any) -> None:
    name = missed(result.error_in_exec)
    if name in RENAMED:
        _show(told([name, *re.findall(r"\w+", result.info.raw_cell)]))


def tell_what_is_defined(notebook: Mapping[str, object]) -> None:
    """Say, once in a kernel, which functions and classes of a notebook are called otherwise now.

    The library that is made of the notebook looks for the new names, so it does without these.
    """
    names = {name for name in RENAMED.keys() - _told if callable(notebook.get(name))}
    if names:
        _told.update(names)
        _show(told(names))


def _show(text: str) -> None:
    show(Card(box(OPEN, "<br>".join(map(inline, text.splitlines()))), text))
