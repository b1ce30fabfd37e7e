"""The text of a lambda, to be put where a call of it would stand.

A code object knows from where to where each of its instructions was written; together that is the
body of the lambda, but for parentheses around it. So the text is cut out of the file, and compiled
again to see whether that gives the same instructions: if not, because the file has changed since or
something else is in the way, there is no text, and the lambda has to be called. (If its body is one
constant, too, under Python 3.12, which does not know where that stands.)
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any


def expression(function: Callable[..., Any]) -> ast.expr | None:
    """The body of a lambda as a syntax tree; None for other functions, or if it cannot be found."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_name != "<lambda>" or code.co_freevars:
        return None
    text = between(code)
    for opening, closing in (("", ""), ("(", ""), ("", ")"), ("(", ")")):
        body = f"({opening}{text}{closing})"
        try:
            again = compile(f"{imports(function)}lambda {parameters(code)}: {body}", "", "exec")
        except SyntaxError:
            continue
        if any(same(code, each) for each in again.co_consts):
            return ast.parse(body, mode="eval").body
    return None


def imports(function: Any) -> str:
    """An import of all names that the module of `function` has not defined: Python compiles
    `np.exp(x)` otherwise if `np` was imported.
    """
    names = function.__globals__
    used = [name for name in names_in(function.__code__) if name in names]
    foreign = [n for n in used if getattr(names[n], "__module__", "") != function.__module__]
    return f"import {', '.join(foreign)}\n" if foreign else ""


def names_in(code: CodeType) -> list[str]:
    """The names that a function uses, and the functions within it."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [*code.co_names, *(name for each in inner for name in names_in(each))]


def between(code: CodeType) -> str:
    """What stands in the file from the first to the last place that an instruction came from."""
    lines = [line.encode() for line in linecache.getlines(code.co_filename)]
    places: list[Any] = [place for place in code.co_positions() if None not in place]
    starts = [(line, column) for line, end, column, last in places if (line, column) != (end, last)]
    ends = [(end, last) for line, end, column, last in places if (line, column) != (end, last)]
    if not starts or not lines:
        return ""
    (first, column), (end, last) = min(starts), max(ends)
    cut = lines[first - 1 : end]
    cut[-1] = cut[-1][:last]
    cut[0] = cut[0][column:]
    return b"".join(cut).decode()


def parameters(code: CodeType) -> str:
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    plain, named = names[: code.co_argcount], names[code.co_argcount :]
    return ", ".join([*plain, *(("*", *named) if named else ())])


def same(a: Any, b: Any) -> bool:
    """Whether two code objects, or constants, do the same."""
    if not isinstance(a, CodeType) or not isinstance(b, CodeType):
        return type(a) is type(b) and repr(a) == repr(b)
    alike = (a.co_code, a.co_names, a.co_varnames) == (b.co_code, b.co_names, b.co_varnames)
    constants = len(a.co_consts) == len(b.co_consts)
    return alike and constants and all(map(same, a.co_consts, b.co_consts))
