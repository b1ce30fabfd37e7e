"""The library as a chapter leaves it: its source text, and a package made from it in memory.

A line of the library that belongs to a later chapter ends with that chapter's mark, `#@05` (see
`marks`). The library at chapter 4 is its text without the lines marked later, without what is
indented below them, and without the imports that nothing else uses.

    from minigrad_course.after_03 import Node, Tensor, method_of

imports from the library as chapter 03 left it. That package has its own copy of everything: of
`support`, of the core's modules that `core/__init__.py` imports at that chapter, and of the table
of operations, but never of `fast`. Packages stay loaded as long as the process runs, so what a
notebook attaches to their classes is there until its kernel ends.
"""

from __future__ import annotations
import __future__

import ast
import gc
import importlib
import importlib.util
import linecache
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NoReturn

from minigrad_course.kernel.marks import FIRST, LAST, code_in, marks_in
from minigrad_course.kernel.places import LIBRARY

AFTER = re.compile(r"minigrad_course\.after_(\d\d)")
GIVEN = ("support", "rows")  # parts that are the same at every stage
STRICT = (*GIVEN, "core", "rare")  # parts whose modules load in one piece or not at all
PARTS = (*STRICT, "ops", "autograd")  # everything a stage may have
# Nodes that only chapter 22 builds; until then, using them raises NotYet, which names it.
REFUSED = {"core.inplace": ("AsStridedBackward0", "CopySlices")}

# `def name(`, `class name:`, `name = …`, `name, other = …` or `name: kind = …` at the left margin.
TOP_LEVEL = re.compile(r"^(?:(?:def|class) (\w+)|(\w+(?:, \w+)*)(?:: .*?)? = )", re.MULTILINE)

Namespace = dict[str, Any]


# --- text -----------------------------------------------------------------------------------------


def at_chapter(text: str, chapter: int, file: str = "<text>") -> str:
    """`text` without the lines marked with a later chapter and what is indented below them.

    A mark with a colon, `#@10:`, makes its line the header of its block from that chapter on;
    before, that line alone is left out and the block is dedented. A definition is left out together
    with its decorators and the comment above it, and an import together with the last line that
    uses it. Lines are emptied rather than dropped, so line numbers stay the same.

    Raises:
        ValueError: a comment of `text`, which comes from `file`, is a malformed mark.
    """
    marks = marks_in(text, file)
    kept: list[str] = []
    left_out = None  # the indent of the marked line whose block is being left out
    opened: list[int] = []  # the indents of headers that are left out while their blocks stay
    for number, line in enumerate(text.splitlines(), 1):
        while opened and line.strip() and len(line) - len(line.lstrip()) <= opened[-1]:
            opened.pop()
        line = line[4 * len(opened) :]
        indent = len(line) - len(line.lstrip())
        closes = left_out == indent and re.match(r"\s*[)\]}]", line)  # closes that line's bracket
        if left_out is not None and line.strip() and indent <= left_out and not closes:
            left_out = None
        mark = marks.get(number)
        if left_out is None and mark is not None and mark.chapter > chapter:
            if mark.is_header:
                opened.append(indent + 4 * len(opened))
                kept.append("")
                continue
            left_out = indent
            if re.match(r"\s*(def |class )", line):  # a marked decorator leaves only itself out
                _leave_out_head(kept, indent)
        kept.append(line if left_out is None else "")
    stage = "\n".join(kept) + "\n"
    return stage if stage == text else without_idle_imports(stage, text)


def without_idle_imports(stage: str, whole: str) -> str:
    """`stage` without the imported names that only dropped lines of `whole` use."""
    nodes = [*ast.walk(parsed(stage))]
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    idle = set(re.findall(r"(?<![\w.])\w+", dropped(stage, whole))) - used
    lines = stage.splitlines()
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(imports, key=lambda node: node.lineno, reverse=True):
        names = [each for each in node.names if (each.asname or each.name) not in idle]
        if len(names) < len(node.names):
            end = node.end_lineno or node.lineno
            line = lines[node.lineno - 1]
            fewer = copy(node)
            fewer.names = names
            kept = [line[: node.col_offset] + ast.unparse(fewer)] if names else []
            empty = [""] * (end - node.lineno + 1 - len(kept))
            lines[node.lineno - 1 : end] = kept + empty
    return "\n".join(lines) + "\n"


def dropped(stage: str, whole: str) -> str:
    """The lines of `whole` that are empty in `stage`, without their comments and strings."""
    pairs = zip(stage.splitlines(), code_in(whole).splitlines(), strict=True)
    return "\n".join(line for kept, line in pairs if not kept)


