"""The source of a notebook's `lib:` cells: definitions of the library as of a chapter.

A new definition is shown whole, and a class has all its members except those with their own cells
in the notebook. A member of an existing class is shown so that a cell can attach it: a method under
`@method_of(Class)`, a field as an assignment. The lines that the chapter adds to an existing
definition end with `# new`. Chapter marks and comments for tools are left out.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from minigrad_course.kernel.marks import marks_in
from minigrad_course.kernel.places import ROOT
from minigrad_course.kernel.stages import MINIGRAD, Library, definitions

NEW = "# new"
LONGEST_LINE = 100
FOR_TOOLS = re.compile(r"\s*# (?:type: ignore|noqa|fmt:|pragma:).*?(?=  #|$)")
ASSIGNMENT = (ast.Assign, ast.AnnAssign)


@dataclass(frozen=True)
class Piece:
    """A definition as a cell shows it.

    `before` is its source at the previous chapter, or None if it is new.
    """

    name: str
    source: str
    node: ast.stmt
    before: str | None


def lib_source(names: Sequence[str], chapter: int, elsewhere: Collection[str] = ()) -> str:
    """The source of a cell tagged with `names` in notebook number `chapter`.

    Args:
        names: such as `minigrad.core.engine.BackwardPass.run_node`.
        chapter: the notebook's number.
        elsewhere: names with which the notebook's other cells are tagged.

    Raises:
        LookupError: the library does not define a name at that chapter, or the name has no value
            that a cell could show.
    """
    return join([piece(name, chapter, elsewhere) for name in names])


def join(pieces: Sequence[Piece]) -> str:
    """The source of a cell that shows several pieces, with no blank lines between assignments."""
    text = pieces[0].source
    for one, other in pairwise(pieces):
        rows = isinstance(one.node, ASSIGNMENT) and isinstance(other.node, ASSIGNMENT)
        text += ("\n" if rows else "\n\n\n") + other.source
    return text


@cache
def _piece(name: str, chapter: int, elsewhere: frozenset[str]) -> Piece:
    library, module, path = locate(name)
    now = library.text(module, chapter)
    old = library.text(module, chapter - 1) if library is MINIGRAD else ""
    found, known = definitions(ast.parse(now)), definitions(ast.parse(old))
    if path not in found:
        raise LookupError(f"lib:{name}: {module} defines no {path} at chapter {chapter:02}")
    if path in known and isinstance(found[path][0], ast.ClassDef):
        raise LookupError(f"lib:{name} is there before {chapter:02}: show the members that grow")
    own = frozenset(
        other.removeprefix(f"{name}.") for other in elsewhere if other.startswith(f"{name}.")
    )
    whole = library.whole(module)
    shown = Shown(path, found[path], whole, now, old if path in known else "", own)
    source = shown.source()
    before = None
    if path in known:
        before = Shown(path, known[path], whole, old, "", own).source()
    return Piece(name, source, found[path][0], before)


def piece(name: str, chapter: int, elsewhere: Collection[str] = ()) -> Piece:
    """A definition as a cell of notebook number `chapter` shows it; errors as in `lib_source`."""
    return _piece(name, chapter, frozenset(elsewhere) - {name})


def growth(library: Library, chapter: int) -> list[str]:
    """What a chapter adds to the core: functions, classes, methods and fields, new or grown.

    Names are relative to the library (`core.engine.BackwardPass.run_node`), in an order in which
    cells can run them. A new class covers its members. Constants are left out, as is
    `core.checks`, because no chapter builds it.
    """
    found = []
    for module in library.core(chapter):
        if module == "core.checks":
            continue
        now, old = library.defined(module, chapter), library.defined(module, chapter - 1)
        new = [name for name, nodes in now.items() if dumps(nodes) != dumps(old.get(name, []))]
        for name in new:
            cls, _, member = name.rpartition(".")
            grows = isinstance(now[name][0], ast.ClassDef) and name in old
            without_value = getattr(now[name][0], "value", True) is None
            constant = not cls and isinstance(now[name][0], ASSIGNMENT)
            in_new = cls in now and cls not in old
            if not (grows or without_value or constant or in_new or member == "__module__"):
                found.append(f"{module}.{name}")
    return found


def dumps(nodes: Sequence[ast.stmt]) -> list[str]:
    """Syntax trees in a form that can be compared."""
    return [ast.dump(node) for node in nodes]


@dataclass(frozen=True)
class Shown:
    """A definition within the text of its module `now`, and the module's earlier text.

    `whole` is the text at the end of the course. `old` is empty if the definition is new; `own` are
    members that are shown elsewhere.
    """

    path: str
    nodes: list[ast.stmt]
    whole: str
    now: str
    old: str
    own: frozenset[str]

    def source(self) -> str:
        """The text that a cell shows."""
        return "\n\n\n".join(self.source_of(node) for node in self.nodes)

    def source_of(self, node: ast.stmt) -> str:
        """One of the nodes that make up the definition, such as a property or its setter."""
        cls = self.path.rpartition(".")[0]
        if cls and isinstance(node, ASSIGNMENT):
            return self.field(node, cls)
        lines = self.lines(node)
        while lines and not lines[-1].strip():
            lines.pop()
        shown = in_one_line(unindented(lines))
        if cls:
            comments = next(n for n, line in enumerate(shown) if not line.startswith("#"))
            shown.insert(comments, f"@method_of({cls})")
        return "\n".join(shown)

    def field(self, node: ast.stmt, cls: str) -> str:
        """A field of a class as an assignment from outside."""
        value = getattr(node, "value", None)
        if value is None:
            raise LookupError(f"lib: {self.path} has no value that a cell could show")
        segment = ast.get_source_segment(self.now, value)
        comment = without_marks(self.now)[(node.end_lineno or 0) - 1].partition("  #")[2]
        name = self.path.rpartition(".")[2]
        return f"{cls}.{name} = {segment}" + (f"  #{comment}" if comment else "")

    def lines(self, node: ast.stmt) -> list[str]:
        """The lines of a definition with its decorators and the comment above it."""
        text, whole = self.now.splitlines(), self.whole.splitlines()
        unmarked = without_marks(self.now)
        left_out = self.left_out(node)
        strings = inside_strings(self.now)
        fresh = self.fresh()
        shown: list[str] = []
        for number in range(first_line(text, node), (node.end_lineno or 0) + 1):
            line = text[number - 1]
            if number in left_out or (not line.strip() and whole[number - 1].strip()):
                continue
            if not line.strip() and not (shown and shown[-1].strip()):
                continue  # one blank line is enough
            line = unmarked[number - 1]
            if number in fresh and line.strip() and number not in strings:
                code, _, comment = line.partition("  # ")
                line = f"{code}  {NEW}" + (f": {comment}" if comment else "")
            shown.append(line)
        return shown

    def left_out(self, node: ast.stmt) -> set[int]:
        """The lines of a class that its cell does not show."""
        if not isinstance(node, ast.ClassDef):
            return set()
        text = self.now.splitlines()
        return {
            number
            for member in node.body
            if self.is_elsewhere(member)
            for number in range(first_line(text, member), (member.end_lineno or 0) + 1)
        }

    def is_elsewhere(self, member: ast.stmt) -> bool:
        """Whether a member of a class is shown in a cell of its own, or to type checkers only."""
        if isinstance(member, ast.If):
            return "TYPE_CHECKING" in ast.unparse(member.test)
        tree = ast.Module([member], [])
        return any(name in self.own for name in definitions(tree))

    def fresh(self) -> set[int]:
        """The lines that the chapter adds to an existing definition."""
        if not self.old:
            return set()
        old = self.old.splitlines()
        return {
            number
            for number, line in enumerate(self.now.splitlines(), 1)
            if line.strip() and not (number <= len(old) and old[number - 1].strip())
        }


def locate(name: str) -> tuple[Library, str, str]:
    """The library of a dotted name, the module within it, and the rest of the name.

    Modules outside minigrad do not grow, so their definitions are new wherever they are shown.

    Raises:
        LookupError: there is no such module.
    """
    parts = name.split(".")
    library = MINIGRAD if parts[0] == MINIGRAD.folder.name else Library(ROOT)
    start = 1 if library is MINIGRAD else 0
    for cut in range(len(parts) - 1, start, -1):
        module = ".".join(parts[start:cut])
        if library.path(module) is not None:
            return library, module, ".".join(parts[cut:])
    raise LookupError(f"lib:{name}: there is no such module")


def first_line(text: Sequence[str], node: ast.stmt) -> int:
    """The first line of a definition: of its decorators, and of the comment right above it."""
    decorators = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(item.lineno for item in decorators)])
    while start > 1 and text[start - 2].strip().startswith("#"):
        start -= 1
    return start


def unindented(lines: Sequence[str]) -> list[str]:
    """The lines without the indent of the first."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] for line in lines]


