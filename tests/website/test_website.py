"""The website: complete, every link leads to its heading, nothing comes from elsewhere.

These tests need the extra `site`, so they stand apart; `.ci/run` runs them after `make site`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode, v4
from sphinx.errors import SphinxError

from tests import chromium
from tools import notebooks, website

# What Sphinx's extensions use and Sphinx will not have for ever is for them to change.
pytestmark = pytest.mark.filterwarnings(r"ignore:::(myst_nb|myst_parser|sphinx|furo)\b")

CHAPTERS = [file.stem for file in notebooks.chapters()]


@dataclass
class Site:
    """A website in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        self.page = cache(self._page)

    def _page(self, file: Path) -> BeautifulSoup:
        """A page, its pictures within left out: they are long, and no link leads there."""
        text = file.read_text(encoding="utf-8")
        return BeautifulSoup(re.sub(r";base64,[\w+/=]+", ";base64,", text), "html.parser")

    def pages(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))

    def article(self, name: str) -> Tag:
        article = self.page(self.folder / f"{name}.html").find("article")
        assert isinstance(article, Tag)
        return article

    def link(self, name: str, text: str) -> str | None:
        """Where the link with `text` on the page `name` leads; None if these words are no link."""
        article = self.article(name)
        assert text in article.get_text()
        found = [link["href"] for link in article("a") if link.get_text() == text]
        return str(found[0]) if found else None

    def texts(self) -> dict[str, list[list[str]]]:
        """What the search shows: for each page its sections with id, heading and text."""
        script = (self.folder / "_static" / "texts.js").read_text(encoding="utf-8")
        texts: dict[str, list[list[str]]] = json.loads(script[len("const TEXTS = ") : -len(";\n")])
        return texts


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The website of the course."""
    folder = tmp_path_factory.mktemp("site") / "site"
    website.build(folder)
    return Site(folder)


# --- the course -----------------------------------------------------------------------------------


def test_every_chapter_and_every_markdown_file_is_in_the_contents(site: Site) -> None:
    front = site.page(site.folder / "index.html")
    contents = [link["href"] for link in front.select(".sidebar-tree a")]
    assert contents[: len(CHAPTERS)] == [f"notebooks/{name}.html" for name in CHAPTERS]
    texts = {file.relative_to(website.ROOT) for file in (website.ROOT / "notebooks").rglob("*.md")}
    for folder in ("", "docs", "figures", "benchmarks"):
        texts |= {path.relative_to(website.ROOT) for path in (website.ROOT / folder).glob("*.md")}
    texts.remove(Path("README.md"))
    assert sorted(contents[len(CHAPTERS) :]) == sorted(
        text.with_suffix(".html").as_posix() for text in texts
    )


def test_each_chapter_leads_to_the_next(site: Site) -> None:
    for before, after in pairwise(CHAPTERS):
        page = site.page(site.folder / "notebooks" / f"{before}.html")
        assert [link["href"] for link in page.select("a.next-page")] == [f"{after}.html"]
        page = site.page(site.folder / "notebooks" / f"{after}.html")
        assert [link["href"] for link in page.select("a.prev-page")] == [f"{before}.html"]


def test_every_link_leads_to_a_file_and_its_heading(site: Site) -> None:
    wrong = []
    for file in site.pages():
        for link in site.page(file)("a", href=True):
            parts = urlsplit(str(link["href"]))
            if parts.scheme:
                assert parts.scheme == "https"
                continue
            place = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            if not place.is_file():
                wrong.append(f"{file.name}: {link['href']}")
            elif parts.fragment and not site.page(place).find(id=unquote(parts.fragment)):
                wrong.append(f"{file.name}: {link['href']}, no such heading")
    assert wrong == []


def test_links_to_headings_lead_to_those_that_they_name(site: Site) -> None:
    """The index of chapter 18 names chapter and heading: "05 · Document 003's reason"."""
    named = 0
    for link in site.article("notebooks/18_error_clinic")("a", href=True):
        page, _, heading = str(link["href"]).partition("#")
        name = re.fullmatch(r"(\d\d) · (.+)", link.get_text())
        if name and page and heading:
            target = site.article(f"notebooks/{page.removesuffix('.html')}").find(id=heading)
            assert isinstance(target, Tag)
            title = target.find(re.compile(r"h\d"))
            assert isinstance(title, Tag)
            assert title.get_text().removesuffix("¶").replace("’", "'") == name[2].replace("’", "'")
            assert page.startswith(name[1])
            named += 1
    assert named > 40


def test_nothing_comes_from_elsewhere(site: Site) -> None:
    for file in site.pages():
        for tag in site.page(file)(["script", "link", "img", "iframe", "source", "video"]):
            place = str(tag.get("src") or (tag.get("href") if tag.name == "link" else "") or "")
            if place and not place.startswith(("data:image/", "#")):
                assert not re.match(r"\w+:|//", place), f"{file.name}: {place}"
                assert (file.parent / urlsplit(place).path).is_file(), f"{file.name}: {place}"
        for style in site.page(file)("style"):
            assert "url(" not in style.get_text()
    for file in site.folder.rglob("*.css"):
        used = re.findall(r"@import\s+\S+|url\(\s*[\"']?([^)\"']+)", file.read_text("utf-8"))
        assert not [place for place in used if re.match(r"https?:|//|$", place)], file.name
    for file in site.folder.rglob("*.js"):
        if file.name not in {"searchindex.js", "texts.js"}:  # what the search reads: words of pages
            places = set(re.findall(r"[\"'`]((?:https?:)?//[\w.-]+)", file.read_text("utf-8")))
            assert places <= {"http://www.w3.org"}, file.name  # no place, but SVG's name


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_follows_a_prediction_is_folded(site: Site, name: str) -> None:
    """All cells up to the next heading, and those of a section that begins at once."""
    article = site.article(f"notebooks/{name}")
    asked = [cell for cell in article.select(".cell") if re.search(r"^predict\(", cell.text, re.M)]
    folded = article.select("details.minigrad-fold")
    assert len(folded) == len(asked) > 0
    assert not any(fold.has_attr("open") for fold in folded)
    for cell in asked:
        rest = [each for each in cell.find_next_siblings() if each.name != "section"]
        if not rest:  # the next section answers
            section = cell.find_parent("section")
            assert section is not None
            rest = section.find_next_siblings(limit=1)
        (fold,) = rest
        assert fold in folded
        assert fold.get_text().strip().removeprefix("Open it when you have answered.")


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_picture_is_there_and_has_words(site: Site, name: str) -> None:
    stored = notebooks.read(notebooks.NOTEBOOKS / f"{name}.ipynb")
    outputs = [
        output.get("data", {}) for cell in stored.cells for output in cell.get("outputs", [])
    ]
    plots = sum("image/png" in data for data in outputs)
    drawings = sum(data.get("text/html", "").count("<img") for data in outputs)
    article = site.article(f"notebooks/{name}")
    assert [image for image in article("img") if len(str(image.get("alt", ""))) < 10] == []
    images = article.select(".cell_output img")
    assert len(images) == plots + drawings > 0
    assert {str(image["src"]).partition(";")[0] for image in images} <= {
        "data:image/png",
        "data:image/svg+xml",
    }


def test_pictures_of_texts_have_words(site: Site) -> None:
    for name in ("index", "figures/README", "benchmarks/README"):
        images = site.article(name)("img")
        assert images
        assert all(len(str(image["alt"])) > 10 for image in images)


def test_every_player_and_viewer_is_there_as_it_was_stored(site: Site) -> None:
    scripts = 0
    for name in CHAPTERS:
        page = (site.folder / "notebooks" / f"{name}.html").read_text(encoding="utf-8")
        for cell in notebooks.read(notebooks.NOTEBOOKS / f"{name}.ipynb").cells:
            for output in cell.get("outputs", []):
                html = output.get("data", {}).get("text/html", "")
                if "<script>" in html:
                    assert html in page
                    scripts += 1
    assert scripts >= 4


def test_code_can_be_copied(site: Site) -> None:
    text = (site.folder / "notebooks" / "04_backward.html").read_text(encoding="utf-8")
    assert "_static/copybutton.js" in text
    assert "_static/clipboard.min.js" in text


def test_the_search_knows_sections_and_messages(site: Site) -> None:
    texts = site.texts()
    assert {f"notebooks/{name}" for name in CHAPTERS} <= set(texts)
    sections = {heading: text for _, heading, text in texts["notebooks/04_backward"]}
    assert "heappush" in sections["The newest first"]
    assert "grad can be implicitly created only for scalar outputs" in sections["Common mistakes"]
    index = (site.folder / "searchindex.js").read_text(encoding="utf-8")
    assert '"notebooks/04_backward"' in index
    assert "heappush" in index


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_search_gives_no_answer_away(site: Site, name: str) -> None:
    """What stands in a closed `<details>`, such as a solution, is on the page alone."""
    known = "\n".join(text for _, _, text in site.texts()[f"notebooks/{name}"])
    hidden = [
        " ".join(part.get_text(" ").split())
        for part in site.article(f"notebooks/{name}").select("details > div")
    ]
    long = [text for text in hidden if len(text) > 80]
    assert long
    assert [text for text in long if text in known] == []


# --- a small project ------------------------------------------------------------------------------


def notebook(*cells: NotebookNode) -> str:
    return notebooks.as_text(
        v4.new_notebook(cells=list(cells), metadata=notebooks.NOTEBOOK_METADATA)
    )


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a chapter, a text, and the files that they lead to."""
    files = {
        ".gitignore": "workbook/\nsite/\n",
        "LICENSE": "Do what you like.",
        "README.md": "# The front\n",
        "docs/words.md": (
            "# Words\n\n[front](../README.md) [licence](../LICENSE) [folder](../lib) "
            "[code](../lib/a.py) [form](../.github/form.md) [run](../.ci/run) "
            '<img src="../lib/b.svg" alt="b"> '
            "[answers](../notebooks/course/exercises/ch05.py) "
            "[why](../notebooks/05_leaves.ipynb#Why%3F-A-x) [here](#words)"
        ),
        "lib/a.py": "x = 1 < 2\n",
        "lib/b.svg": "<svg></svg>",
        ".ci/run": "make test\n",
        ".github/form.md": "# A form\n",
        "workbook/mine.md": "# Mine\n",
        "notebooks/course/exercises/ch05.py": "answer = 42",
        "notebooks/05_leaves.ipynb": notebook(
            v4.new_markdown_cell(
                "[next](06.ipynb) <!-- nav -->\n# Leaves", metadata={"tags": ["nav"]}
            ),
            v4.new_markdown_cell("## Why? A `x`\n\n[again](#Why%3F-A-x)"),
            v4.new_code_cell(
                "plot()",
                execution_count=1,
                outputs=[
                    v4.new_output(
                        "display_data", data={"image/png": "AAAA", "text/plain": 'A "plot" < b'}
                    )
                ],
            ),
        ),
    }
    root = tmp_path / "project"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(website, "ROOT", root)
    return root


