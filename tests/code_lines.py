"""Which lines of a source hold code."""

from __future__ import annotations

import ast
import io
import tokenize

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def code_lines(source: str) -> set[int]:
    """The numbers of the lines that hold code."""
    found: set[int] = set()
    skipped = {
        tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
        tokenize.ENDMARKER, tokenize.ENCODING,
    }  # fmt: skip
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in skipped:
            found |= set(range(token.start[0], token.end[0] + 1))
    return found - docstring_lines(source)


def docstring_lines(source: str) -> set[int]:
    """The numbers of the lines that belong to docstrings."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if isinstance(node, Definition | ast.Module) and body and isinstance(body[0], ast.Expr):
            text = body[0].value
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                found |= set(range(body[0].lineno, (body[0].end_lineno or 0) + 1))
    return found
