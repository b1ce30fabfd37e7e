"""What operations declare about themselves: their names, in-place forms and docstrings.

A row with a `doc` is what users call, and so is a function under `@export()`. `ops/__init__` reads
`DECLARED` once and turns each declaration into functions and methods. What a notebook or a program
declares later stays its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
PAGES = "https://docs.pytorch.org/docs/2.13/generated"


class Declaration:
    """A function that users call.

    Args:
        function: computes it.
        name: what users call it, if not its own name; `sum_`, so called beside Python's, is `sum`.
        alias: its other names.
        only: "function", "method" or "in-place" if it is not all that `in_place` says.
        in_place: whether there is an in-place form, `exp_`.
        operator: whether it returns NotImplemented for what is neither tensor nor number.
        page: the page of PyTorch's documentation, if it has none of its own.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        name: str = "",
        alias: Sequence[str] = (),
        only: str = "",
        in_place: bool = False,
        operator: bool = False,
        page: str = "",
    ) -> None:
        self.function, self.operator, self.page = function, operator, page
        self.name = name or function.__name__.removesuffix("_")
        self.names = [self.name, *alias]
        self.is_function, self.is_method = only in ("", "function"), only in ("", "method")
        self.has_in_place_form = in_place or only == "in-place"


DECLARED: list[Declaration] = []


def export(**how: Any) -> Callable[[F], F]:
    """Let users call the function below; `how` is that of `Declaration`."""

    def declare(function: F) -> F:
        DECLARED.append(Declaration(function, **how))
        return function

    return declare


# What `help` shows

ENDINGS = {  # of a row that computes element by element
    "pair": ".\n\nElement by element; the shapes broadcast, else RuntimeError.",
    "bool": ".\n\nElement by element: any shape, the same shape out, of dtype bool.",
    "float": ".\n\nElement by element: any shape, the same out; integers are computed as floats.",
    "same": ".\n\nElement by element: any shape, the same shape and dtype out.",
}


def docstring(row: Any) -> str:
    """The `doc` of a row, and what its dtypes say if it computes element by element."""
    doc: str = row.doc
    if len(row.inputs) == 2 and row.promote:
        return doc + ENDINGS["pair"]
    if len(row.inputs) > 1:
        return doc
    kind = "bool" if not row.rules else "float" if row.promote == "float" else "same"
    return doc + ENDINGS[kind]


def cite(functions: Mapping[str, Any], owner: str) -> None:
    """Add PyTorch's page to each docstring; of several names the first one's."""
    pages = {name: each.page for each in DECLARED for name in each.names if each.page}
    for name, function in functions.items():
        text = function.__doc__ if callable(function) else None
        if text and PAGES not in text and not name.startswith("__"):
            page = pages.get(name.removesuffix("_"), f"{owner}.{name}")
            function.__doc__ = f"{text}\n\nSource: {PAGES}/{page}.html"