def _leave_out_head(kept: list[str], indent: int) -> None:
    """Empty the decorators and comments that `kept` ends with."""
    place = len(kept)
    while place and re.match(rf" {{{indent}}}[@#]", kept[place - 1]):
        place -= 1
    kept[place:] = [""] * (len(kept) - place)


def definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """What a module defines: functions, classes, members of classes and variables, by name.

    A name may have several definitions (a property and its setter). An assignment to a class
    attribute (`Tensor.__add__ = …`) counts as a member of that class.
    """
    found: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for name in bound_names(node):
            found.setdefault(name, []).append(node)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                for name in bound_names(member):
                    found.setdefault(f"{node.name}.{name}", []).append(member)
    return found


def bound_names(node: ast.stmt) -> list[str]:
    """The names that a statement defines; an import defines none."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            targets = [
                part for target in node.targets for part in getattr(target, "elts", [target])
            ]
        case ast.AnnAssign():
            targets = [node.target]
        case _:
            return []
    return [ast.unparse(target) for target in targets]


def top_level_names(text: str) -> list[str]:
    """The names that the lines of a module define, without parsing it."""
    found = TOP_LEVEL.findall(text)
    return [name for names in found for name in "".join(names).split(", ")]


def method_target(node: ast.stmt) -> str:
    """`Tensor.backward` for a function under `@method_of(Tensor)`; "" for anything else."""
    for decorator in getattr(node, "decorator_list", []):
        match decorator:
            case ast.Call(ast.Name("method_of"), [owner, *rest]):
                name = getattr(node, "name", "")
                given: Sequence[Any] = [getattr(each, "value", None) for each in rest]
                return f"{ast.unparse(owner)}.{given[0] if given else name}"
    return ""


@dataclass(frozen=True)
class Library:
    """A library with chapter marks, in `folder`; module names are relative to it: "core.engine".

    Each file is looked for and read once, because every check of an exercise makes a package.
    """

    folder: Path

    @cache  # noqa: B019 - there are few libraries, and all stay alive anyway
    def path(self, module: str) -> Path | None:
        """The file of a module or package; None if there is none."""
        place = self.folder.joinpath(*module.split(".")) if module else self.folder
        for file in (place / "__init__.py", place.with_suffix(".py")):
            if file.is_file():
                return file
        return None

    @cache  # noqa: B019
    def whole(self, module: str) -> str:
        """The full text of a module, at no particular chapter.

        Raises:
            LookupError: there is no such module.
        """
        path = self.path(module)
        if path is None:
            raise LookupError(f"{self.folder.name} has no module {module}")
        return path.read_text(encoding="utf-8")

    def text(self, module: str, chapter: int) -> str:
        """The text of a module at `chapter`, line numbers unchanged; "" before it is introduced."""
        part = module.partition(".")[0]
        if part == "core" and module not in self.core(chapter):
            return ""
        if part in GIVEN:
            return self.whole(module)
        return self.blanked(module, min(chapter, LAST))

    @cache  # noqa: B019
    def blanked(self, module: str, chapter: int) -> str:
        """The text of a module at `chapter`, line numbers unchanged."""
        return at_chapter(self.whole(module), chapter, str(self.path(module)))

    def defined(self, module: str, chapter: int) -> dict[str, list[ast.stmt]]:
        """The definitions of a module at `chapter`."""
        return defined_in(self.text(module, chapter))

    @cache  # noqa: B019
    def core(self, chapter: int) -> list[str]:
        """The core's modules at `chapter`: those that `core/__init__.py` imports, and itself."""
        if chapter < FIRST:
            return []
        tree = parsed(self.blanked("core", min(chapter, LAST)))
        imports = (node for node in tree.body if isinstance(node, ast.ImportFrom))
        return [*(f"core.{each.name}" for node in imports for each in node.names), "core"]

    @cache  # noqa: B019
    def chapter_of(self, name: str) -> int | None:
        """The first chapter at which the core or the operations define `name`; None if never."""
        table = [f"ops.{file.stem}" for file in sorted((self.folder / "ops").glob("*.py"))]
        modules = [
            each for each in (*self.core(LAST), *table) if name in defined_in(self.whole(each))
        ]

        def is_defined(chapter: int) -> bool:
            possible = [each for each in modules if chapter > FIRST or each not in table]
            return any(name in self.defined(module, chapter) for module in possible)

        chapters = range(FIRST, LAST + 1)
        first = bisect_left(chapters, True, key=is_defined)
        return chapters[first] if first < len(chapters) else None


@cache
def parsed(text: str) -> ast.Module:
    """The syntax tree of `text`, cached; do not modify it."""
    return ast.parse(text)


@cache
def dumped(node: ast.stmt) -> str:
    """A statement of a cached tree as text, for comparing it with another."""
    return ast.dump(node)


