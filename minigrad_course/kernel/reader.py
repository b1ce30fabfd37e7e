"""The reader's library: the previous chapter's, plus what this notebook has defined.

A chapter's cells extend the classes of `minigrad_course.after_NN` and define new names in the
notebook itself. `yours()` assembles both into a package with the library's modules, so programs,
checks and drawings can use the reader's own engine as they would use minigrad.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType, ModuleType

from minigrad_course.kernel.cell_order import ORDER
from minigrad_course.kernel.changed import is_borrowed
from minigrad_course.kernel.marks import marks_in
from minigrad_course.kernel.stages import (
    AFTER,
    GIVEN,
    MINIGRAD,
    STAGES,
    Namespace,
    Placeholder,
    Stage,
    bound_names,
    dumped,
    install,
    parsed,
    remove_placeholders,
    stage_modules,
    statements,
)


@cache
def lines_of(text: str, chapter: int) -> frozenset[int]:
    """The lines of a module's text that carry a chapter's mark."""
    return frozenset(line for line, mark in marks_in(text).items() if mark.chapter == chapter)


def with_globals(value: object, before: Namespace, namespace: Namespace) -> object:
    """A copy of a function of module `before` with this module's globals, so it calls new code."""
    if not isinstance(value, FunctionType) or value.__globals__ is not before:
        return value
    about = (value.__name__, value.__defaults__, value.__closure__)
    moved = FunctionType(value.__code__, namespace, *about)
    moved.__kwdefaults__ = value.__kwdefaults__
    moved.__dict__.update(value.__dict__)
    return moved


class ReaderStage(Stage):
    """Makes a package of the chapter's modules, with the notebook's own definitions in them.

    Support is shared with the previous chapter's package. In the core, unchanged definitions are
    the previous chapter's live objects, new and extended ones are the notebook's, and whatever the
    notebook has not defined yet is missing. The table of operations runs again on this core, with
    the notebook's rows replacing the library's.
    """

    def __init__(self, name: str, chapter: int, before: str, notebook: Namespace) -> None:
        super().__init__(name, chapter)
        self.before, self.notebook = before, notebook
        self.taken: Namespace = {}  # taken from the notebook
        self.refused: dict[str, object] = {}  # borrowed from another library
        self.attached: list[tuple[type, str, object, object]] = []  # by the table

    def prepare(self) -> None:
        """Share support and rows with the previous chapter's package."""
        for old in [each for part in GIVEN for each in stage_modules(f"{self.before}.{part}")]:
            sys.modules[self.name + old[len(self.before) :]] = sys.modules[old]

    def make(self) -> ModuleType:
        """Make the package, and record what its table attaches to the notebook's classes."""
        originals = [(cls, dict(vars(cls))) for cls in self.classes()]
        declared = sys.modules[f"{self.before}.rows.declarations"].DECLARED
        count = len(declared)
        try:
            return install(self)
        finally:
            del declared[count:]  # this package's own, which the next one would make again
            self.attached = [
                (cls, name, before.get(name, MISSING), now)
                for cls, before in originals
                for name, now in vars(cls).items()
                if before.get(name, MISSING) is not now
            ]

    def classes(self) -> list[type]:
        """The notebook's classes of the core."""
        core = [vars(sys.modules[name]) for name in stage_modules(f"{self.before}.core")]
        found = [each for names in [*core, self.notebook] for each in names.values()]
        return list({id(each): each for each in found if isinstance(each, type)}.values())

    def restore_classes(self) -> None:
        """Undo what the table attached, except where the notebook has changed it since."""
        for cls, name, before, now in self.attached:
            if vars(cls).get(name) is now:
                delattr(cls, name) if before is MISSING else setattr(cls, name, before)
        self.attached = []

    def run(self, module: str, text: str, file: str, namespace: Namespace) -> None:
        if not module:
            namespace |= {part: sys.modules[f"{self.name}.{part}"] for part in GIVEN}
        if module.partition(".")[0] == "core":
            self.assemble(module, text, file, namespace)
            remove_placeholders(namespace)
            self.refuse(module, namespace)
        else:
            super().run(module, text, file, namespace)

    def assemble(self, module: str, text: str, file: str, namespace: Namespace) -> None:
        """Fill a module of the core with the reader's definitions and the previous chapter's."""
        old_text = MINIGRAD.text(module, self.chapter - 1)
        old = {name: node for node in parsed(old_text).body for name in bound_names(node)}
        done = {dumped(node) for node in parsed(old_text).body}
        earlier = vars(sys.modules[f"{self.before}.{module}"]) if old else {}
        for statement, code in statements(text, file):
            names = bound_names(statement)
            grown = not names or names[0] not in old or dumped(statement) not in done
            if not names and isinstance(statement, ast.Import | ast.ImportFrom):
                super().execute(statement, code, namespace)
            elif grown and self.take_definition(statement, names, namespace):
                continue
            elif names and all(name in earlier for name in names):
                namespace.update(
                    {name: with_globals(earlier[name], earlier, namespace) for name in names}
                )
            elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
                namespace[names[0]] = Placeholder(names[0], self)
            elif dumped(statement) not in done:
                super().execute(statement, code, namespace)
                self.take_values(names, namespace)

    def execute(self, statement: ast.stmt, code: CodeType, namespace: Namespace) -> None:
        """Run a statement of the table, or take the notebook's own row of that name."""
        names = bound_names(statement)
        try:
            if not (names and self.is_of_chapter(statement, namespace)):
                super().execute(statement, code, namespace)
            elif not self.take_definition(statement, names, namespace):
                super().execute(statement, code, namespace)
                self.take_values(names, namespace)
        except AttributeError as error:  # the cells have not built this yet
            if not (isinstance(error.obj, ModuleType) and self.name in error.obj.__name__):
                raise
            namespace.update({name: Placeholder(name, self) for name in names})

    def is_of_chapter(self, statement: ast.stmt, namespace: Namespace) -> bool:
        """Whether a statement of the table carries this chapter's mark."""
        module = self.module(namespace["__name__"])
        if module.partition(".")[0] != "ops":
            return False
        lines = range(statement.lineno, (statement.end_lineno or 0) + 1)
        return not lines_of(MINIGRAD.whole(module), self.chapter).isdisjoint(lines)

    def take_definition(self, statement: ast.stmt, names: list[str], namespace: Namespace) -> bool:
        """Use the notebook's function or class of that name, and return whether there is one."""
        if not names or names[0] not in self.notebook:
            return False
        found = self.notebook[names[0]]
        match statement:
            case ast.FunctionDef():
                fits = callable(found) or isinstance(found, property)
                fits = fits and not isinstance(found, type)
            case ast.ClassDef():
                fits = isinstance(found, type)
            case _:
                return False
        if fits and self.refuses(names[0], found):
            return False
        if fits:
            namespace[names[0]] = self.taken[names[0]] = found
        return fits

    def refuses(self, name: str, found: object) -> bool:
        """Whether an object is borrowed from the finished library or a later stage; record it."""
        borrowed = is_borrowed(found, self.chapter)
        if borrowed:
            self.refused[name] = found
        return borrowed

    def take_values(self, names: list[str], namespace: Namespace) -> None:
        """Use the notebook's own rows and constants where they have the same type."""
        for name in names:
            found, made = self.notebook.get(name), namespace.get(name)
            if found is None or self.refuses(name, found):
                continue
            if type(found) is type(made):
                namespace[name] = self.taken[name] = found