def in_one_line(lines: Sequence[str]) -> list[str]:
    """The lines, with each signature on one line if it fits without its later parameters."""
    shown: list[str] = []
    opened: int | None = None  # the first line of the current signature
    for line in lines:
        shown.append(line)
        if re.fullmatch(r" *def \w+\(", line):
            opened = len(shown) - 1
        elif opened is not None and line.lstrip().startswith(")"):
            start, *parameters, end = shown[opened:]
            inside = " ".join(each.strip() for each in parameters).removesuffix(",")
            joined = f"{start}{inside}{end.strip()}"
            if "#" not in joined and len(joined) <= LONGEST_LINE:
                shown[opened:] = [joined]
            opened = None
    return shown


@cache
def without_marks(text: str) -> list[str]:
    """The lines of a module without marks and comments for tools; other comments stay."""
    marks, strings = marks_in(text), inside_strings(text)
    lines = text.splitlines()
    for number, mark in marks.items():
        lines[number - 1] = lines[number - 1][: mark.column].rstrip()
    return [
        line if number in strings else FOR_TOOLS.sub("", line).rstrip()
        for number, line in enumerate(lines, 1)
    ]


def inside_strings(source: str) -> set[int]:
    """The numbers of the lines of multiline strings, which cannot have marks."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.STRING and token.end[0] > token.start[0]:
            found |= set(range(token.start[0], token.end[0] + 1))
    return found
