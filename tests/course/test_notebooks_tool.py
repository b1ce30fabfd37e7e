"""tools/notebooks.py: what it takes from the package, and what it makes of a notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from tests.course.conftest import FIXTURES
from tools import notebooks

LIBRARY = "tests.course.fixtures.sample_library"


def lib_cell(*names: str, tags: tuple[str, ...] = ()) -> NotebookNode:
    shown = [f"lib:{LIBRARY}.{name}" for name in names]
    return v4.new_code_cell("old", metadata={"tags": [*shown, *tags]})


def test_a_function_comes_with_its_comments() -> None:
    source = notebooks.lib_source(lib_cell("slope"))
    assert source.startswith('def slope(f, x):\n    """The slope of f at x."""')
    assert source.endswith("# two sides")
    assert notebooks.lib_source(lib_cell("STEP")).startswith("# The step of a finite difference")


def test_a_method_is_shown_as_a_function() -> None:
    source = notebooks.lib_source(lib_cell("Point.__init__"))
    assert source == "def __init__(self, x, y):\n    self.x = x\n    self.y = y"


def test_a_property_comes_with_its_setter() -> None:
    source = notebooks.lib_source(lib_cell("Point.length"))
    assert source.startswith("# Euclid's.\n@property\ndef length(self):")
    assert "\n\n\n@length.setter\ndef length(self, value):" in source


def test_members_in_their_class() -> None:
    source = notebooks.lib_source(lib_cell("Point.length", tags=("in-class",)))
    assert source.startswith(
        'class Point:\n    """A point of the plane."""\n\n    # Euclid\'s.\n    @property\n'
    )
    assert "hypot(self.x, self.y)\n\n    @length.setter\n" in source
    assert "__init__" not in source


def test_rows_stand_together_and_functions_apart() -> None:
    source = notebooks.lib_source(lib_cell("STEP", "HALF", "scaled", "Point.__mul__"))
    assert "STEP = 6e-6\nHALF = 0.5\n\n\ndef scaled" in source
    assert source.endswith("\n\n\nPoint.__mul__ = scaled")


@pytest.mark.parametrize(
    ("name", "tags", "message"),
    [
        ("missing", (), "sample_library.py defines no missing"),
        ("Point.missing", (), "defines no Point.missing"),
        ("slope", ("in-class",), "no such module"),
    ],
)
def test_names_that_the_package_lacks(name: str, tags: tuple[str, ...], message: str) -> None:
    with pytest.raises(LookupError, match=message):
        notebooks.lib_source(lib_cell(name, tags=tags))


def test_run_gives_the_same_bytes_every_time(sample_file: Path) -> None:
    """The stored sample is what a run makes of its own sources, ids and tags."""
    stored = (FIXTURES / "99_sample.ipynb").read_bytes()
    bare = json.loads(stored)
    bare["metadata"] = {"kernelspec": {"name": "venv", "display_name": "Mine"}, "signature": "x"}
    for cell in bare["cells"]:
        cell["metadata"]["ExecuteTime"] = "now"
        cell["metadata"].pop("nbgrader", None)
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            if "tags" in cell["metadata"]:
                cell["source"] = "old"
    sample_file.write_text(json.dumps(bare), encoding="utf-8")
    assert notebooks.main(["run", str(sample_file)]) == 0
    assert sample_file.read_bytes() == stored


def test_a_notebook_that_fails_is_left_as_it_was(
    sample_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = sample_file.read_text(encoding="utf-8").replace("math.sin, None", "math.sin, 1")
    sample_file.write_text(broken, encoding="utf-8")
    assert notebooks.main(["run", str(sample_file)]) == 1
    assert sample_file.read_text(encoding="utf-8") == broken
    assert "raised nothing" in capsys.readouterr().err


def test_cells_without_an_id_get_a_stable_one(sample_file: Path) -> None:
    raw = json.loads(sample_file.read_text(encoding="utf-8"))
    kept = raw["cells"][0]["id"]
    del raw["cells"][1]["id"]
    raw["cells"][2]["id"] = kept  # a copied cell
    sample_file.write_text(json.dumps(raw), encoding="utf-8")
    ids = [cell.id for cell in notebooks.read(sample_file).cells]
    assert ids == [cell.id for cell in notebooks.read(sample_file).cells]
    assert ids[0] == kept
    assert len(set(ids)) == len(ids)


def test_addresses_are_renumbered_alike_in_all_text() -> None:
    text = "<A at 0x7f12deadbeef> <B at 0x7f12deadbeee>"
    outputs = [
        v4.new_output("stream", text=text),
        v4.new_output("display_data", data={"text/plain": "<B at 0x7f12deadbeee> 0xff"}),
    ]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)])
    notebooks.clean(notebook)
    first, second = notebook.cells[0].outputs
    assert first.text == "<A at 0x7f0000000000> <B at 0x7f0000000010>"
    assert second.data["text/plain"] == "<B at 0x7f0000000010> 0xff"


def test_navigation_links_the_neighbours(tmp_path: Path) -> None:
    for name, title in (("00_start", "Start"), ("01_slopes", "Slopes"), ("02_next", "Tensors")):
        cells = [{"cell_type": "markdown", "source": [f"# {title}\n", "text"]}]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": cells}), encoding="utf-8")
    assert notebooks.navigation(tmp_path / "00_start.ipynb") == (
        "[Slopes →](01_slopes.ipynb) <!-- nav -->"
    )
    assert notebooks.navigation(tmp_path / "02_next.ipynb") == (
        "[← Slopes](01_slopes.ipynb) · [start](00_start.ipynb) <!-- nav -->"
    )