def built(project: Path) -> Site:
    website.build(project / "site")
    return Site(project / "site")


def test_links_lead_where_they_should(project: Path) -> None:
    site = built(project)
    assert site.link("docs/words", "front") == "../index.html"
    assert site.link("docs/words", "why") == "../notebooks/05_leaves.html#why-a-x"
    assert site.link("notebooks/05_leaves", "again") == "#why-a-x"
    assert site.link("docs/words", "here") == "#words"
    assert site.link("docs/words", "folder") is None
    assert site.link("docs/words", "answers") is None
    assert site.link("docs/words", "licence") == "../LICENSE.html"
    assert site.link("docs/words", "code") == "../lib/a.py.html"
    assert site.link("docs/words", "form") == "../.github/form.md.html"
    assert site.link("docs/words", "run") == "../.ci/run.html"
    assert "x = 1 < 2" in site.article("lib/a.py").get_text()
    everything = [file.name for file in site.folder.rglob("*")]
    assert (site.folder / "lib" / "b.svg").read_text(encoding="utf-8") == "<svg></svg>"
    assert not {"mine.html", "form.html", "ch05.py", "ch05.py.html"} & set(everything)
    assert not (project / "jupyter_execute").exists()


def test_a_plot_and_a_line_of_navigation(project: Path) -> None:
    article = built(project).article("notebooks/05_leaves")
    assert [image["alt"] for image in article("img")] == ['A "plot" < b']
    assert article.find("h1") is not None
    assert "next" not in article.get_text()


