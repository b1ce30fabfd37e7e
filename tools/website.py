"""Write the course as a website: `python tools/website.py` fills the folder `site`.

Sphinx writes it, with MyST-NB for the notebooks and the theme Furo. The folder holds everything
that the pages and the search need, so the site works from a disk as well as from a web server.
Nothing is executed, because the notebooks hold their outputs.

`tools/landing.py` makes the front page. The chapters follow in order, and after them every other
Markdown file of the project except those of tests and tools, so a new one needs no entry here. A
link to a file or heading that does not exist is an error and ends the build.

Each chapter begins with its minutes, links that say how to install the course and download the
notebook, links to its neighbors and a button that runs it. The button leads to the edition for the
browser if `--lite` or the environment variable MINIGRAD_LITE says where that is: a folder of the
website, such as `lite`, or an address. Otherwise it leads to Binder, once the course is published
(`tools/publish.py`).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import nbformat
from bs4 import BeautifulSoup
from docutils import nodes
from pygments.lexers import find_lexer_class_for_filename
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.errors import SphinxError
from sphinx.transforms import SphinxTransform
from sphinx.util.docutils import docutils_namespace, patch_docutils
from sphinx.util.osutil import relative_uri

from minigrad_course.desk import ipynb
from minigrad_course.desk.pages import ASKS, BEGIN, END, INSTALL, opened
from minigrad_course.kernel.places import ROOT
from tools import landing, notebooks, publish, questions
from tools.lite import address

FOLDER = ROOT / "site"
ASSETS = ROOT / "tools" / "web"
# The solutions, to which no page may link: `check` shows one on request.
SOLUTIONS = Path("minigrad_course/exercises")
MARK = ROOT / "figures" / "marks" / "mark.svg"
# A linked file of one of these kinds gets a page of its own; other files are downloads.
TEXT_KINDS = {".cfg", ".js", ".json", ".py", ".toml", ".yml", ""}
# The paragraph of chapter 00 on how to run a cell, and what a page says instead.
IN_LAB = re.compile(r"^\*\*Shift\+Enter\*\* runs a cell.*$", re.MULTILINE)
ON_A_PAGE = (
    "This page shows the chapter as it ran, so you cannot run anything here. What follows a"
    " question is folded: answer it, and then open the fold. To run the cells and have your answers"
    " checked, [get the course](../README.md#run-it)."
)


def colours(link: str, name: str) -> dict[str, str]:
    """The theme's colours: those of the drawings."""
    return {
        "color-brand-primary": link,
        "color-brand-content": link,
        "color-brand-visited": link,
        "color-sidebar-brand-text": name,
    }


SETTINGS: dict[str, Any] = {
    "project": "minigrad",
    "html_title": "minigrad",
    "language": "en",
    "extensions": ["myst_nb", "sphinx_copybutton", "sphinx.ext.githubpages", "tools.website"],
    "include_patterns": ["**.md", "notebooks/[0-9][0-9]_*.ipynb"],
    "exclude_patterns": ["tests/**", "tools/**", ".[!.]*/**"],
    "nb_execution_mode": "off",
    "nb_ipywidgets_js": {},  # scripts from elsewhere, for widgets, which the course does not use
    "myst_enable_extensions": ["html_image"],
    "myst_heading_anchors": 6,
    "html_theme": "furo",
    "html_theme_options": {
        "light_css_variables": colours(link="#0067A3", name="#111111"),
        "dark_css_variables": colours(link="#6CBDF0", name="#EEEEEE"),
    },
    "html_logo": str(MARK),
    "html_favicon": str(MARK),
    "html_static_path": [str(ASSETS / name) for name in ("style.css", "search.js", "landing.js")],
    "html_css_files": ["style.css"],
    "html_js_files": ["search.js"],
    "html_copy_source": False,
    "html_scaled_image_link": False,
    "html_show_sourcelink": False,
    "html_show_search_summary": False,  # tools/web/search.js shows more
    "html_show_copyright": False,
    "html_use_index": False,
    "copybutton_selector": "div[class*=highlight-]:not(.cell_output *) pre",
}


# --- what the pages are made from -----------------------------------------------------------------


def stage(folder: Path) -> None:
    """Copy the project into `folder`, in the form that Sphinx reads."""
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    skip = shutil.ignore_patterns(".git", *(line.rstrip("/") for line in ignored))
    shutil.copytree(ROOT, folder, ignore=skip, dirs_exist_ok=True)
    for file in ipynb.chapters(folder / "notebooks"):
        file.write_text(ipynb.as_text(for_a_page(ipynb.read(file))), encoding="utf-8")
    front = f"---\nhide-toc: true\n---\n# minigrad\n\n{contents(folder)}"
    (folder / "index.md").write_text(front, encoding="utf-8")


