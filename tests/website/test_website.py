"""The website is complete, every link leads to its heading, and nothing is loaded from elsewhere.

These tests need the extra `site`, so `make test` leaves them out; `.ci/run` runs them.
"""

from __future__ import annotations

import io
import json
import re
import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag
from matplotlib import image
from nbformat import NotebookNode, v4
from sphinx.errors import SphinxError

from minigrad_course.desk import ipynb
from tests import chromium
from tests.course.test_folded_cells import chapter_with_a_fold
from tools import landing, notebooks, publish, questions, website

# Deprecations that Sphinx's extensions have to deal with.
pytestmark = pytest.mark.filterwarnings(r"ignore:::(myst_nb|myst_parser|sphinx|furo)\b")

CHAPTERS = [file.stem for file in ipynb.chapters()]


@dataclass
class Site:
    """A website in a folder."""

    folder: Path

    def __post_init__(self) -> None:
        self.page = cache(self._page)
        self.ids = cache(lambda file: {tag["id"] for tag in self.page(file)(id=True)})

    def _page(self, file: Path) -> BeautifulSoup:
        """A page without its embedded pictures, which are long and do not matter for links."""
        text = file.read_text(encoding="utf-8")
        return BeautifulSoup(re.sub(r";base64,[\w+/=]+", ";base64,", text), "html.parser")

    def pages(self) -> list[Path]:
        return sorted(self.folder.rglob("*.html"))

    def article(self, name: str) -> Tag:
        article = self.page(self.folder / f"{name}.html").find("article")
        assert isinstance(article, Tag)
        return article

    def link(self, name: str, text: str) -> str | None:
        """The target of the link with `text` on the page `name`, or None if it is not a link."""
        article = self.article(name)
        assert text in article.get_text()
        found = [link["href"] for link in article("a") if link.get_text() == text]
        return str(found[0]) if found else None

    def searched(self, name: str) -> Any:
        """What the search reads.

        TEXTS are the sections of each page with id, heading and text, and ANSWERS the questions
        with the sections that answer them.
        """
        script = (self.folder / "_static" / "texts.js").read_text(encoding="utf-8")
        (line,) = re.findall(rf"^const {name} = (.+);$", script, re.MULTILINE)
        return json.loads(line)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """The website of the course."""
    folder = tmp_path_factory.mktemp("site") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publish, "place", lambda: None)
        website.build(folder)
    return Site(folder)


# --- the course -----------------------------------------------------------------------------------


def test_every_chapter_and_every_markdown_file_is_in_the_contents(site: Site) -> None:
    front = site.page(site.folder / "index.html")
    contents = [link["href"] for link in front.select(".sidebar-tree a")]
    assert contents[: len(CHAPTERS)] == [f"notebooks/{name}.html" for name in CHAPTERS]
    texts = set(website.ROOT.glob("*.md"))
    for folder in ("benchmarks", "docs", "figures", "minigrad_course", "notebooks", "teaching"):
        texts |= set((website.ROOT / folder).rglob("*.md"))
    assert sorted(contents[len(CHAPTERS) :]) == sorted(
        text.relative_to(website.ROOT).with_suffix(".html").as_posix() for text in texts
    )


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
            elif parts.fragment and unquote(parts.fragment) not in site.ids(place):
                wrong.append(f"{file.name}: {link['href']}, no such heading")
    assert wrong == []


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
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
        if file.name not in {"searchindex.js", "texts.js"}:  # search index
            places = set(re.findall(r"[\"'`]((?:https?:)?//[\w.-]+)", file.read_text("utf-8")))
            assert places <= {"http://www.w3.org"}, file.name  # SVG's name, not loaded


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_begins_with_its_minutes_its_notebook_and_its_neighbours(
    site: Site, name: str
) -> None:
    article = site.article(f"notebooks/{name}")
    (line,) = article.select("p.chapter-line")
    assert line.find_previous_sibling("h1") is not None
    file = notebooks.NOTEBOOKS / f"{name}.ipynb"
    told = re.match(r"(\d+) minutes to read, (\d+) for the exercises\s", line.get_text())
    assert told
    first = ipynb.read(file).cells[0].source
    assert re.search(rf"About {told[1]} minutes to read,? and {told[2]} ", first)
    assert article.get_text().count("minutes to read") <= 2
    assert "Shift+Enter" not in article.get_text()  # which a page cannot do
    install, own, *others = [str(link["href"]) for link in line("a")]
    assert install == "../README.html#run-it"
    assert own == file.name
    assert (site.folder / "notebooks" / own).read_bytes() == file.read_bytes()
    place = CHAPTERS.index(name)
    assert others == [f"{CHAPTERS[other]}.html" for other in (place - 1, place + 1)
                      if 0 <= other < len(CHAPTERS)]  # fmt: skip


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_follows_a_prediction_is_folded(site: Site, name: str) -> None:
    """All cells up to the next heading, or the next section if there are none."""
    article = site.article(f"notebooks/{name}")
    asked = [cell for cell in article.select(".cell") if re.search(r"^predict\(", cell.text, re.M)]
    folded = article.select("details.minigrad-fold")
    assert len(folded) == len(asked) > 0
    assert not any(fold.has_attr("open") for fold in folded)
    for cell in asked:
        rest = [each for each in cell.find_next_siblings() if each.name != "section"]
        if not rest:  # the next section has the answer
            section = cell.find_parent("section")
            assert section is not None
            rest = section.find_next_siblings(limit=1)
        (fold,) = rest
        assert fold in folded
        assert fold.get_text().strip().removeprefix("Open this once you have answered.")


