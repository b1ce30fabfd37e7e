"""tools/contact_sheet.py: every picture is on the page, and what differs from before is marked."""

from __future__ import annotations

import re
import subprocess
from html import unescape
from pathlib import Path

import pytest
from nbformat import v4

from tools import contact_sheet, notebooks

DRAWING = '<img alt="x = {}; leaf" src="data:image/svg+xml;base64,{}"><img src="elsewhere.png">'
NOTEBOOK, FIGURE = "notebooks/03_here.ipynb", "figures/dag.svg"


def text_of(**drawings: str) -> str:
    """A notebook: a plot, and drawings in cells of these ids."""
    plot = v4.new_output("display_data", {"image/png": "cGxvdA==\n", "text/plain": "Plot: <h>."})
    cells = [v4.new_markdown_cell("# Here", id="a"), v4.new_code_cell(id="b", outputs=[plot])]
    for id, code in drawings.items():
        output = v4.new_output("display_data", {"text/html": DRAWING.format(code, code)})
        cells.append(v4.new_code_cell(id=id, outputs=[output]))
    return notebooks.as_text(v4.new_notebook(cells=cells))


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of one chapter, and what has become of it since it was committed."""
    monkeypatch.setattr(contact_sheet, "ROOT", tmp_path)
    monkeypatch.setattr(contact_sheet, "FOLDER", tmp_path / "contact")
    write(tmp_path, text_of(c="AAAA", d="BBBB", e="CCCC"), "<svg><desc>a\n&lt;b</desc></svg>")
    (tmp_path / "notebooks" / "mine.ipynb").write_text("{", encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "Before"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    write(tmp_path, text_of(c="AAAA", d="bbbb", f="DDDD"), "<svg><desc>a\nc</desc></svg>")
    return tmp_path


def write(folder: Path, notebook: str, figure: str) -> None:
    for name, text in ((NOTEBOOK, notebook), (FIGURE, figure)):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def cards(checkout: Path) -> list[tuple[str, str, list[str], list[str]]]:
    """Of each picture on the page: its kind, its label, the images and the words."""
    page = (checkout / "contact" / "index.html").read_text(encoding="utf-8")
    return [
        (
            kind,
            label,
            re.findall(r'src="data:[^"]*,([^"]*)"', rest),
            [unescape(words) for words in re.findall(r"<pre>(.*?)</pre>", rest, re.DOTALL)],
        )
        for kind, label, rest in re.findall(
            r'<article class="(\w+)"><b>(.*?)</b>(.*?)</article>', page, re.DOTALL
        )
    ]


def test_each_picture_with_its_cell_and_its_words(checkout: Path) -> None:
    contact_sheet.main([])
    plot, *drawings, figure = cards(checkout)
    assert plot == ("same", "cell 1", ["cGxvdA=="], ["Plot: <h>."])
    assert drawings == [
        ("same", f"cell {number}", [code], [f"x = {code}\nleaf"])
        for number, code in ((2, "AAAA"), (3, "bbbb"), (4, "DDDD"))
    ]
    assert (figure[1], figure[3]) == ("dag", ["a\nc"])


def test_before_and_after(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contact_sheet.main(["--against", "HEAD"])
    found = cards(checkout)
    assert [(kind, label, images) for kind, label, images, _ in found[:-1]] == [
        ("same", "cell 1", ["cGxvdA=="]),
        ("same", "cell 2", ["AAAA"]),
        ("changed", "cell 3: changed", ["BBBB", "bbbb"]),
        ("new", "cell 4: new", ["DDDD"]),
        ("gone", "cell 4: gone", ["CCCC"]),
    ]
    kind, _, images, words = found[-1]
    assert (kind, len(images), words) == ("changed", 2, ["a\n<b", "a\nc"])
    told = "contact/index.html: 6 pictures, 2 changed, 1 new, 1 gone, 2 same\n"
    assert capsys.readouterr().out == told


@pytest.mark.usefixtures("checkout")
def test_a_revision_that_there_is_not() -> None:
    with pytest.raises(SystemExit, match="git has no revision nonsense"):
        contact_sheet.main(["--against", "nonsense"])


def test_the_pictures_of_the_course_are_found(chapter: Path) -> None:
    """As many as the stored notebook has in its text."""
    text = chapter.read_text(encoding="utf-8")
    stored = len(re.findall(r'src=\\"data:image', text)) + text.count('"image/png":')
    found = list(contact_sheet.outputs(chapter.stem, text))
    assert len(found) == stored
    assert all(each.words for each in found)


def test_git_ignores_the_page() -> None:
    ignored = (notebooks.ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "contact/" in ignored
