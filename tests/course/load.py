"""Rules about what a chapter shows of the library, and which names its cells use.

Each rule takes a notebook and returns what is wrong with it, as the rules in rules.py do.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from minigrad_course.desk import ipynb
from minigrad_course.kernel.stages import LAST, MINIGRAD
from tests.course.rules import code_cells
from tools import notebooks
from tools.cell_names import cell_names
from tools.lib_cells import growth, locate

FREE = {*dir(builtins), "display", "get_ipython", "__name__", "_"}  # what every cell may use
COMMON = {  # attributes that other objects have as well
    name for kind in (list, dict, str, set, tuple, np.ndarray, Exception) for name in dir(kind)
} | {*dir(np), "clone", "inputs"}  # rows have these before modes and passes do

Notebooks = Mapping[str, NotebookNode]


# --- what is shown --------------------------------------------------------------------------------


def gaps(notebook: NotebookNode, chapter: int) -> list[str]:
    """The notebook shows everything that the chapter adds to the core, each definition once."""
    names = notebooks.all_lib_names(notebook)
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = [name for name in growth(MINIGRAD, chapter) if f"minigrad.{name}" not in names]
    return [f"{name} is shown twice" for name in twice] + [
        f"the chapter builds {name}, and no lib: cell shows it" for name in missing
    ]


# --- the same text --------------------------------------------------------------------------------


def same_trees(notebook: NotebookNode, chapter: int) -> list[str]:
    """`lib:` cells define what the library defines at that chapter, compared as syntax trees."""
    wrong = []
    for cell in lib_cells(notebook):
        shown = shown_definitions(ast.parse(cell.source))
        for name in notebooks.lib_names(cell):
            try:
                library, module, path = locate(name)
            except LookupError as error:
                wrong.append(str(error))
                continue
            wanted = [normal(node) for node in library.defined(module, chapter).get(path, [])]
            if not wanted or not all(fits(node, shown.get(path, [])) for node in wanted):
                wrong.append(f"{name}: the cell does not define what the library does")
    return wrong


def shown_definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """What a cell defines, with methods under the names that they have in the library."""
    found: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        name = getattr(node, "name", None)
        decorators = getattr(node, "decorator_list", [])
        attached = [d for d in decorators if ast.unparse(d).startswith("method_of(")]
        if name is None:
            name = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node)
        elif attached and isinstance(attached[0], ast.Call):
            found.setdefault(name, []).append(normal(node))  # the library may have it in this form
            name = f"{ast.unparse(attached[0].args[0])}.{name}"
        found.setdefault(name, []).append(normal(node))
    return found


def normal(node: ast.stmt) -> ast.stmt:
    """A definition in one form, whether it is in its class or attached to the class later."""
    node = ast.parse(ast.unparse(node)).body[0]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        node.decorator_list = [
            d for d in node.decorator_list if not ast.unparse(d).startswith("method_of(")
        ]
    if isinstance(node, ast.AnnAssign) and node.value is not None:
        node = ast.Assign([node.target], node.value, lineno=1)
    return node


def fits(wanted: ast.stmt, shown: Sequence[ast.stmt]) -> bool:
    """Whether one of the definitions `shown` is `wanted`; a class may lack some members."""
    if isinstance(wanted, ast.ClassDef):
        members = {ast.dump(normal(member)) for member in wanted.body}
        return any(
            isinstance(node, ast.ClassDef) and {ast.dump(normal(m)) for m in node.body} <= members
            for node in shown
        )
    if isinstance(wanted, ast.Assign):
        return any(
            isinstance(node, ast.Assign) and ast.dump(node.value) == ast.dump(wanted.value)
            for node in shown
        )
    return any(ast.dump(node) == ast.dump(wanted) for node in shown)


# --- names ----------------------------------------------------------------------------------------


def unknown_names(notebook: NotebookNode) -> list[str]:
    """No cell uses a name that no cell has defined or imported; functions may use later ones."""
    wrong = []
    cells = [(cell, cell_names(plain(cell.source))) for cell in code_cells(notebook)]
    everything = {name for _, names in cells for name in names.bound}
    known = set(FREE)
    for cell, names in cells:
        known |= names.bound
        for name in sorted((names.read - known) | (names.later - everything - FREE)):
            wrong.append(f"cell {cell.execution_count}: {name} is nowhere defined or imported")
    return wrong


def introduced(chapters: Notebooks) -> list[str]:
    """What a notebook imports from the library was built before, or is named in its text.

    Names that only folded cells use need no text, because readers may leave those closed.
    A page may import an earlier stage as a whole, such as `import minigrad_course.after_23`,
    because it only inspects that copy and builds nothing from it.
    """
    wrong = []
    built: set[str] = set()
    prose = ""
    for name, notebook in chapters.items():
        text = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
        prose += re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", prose))))
        words |= used_by(notebook, folded=True) - used_by(notebook, folded=False)
        for cell in code_cells(notebook):
            what = f"{name}, cell {cell.execution_count}"
            for module, item in imported(cell):
                if module.startswith("minigrad_course.after_"):
                    after = "minigrad_course.after_"
                    whole = item == "minigrad_course" and module < f"{after}{name[:2]}"
                    if not whole and module != f"{after}{int(name[:2]) - 1:02}":
                        wrong.append(f"{what}: {module} is not the library before this chapter")
                    if item not in built and item not in words:
                        wrong.append(f"{what}: {item} was not built, and no text introduces it")
            built |= cell_names(plain(cell.source)).bound  # constants and types, in plain cells
        built |= {part for shown in notebooks.all_lib_names(notebook) for part in shown.split(".")}
    return wrong


def used_by(notebook: NotebookNode, folded: bool) -> set[str]:
    """The names that the folded cells of a notebook use, or those that the other cells use."""
    cells = [cell for cell in code_cells(notebook) if is_folded(cell) is folded]
    names = [cell_names(plain(cell.source)) for cell in cells]
    return {name for each in names for name in each.read | each.later}


def whole_library(chapters: Notebooks) -> list[str]:
    """Cells that import the finished library, or use its name, are tagged `finished`."""
    wrong = []
    for name, notebook in chapters.items():
        whole: set[str] = set()
        for cell in code_cells(notebook):
            found = [item for module, item in imported(cell) if is_whole(module)]
            names = cell_names(plain(cell.source))
            whole |= set(found)
            if (found or whole & (names.read | names.later)) and "finished" not in ipynb.tags(cell):
                wrong.append(
                    f"{name}, cell {cell.execution_count}: uses the whole library; tag it finished"
                )
    return wrong


def is_whole(module: str) -> bool:
    """Whether a module belongs to the finished library; drawings work at every stage."""
    part = module.split(".")
    return part[0] == "minigrad" and part[1:2] != ["viz"]


def too_early(notebook: NotebookNode, chapter: int) -> list[str]:
    """No cell uses a name of the core that only a later chapter builds.

    An attribute means a member of a class, and any other name what a module defines, unless it is
    a variable of a function or a comprehension.
    """
    wrong = []
    built, whole = names_of(chapter), names_of(LAST)
    later = members(whole) - members(built)
    alone = {name for name in whole if "." not in name} - members(built)
    own = {name for cell in code_cells(notebook) for name in cell_names(plain(cell.source)).bound}
    own |= {name for cell in code_cells(notebook) for name in fields(plain(cell.source))}
    for cell in code_cells(notebook):
        if "finished" in ipynb.tags(cell):
            continue
        source = plain(cell.source)
        attributes = {
            node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)
        }
        names = cell_names(source)
        used = ((attributes - COMMON) & later) | ((names.read | names.later) & alone)
        for name in sorted(used - own):
            wrong.append(f"cell {cell.execution_count}: {name} is built later")
    return wrong


def fields(source: str) -> Iterator[str]:
    """The methods of the classes that a source defines, and the fields that they set on `self`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and not node.bases:
            yield from (part.name for part in node.body if isinstance(part, ast.FunctionDef))
        stored = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        if stored and isinstance(node.value, ast.Name) and node.value.id == "self":
            yield node.attr


@cache
def names_of(chapter: int) -> frozenset[str]:
    """The names that the core defines at a chapter, members as `Class.member`."""
    return frozenset(
        name for module in MINIGRAD.core(chapter) for name in MINIGRAD.defined(module, chapter)
    )


def members(names: Iterable[str]) -> set[str]:
    """The names without their classes."""
    return {name.rpartition(".")[2] for name in names}


# --- reading --------------------------------------------------------------------------------------


def lib_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The cells that show definitions of the library."""
    return [cell for cell in code_cells(notebook) if notebooks.lib_names(cell)]


def is_folded(cell: NotebookNode) -> bool:
    """Whether the code of a `lib:` cell is hidden until the reader opens it."""
    return notebooks.FOLDED in ipynb.tags(cell)


def plain(source: str) -> str:
    """A cell's source as plain Python."""
    transformed: str = TransformerManager().transform_cell(source)
    return transformed


def imported(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """What a cell imports, as pairs of a module and the name that is imported or bound."""
    for node in ast.walk(ast.parse(plain(cell.source))):
        if isinstance(node, ast.Import):
            for item in node.names:
                yield item.name, item.asname or item.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            for item in node.names:
                yield node.module or "", item.name