def test_a_folded_cell_is_shown_as_its_title() -> None:
    *_, cell = website.for_a_page(chapter_with_a_fold()).cells
    assert "hide-input" in cell.metadata.tags
    assert cell.metadata.mystnb["code_prompt_show"].startswith("Run the library's _retain")
    assert cell.source.startswith("@method_of(Node)")


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_picture_exists_and_has_an_alt_text(site: Site, name: str) -> None:
    stored = ipynb.read(notebooks.NOTEBOOKS / f"{name}.ipynb")
    outputs = [
        output.get("data", {}) for cell in stored.cells for output in cell.get("outputs", [])
    ]
    drawn = sum(data.get("text/html", "").count("<img") for data in outputs)
    article = site.article(f"notebooks/{name}")
    assert [image for image in article("img") if len(str(image.get("alt", ""))) < 10] == []
    images = article.select(".cell_output img")
    assert len(images) == drawn > 0
    assert {str(image["src"]).partition(";")[0] for image in images} <= {
        "data:image/png",
        "data:image/svg+xml",
    }


def test_the_search_knows_sections_and_messages(site: Site) -> None:
    texts = site.searched("TEXTS")
    assert {f"notebooks/{name}" for name in CHAPTERS} <= set(texts)
    sections = {heading: text for _, heading, text in texts["notebooks/04_backward"]}
    assert "heappush" in sections["The engine"]
    assert "grad can be implicitly created only for scalar outputs" in sections["Common mistakes"]
    index = (site.folder / "searchindex.js").read_text(encoding="utf-8")
    assert '"notebooks/04_backward"' in index
    assert "heappush" in index


def test_the_search_knows_which_sections_answer_a_question(site: Site) -> None:
    answers = site.searched("ANSWERS")
    assert len(answers) == len(questions.questions()) > 50
    assert all(sections for _, *sections in answers)
    ids = {
        f"{page}#{id}" for page, sections in site.searched("TEXTS").items() for id, _, _ in sections
    }
    assert {section for _, *sections in answers for section in sections} <= ids
    (none,) = [sections for words, *sections in answers if ".grad is none after" in words]
    assert none == [
        "notebooks/05_leaves#the-checklist",
        "notebooks/05_leaves#a-view-that-was-made-in-no-grad",
    ]


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_search_reveals_no_answers(site: Site, name: str) -> None:
    """Text in a closed `<details>`, such as a solution, is not searched."""
    known = "\n".join(text for _, _, text in site.searched("TEXTS")[f"notebooks/{name}"])
    hidden = [
        " ".join(part.get_text(" ").split())
        for part in site.article(f"notebooks/{name}").select("details:not(.minigrad-fold) > div")
    ]
    long = [text for text in hidden if len(text) > 80]
    assert long
    assert [text for text in long if text in known] == []


