"""What the core of the library defines, which notebook builds it, and what a notebook may import.

**Built.** A definition is a function, a variable or a member of a class in a core module. A
notebook builds it with a cell tagged `lib:` and its name, or the name of its class. Every
definition is built in exactly one notebook, or COMING says which chapter will build it, or PLUMBING
says why none does.

**Imported.** A notebook may import a core definition only below the cell, or after the notebook,
that builds it; a class, once its first member is built (the rest of it comes along unseen). What
lies outside the core (drawings, printing, dtypes, creation functions, `course`) may be imported
from the start.

**The finished library.** `import minigrad as torch` brings everything at once, so cells with it and
cells that use the name it binds are tagged `finished`: they show how the whole thing, and so
PyTorch, behaves, and take no part in the building.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tests.course.rules import code_cells
from tools import notebooks

PACKAGE = "minigrad"

# The core: modules, and packages with all their modules.
CORE = (
    "tensor",
    "node",
    "engine",
    "grad_mode",
    "ops",
    "function",
    "hooks",
    "gradcheck",
    "functional",
)

# Chapters that are still to be written, and what they will build (names, or patterns with *).
COMING: dict[str, list[str]] = {
    "05_leaves": [
        "minigrad.tensor.Tensor.grad",
        "minigrad.tensor.Tensor.retain_grad",
        "minigrad.tensor.Tensor.retains_grad",
        "minigrad.tensor.check_grad",
    ],
    "06_lifetime": [
        "minigrad.node.FREED",
        "minigrad.node.PackedValue.*",
        "minigrad.node.check_saved",
        "minigrad.node.saved_edge",
        "minigrad.ops.runtime.saved_attribute",
    ],
    "08_functions": [  # and the gradients of both sides of a power
        "minigrad.function.*",
        "minigrad.ops.elementwise.ARRAYS*",
        "minigrad.ops.elementwise.TENSORS*",
        "minigrad.ops.elementwise.for_power",
        "minigrad.ops.elementwise.NUMBERS",
        "minigrad.ops.elementwise.log_of_number",
        "minigrad.ops.elementwise.pow_",
        "minigrad.ops.elementwise.pow_of_number",
        "minigrad.ops.elementwise.pow_tensor",
        "minigrad.ops.elementwise.rpow",
    ],
    "09_gradcheck": [  # and operations with a kink
        "minigrad.gradcheck.*",
        "minigrad.ops.elementwise.abs_",
        "minigrad.ops.elementwise.rectified",
        "minigrad.ops.elementwise.relu",
        "minigrad.ops.elementwise.choose",
        "minigrad.ops.elementwise.MANY",
        "minigrad.ops.elementwise.either",
        "minigrad.ops.elementwise.sgn",
        "minigrad.ops.elementwise.sign*",
        "minigrad.ops.elementwise.threshold_backward",
        "minigrad.ops.elementwise.where*",
        "minigrad.ops.elementwise.zero_where",
        "minigrad.ops.elementwise.zeros_*",
    ],
    "10_switching_off": [
        "minigrad.grad_mode.*",
        "minigrad.tensor.Tensor.is_inference",
        "minigrad.tensor.Tensor.detach",
        "minigrad.tensor.Tensor.detach_",
        "minigrad.tensor.Tensor.numpy",
        "minigrad.tensor.Tensor.__array__",
    ],
    "11_in_place": [
        "minigrad.tensor.Tensor.data",
        "minigrad.tensor.Tensor.data_ptr",
        "minigrad.tensor.Tensor._version",
        "minigrad.tensor.Tensor._base",
        "minigrad.tensor.Tensor._is_view",
        "minigrad.tensor.Tensor.is_contiguous",
        "minigrad.tensor.Tensor.stride",
        "minigrad.tensor.version_counter",
        "minigrad.node.modified",
        "minigrad.node.short_name",
        "minigrad.node.stale",
        "minigrad.ops.changes.*",
    ],
    "12_broadcasting": [
        "minigrad.ops.broadcasting.*",
        "minigrad.ops.indexing.*",
        "minigrad.ops.products.*",
        "minigrad.ops.reductions.*",
        "minigrad.ops.shapes.*",
    ],
    "13_jacobians": [
        "minigrad.engine.Targets.*",
        "minigrad.engine.grad",
        "minigrad.engine.get_gradient_edge",
        "minigrad.engine.reachable",
        "minigrad.functional.*",
    ],
    "14_double_backward": [  # and arithmetic with numbers in rules
        "minigrad.ops.elementwise.add_number",
        "minigrad.ops.elementwise.div_number",
        "minigrad.ops.elementwise.sub_number",
        "minigrad.ops.writer.NAMES",
        "minigrad.ops.writer.edge_of",
        "minigrad.ops.writer.is_number",
        "minigrad.ops.writer.with_numbers",
        "minigrad.ops.runtime.in_graph",
        "minigrad.ops.runtime.saved_tensor",
    ],
    "15_hooks": [
        "minigrad.engine.Pass.count_down",
        "minigrad.engine.Pass.finish_with_care",
        "minigrad.engine.Pass.includes",
        "minigrad.engine.Pass.run_with_care",
        "minigrad.engine.Pass.watch",
        "minigrad.engine.carried",
        "minigrad.engine.call_*",
        "minigrad.hooks.*",
        "minigrad.tensor.Tensor.register_hook",
        "minigrad.tensor.Tensor.register_post_accumulate_grad_hook",
        "minigrad.tensor.leaf_hooks",
    ],
}

# What no chapter builds, and why.
PLUMBING: dict[str, str] = {
    "minigrad.tensor.Tensor.__new__": "the constructor `Tensor(2, 3)`, an old spelling of `empty`",
    "minigrad.tensor.Tensor.__array_priority__": "leaves `array * tensor` to the tensor",
    "minigrad.tensor.Tensor.nelement": "another name of `numel`",
    "minigrad.tensor.Tensor.ndimension": "another name of `dim`",
    "minigrad.tensor.Tensor.device": "there is one device",
    "minigrad.tensor.Tensor.is_cuda": "there is one device",
    "minigrad.tensor.Tensor.storage_offset": "asks the memory of a view",
    "minigrad.tensor.Tensor.element_size": "asks the dtype",
    "minigrad.tensor.is_tensor": "an isinstance",
    "minigrad.tensor.Tensor.__index__": "lets a tensor be an index, as `__int__` does a number",
    "minigrad.tensor.Tensor.__iter__": "unbinds the first dimension",
    "minigrad.tensor.Tensor.__contains__": "a comparison",
    "minigrad.tensor.Tensor.__delitem__": "a refusal",
    "minigrad.tensor.Tensor.__hash__": "identity, although `==` compares elements",
    "minigrad.tensor.Tensor.__reduce_ex__": "pickling",
    "minigrad.tensor.Tensor.__deepcopy__": "copying",
    "minigrad.tensor.recast": "makes an instance of a subclass",
    "minigrad.tensor.Tensor.__array_wrap__": "what NumPy calls with the result of its functions",
    "minigrad.tensor.Tensor.as_subclass": "subclasses, for parameters of layers",
    "minigrad.node.zeros_of": "zeros of a shape and dtype",
    "minigrad.ops.ALIASES": "other names of operations",
    "minigrad.ops.OPERATIONS*": "the list of what `minigrad.exp` and `x.exp` are",
    "minigrad.ops.FUNCTIONS": "the same as users call them",
    "minigrad.ops.METHODS": "the same for methods and operators",
    "minigrad.ops.Tensor.*": "properties made of operations",
    "minigrad.ops.runtime.ABSENT*": "stands for a tensor left out, as NUMBER for a number",
    "minigrad.ops.runtime.function_form": "a TypeError where an operator gives NotImplemented",
    "minigrad.ops.elementwise.OPERATORS": "a list of names",
    "minigrad.ops.elementwise.with_alpha": "takes the row for `alpha`, where it is not 1",
    "minigrad.ops.activations.*": "rows beside those that the chapters show",
    "minigrad.ops.contractions.*": "rows beside those that the chapters show",
    "minigrad.ops.convolution.*": "rows beside those that the chapters show",
    "minigrad.ops.functions.*": "rows beside those that the chapters show",
    "minigrad.ops.further.*": "rows beside those that the chapters show",
    "minigrad.ops.layouts.*": "rows beside those that the chapters show",
    "minigrad.ops.matrices.*": "rows beside those that the chapters show",
    "minigrad.ops.losses.*": "rows beside those that the chapters show",
    "minigrad.ops.picking.*": "rows beside those that the chapters show",
    "minigrad.ops.statistics.*": "rows beside those that the chapters show",
    "minigrad.ops.random_fills.*": "random numbers",
    "minigrad.ops.results.*": "the named tuples that some operations return",
    "minigrad.ops.ALSO_IN_PLACE*": "a list of names",
    "minigrad.ops.elementwise.square": "another name of `x ** 2`",
    "minigrad.ops.elementwise.[egln][eqt]": "comparisons: no gradient flows through them",
    "minigrad.ops.elementwise.bitwise_*": "no gradient flows through them",
    "minigrad.ops.elementwise.logical_not": "no gradient flows through it",
    "minigrad.ops.elementwise.is*": "no gradient flows through them",
}

# Bookkeeping of modules and classes, which says nothing about automatic differentiation.
UNCOUNTED = {"__all__", "__slots__", "__module__"}

Notebooks = Mapping[str, NotebookNode]


def core_definitions(package: Path | None = None) -> set[str]:
    """The names of all definitions of the core: `minigrad.engine.run_backward`."""
    package = package or notebooks.ROOT / PACKAGE
    found = set()
    for module in CORE:
        files = sorted((package / module).rglob("*.py")) or [package / f"{module}.py"]
        for file in files:
            if file.is_file():
                place = file.relative_to(package.parent).with_suffix("")
                name = ".".join(place.parts).removesuffix(".__init__")
                found |= {f"{name}.{one}" for one in _definitions(file)}
    return found


def _definitions(file: Path) -> Iterator[str]:
    found = notebooks.definitions(ast.parse(file.read_text(encoding="utf-8")))
    classes = {name.partition(".")[0] for name in found if "." in name}
    for name, nodes in found.items():
        bare = isinstance(nodes[0], ast.AnnAssign) and nodes[0].value is None
        # A class with members stands for nothing beside them.
        if not bare and name not in classes and name.rpartition(".")[2] not in UNCOUNTED:
            yield name


def built_in(chapters: Notebooks) -> dict[str, list[str]]:
    """For each definition, the notebooks that build it (a notebook twice, if it does so twice)."""
    places: dict[str, list[str]] = {name: [] for name in core_definitions()}
    for chapter, notebook in chapters.items():
        for cell in code_cells(notebook):
            for shown in notebooks.lib_names(cell):
                for name in places:
                    if covers(shown, name):
                        places[name].append(chapter)
    return places


def covers(shown: str, name: str) -> bool:
    """Whether a cell that shows `shown` builds `name`."""
    return name == shown or name.startswith(f"{shown}.")


def gaps(
    chapters: Notebooks, coming: Mapping[str, Sequence[str]], plumbing: Mapping[str, str]
) -> list[str]:
    """Definitions not built exactly once, and entries of the two tables that are out of date."""
    wrong = []
    places = built_in(chapters)
    patterns = [pattern for entries in coming.values() for pattern in entries] + list(plumbing)
    for name, found in sorted(places.items()):
        entries = [pattern for pattern in patterns if fnmatchcase(name, pattern)]
        if len(found) > 1:
            wrong.append(f"{name} is built in {' and '.join(found)}")
        if found and entries:
            wrong.append(f"{name} is built in {found[0]}: take {entries[0]!r} out of the tables")
        if not found and len(entries) != 1:
            wrong.append(f"{name} is built in no notebook, and {len(entries)} entries announce it")
    stale = [
        f"{pattern!r}: the core has no such definition"
        for pattern in patterns
        if not any(fnmatchcase(name, pattern) for name in places)
    ]
    late = [
        f"{chapter} is written: COMING can announce nothing for it"
        for chapter in coming
        if chapter in chapters
    ]
    return wrong + stale + late


def too_early(chapters: Notebooks) -> list[str]:
    """Imports of what is not built yet; uses of the whole library in cells not tagged finished."""
    wrong = []
    built: set[str] = set()
    for chapter, notebook in chapters.items():
        whole: set[str] = set()
        modules: dict[str, str] = {}
        for cell in code_cells(notebook):
            built |= {*notebooks.lib_names(cell)}
            tree = ast.parse(TransformerManager().transform_cell(cell.source))
            bind_modules(tree, whole, modules)
            if "finished" in notebooks.tags(cell):
                continue
            what = f"{chapter}, cell {cell.execution_count}"
            wrong += [
                f"{what}: {name!r} is the whole library; tag the cell finished"
                for name in sorted(names_loaded(tree) & whole | {*whole_imports(tree)})
            ]
            for name in sorted(definitions_used(tree, modules)):
                known = any(covers(shown, name) or covers(name, shown) for shown in built)
                if name in core_names() and not known:
                    wrong.append(f"{what}: {name} is not built yet")
    return wrong


def bind_modules(tree: ast.AST, whole: set[str], modules: dict[str, str]) -> None:
    """Note which names the cell binds to the whole library, and which to its modules."""
    whole |= {*whole_imports(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                if item.asname and item.name.startswith(f"{PACKAGE}."):
                    modules[item.asname] = item.name
        elif isinstance(node, ast.ImportFrom) and in_package(node.module):
            for item in node.names:
                if is_module(f"{node.module}.{item.name}"):
                    modules[item.asname or item.name] = f"{node.module}.{item.name}"


def whole_imports(tree: ast.AST) -> Iterator[str]:
    """The names that a cell binds to the whole library (or fills with all of a module)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for item in node.names:
                if item.name == PACKAGE or (in_package(item.name) and not item.asname):
                    yield item.asname or PACKAGE
        elif isinstance(node, ast.ImportFrom) and in_package(node.module):
            yield from (item.name for item in node.names if item.name == "*")


