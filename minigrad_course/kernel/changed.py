"""How the reader's library differs from the course's library at the same chapter.

Functions and methods of the core are compared as compiled code, so file names and comments do not
matter. Anything borrowed from the finished library, from PyTorch or from a later stage is listed
separately and does not count, because the reader did not write it.
"""

from __future__ import annotations

import ast
import dis
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any
from unittest.mock import PropertyMock, patch

from minigrad_course.kernel.stages import AFTER, MINIGRAD, Placeholder, method_target, statements

# Packages whose objects the reader has not written.
ELSEWHERE = re.compile(r"(minigrad(?!\.viz\b)|torch)\b")

MOST_NAMED = 5

# Instructions that depend on line breaks and on the imports of the file.
LAYOUT_STEPS = {"NOP", "PRECALL", "PUSH_NULL"}
FAST = r"((?:LOAD|STORE)_FAST(?:_BORROW)?)"
TWO_STEPS = re.compile(f"{FAST}_{FAST}")  # newer Pythons merge two steps on one line


@dataclass(frozen=True)
class Differences:
    """Names such as `Tensor.backward` at which the reader's library differs from the course's."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    borrowed: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """The differences as sentences for the reader."""
        found = []
        if self.borrowed:
            count = "it does not count" if len(self.borrowed) == 1 else "they do not count"
            found.append(
                f"{in_words(self.borrowed)} {is_or_are(self.borrowed)} from the finished library or"
                f" from a later chapter: {count}."
            )
        if self.changed:
            found.append(f"You changed {in_words(self.changed)}.")
        if self.missing:
            found.append(f"{in_words(self.missing)} {is_or_are(self.missing)} missing.")
        return found


def in_words(names: Sequence[str]) -> str:
    """Join names as in a sentence; beyond `MOST_NAMED` of them, the rest is only counted."""
    marked = [f"`{name}`" for name in names[:MOST_NAMED]]
    if len(names) > MOST_NAMED:
        marked.append(f"{len(names) - MOST_NAMED} more")
    *first, last = marked
    return f"{', '.join(first)} and {last}" if first else last


def is_or_are(names: Sequence[str]) -> str:
    """The verb that agrees with the number of names."""
    return "is" if len(names) == 1 else "are"


def defining_module(value: object) -> str:
    """The module in which a function, property or class was defined; "" for anything else."""
    if isinstance(value, type):
        members = [each for each in vars(value).values() if not isinstance(each, type)]
        return next(filter(None, map(defining_module, members)), value.__module__)
    function = function_behind(value)
    return str(function.__globals__.get("__name__", "")) if function is not None else ""


def function_behind(value: object) -> FunctionType | None:
    """The function behind a property, a class method or a wrapper."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value)
    value = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    return value if isinstance(value, FunctionType) else None


def is_borrowed(value: object, chapter: int) -> bool:
    """Whether an object comes from the finished library, from PyTorch, or from a later stage."""
    module = defining_module(value)
    stage = AFTER.match(module)
    return int(stage[1]) >= chapter if stage else ELSEWHERE.match(module) is not None


def differences(chapter: int, package: ModuleType, refused: tuple[str, ...]) -> Differences:
    """Compare the core of the reader's package with the course's library at `chapter`.

    Args:
        chapter: the chapter at which both are compared.
        package: the reader's package, from `yours`.
        refused: names of borrowed objects that `yours` left out of the package.
    """
    changed, missing = [], []
    borrowed = [*refused, *(name for _, name in borrowed_members(chapter, package))]
    for module in MINIGRAD.core(chapter):
        if module == "core.checks":  # no chapter builds this one
            continue
        names = vars(sys.modules[f"{package.__name__}.{module}"])
        for path, codes in functions(MINIGRAD.text(module, chapter)).items():
            owner, _, name = path.rpartition(".")
            if owner in borrowed or path in borrowed:
                continue
            cls = names.get(owner) if owner else None
            current = names.get(path) if not owner else inspect.getattr_static(cls, name, None)
            if current is None or isinstance(current, Placeholder) or isinstance(cls, Placeholder):
                missing.append(owner if owner and not isinstance(cls, type) else path)
            elif not all(comparable_code(code) in codes for code in codes_of(current)):
                changed.append(path)
    return Differences(*(tuple(dict.fromkeys(each)) for each in (changed, missing, borrowed)))


def codes_of(value: object) -> list[CodeType]:
    """The code of a function, or of both functions of a property."""
    parts = [value.fget, value.fset] if isinstance(value, property) else [value]
    found = [function_behind(each) for each in parts if each is not None]
    return [each.__code__ for each in found if each is not None]


@cache
def functions(text: str) -> dict[str, list[Any]]:
    """The functions and methods that a module's text defines, by name, as `comparable_code`."""
    found: dict[str, list[Any]] = {}
    for node, unit in statements(text, "<library>"):  # compiled one by one, as cells are
        codes = {
            (code.co_name, code.co_firstlineno): code
            for part in nested_code(unit)
            for code in (part, *nested_code(part))
        }
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for member in members:
            if isinstance(member, ast.FunctionDef):
                line = min([member.lineno, *(each.lineno for each in member.decorator_list)])
                owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                path = method_target(member) or f"{owner}{member.name}"
                found.setdefault(path, []).append(comparable_code(codes[member.name, line]))
    return found


def nested_code(code: CodeType) -> list[CodeType]:
    """The code objects directly inside another one."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def comparable_code(code: CodeType) -> Any:
    """A value that is equal for code that does the same thing, wherever its lines break."""
    steps: list[tuple[str, Any]] = []
    for step in dis.get_instructions(code):
        pair = TWO_STEPS.fullmatch(step.opname)
        if pair and isinstance(step.argval, tuple):
            steps += zip(pair.groups(), map(comparable, step.argval), strict=True)
        elif step.opname not in LAYOUT_STEPS:
            argument = None if step.opcode in dis.hasjrel else comparable(step.argval)
            steps.append((step.opname.replace("LOAD_METHOD", "LOAD_ATTR"), argument))
    return code.co_varnames, code.co_argcount, tuple(steps)


def comparable(value: object) -> Any:
    """A constant of a code object in a form that can be compared."""
    if isinstance(value, CodeType):
        return comparable_code(value)
    return type(value).__name__, repr(value)


def borrowed_members(chapter: int, package: ModuleType) -> Iterator[tuple[type, str]]:
    """Yield the class and `Class.name` of each borrowed member that the reader assigned."""
    for cls in classes(chapter, package):
        for name, value in vars(cls).items():
            if is_borrowed(value, chapter) and not isinstance(value, type):
                yield cls, f"{cls.__name__}.{name}"


def classes(chapter: int, package: ModuleType) -> list[type]:
    """The classes of the reader's core."""
    modules = [sys.modules[f"{package.__name__}.{name}"] for name in MINIGRAD.core(chapter)]
    found = [value for module in modules for value in vars(module).values()]
    return list({id(each): each for each in found if isinstance(each, type)}.values())


@contextmanager
def refusing_borrowed_members(chapter: int, package: ModuleType) -> Iterator[None]:
    """Make borrowed members of the reader's classes raise NotImplementedError in this block."""
    with ExitStack() as stack:
        for cls, path in [*borrowed_members(chapter, package)]:
            refusal = PropertyMock(side_effect=NotImplementedError(f"{path} is not yours"))
            stack.enter_context(patch.object(cls, path.rpartition(".")[2], refusal))
        yield