# --- the front page -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(5))
def test_the_answers_of_the_puzzle_are_what_the_program_shows(number: int) -> None:
    asked, _ = list(landing.questions())[number]
    assert len(asked.options) >= 3
    *statements, last = landing.ASKED[number][1].split("; ")
    names: dict[str, Any] = {}
    exec("\n".join([landing.PROGRAM, *statements]), names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the gradient of a tensor that is not a leaf
        try:
            shown = repr(eval(last, names))
        except RuntimeError:
            shown = "it raises an error"
    assert shown == asked.answer


def test_the_front_page_has_a_puzzle_a_player_and_three_doors(site: Site) -> None:
    article = site.article("index")
    assert landing.PROGRAM in (website.ROOT / "README.md").read_text(encoding="utf-8")
    assert [len(form.select("[data-right]")) for form in article("fieldset")] == [1] * 5
    assert len({box["name"] for box in article.select("fieldset input")}) == 5
    for form in article("fieldset"):  # choices and feedback have the same order
        said = [why.get_text().startswith("Right.") for why in form.select(".whys p")]
        assert said == [label.has_attr("data-right") for label in form("label")]
    assert len(article.select(".minigrad-replay script")) == 1
    doors = [door["href"] for door in article.select(".doors > a")]
    assert doors == ["notebooks/00_start_here.html", "docs/errors.html", "teaching/README.html"]
    links = [link["href"] for link in article.select("ol.chapters a")]
    assert links == [f"notebooks/{name}.html" for name in CHAPTERS]


# --- a small project ------------------------------------------------------------------------------


def notebook(*cells: NotebookNode) -> str:
    return ipynb.as_text(v4.new_notebook(cells=list(cells), metadata=notebooks.NOTEBOOK_METADATA))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a chapter, a text, and the files to which they link."""
    files = {
        ".gitignore": "workbook/\nsite/\n",
        "LICENSE": "Do what you like.",
        "README.md": "# The front\n",
        "docs/words.md": (
            "# Words\n\n[front](../README.md) [licence](../LICENSE) [folder](../lib) "
            "[code](../lib/a.py) [form](../.github/form.md) [run](../.ci/run) "
            '<img src="../lib/b.svg" alt="b"> '
            "[answers](../minigrad_course/exercises/ch05.py) "
            "[why](../notebooks/05_leaves.ipynb#Why%3F-A-x) [here](#words)"
        ),
        "lib/a.py": "x = 1 < 2\n",
        "lib/b.svg": "<svg></svg>",
        ".ci/run": "make test\n",
        ".github/form.md": "# A form\n",
        "workbook/mine.md": "# Mine\n",
        "minigrad_course/exercises/ch05.py": "answer = 42",
        "notebooks/05_leaves.ipynb": notebook(
            v4.new_markdown_cell(
                "[next](06.ipynb) <!-- nav -->\n# Leaves", metadata={"tags": ["nav"]}
            ),
            v4.new_markdown_cell("## Why? A `x`\n\n[again](#Why%3F-A-x)"),
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
    assert site.link("docs/words", "front") == "../README.html"
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
    assert (site.folder / "_images" / "b.svg").read_text(encoding="utf-8") == "<svg></svg>"
    assert not {"mine.html", "form.html", "ch05.py", "ch05.py.html"} & set(everything)
    assert not (project / "jupyter_execute").exists()
    assert "next" not in site.article("notebooks/05_leaves").get_text()


def runs(page: str, lite: str = "") -> dict[str, str]:
    app = SimpleNamespace(config=SimpleNamespace(minigrad_lite=lite))
    return website.runs_at(app, page, "05_leaves")


@pytest.mark.parametrize(
    ("page", "lite", "place"),
    [
        ("notebooks/05_leaves", "lite", "../lite/"),
        ("notebooks/05_leaves", "https://a.b/c/", "https://a.b/c/"),
        ("index", "lite/", "lite/"),
    ],
)
def test_chapters_run_where_the_command_says(page: str, lite: str, place: str) -> None:
    address = f"{place}lab/index.html?path=workbook/05_leaves.ipynb&reset"
    assert runs(page, lite) == {"Run it in the browser": address}


def test_a_published_course_leads_to_binder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "place", lambda: None)
    assert runs("notebooks/05_leaves") == {}
    monkeypatch.setattr(publish, "place", lambda: "ada/grad")
    binder = "https://mybinder.org/v2/gh/ada/grad/HEAD?urlpath=lab/tree/workbook/05_leaves.ipynb"
    assert runs("notebooks/05_leaves")["Run on Binder"] == binder


def test_each_broken_link_is_named_and_fails_the_build(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [
        "[lost](docs/none.md)",
        "[lost](docs/words.md#nothing)",
        "[lost](notebooks/05_leaves.ipynb#why)",
        "[lost](none.txt)",
        "[lost](#none)",
        '<img src="none.svg" alt="none">',
    ]
    (project / "site").mkdir()
    (project / "README.md").write_text("\n\n".join(["# The front", *broken]), encoding="utf-8")
    with pytest.raises(SphinxError):
        website.build(project / "site")
    assert not list((project / "site").iterdir())
    assert capsys.readouterr().err.count("README.md:") == len(broken)


# --- in a browser ---------------------------------------------------------------------------------


def measure(page: Path, script: str, folder: Path, width: int = 1300, query: str = "") -> Any:
    """Show a page in a window of `width`, and return the result of `script` after a second."""
    return chromium.measured(page, script, (width, 900), folder, query, after=1000)


def test_the_search_works_from_a_disk(site: Site, tmp_path: Path) -> None:
    script = """
        return [...document.querySelectorAll("#search-results ul.search > li")].map((item) =>
            [...item.querySelectorAll("a")].map((link) => link.getAttribute("href")));
    """
    message = "?q=does+not+require+grad+and+does+not+have+a+grad_fn"
    results = measure(site.folder / "search.html", script, tmp_path, query=message)
    best = results[0]
    assert best[0] == "notebooks/20_error_clinic.html"
    assert "notebooks/20_error_clinic.html#cause-1-the-graph-does-not-reach-the-loss" in best
    assert measure(site.folder / "search.html", script, tmp_path, query="?q=xyzzy") == []


@pytest.mark.parametrize(
    ("query", "page", "section"),
    [
        ("grad+is+None", "05_leaves", "the-checklist"),
        ("modified+by+an+inplace+operation", "20_error_clinic",
         "cause-3-memory-was-written"),
        ("Trying+to+backward+through+the+graph+a+second+time", "20_error_clinic",
         "cause-2-the-graph-is-gone"),
    ],
)  # fmt: skip
def test_the_search_leads_with_the_section_that_answers(
    site: Site, tmp_path: Path, query: str, page: str, section: str
) -> None:
    script = """
        const [first] = document.querySelectorAll("#search-results ul.search > li");
        return [...first.querySelectorAll("a")].map((link) => link.getAttribute("href"));
    """
    first = measure(site.folder / "search.html", script, tmp_path, query=f"?q={query}")
    assert first[:2] == [f"notebooks/{page}.html", f"notebooks/{page}.html#{section}"]


def test_an_answer_of_the_puzzle_gets_its_reason(site: Site, tmp_path: Path) -> None:
    script = """
        const seen = () => [...document.querySelectorAll(".whys p")]
            .filter((each) => each.checkVisibility()).map((each) => each.textContent);
        const score = document.querySelector(".score");
        const [first, second] = document.querySelectorAll("fieldset");
        const found = [seen(), score.textContent];
        first.querySelector("label:not([data-right])").click();
        found.push(seen(), score.textContent);
        first.querySelector("label[data-right]").click();
        second.querySelector("label[data-right]").click();
        found.push(seen(), score.textContent);
        return found;
    """
    before, nothing, one, wrong, two, right = measure(site.folder / "index.html", script, tmp_path)
    assert (before, nothing) == ([], "")
    assert [text[:4] for text in one] == ["No. "]
    assert wrong == "0 of 1 right at the first try."
    assert [text[:7] for text in two] == ["Right. ", "Right. "]
    assert right == "1 of 2 right at the first try."


@pytest.mark.parametrize(("motion", "step"), [("no-preference", "Step 1 of"), ("reduce", "Step 0")])
def test_the_replay_of_the_front_page_plays_when_it_is_seen(
    site: Site, motion: Literal["no-preference", "reduce"], step: str
) -> None:
    with chromium.driven() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, reduced_motion=motion)
        page.goto((site.folder / "index.html").as_uri())
        title = page.locator(".landing .minigrad-title")
        page.wait_for_timeout(300)
        assert title.inner_text().startswith("Step 0 of")
        page.locator(".landing .minigrad-player").scroll_into_view_if_needed()
        page.wait_for_timeout(800)
        assert title.inner_text().startswith(step)


@pytest.mark.parametrize("name", ["index", "notebooks/04_backward"])
def test_a_search_marks_nothing_on_the_page_that_it_opens(
    site: Site, tmp_path: Path, name: str
) -> None:
    """Sphinx would mark words in the stepper, too, and would take the name in the corner apart."""
    script = """
        const parts = document.querySelectorAll("article :is(style, script, svg), [class*=brand]");
        return [...parts].map((part) => part.innerHTML.length);
    """
    page = site.folder / f"{name}.html"
    before, after = (measure(page, script, tmp_path, query=q) for q in ("", "?highlight=grad"))
    assert len(before) > 4
    assert after == before


@pytest.mark.parametrize(("system", "theme"), [("dark", "auto"), ("dark", "light")])
def test_drawings_and_players_are_as_dark_as_the_page(
    site: Site, system: Literal["light", "dark"], theme: str
) -> None:
    dark = theme == "dark" or (theme, system) == ("auto", "dark")
    opening = "() => document.querySelectorAll('details').forEach((each) => each.open = true)"
    with chromium.driven() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800}, color_scheme=system)
        page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
        for name, part in (
            ("00_start_here", "body"),
            ("00_start_here", "img.align-right"),
            ("04_backward", ".minigrad-drawing img"),
            ("04_backward", ".minigrad-player"),
        ):
            page.goto((site.folder / "notebooks" / f"{name}.html").as_uri())
            page.evaluate(opening)
            page.wait_for_timeout(300)
            shown = image.imread(io.BytesIO(page.locator(part).first.screenshot()))
            brightness = float(np.median(shown[..., :3]))
            assert brightness < 0.3 if dark else brightness > 0.8, (part, brightness)


def test_the_keyboard_opens_what_is_folded_and_steps(site: Site) -> None:
    with chromium.driven() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto((site.folder / "notebooks" / "04_backward.html").as_uri())
        fold = page.locator("details.minigrad-fold:has(.minigrad-player)").first
        player = fold.locator(".minigrad-player").first
        title = player.locator(".minigrad-title")
        fold.locator("> summary").focus()
        page.keyboard.press("Enter")
        for _ in range(50):
            page.keyboard.press("Tab")
            if player.evaluate("(player) => player === document.activeElement"):
                break
        before = title.inner_text()
        page.keyboard.press("ArrowRight")
        assert re.match(r"Step \d+ of", before)
        assert title.inner_text() not in {"", before}


@pytest.mark.parametrize(
    "name",
    [
        *("index", "README", "docs/errors", "docs/glossary", "figures/README", "benchmarks/README"),
        *("notebooks/16_training", *(f"notebooks/{CHAPTERS[number]}" for number in (4, 20))),
    ],
)
def test_a_phone_need_not_scroll_sideways(site: Site, tmp_path: Path, name: str) -> None:
    script = """
        const parts = [document.documentElement, ...document.querySelectorAll(".content")];
        return parts.map((part) => [part.scrollWidth, part.clientWidth]);
    """
    for needed, there in measure(site.folder / f"{name}.html", script, tmp_path, width=390):
        assert needed <= there <= 390
