"""The source text of a lambda, so that it can be inlined instead of called.

A code object knows the position in the file of each of its instructions, and together they span the
body of the lambda, except for parentheses around it. So we cut that text out of the file and
compile it again, to see whether it gives the same instructions. If it does not, for example because
the file has changed in the meantime, the lambda has to be called. (It also has to be called if its
body is a single constant under Python 3.12, which does not record the position of that.)
"""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable
from types import CodeType
from typing import Any


def lambda_body(function: Callable[..., Any]) -> ast.expr | None:
    """The body of a lambda as a syntax tree; None for other functions, or if it is not found."""
    code = getattr(function, "__code__", None)
    if code is None or code.co_name != "<lambda>" or code.co_freevars:
        return None
    text = source_text(code)
    for opening, closing in (("", ""), ("(", ""), ("", ")"), ("(", ")")):
        body = f"({opening}{text}{closing})"
        try:
            source = f"{import_statement(function)}lambda {parameters(code)}: {body}"
            again = compile(source, "", "exec")
        except SyntaxError:
            continue
        if any(equivalent(code, each) for each in again.co_consts):
            return ast.parse(body, mode="eval").body
    return None


def import_statement(function: Any) -> str:
    """An import statement for all names that are not defined in the module of `function`.

    Python compiles `np.exp(x)` differently if `np` was imported.
    """
    names = function.__globals__
    used = [name for name in names_in(function.__code__) if name in names]
    imported = [n for n in used if getattr(names[n], "__module__", "") != function.__module__]
    return f"import {', '.join(imported)}\n" if imported else ""


def names_in(code: CodeType) -> list[str]:
    """The global names and attributes that a function and the functions inside it use."""
    inner = [each for each in code.co_consts if isinstance(each, CodeType)]
    return [*code.co_names, *(name for each in inner for name in names_in(each))]


def source_text(code: CodeType) -> str:
    """The text in the file from the first to the last position of an instruction."""
    lines = [line.encode() for line in linecache.getlines(code.co_filename)]
    known: list[Any] = [position for position in code.co_positions() if None not in position]
    starts = [(line, column) for line, end, column, last in known if (line, column) != (end, last)]
    ends = [(end, last) for line, end, column, last in known if (line, column) != (end, last)]
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


def equivalent(a: Any, b: Any) -> bool:
    """Whether two code objects, or two constants, are equivalent."""
    if not isinstance(a, CodeType) or not isinstance(b, CodeType):
        return type(a) is type(b) and repr(a) == repr(b)
    alike = (a.co_code, a.co_names, a.co_varnames) == (b.co_code, b.co_names, b.co_varnames)
    constants = len(a.co_consts) == len(b.co_consts)
    return alike and constants and all(map(equivalent, a.co_consts, b.co_consts))
