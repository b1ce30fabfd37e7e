"""What operations declare about themselves: their names, in-place forms and docstrings.

Users can call every row that has a `doc`, and every function under `@export()`. `ops/__init__`
reads `DECLARED` once and turns each declaration into functions and methods, so whatever a notebook
or a program declares later adds nothing to the library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
PAGES = "https://docs.pytorch.org/docs/2.13/generated"


class Declaration:
    """A function that users can call.

    Args:
        function: the implementation.
        name: the public name; by default that of `function` without a trailing underscore, because
            `sum_` only avoids shadowing Python's `sum`.
        alias: other public names.
        only: "function", "method" or "in-place" to export that form alone.
        in_place: whether there is an in-place form as well, like `exp_`.
        operator: whether it returns NotImplemented for an operand that is not a tensor or number.
        page: the page of PyTorch's documentation, if it is not named after the function.
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


def export(**options: Any) -> Callable[[F], F]:
    """Let users call the decorated function; the options are those of `Declaration`."""

    def declare(function: F) -> F:
        DECLARED.append(Declaration(function, **options))
        return function

    return declare


# What `help` shows

ENDINGS = {  # added to the `doc` of elementwise rows
    "pair": ".\n\nElement by element; the shapes broadcast, else RuntimeError.",
    "bool": ".\n\nElement by element: any shape, the same shape out, of dtype bool.",
    "float": ".\n\nElement by element: any shape, the same out; integers are computed as floats.",
    "same": ".\n\nElement by element: any shape, the same shape and dtype out.",
}


def docstring(row: Any) -> str:
    """The `doc` of a row, followed by shapes and dtypes if the row is elementwise."""
    doc: str = row.doc
    if len(row.inputs) == 2 and row.promote:
        return doc + ENDINGS["pair"]
    if len(row.inputs) > 1:
        return doc
    kind = "bool" if not row.rules else "float" if row.promote == "float" else "same"
    return doc + ENDINGS[kind]


def cite(functions: Mapping[str, Any], owner: str) -> None:
    """Add PyTorch's page to each docstring; aliases link to the page of the first name."""
    pages = {name: each.page for each in DECLARED for name in each.names if each.page}
    for name, function in functions.items():
        text = function.__doc__ if callable(function) else None
        if text and PAGES not in text and not name.startswith("__"):
            page = pages.get(name.removesuffix("_"), f"{owner}.{name}")
            function.__doc__ = f"{text}\n\nSource: {PAGES}/{page}.html"
