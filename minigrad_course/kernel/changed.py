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
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType, ModuleType
from typing import Any

from minigrad_course.kernel.stages import AFTER, Later, Library, method_target, statements

ELSEWHERE = re.compile(
    r"(minigrad(?!\.viz\b)|torch)\b"
)  # packages whose objects are not the reader's

# Steps that depend on how lines are broken, and on what the file imports.
BY_PLACE = {"NOP", "PRECALL", "PUSH_NULL"}
FAST = r"((?:LOAD|STORE)_FAST(?:_BORROW)?)"
TWO_STEPS = re.compile(f"{FAST}_{FAST}")  # what newer Pythons make of two steps on one line


@dataclass(frozen=True)
class Differences:
    """Names such as `Tensor.backward` at which the reader's library differs from the course's."""

    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """The differences as sentences for the reader."""
        found = []
        if self.foreign:
            count = "it does not count" if len(self.foreign) == 1 else "they do not count"
            found.append(
                f"{listed(self.foreign)} {verb(self.foreign)} from the finished library or from a"
                f" later chapter: {count}."
            )
        if self.changed:
            found.append(f"You changed {listed(self.changed)}.")
        if self.missing:
            found.append(f"{listed(self.missing)} {verb(self.missing)} missing.")
        return found


def listed(names: tuple[str, ...], most: int = 5) -> str:
    """Names in a sentence; the last ones of many are counted."""
    marked = [f"`{name}`" for name in names[:most]]
    if len(names) > most:
        marked.append(f"{len(names) - most} more")
    *first, last = marked
    return f"{', '.join(first)} and {last}" if first else last


def verb(names: tuple[str, ...]) -> str:
    """The verb for so many names."""
    return "is" if len(names) == 1 else "are"


def home(value: object) -> str:
    """The module in which a function, a property or a class was defined; else an empty text."""
    if isinstance(value, type):
        members = [home(each) for each in vars(value).values() if not isinstance(each, type)]
        return next(filter(None, members), value.__module__)
    function = plain(value)
    return str(function.__globals__.get("__name__", "")) if function is not None else ""


def plain(value: object) -> FunctionType | None:
    """The function behind a property, a class method or a wrapper."""
    if isinstance(value, property):
        value = value.fget
    value = getattr(value, "__func__", value)
    value = inspect.unwrap(value) if callable(value) and not isinstance(value, type) else value
    return value if isinstance(value, FunctionType) else None


def is_foreign(value: object, chapter: int) -> bool:
    """Whether an object comes from the finished library, from PyTorch, or from a later stage."""
    module = home(value)
    stage = AFTER.match(module)
    return int(stage[1]) >= chapter if stage else ELSEWHERE.match(module) is not None


def differences(
    library: Library, chapter: int, package: ModuleType, refused: tuple[str, ...] = ()
) -> Differences:
    """Compare the core of the reader's package with the library at `chapter`.

    Args:
        library: the course's library.
        chapter: the chapter at which both are compared.
        package: the reader's package, from `yours`.
        refused: names of borrowed objects that `yours` left out of the package.
    """
    changed, missing = [], []
    foreign = [*refused, *(name for _, name in foreign_members(library, chapter, package))]
    for module in library.core(chapter):
        if module == "core.checks":  # which no chapter builds
            continue
        names = vars(sys.modules[f"{package.__name__}.{module}"])
        for path, codes in functions(library.text(module, chapter)).items():
            owner, _, name = path.rpartition(".")
            if owner in foreign or path in foreign:
                continue
            cls = names.get(owner) if owner else None
            live = names.get(path) if not owner else inspect.getattr_static(cls, name, None)
            if live is None or isinstance(live, Later) or isinstance(cls, Later):
                missing.append(owner if owner and not isinstance(cls, type) else path)
            elif not all(shape(code) in codes for code in codes_of(live)):
                changed.append(path)
    return Differences(*(tuple(dict.fromkeys(each)) for each in (changed, missing, foreign)))


def codes_of(value: object) -> list[CodeType]:
    """The code of a function, or of both functions of a property."""
    parts = [value.fget, value.fset] if isinstance(value, property) else [value]
    found = [plain(each) for each in parts if each is not None]
    return [each.__code__ for each in found if each is not None]


@cache
def functions(text: str) -> dict[str, list[Any]]:
    """The functions and methods of a text, by name, with what is compared of their code."""
    found: dict[str, list[Any]] = {}
    for node, unit in statements(text, "<library>"):  # each compiled alone, as notebooks do
        codes = {
            (code.co_name, code.co_firstlineno): code
            for part in inner(unit)
            for code in (part, *inner(part))
        }
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for member in members:
            if isinstance(member, ast.FunctionDef):
                line = min([member.lineno, *(each.lineno for each in member.decorator_list)])
                owner = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                path = method_target(member) or f"{owner}{member.name}"
                found.setdefault(path, []).append(shape(codes[member.name, line]))
    return found


def inner(code: CodeType) -> list[CodeType]:
    """The code objects that stand in another."""
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def shape(code: CodeType) -> Any:
    """What two code objects have in common if they do the same, however their lines are broken."""
    steps: list[tuple[str, Any]] = []
    for step in dis.get_instructions(code):
        pair = TWO_STEPS.fullmatch(step.opname)
        if pair and isinstance(step.argval, tuple):
            steps += zip(pair.groups(), map(constant, step.argval), strict=True)
        elif step.opname not in BY_PLACE:
            argument = None if step.opcode in dis.hasjrel else constant(step.argval)
            steps.append((step.opname.replace("LOAD_METHOD", "LOAD_ATTR"), argument))
    return code.co_varnames, code.co_argcount, tuple(steps)


def constant(value: object) -> Any:
    """A constant of code, in a form that can be compared."""
    return shape(value) if isinstance(value, CodeType) else (type(value).__name__, repr(value))


def foreign_members(
    library: Library, chapter: int, package: ModuleType
) -> Iterator[tuple[type, str]]:
    """Yield the class and `Class.name` of each borrowed member that the reader assigned."""
    for cls in classes(library, chapter, package):
        for name, value in vars(cls).items():
            if is_foreign(value, chapter) and not isinstance(value, type):
                yield cls, f"{cls.__name__}.{name}"


def classes(library: Library, chapter: int, package: ModuleType) -> list[type]:
    """The classes of the reader's core."""
    modules = [sys.modules[f"{package.__name__}.{name}"] for name in library.core(chapter)]
    found = [value for module in modules for value in vars(module).values()]
    return list({id(each): each for each in found if isinstance(each, type)}.values())


@contextmanager
def without_foreign_members(library: Library, chapter: int, package: ModuleType) -> Iterator[None]:
    """In this block what was assigned to the reader's classes from elsewhere refuses to run."""
    put_back: list[tuple[type, str, Any]] = []
    for cls, path in [*foreign_members(library, chapter, package)]:
        name = path.rpartition(".")[2]
        put_back.append((cls, name, vars(cls)[name]))
        setattr(cls, name, refusing(path))
    try:
        yield
    finally:
        for cls, name, value in put_back:
            setattr(cls, name, value)


def refusing(path: str) -> property:
    """What stands in the place of a foreign member."""

    def refuse(self: object) -> None:
        raise NotImplementedError(f"{path} is not yours")

    return property(refuse)