def for_a_page(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook without its navigation and its minutes, which its page shows elsewhere.

    A page has no cells to run, so chapter 00 does not tell its readers how to run one.
    MyST-NB shows a cell whose code is hidden as its title, which opens the code.
    """
    notebook.cells = [cell for cell in notebook.cells if INSTALL not in ipynb.tags(cell)]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            title, cell.source = opened(cell)
            if title:
                cell.metadata["tags"] = [*ipynb.tags(cell), "hide-input"]
                cell.metadata["mystnb"] = {"code_prompt_show": title, "code_prompt_hide": title}
        if "nav" in ipynb.tags(cell):
            lines = cell.source.split("\n")
            cell.source = "\n".join(line for line in lines if notebooks.NAV_MARK not in line)
            # The page's first line has the minutes, unless the next sentence depends on them.
            cell.source = re.sub(f"{notebooks.MINUTES.pattern} (?=You need)", "", cell.source)
            cell.source = IN_LAB.sub(ON_A_PAGE, cell.source)
    return notebook


def contents(folder: Path) -> str:
    """The table of contents, as MyST writes it: the parts of the sidebar."""
    texts = [file.relative_to(folder) for file in sorted(folder.rglob("*.md"))]
    texts = [file for file in texts if not re.match(r"tests|tools|\.", file.parts[0])]
    about = [file for file in texts if len(file.parts) == 1 or file.parts[0] == "notebooks"]
    teaching = [file for file in texts if file.parts[0] == "teaching"]
    chapters = ipynb.chapters(folder / "notebooks")
    parts = {
        "The course": [f"notebooks/{file.name}" for file in chapters],
        "To look up": [file.as_posix() for file in texts if file not in [*about, *teaching]],
        "Teaching": [file.as_posix() for file in teaching],
        "About the course": [file.as_posix() for file in about],
    }
    return "\n".join(
        f"```{{toctree}}\n:hidden:\n:titlesonly:\n:caption: {caption}\n\n{lines}\n```\n"
        for caption, files in parts.items()
        if (lines := "\n".join(files))
    )


# --- what Sphinx is told --------------------------------------------------------------------------


def setup(app: Sphinx) -> dict[str, Any]:
    """Sphinx calls this because this module is one of its extensions."""
    app.add_transform(Links)
    app.add_transform(Folds)
    app.add_builder(Builder, override=True)
    app.add_config_value("minigrad_lite", "", "html", str)
    app.connect("html-collect-pages", lambda app: app.builder.file_pages())
    app.connect("html-page-context", own_parts)
    app.connect("build-finished", lambda app, _: app.builder.copy_downloads())
    return {}


def own_parts(
    app: Sphinx, page: str, template: str, context: dict[str, Any], document: nodes.document | None
) -> None:
    """Fill the front page, and put a first line into each chapter.

    Words that were searched are not marked on the page that the search opens. Sphinx would mark
    them everywhere, even in the graphs and scripts of a stepper.
    """
    link = context["pathto"]
    if page == "index":
        app.add_js_file("landing.js")
        runs = runs_at(app, page, "00_start_here")
        context["body"] = landing.page(ROOT / "notebooks", link, runs)
    elif document and re.fullmatch(r"notebooks/\d\d_\w+", page):
        heading, body = context["body"].split("</h1>", 1)
        context["body"] = f"{heading}</h1>\n{first_line(app, page, context)}{body}"
    if page != "search":
        scripts = [each for each in context["script_files"] if "sphinx_highlight" not in str(each)]
        context["script_files"] = scripts


RUNS = ("Open in Colab", "Run on Binder")


def runs_at(app: Sphinx, page: str, chapter: str) -> dict[str, str]:
    """The links that run a chapter without an installation, by their words."""
    if lite := app.config.minigrad_lite:
        up = "" if re.match("https?:", lite) else "../" * page.count("/")
        place = f"{up}{lite.rstrip('/')}/{address(f'{chapter}.ipynb')}"
        return {"Run it in the browser": place}
    return {words: publish.runs(f"{chapter}.ipynb")[words] for words in RUNS if publish.place()}


def first_line(app: Sphinx, page: str, context: dict[str, Any]) -> str:
    """A chapter's minutes, where it runs, its notebook and its neighbors."""
    name = page.removeprefix("notebooks/")
    reading, exercises = notebooks.minutes(ROOT / f"{page}.ipynb")
    parts = []
    if reading:
        parts.append(f"<span>{reading} minutes to read, {exercises} for the exercises</span>")
    for words, place in runs_at(app, page, name).items():
        parts.append(f'<a class="button" href="{escape(place)}">{words}</a>')
    parts.append(f'<a href="{context["pathto"]("README")}#run-it">Run it on your machine</a>')
    parts.append(f'<a href="{name}.ipynb" download>Download</a>')
    if publish.place():
        parts.append(f'<a href="{publish.source(f"{page}.ipynb")}">Source</a>')
    beside = [
        f'<a href="{other["link"]}">{arrow.format(other["title"].partition(":")[0])}</a>'
        for other, arrow in ((context["prev"], "← {}"), (context["next"], "{} →"))
        if other and re.match(r"\d\d_", other["link"])  # a chapter
    ]
    parts.append(f"<span>{' '.join(beside)}</span>")
    return f'<p class="chapter-line">{" ".join(parts)}</p>\n'


class Folds(SphinxTransform):  # type: ignore[misc]
    """Folds everything between a prediction and the next heading until the reader opens it."""

    default_priority = 800

    def apply(self, **_: Any) -> None:
        """Wrap what follows each prediction in its section."""
        for section in list(self.document.findall(nodes.section)):
            if asks(section[-1]):  # the next section has the answer
                place = section.parent.index(section) + 1
                section.parent.insert(place + 1, folds(END))
                section.parent.insert(place, folds(BEGIN))
            parts, open_ones = [], 0
            for part in section.children:
                if isinstance(part, nodes.section):  # a subsection
                    parts += folds(END, open_ones)
                    open_ones = 0
                parts.append(part)
                if asks(part) and part is not section[-1]:
                    parts += folds(BEGIN)
                    open_ones += 1
            parts += folds(END, open_ones)
            section.children = []
            section.extend(parts)


def folds(html: str, count: int = 1) -> list[nodes.Node]:
    """`count` copies of a piece of HTML, as nodes."""
    return [nodes.raw("", html, format="html") for _ in range(count)]


def asks(part: nodes.Node) -> bool:
    """Whether a part of a page is a cell with a prediction."""
    if not isinstance(part, nodes.Element) or "cell" not in part.get("classes", []):
        return False
    code = next(part.findall(nodes.literal_block), None)
    return code is not None and bool(ASKS.search(code.astext()))


class Links(SphinxTransform):  # type: ignore[misc]
    """Makes links lead to where they lead in JupyterLab and on GitHub."""

    default_priority = 800  # before MyST looks for the headings

    def apply(self, **_: Any) -> None:
        """Spell anchors as MyST does, give text files pages, and unlink folders and solutions."""
        for link in list(self.document.findall(nodes.reference)):
            if link.get("id_link"):
                link["refuri"] = "#" + heading(link["refuri"].removeprefix("#"))
        for link in list(self.document.findall(addnodes.pending_xref)):
            if link.get("refdomain") == "doc":
                self.lead_to_page(link)
            elif self.file(link).is_dir():
                link.replace_self(link.children)
        for link in list(self.document.findall(addnodes.download_reference)):
            file = self.file(link)
            if file.parent == self.env.srcdir / SOLUTIONS:
                link.replace_self(link.children)
            elif file.suffix in TEXT_KINDS:
                self.show(link, file.relative_to(self.env.srcdir).as_posix())

    def lead_to_page(self, link: nodes.Element) -> None:
        """Point a link to Markdown or a notebook to its page, or to its text if it has no page."""
        name = link["reftarget"]
        if link["reftargetid"]:
            link["reftargetid"] = heading(link["reftargetid"])
        if name not in self.env.found_docs:
            kind = ".md" if (self.env.srcdir / f"{name}.md").is_file() else ".ipynb"
            self.show(link, f"{name}{kind}")

    def show(self, link: nodes.Element, name: str) -> None:
        """Point a link to a page with the text of the file `name`."""
        self.env.metadata[self.env.docname].setdefault("files", set()).add(name)
        place = relative_uri(f"{self.env.docname}.html", f"{name}.html")
        link.replace_self(nodes.reference("", "", *link.children, refuri=place))

    def file(self, link: nodes.Element) -> Path:
        """The file to which a link leads."""
        return Path(self.env.relfn2path(unquote(link["reftarget"]), self.env.docname)[1])


def heading(fragment: str) -> str:
    """The anchor that GitHub and MyST give a heading, from theirs or from JupyterLab's.

    `Document-003%27s-reason` becomes `document-003s-reason`.
    """
    return re.sub(r"[^\w\- ]", "", unquote(fragment).lower())


class Builder(StandaloneHTMLBuilder):  # type: ignore[misc]
    """Sphinx's builder, with a search that finds the section and not only the page.

    What is hidden until a reader opens it, such as the solution of an exercise, is not searched.
    """

    def init(self) -> None:
        """Start with no texts."""
        super().init()
        self.texts: dict[str, list[tuple[str, str, str]]] = {}

    def file_pages(self) -> Iterator[tuple[str, dict[str, str], str]]:
        """Pages for the linked text files, in the form that Sphinx expects of an extension."""
        linked = (page.get("files", ()) for page in self.env.metadata.values())
        for name in sorted(set().union(*linked)):
            text = (Path(self.srcdir) / name).read_text(encoding="utf-8")
            kind = find_lexer_class_for_filename(name)
            code = self.highlighter.highlight_block(text, kind.aliases[0] if kind else "text")
            yield name, {"title": name, "body": f"<h1>{escape(name)}</h1>\n{code}"}, "page.html"

    def copy_downloads(self) -> None:
        """Put each chapter's notebook beside its page, and copy the PDFs."""
        for file in [*ipynb.chapters(ROOT / "notebooks"), *(ROOT / "docs").glob("*.pdf")]:
            shutil.copy(file, Path(self.outdir) / file.parent.name)

    def index_page(self, pagename: str, doctree: nodes.document, title: str) -> None:
        """Note the text of each section that can be seen."""
        seen = doctree.deepcopy()
        for cell in list(seen.findall(nodes.container)):
            if cell.get("hide_mode"):
                cell.replace_self(nodes.inline("", cell["prompt_show"]))
        for raw in list(seen.findall(nodes.raw)):
            raw.replace_self(nodes.inline("", visible(raw.astext())))
        self.texts[pagename] = [
            (section["ids"][0], *(own_words(section))) for section in seen.findall(nodes.section)
        ]
        super().index_page(pagename, seen, title)

    def dump_search_index(self) -> None:
        """Write the search index, and for tools/web/search.js two lists of our own.

        They are the text of each section, and each question with the sections that answer it.
        """
        super().dump_search_index()
        named = {"TEXTS": self.texts, "ANSWERS": list(self.answers())}
        lines = [
            f"const {name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"
            for name, value in named.items()
        ]
        place = Path(self.outdir) / "_static" / "texts.js"
        place.write_text("".join(lines), encoding="utf-8", newline="\n")

    def answers(self) -> Iterator[list[str]]:
        """The words of each question, and the sections of the website that answer it.

        These are the sections that the list names, in its order, and those of the error clinic with
        its message.
        """
        clinic = "notebooks/20_error_clinic"
        for question in questions.questions():
            words = f"{question.message} {question.saw}".replace("`", "").lower()
            named = [(each.docname, heading(each.heading)) for each in question.read]
            found = [
                f"{name}#{id}"
                for name, wanted in named
                for id, title, _ in self.texts.get(name, ())
                if heading(title) == wanted
            ]
            found += [
                f"{clinic}#{id}"
                for id, _, text in self.texts.get(clinic, ())
                if question.message and question.message in text
            ]
            yield [words, *dict.fromkeys(found)]


def own_words(section: nodes.section) -> tuple[str, str]:
    """A section's heading, and its text without that of its subsections."""
    heading, *parts = (part.astext() for part in section if not isinstance(part, nodes.section))
    return heading, " ".join(" ".join(parts).split())


def visible(html: str) -> str:
    """The words of a piece of HTML that a reader sees without opening anything."""
    soup = BeautifulSoup(html, "html.parser")
    for hidden in soup(["details", "script", "style"]):
        hidden.decompose()
    return soup.get_text(" ")


# --- the command line -----------------------------------------------------------------------------


def build(folder: Path, lite: str = "") -> None:
    """Replace `folder` by the website; `lite` is the place of the edition for the browser.

    Raises:
        SphinxError: Sphinx warned about something, such as a link that leads nowhere.
    """
    with tempfile.TemporaryDirectory() as place:
        work = Path(place).resolve()
        stage(work / "source")
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                srcdir=work / "source",
                confdir=None,
                outdir=work / "site",
                doctreedir=work / "doctrees",
                buildername="html",
                confoverrides={**SETTINGS, "minigrad_lite": lite},
                status=None,
                warning=sys.stderr,
                warningiserror=True,
            )
            app.build()
        if app.statuscode:
            raise SphinxError("There is no website: see the warnings above.")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(work / "site", folder)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the course as a website.")
    parser.add_argument(
        "--lite",
        default=os.environ.get("MINIGRAD_LITE", ""),
        metavar="PLACE",
        help="where the edition for the browser is: a folder of the website, or an address",
    )
    lite = parser.parse_args(arguments).lite
    try:
        build(FOLDER, lite)
    except SphinxError as error:
        sys.exit(str(error))
    print(f"Open {FOLDER.relative_to(ROOT) / 'index.html'} in a browser.")


if __name__ == "__main__":
    main()
