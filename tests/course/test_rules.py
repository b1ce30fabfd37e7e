"""Each rule notices its fault, and passes the sample notebook, which has none."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode, v4

from tests.course import rules


def stream(text: str, name: str = "stdout") -> NotebookNode:
    return v4.new_output("stream", name=name, text=text)


def last_code(notebook: NotebookNode) -> NotebookNode:
    return rules.code_cells(notebook)[-1]


def show(data: dict[str, str]) -> Callable[[NotebookNode], None]:
    output = v4.new_output("display_data", data=data)
    return lambda notebook: last_code(notebook).outputs.append(output)


IMAGE = '<img alt="x = 5" src="data:image/svg+xml;base64,AAAA">'


def test_pictures_with_words(sample: NotebookNode) -> None:
    show({"image/png": "", "text/plain": "Plot. Across: x."})(sample)
    show({"text/html": f"{IMAGE}<script>play()</script>"})(sample)
    assert rules.executed(sample) == []


def test_sample_keeps_the_rules(sample: NotebookNode, sample_file: Path) -> None:
    sample.cells.append(v4.new_markdown_cell("The end.", metadata={"tags": ["nav"]}))
    assert rules.executed(sample) == []
    assert rules.in_step(sample_file) == []
    assert rules.navigation(sample) == []
    assert rules.exercises(sample, "99") == []
    assert rules.predictions(sample, "99") == []
    assert rules.links(sample_file) == []


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        (lambda nb: last_code(nb).update(execution_count=None), "execution counts"),
        (lambda nb: last_code(nb).update(execution_count=7), "execution counts"),
        (lambda nb: nb.metadata.kernelspec.update(name="venv"), "the kernel is not python3"),
        (lambda nb: last_code(nb).update(source=" "), "is empty"),
        (lambda nb: last_code(nb).update(source="plot(x);"), "ends with ';'"),
        (lambda nb: last_code(nb).outputs.append(v4.new_output("error")), "shows an error"),
        (lambda nb: last_code(nb).outputs.append(stream("careful", "stderr")), "writes to stderr"),
        (lambda nb: last_code(nb).outputs.append(stream("in /home/me/x.py")), "an absolute path"),
        (lambda nb: last_code(nb).outputs.append(stream(r"in C:\me\x.py")), "an absolute path"),
        (lambda nb: last_code(nb).outputs.append(stream("at 12:30:01")), "a time stamp"),
        (lambda nb: last_code(nb).outputs.append(stream("on 2026-11-21")), "a time stamp"),
        (show({"image/png": ""}), "a picture without words"),
        (show({"image/png": "", "text/plain": "<Figure with 1 Axes>"}), "a picture without words"),
        (show({"text/html": '<img src="x">'}), "a picture without words"),
        (show({"text/html": '<img src="x" alt="">'}), "a picture without words"),
        (show({"image/svg+xml": "", "text/plain": "x = 5"}), "an SVG that is not an <img>"),
        (show({"text/html": "<p><svg></svg>"}), "<svg"),
        (show({"text/html": f"{IMAGE}<style></style>"}), "<style"),
        (show({"text/html": "<script>draw('<img>')</script>"}), "a script without a picture"),
        (show({"text/html": '<img src="x.png" alt="x = 5">'}), "a picture from another place"),
    ],
)
def test_unexecuted_or_unsteady_cells_are_noticed(
    sample: NotebookNode, fault: Callable[[NotebookNode], object], complaint: str
) -> None:
    fault(sample)
    assert any(complaint in text for text in rules.executed(sample))


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("# two sides", "# both sides", "lib:tests.course.fixtures.sample_library.slope"),
        ("self.x = x", "self.x = y", "lib:tests.course.fixtures.sample_library.Point"),
        ("<!-- nav -->", "[→](05.ipynb) <!-- nav -->", "(nav)"),
        ('"grade": true', '"grade": false', "metadata, ids or layout"),
        ('"id": "', '"id": "x', None),  # an id is the author's, whatever it is
        ('"metadata": {},', '"metadata": {"ExecuteTime": 1},', "metadata, ids or layout"),
        ('"nbformat_minor": 5', '"nbformat_minor": 5 ', "metadata, ids or layout"),
    ],
)
def test_in_step(sample_file: Path, old: str, new: str, complaint: str | None) -> None:
    text = sample_file.read_text(encoding="utf-8")
    assert old in text
    sample_file.write_text(text.replace(old, new), encoding="utf-8")
    found = rules.in_step(sample_file)
    assert found == [] if complaint is None else any(complaint in problem for problem in found)


@pytest.mark.parametrize(("end", "place"), [(0, "first"), (-1, "last")])
def test_navigation(sample: NotebookNode, end: int, place: str) -> None:
    sample.cells.append(v4.new_markdown_cell("The end.", metadata={"tags": ["nav"]}))
    sample.cells.pop(end)
    assert rules.navigation(sample) == [f"the {place} cell is not tagged nav"]


def test_exercises(sample: NotebookNode) -> None:
    done = copy.deepcopy(sample)
    last_code(done).outputs = [stream("99.1 The slope of a cube: correct")]
    assert rules.exercises(done, "99") == [
        "exercise 99.1: its stub does not count as not attempted"
    ]
    sample.cells.pop()
    assert rules.exercises(sample, "99") == ["checks [], but declares ['99.1']"]


@pytest.mark.parametrize(
    ("tags", "source", "complaint"),
    [
        ([], "from minigrad_course.after_04 import Node\nimport minigrad_course.after_03", ""),
        ([], "from minigrad_course.after_03 import Node", "is not the library before"),
        ([], "import minigrad_course.after_05", "is not the library before"),
        ([], "from minigrad.viz import draw\nimport minigrad_course", ""),
        ([], "import minigrad as torch", "tag it finished"),
        ([], "from minigrad.core.engine import BackwardPass", "tag it finished"),
        (["finished"], "import minigrad as torch", ""),
        (["finished"], "def f():\n    return torch.ones(2)", ""),
        ([], "def f():\n    return torch.ones(2)", "tag it finished"),
    ],
)
def test_imports(tags: list[str], source: str, complaint: str) -> None:
    first = v4.new_code_cell("import minigrad as torch", metadata={"tags": ["finished"]})
    cells = [first, v4.new_code_cell(source, metadata={"tags": tags})]
    found = rules.imports(v4.new_notebook(cells=cells), 5)
    assert complaint in found[0] if complaint else found == []


def test_predictions(sample: NotebookNode) -> None:
    for cell in rules.code_cells(sample):
        cell.outputs = [output for output in cell.outputs if output.get("text") != "6.0\n"]
    assert "prediction 99.a: '6.0' is nowhere" in rules.predictions(sample, "99")[0]
    other = v4.new_code_cell('predict("99.b")')
    unsorted = v4.new_notebook(cells=[other, *sample.cells])
    assert "not in the order of the page" in rules.predictions(unsorted, "99")[0]
    sample.cells = sample.cells[:1]
    assert rules.predictions(sample, "99") == ["asks [], but declares ['99.a']"]


def test_links(tmp_path: Path) -> None:
    (tmp_path / "there.ipynb").write_text(
        '{"cells": [{"cell_type": "markdown", "source": ["## Why order\\n"]}]}', encoding="utf-8"
    )
    page = tmp_path / "page.md"
    page.write_text(
        "# A heading, `code`\n[a](there.ipynb) [b](there.ipynb#Why-order) [c](#a-heading-code)\n"
        "![d](https://example.org/d.png) `x[0](y)`\n```\n[e](lost.md)\n```\n"
        '[f](lost.md) [g](there.ipynb#Nowhere) <img src="lost.svg"> [h](http://example.org)\n'
        "[i]: lost/too.md\n",
        encoding="utf-8",
    )
    assert [problem.split(":")[0] for problem in rules.links(page)] == [
        "lost.md",
        "there.ipynb#Nowhere",
        "http",
        "lost.svg",
        "lost/too.md",
    ]


def test_links_of_a_notebook_work_in_the_workbook_too(tmp_path: Path) -> None:
    for name in ("02_two.ipynb", "minigrad_course/README.md", "../README.md"):
        (tmp_path / "notebooks" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "notebooks" / name).write_text('{"cells": []}', encoding="utf-8")
    text = "# Here\n[a](02_two.ipynb) [b](../README.md) [c](#Here) [d](minigrad_course/README.md)"
    notebook = tmp_path / "notebooks" / "01_one.ipynb"
    notebook.write_text(nbformat.writes(v4.new_notebook(cells=[v4.new_markdown_cell(text)])))
    (problem,) = rules.links(notebook)
    assert problem.startswith("minigrad_course/README.md: the workbook has only")
