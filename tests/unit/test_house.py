"""The structure of the library: layered imports, short functions, and a `fast` one can delete."""

import ast
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

from tests.code_lines import code_lines

ROOT = Path(__file__).resolve().parents[2]


def test_imports_follow_the_layers(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """pyproject.toml lists the layers from the top down, and nothing needs `fast`."""
    monkeypatch.chdir(ROOT)
    contracts = ("layers", "fast") if (ROOT / "minigrad" / "fast").exists() else ("layers",)
    assert lint_imports(limit_to_contracts=contracts, no_cache=True) == 0, capsys.readouterr().out


def test_no_files_import_each_other_in_circles() -> None:
    graph = grimp.build_graph("minigrad", exclude_type_checking_imports=True, cache_dir=None)
    left = {each: graph.find_modules_directly_imported_by(each) - {each} for each in graph.modules}
    while ends := [name for name, targets in left.items() if not targets & set(left)]:
        for name in ends:
            del left[name]
    assert sorted(left) == []


def test_every_function_of_the_core_fits_on_a_screen() -> None:
    for path in sorted((ROOT / "minigrad" / "core").glob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = code_lines(source)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef):
                own = lines & set(range(node.lineno, (node.end_lineno or 0) + 1))
                assert len(own) <= 30, f"{path.name}: {node.name} has {len(own)} lines"