@cache
def defined_in(text: str) -> dict[str, list[ast.stmt]]:
    """The definitions of a text, cached; do not modify them."""
    return definitions(parsed(text))


MINIGRAD = Library(LIBRARY)


# --- what a stage does not have -------------------------------------------------------------------


class NotYet(NotImplementedError):  # noqa: N818 - it says when something comes, not that it failed
    """Raised by a stage when a program uses what a later chapter builds."""

    def __init__(self, name: str, chapter: int) -> None:
        super().__init__(name, chapter)
        self.name, self.chapter = name, chapter

    def __str__(self) -> str:
        chapter = MINIGRAD.chapter_of(self.name)  # here, because most are caught and never shown
        when = "is not part of the stages" if chapter is None else f"is built in {chapter:02}"
        return f"{self.name} {when}; this is the library at chapter {self.chapter:02}"


class Placeholder:
    """Replaces a name that a stage does not have yet; using it raises NotYet."""

    def __init__(self, name: str, stage: Stage) -> None:
        self.__dict__.update(_name=name, _chapter=stage.chapter)

    def _use(self, /, *_: object, **__: object) -> NoReturn:
        raise NotYet(self.__dict__["_name"], self.__dict__["_chapter"])

    __call__ = __getattr__ = __setattr__ = __getitem__ = __iter__ = __mro_entries__ = _use
    __setitem__ = __or__ = __ror__ = __add__ = __radd__ = __len__ = __contains__ = __enter__ = _use

    def __instancecheck__(self, thing: object) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<{self.__dict__['_name']}: later>"


# --- packages -------------------------------------------------------------------------------------


@contextmanager
def without_collector() -> Iterator[None]:
    """Disable the garbage collector in this block."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Stage(Loader):
    """Makes the package `name`: a library as a chapter leaves it."""

    def __init__(self, name: str, chapter: int) -> None:
        self.name, self.chapter = name, chapter

    def spec(self, fullname: str) -> ModuleSpec | None:
        """The spec of a module of the package; None if the stage does not have it."""
        module = self.module(fullname)
        path = MINIGRAD.path(module)
        part = module.partition(".")[0]
        if path is None or part not in ("", *PARTS):
            return None
        if part == "core" and module not in MINIGRAD.core(self.chapter):
            return None
        spec = ModuleSpec(fullname, self, is_package=path.name == "__init__.py")
        spec.origin, spec.has_location = self.file(module), True
        return spec

    def module(self, fullname: str) -> str:
        """The name of a module relative to the package."""
        return fullname[len(self.name) + 1 :]

    def file(self, module: str) -> str:
        """The file name in tracebacks: the library's file, and at which chapter."""
        path = MINIGRAD.path(module)
        assert path is not None
        place = path.relative_to(MINIGRAD.folder.parent).as_posix()
        return f"{place} at chapter {self.chapter:02}"

    def prepare(self) -> None:
        """Prepare the import of the package; subclasses override this."""

    def create_module(self, spec: ModuleSpec) -> None:
        """Return None, so that Python creates the module."""

    @without_collector()  # it would search all syntax trees many times, and free nothing
    def exec_module(self, module: ModuleType) -> None:
        """Run the text of a module at the chapter."""
        name = self.module(module.__name__)
        text, file = MINIGRAD.text(name, self.chapter), self.file(name)
        linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
        if not name and self.chapter >= FIRST:
            importlib.import_module(f"{self.name}.core")  # here, so that errors in it surface
        self.run(name, text, file, vars(module))
        if name == "support.errors":  # it looks for notebooks, and `file` is not a real path
            vars(module)["CHECKOUT"] = str(MINIGRAD.folder.parent)
        if name in ("", "autograd"):
            remove_placeholders(vars(module))
        if not name:
            self.export_definitions(vars(module))

    def run(self, module: str, text: str, file: str, namespace: Namespace) -> None:
        """Run `text`, the text of `module`, in `namespace`."""
        if module.partition(".")[0] in STRICT:
            exec(compiled(text, file), namespace)
            self.refuse(module, namespace)
        else:
            later = top_level_names(dropped(text, MINIGRAD.whole(module)))
            namespace.update({name: Placeholder(name, self) for name in later})
            for statement, code in statements(text, file):
                self.execute(statement, code, namespace)

    def refuse(self, module: str, namespace: Namespace) -> None:
        """Put placeholders for the names in `REFUSED` that the module does not define yet."""
        for name in REFUSED.get(module, ()):
            namespace.setdefault(name, Placeholder(name, self))

    def execute(self, statement: ast.stmt, code: CodeType, namespace: Namespace) -> None:
        """Run one statement; if that raises NotYet, bind its names to placeholders."""
        try:
            if isinstance(statement, ast.ImportFrom) and statement.level:
                self.import_from(statement, namespace)
            else:
                exec(code, namespace)
        except (NotYet, ImportError) as error:
            if not self.lacks(error):
                raise
            for name in bound_names(statement):
                namespace[name] = Placeholder(name, self)

    def import_from(self, statement: ast.ImportFrom, namespace: Namespace) -> None:
        """Import within the package, with placeholders for what the stage does not have."""
        relative = "." * statement.level + (statement.module or "")
        base = importlib.util.resolve_name(relative, namespace["__package__"])
        module = self.load(base)
        for item in statement.names:
            if item.name == "*" and module is not None:
                namespace.update(public_names(module))
            elif item.name != "*":
                found = getattr(module, item.name, None) if module is not None else None
                if found is None:
                    found = self.load(f"{base}.{item.name}") or Placeholder(item.name, self)
                namespace[item.asname or item.name] = found

    def load(self, fullname: str) -> ModuleType | None:
        """A module of the package; None if the stage lacks it, or lacks something it needs."""
        try:
            return importlib.import_module(fullname)
        except (NotYet, ImportError) as error:
            if not self.lacks(error):
                raise
            return None

    def lacks(self, error: NotYet | ImportError) -> bool:
        """Whether an error means that the stage does not have something yet."""
        return isinstance(error, NotYet) or (error.name or "").startswith(self.name)

    def export_definitions(self, namespace: Namespace) -> None:
        """Make the definitions of core, support and rows available as names of the package."""
        for part in (MINIGRAD.core(self.chapter), self.given()):
            for name in part:
                module = importlib.import_module(f"{self.name}.{name}")
                namespace.setdefault(name.rpartition(".")[2], module)
                for each in top_level_names(MINIGRAD.text(name, self.chapter)):
                    found = vars(module).get(each)
                    if found is not None and not isinstance(found, Placeholder):
                        namespace.setdefault(each, found)

    def given(self) -> list[str]:
        """The modules that are the same at every stage."""
        files = [file for part in GIVEN for file in (MINIGRAD.folder / part).glob("[!_]*.py")]
        return [f"{file.parent.name}.{file.stem}" for file in sorted(files)]