def definitions_used(tree: ast.AST, modules: Mapping[str, str]) -> Iterator[str]:
    """The library's definitions that a cell imports by name or reaches through a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and in_package(node.module):
            for item in node.names:
                name = f"{node.module}.{item.name}"
                yield exported().get(item.name, name) if node.module == PACKAGE else name
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in modules:
            yield f"{modules[ast.unparse(node.value)]}.{node.attr}"


@cache
def exported() -> dict[str, str]:
    """Where the names that `minigrad/__init__.py` imports are defined."""
    file = notebooks.ROOT / PACKAGE / "__init__.py"
    found = {}
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            module = f"{PACKAGE}.{node.module}" if node.level else node.module
            for item in node.names:
                found[item.asname or item.name] = f"{module}.{item.name}"
    return found


def names_loaded(tree: ast.AST) -> set[str]:
    """The names that a cell reads."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    return {node.id for node in names if isinstance(node.ctx, ast.Load)}


@cache
def core_names() -> frozenset[str]:
    """The core's definitions and the classes that some of them are members of."""
    found = core_definitions()
    return frozenset(found | {name.rpartition(".")[0] for name in found})


def is_module(name: str) -> bool:
    """Whether a dotted name is a module or a package of the library."""
    place = notebooks.ROOT.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def in_package(module: str | None) -> bool:
    """Whether a dotted name is the library or lies in it."""
    return module is not None and (module == PACKAGE or module.startswith(f"{PACKAGE}."))
