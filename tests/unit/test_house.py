"""How the library is built: imports run one way, the core keeps its measure, `fast` can go."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.lib_cells import code_lines

ROOT = Path(__file__).resolve().parents[2] / "minigrad"

# A file may import from its own floor and from those below it.
FLOORS = {
    "support": 0,
    "core": 1,
    "ops": 2,
    "more": 3,
    "linalg": 4,
    "autograd": 4,
    "nn": 5,
    "utils": 5,
    "optim": 6,
    "viz": 8,
}
TOP = 7  # the package itself: what users see, and pictures are drawn of


def modules() -> dict[str, Path]:
    """Module name → file, of the whole package."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts).removesuffix(".__init__")] = path
    return found


MODULES = modules()


def imports(name: str) -> Iterator[str]:
    """The modules of this package that `name` imports, anywhere in its text but for types alone."""
    path = MODULES[name]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        for statement in node.body
        for part in ast.walk(statement)
    }
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name in MODULES)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            for each in node.names:
                whole = f"{module}.{each.name}"
                yield whole if whole in MODULES else module


GRAPH = {name: {each for each in imports(name) if each in MODULES} - {name} for name in MODULES}


def floor(module: str) -> str:
    """The part of the package that a module belongs to; "" for the package itself."""
    return module.split(".")[1] if "." in module else ""


@pytest.mark.parametrize("name", [name for name in MODULES if floor(name) not in ("", "fast")])
def test_imports_lead_down(name: str) -> None:
    above = [
        each
        for each in GRAPH[name]
        if floor(each) == "fast" or FLOORS.get(floor(each), TOP) > FLOORS[floor(name)]
    ]
    assert above == []


def test_the_accelerator_plugs_in_from_outside() -> None:
    users = [name for name in MODULES if any(floor(each) == "fast" for each in GRAPH[name])]
    assert {floor(name) for name in users} <= {"", "fast"}


def test_no_files_import_each_other_in_circles() -> None:
    left = {name: set(targets) for name, targets in GRAPH.items()}
    while ends := [name for name, targets in left.items() if not targets & set(left)]:
        for name in ends:
            del left[name]
    assert sorted(left) == []


def test_the_core_can_be_read_in_an_evening() -> None:
    total = 0
    for path in sorted((ROOT / "core").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = code_lines(source)
        total += len(lines)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                own = lines & set(range(node.lineno, (node.end_lineno or 0) + 1))
                assert len(own) <= 30, f"{path.name}: {node.name} has {len(own)} lines"
    assert 800 < total <= 1300