def remove_placeholders(namespace: Namespace) -> None:
    """Delete the placeholders from a module that users see."""
    for name in [name for name, value in namespace.items() if isinstance(value, Placeholder)]:
        del namespace[name]
    if "__all__" in namespace:
        namespace["__all__"] = [name for name in namespace["__all__"] if name in namespace]


def public_names(module: ModuleType) -> Namespace:
    """What `from module import *` imports."""
    names = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
    return {name: getattr(module, name) for name in names}


@cache
def compiled(text: str, file: str) -> CodeType:
    """The code of `text`, cached."""
    return compile(text, file, "exec", dont_inherit=True)


@cache
def statements(text: str, file: str) -> list[tuple[ast.stmt, CodeType]]:
    """The statements of `text`, each with its code, compiled one by one."""
    tree = parsed(text)
    future = any(
        isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body
    )
    flags = __future__.annotations.compiler_flag if future else 0
    return [
        (node, compile(ast.Module([node], []), file, "exec", flags, dont_inherit=True))
        for node in tree.body
    ]


class Finder(MetaPathFinder):
    """Makes stages importable."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """The spec of a module of a stage; None for all other modules."""
        package = ".".join(fullname.split(".")[:2])
        after = AFTER.fullmatch(package)
        if package not in STAGES and after:
            STAGES[package] = Stage(package, int(after[1]))
        stage = STAGES.get(package)
        return stage.spec(fullname) if stage is not None else None


STAGES: dict[str, Stage] = {}
sys.meta_path.append(Finder())


def load(chapter: int, name: str = "") -> ModuleType:
    """A new package with the library as `chapter` leaves it, replacing any of the same name.

    Args:
        chapter: the chapter.
        name: the package's name; by default `after_NN`, which notebooks import.
    """
    fullname = f"minigrad_course.{name or f'after_{chapter:02}'}"
    return install(Stage(fullname, chapter))


def install(stage: Stage) -> ModuleType:
    """Import a fresh package of `stage`, replacing any of the same name."""
    forget(stage.name)
    STAGES[stage.name] = stage
    stage.prepare()
    return importlib.import_module(stage.name)


def forget(fullname: str) -> None:
    """Unload a stage's package; objects of it that are still referenced keep working."""
    for name in [*stage_modules(fullname)]:
        del sys.modules[name]
    STAGES.pop(fullname, None)


def stage_modules(fullname: str) -> Iterator[str]:
    """The names of the loaded modules of a package."""
    for name in [*sys.modules]:
        if name == fullname or name.startswith(f"{fullname}."):
            yield name