MISSING = object()
BLOCKS: list[list[ReaderStage]] = []  # packages made in each open `restored_page_classes`


@contextmanager
def restored_page_classes() -> Iterator[None]:
    """Restore the notebook's classes after packages have been made of them in this block.

    A package shares its classes with the notebook, and its table attaches operations to them that
    call the package's core. Left there, they would hide a cell that is edited and run again.
    """
    made: list[ReaderStage] = []
    BLOCKS.append(made)
    try:
        yield
    finally:
        BLOCKS.remove(made)
        for maker in reversed(made):
            maker.restore_classes()


def restore_classes_of(library: ModuleType | None) -> None:
    """Restore the notebook's classes if `library` is a package from `yours`.

    A package that has a name in the notebook (`mine = yours()`) is left alone, because the reader
    will continue to use it.
    """
    maker = STAGES.get(library.__name__) if library is not None else None
    if not isinstance(maker, ReaderStage):
        return
    if all(each is not library for each in maker.notebook.values()):
        maker.restore_classes()


def yours(notebook: Namespace | None = None) -> ModuleType:
    """The reader's library as a package, from the notebook's cells that have run so far.

    From then on, the notebook's tensors use the operations of this package. `check` and `score`
    restore the notebook's own at their end, and so does `beside_pytorch` unless the package has a
    name in the notebook.

    Args:
        notebook: the names of a notebook; by default those of the running cell's notebook.

    Raises:
        LookupError: the notebook imports nothing from `minigrad_course.after_NN`.
    """
    notebook = notebook_names() if notebook is None else notebook
    chapter = chapter_of(notebook)
    before = f"minigrad_course.after_{chapter - 1:02}"
    maker = ReaderStage(f"minigrad_course.yours_{chapter:02}", chapter, before, notebook)
    for made in BLOCKS[-1:]:
        made.append(maker)
    return maker.make()


def chapter_of(notebook: Namespace) -> int:
    """The chapter that a notebook builds: the one after the library that it imports from."""
    if ORDER.chapter is not None:
        return ORDER.chapter
    kinds = (type, FunctionType, ModuleType)
    values = [value for value in notebook.values() if isinstance(value, kinds)]
    places = [each.__name__ if isinstance(each, ModuleType) else each.__module__ for each in values]
    found = Counter(int(match[1]) for place in places if (match := AFTER.match(str(place))))
    if not found:
        raise LookupError("this notebook imports nothing from minigrad_course.after_NN")
    # The most frequent stage, because single names may come from another one.
    return max(sorted(found), key=lambda stage: found[stage]) + 1


def notebook_names() -> Namespace:
    """The globals of the notebook whose cell is running."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") != "__main__":
        frame = frame.f_back
    return frame.f_globals