@pytest.mark.parametrize(
    "link",
    [
        "[lost](docs/none.md)",
        "[lost](docs/words.md#nothing)",
        "[lost](notebooks/05_leaves.ipynb#why)",
        "[lost](none.txt)",
        "[lost](#none)",
        '<img src="none.svg" alt="none">',
        '<a href="docs/words.md">not as a page</a>',
    ],
)
def test_a_link_that_leads_nowhere_ends_the_build(project: Path, link: str) -> None:
    (project / "site").mkdir()
    (project / "README.md").write_text(f"# The front\n\n{link}\n", encoding="utf-8")
    with pytest.raises(SphinxError):
        website.build(project / "site")
    assert not list((project / "site").iterdir())


# --- in a browser ---------------------------------------------------------------------------------


def measure(page: Path, script: str, folder: Path, width: int = 1300, query: str = "") -> Any:
    """Show a page in a window of `width`, and return what `script` returns there a while later."""
    return chromium.measured(page, script, (width, 900), folder, query, after=1000)


def test_the_search_finds_from_a_disk(site: Site, tmp_path: Path) -> None:
    script = """
        return [...document.querySelectorAll("#search-results ul.search > li")].map((item) =>
            [...item.querySelectorAll("a")].map((link) => link.getAttribute("href")));
    """
    message = "?q=does+not+require+grad+and+does+not+have+a+grad_fn"
    results = measure(site.folder / "search.html", script, tmp_path, query=message)
    best = results[0]
    assert best[0] == "notebooks/18_error_clinic.html"
    assert "notebooks/18_error_clinic.html#cause-1-the-graph-does-not-reach-the-loss" in best
    assert measure(site.folder / "search.html", script, tmp_path, query="?q=xyzzy") == []


def test_a_player_plays(site: Site, tmp_path: Path) -> None:
    script = """
        const [, , forth] = document.querySelectorAll(".minigrad-bar button");
        const title = () => document.querySelector(".minigrad-title").textContent;
        const before = title();
        forth.click();
        return [before, title()];
    """
    before, after = measure(site.folder / "notebooks" / "04_backward.html", script, tmp_path)
    assert before.startswith("Step 0 of ")
    assert after.startswith("Step 1 of ")


@pytest.mark.parametrize(
    "name", ["index", "figures/README", "benchmarks/README", "notebooks/16_training", *(
        f"notebooks/{CHAPTERS[number]}" for number in (4, 18)
    )],
)  # fmt: skip
def test_a_phone_need_not_scroll_sideways(site: Site, tmp_path: Path, name: str) -> None:
    script = """
        const parts = [document.documentElement, ...document.querySelectorAll(".content")];
        return parts.map((part) => [part.scrollWidth, part.clientWidth]);
    """
    for needed, there in measure(site.folder / f"{name}.html", script, tmp_path, width=390):
        assert needed <= there <= 390
