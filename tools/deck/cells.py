"""From the cells of a notebook to beats: what belongs together and is said in one breath.

A beat is some prose, the code that follows it and what that code shows. Headings begin one, and so
does prose after code. The questions of `predict` are beats of their own: the class answers before
the next cell runs, and the answer comes by a click, below what that cell shows. An exercise is its
task; hint and solution are the teacher's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape
from itertools import takewhile
from textwrap import dedent
from urllib.parse import unquote

from bs4 import BeautifulSoup
from bs4.element import NavigableString, PageElement, Tag
from nbconvert.filters import markdown2html
from nbformat import NotebookNode
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name

from tools import notebooks
from tools.deck.flow import Card, Flow, Lines, Listing, Picture, Table, Text
from tools.deck.replay import Replay

PREDICT = re.compile(r"^predict\(.*\)\n?", re.MULTILINE)
MINUTES = re.compile(r"About (\d+) minutes to read, and (\d+) (?:more )?for the exercises?")
CHAPTER = re.compile(r"^(\d\d_\w+)\.ipynb(?:#(.*))?$")
TASK = re.compile(r"^<strong>\d\d\.\d+</strong>\s*")
IMPORTS = 2
"""Lines of imports that are shown above code."""
PREPARES = 2
"""Statements that only prepare a plot, and are not shown either."""
PLOTTED = '<span class="left-out"># … and a plot of it</span>'
STUB = 8
"""Lines of an exercise's stub that are shown."""
RIGHT = "rgb(27, 140, 90)"


@dataclass
class Beat:
    """What belongs together, in the order in which the class sees it."""

    title: str
    kind: str = "talk"
    """"talk", "question" or "exercise"."""
    before: list[Flow] = field(default_factory=list)
    """Prose and code."""
    after: list[Flow] = field(default_factory=list)
    """What the code shows."""
    notes: list[str] = field(default_factory=list)
    """HTML of what the teacher says or asks."""
    anchor: str = ""
    """The id of the heading that stands here."""
    stack: bool = False
    """A section begins here."""
    override: str = ""
    """By the author's `slide_type`: "slide" or "subslide" begins a slide, "-" stays on the last."""
    cells: list[int] = field(default_factory=list)
    """The numbers that the notebook shows at the code cells."""
    minutes: float = 0.0
    """Of an exercise, as the exercise says."""

    @property
    def flows(self) -> list[Flow]:
        """All that is seen."""
        return [*self.before, *self.after]

    @property
    def has_code(self) -> bool:
        """Whether a code cell belongs to it."""
        return any(isinstance(flow, Lines) for flow in self.before) or bool(self.after)


@dataclass
class Chapter:
    """What a deck is made of."""

    title: str
    opening: str
    """HTML of the first cell: what the chapter needs."""
    reading: int
    exercises: int
    """Minutes, as the first cell says."""
    beats: list[Beat]


def chapter(notebook: NotebookNode, name: str) -> Chapter:
    """Read the notebook of the chapter `name`."""
    first, *cells = notebook.cells
    _, *parts = elements(first.source)
    title = BeautifulSoup(markdown2html(first.source), "html.parser").find("h1")
    claimed = MINUTES.search(first.source.replace("\n", " "))
    if title is None or claimed is None:
        raise ValueError(f"{name}: the first cell has no heading, or no minutes")
    title.find("a").decompose()  # type: ignore[union-attr]
    opening = "".join(str(part) for part in parts if part.name == "p")
    reader = Reader()
    for cell in cells:
        reader.read(cell)
    reader.give_answer()
    beats = [beat for beat in reader.beats if beat.flows]
    if reader.following and beats:
        beats[-1].before.append(Text(reader.following))
    return Chapter(title.get_text(), opening, int(claimed[1]), int(claimed[2]), beats)


class Reader:
    """Reads cells one by one."""

    def __init__(self) -> None:
        self.beats: list[Beat] = []
        self.section = self.title = self.anchor = self.following = ""
        self.stack = False
        self.answer: Card | None = None

    def read(self, cell: NotebookNode) -> None:
        """Add a cell; its `slide_type` has the last word."""
        wish = cell.metadata.get("slideshow", {}).get("slide_type", "")
        if wish == "skip":
            return
        if wish == "notes":
            kept = self.beats[-1] if self.beats else self.begin()
            words = markdown2html(cell.source) if cell.cell_type == "markdown" else ""
            kept.notes.append(words or f"<pre>{escape(cell.source)}</pre>")
            return
        if wish in ("slide", "subslide"):
            self.stack = self.stack or wish == "slide"
            self.begin().override = wish
        known = {id(flow) for beat in self.beats for flow in beat.flows}
        count = len(self.beats)
        if cell.cell_type == "markdown":
            self.markdown(cell, begun=wish in ("slide", "subslide"))
        elif cell.cell_type == "code":
            self.code(cell, begun=wish in ("slide", "subslide"))
        if wish == "fragment":
            for beat in self.beats:
                for flow in beat.flows:
                    flow.click = flow.click or id(flow) not in known
        if wish in ("-", "fragment"):
            for beat in self.beats[count:]:
                beat.override = "-"

    def begin(self, kind: str = "talk") -> Beat:
        """Begin a beat; a heading that has been read stands here."""
        new = Beat(self.title, kind, anchor=self.anchor, stack=self.stack)
        self.anchor, self.stack = "", False
        self.beats.append(new)
        return new

    # --- prose ------------------------------------------------------------------------------------

    def markdown(self, cell: NotebookNode, begun: bool) -> None:
        """Prose begins a beat, and headings name it."""
        beat = self.beats[-1] if begun else None
        for element in elements(cell.source):
            if notebooks.NAV_MARK in str(element):
                links = [link for link in element.find_all("a") if link.get_text()[-1] == "→"]
                self.following = str(links[0]) if links else ""
                continue
            if re.fullmatch("h[1-6]", element.name):
                self.give_answer()
                self.heading(element)
                beat = None
                continue
            for flow in flows(element):
                if isinstance(flow, Text) and TASK.match(flow.inner):
                    flow.inner = TASK.sub("", flow.inner)
                    beat = None
                beat = beat or self.begin()
                beat.before.append(flow)

    def heading(self, element: Tag) -> None:
        """Note the heading for the beat that comes."""
        anchor, name = unquote(str(element.get("id", ""))), title_of(element)
        if element.name == "h2":
            self.section = self.title = name
            self.stack, self.anchor = True, anchor
        else:
            self.title = f"{self.section}: {name}" if self.section else name
            self.anchor = self.anchor or anchor

    # --- code -------------------------------------------------------------------------------------

    def code(self, cell: NotebookNode, begun: bool) -> None:
        """A code cell belongs to the prose before it, and begins a beat if there is none."""
        role = cell.metadata.get("nbgrader", {})
        if role.get("solution"):
            self.stub(cell)
        elif role.get("grade"):
            self.check(cell)
        else:
            beat = self.beats[-1] if self.beats else self.begin()
            if not begun and (beat.has_code or beat.kind != "talk" or self.anchor):
                beat = self.begin()
            self.run(cell, beat)

    def run(self, cell: NotebookNode, beat: Beat) -> None:
        """What a cell says and shows."""
        shown = [output for output in cell.outputs if not is_question(output)]
        asked = [output for output in cell.outputs if is_question(output)]
        if asked:
            self.give_answer()
        beat.cells.append(cell.execution_count or 0)
        calls = calls_in(cell.source)
        if len(calls) > 1 and len(calls) == len(shown):  # several programs: one by one
            for index, call in enumerate(calls):
                beat = self.begin() if index else beat
                beat.before.extend(source(call))
                self.show(shown[index], beat)
            return
        beat.before.extend(source(PREDICT.sub("", cell.source)))
        if names := notebooks.lib_names(cell):
            listed = ", ".join(f"<code>{name.removeprefix('minigrad.')}</code>" for name in names)
            beat.notes.append(f"<p>This is the library's own text: {listed}.</p>")
        for output in shown:
            self.show(output, beat)
        if shown:
            self.give_answer(beat)
        for output in asked:
            self.ask(output, beat)

    def show(self, output: NotebookNode, beat: Beat) -> None:
        """What an output shows; by a click, if a question is open. Programs are code, too."""
        for flow in shows(output):
            if isinstance(flow, Lines) and flow.look == "code":
                beat.before.append(flow)
            else:
                flow.click = self.answer is not None
                beat.after.append(flow)

    def ask(self, output: NotebookNode, beat: Beat) -> None:
        """A question joins the prose that leads to it, and is never on a slide with code."""
        if beat.has_code:
            beat = self.begin()
        beat.kind = "question"
        card, self.answer, notes = question(output)
        beat.before.append(card)
        beat.notes.extend(notes)

    def give_answer(self, beat: Beat | None = None) -> None:
        """Show the answer that is due, at the end of `beat` or by itself."""
        if self.answer is None:
            return
        self.answer.click = beat is not None
        (beat or self.begin()).after.append(self.answer)
        self.answer = None

    # --- exercises --------------------------------------------------------------------------------

    def stub(self, cell: NotebookNode) -> None:
        """The first lines of the cell that the learner fills in."""
        lines = list(source(cell.source))
        for flow in lines:
            if isinstance(flow, Lines) and len(flow.lines) > STUB:
                flow.left_out = len(flow.lines) - STUB + 1
                flow.lines = flow.lines[: STUB - 1]
        beat = self.beats[-1] if self.beats else self.begin()
        beat = self.begin() if beat.kind == "exercise" else beat
        beat.before.extend(lines)

    def check(self, cell: NotebookNode) -> None:
        """The check names the exercise, and has the hint and the solution."""
        beat = self.beats[-1]
        beat.kind = "exercise"
        for output in cell.outputs:
            soup = BeautifulSoup(output.get("data", {}).get("text/html", ""), "html.parser")
            if heading := soup.find("b"):
                name = re.sub(r": not attempted yet$", "", heading.get_text())
                rest = str(heading.next_sibling or "")
                minutes = re.search(r"(\d+) minutes", rest)
                stars = re.search(r"[★☆]+", rest)
                beat.minutes = float(minutes[1]) if minutes else 0.0
                beat.title = f"Exercise {escape(name)}"
                effort = filter(None, [stars[0] if stars else "", f"{beat.minutes:g} min"])
                beat.title += f" <small>{' · '.join(effort)}</small>"
            for lid in soup.find_all("details"):
                name, body = lid_of(lid)
                beat.notes.append(f"<p><b>{name}:</b></p>{body}")


# --- parts of cells -------------------------------------------------------------------------------


def elements(markdown: str) -> Iterator[Tag]:
    """The blocks of a Markdown cell as HTML, with links that lead to decks."""
    soup = BeautifulSoup(markdown2html(markdown), "html.parser")
    for link in soup.find_all("a"):
        if "anchor-link" in link.get("class", []):
            continue
        target = str(link.get("href", ""))
        if found := CHAPTER.match(target):
            link["href"] = f"{found[1]}.html" + (f"#/{found[2]}" if found[2] else "")
        elif target.startswith("#"):
            link["href"] = f"#/{target[1:]}"
    yield from (child for child in soup.children if isinstance(child, Tag))


def title_of(heading: Tag) -> str:
    """HTML of a heading without its link to itself."""
    for link in heading.find_all("a", class_="anchor-link"):
        link.decompose()
    return heading.decode_contents()


def flows(element: PageElement) -> Iterator[Flow]:
    """What an HTML block holds."""
    if not isinstance(element, Tag):
        if text := str(element).strip():
            yield Text(escape(text, quote=False))
    elif element.name == "p" and (printed := printed_in(element)):
        yield Lines([escape(line, quote=False) for line in printed.split("\n")], "message")
    elif element.name == "p":
        yield Text(element.decode_contents().strip())
    elif element.name in ("ul", "ol"):
        items = [list(within(item)) for item in element.find_all("li", recursive=False)]
        start = int(str(element.get("start", 1)))
        yield Listing(items, ordered=element.name == "ol", start=start)
    elif element.name == "table":
        yield table(element)
    elif element.name == "pre":
        lines = element.decode_contents().strip("\n").split("\n")
        code = element.find_parent("div", class_="highlight") is not None
        inner = [re.sub(r"^(<span></span>)?(<code>)?|</code>$", "", line) for line in lines]
        yield Lines(inner, "code" if code else "message")
    elif element.name != "details":
        yield from within(element)


def printed_in(paragraph: Tag) -> str:
    """The lines of a paragraph that is nothing but what a program printed."""
    code = paragraph.find("code", style=re.compile("pre-wrap"))
    return code.get_text() if code and paragraph.get_text() == code.get_text() else ""


def within(element: Tag) -> Iterator[Flow]:
    """What stands in an element; words outside of blocks make paragraphs."""
    words = ""
    for child in element.children:
        block = isinstance(child, Tag) and child.name in (
            *("p", "ul", "ol", "table", "pre", "div", "details", "blockquote"),
        )
        if block:
            if words.strip():
                yield Text(words.strip())
            words = ""
            yield from flows(child)
        elif isinstance(child, NavigableString):
            words += escape(str(child), quote=False)
        else:
            words += str(child)
    if words.strip():
        yield Text(words.strip())


def table(element: Tag) -> Table:
    """A table; without styles of its own."""
    rows = [
        [cell.decode_contents() for cell in row.find_all(["td", "th"])]
        for row in element.find_all("tr")
    ]
    headed = element.find("th") is not None or len({len(row) for row in rows}) == 1
    return Table([row for row in rows if row], headed=headed)


def coloured(code: str, language: str = "python") -> list[str]:
    """HTML of each line of code."""
    lexer = get_lexer_by_name(language, stripnl=False)
    return highlight(code, lexer, HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")


def source(code: str) -> Iterator[Lines]:
    """What a class sees of a cell's code.

    A program for `beside_pytorch` stands by itself. Imports at the top are left out if they are
    many, and so is what only plots, at the end.
    """
    code = code.strip("\n")
    try:
        tree = ast.parse(code).body
    except SyntaxError:  # a cell with magics
        yield Lines(coloured(code))
        return
    if len(tree) == 1 and (program := program_in(tree[0])):
        yield Lines(coloured(program))
        return
    if len(tree) == 1 and called(tree[0]) in ("score", "beside_pytorch"):
        return
    imports = list(takewhile(lambda part: isinstance(part, ast.Import | ast.ImportFrom), tree))
    if len(imports) > IMPORTS or len(imports) == len(tree):
        tree = tree[len(imports) :]
    lines = code.split("\n")
    start = first_line(tree[0], lines) if tree else len(lines)
    plots = list(takewhile(only_plots, reversed(tree)))
    if plots and len(tree) - len(plots) <= PREPARES and all(map(simple, tree)):
        return  # the picture is what matters
    end = first_line(plots[-1], lines) if 0 < len(plots) < len(tree) else len(lines)
    shown = re.sub(r"\n{3,}", "\n\n", "\n".join(lines[start:end]).strip("\n"))
    if shown:
        yield Lines(coloured(shown) + ([PLOTTED] if end < len(lines) else []))


def first_line(statement: ast.stmt, lines: list[str]) -> int:
    """The index of the line where a statement begins, decorators and comments included."""
    decorators = getattr(statement, "decorator_list", [])
    line = min([statement.lineno, *(each.lineno for each in decorators)]) - 1
    while line and lines[line - 1].startswith("#"):
        line -= 1
    return line


def simple(statement: ast.stmt) -> bool:
    """Whether a statement defines nothing and prints nothing."""
    return (
        not isinstance(statement, ast.FunctionDef | ast.ClassDef) and called(statement) != "print"
    )


def only_plots(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but plot."""
    names = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return bool(names & {"plt", "axes", "axis", "ax", "figure"}) and not isinstance(
        statement, ast.FunctionDef | ast.ClassDef
    )


def called(statement: ast.stmt) -> str:
    """The name of the function that a statement calls."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    named = isinstance(call, ast.Call) and isinstance(call.func, ast.Name)
    return call.func.id if named else ""  # type: ignore[union-attr]


def calls_in(code: str) -> list[str]:
    """The calls of `beside_pytorch` that a cell consists of, if it does."""
    try:
        tree = ast.parse(code).body
    except SyntaxError:
        return []
    alone = all(called(statement) == "beside_pytorch" for statement in tree)
    return [ast.get_source_segment(code, statement) or "" for statement in tree] if alone else []


def program_in(statement: ast.stmt) -> str:
    """The program that a statement hands to `beside_pytorch` or `in_pytorch`."""
    if called(statement) not in ("beside_pytorch", "in_pytorch"):
        return ""
    first, *_ = statement.value.args  # type: ignore[attr-defined]
    text = first.value if isinstance(first, ast.Constant) else ""
    return dedent(text).strip() if "\n" in str(text) else ""


# --- outputs --------------------------------------------------------------------------------------


def is_question(output: NotebookNode) -> bool:
    """Whether `predict` shows this."""
    return str(output.get("data", {}).get("text/plain", "")).startswith("Predict before you run.")


def question(output: NotebookNode) -> tuple[Card, Card, list[str]]:
    """The card of a question, that of its answer, and what to say to the other answers."""
    box = BeautifulSoup(output.data["text/html"], "html.parser").div
    assert box is not None
    lids = [lid_of(lid) for lid in box.find_all("details", recursive=False)]
    asked, colour = list(within(box)), colour_of(box)
    if len(lids) == 1:  # without options to choose from
        answer = [Text(f"<b>Answer.</b> {inner}") for inner in paragraphs(lids[0][1])[:1]]
        answer += [Text(inner) for inner in paragraphs(lids[0][1])[1:]]
        notes = ["<p>Let everybody write an answer down before you go on.</p>"]
        return Card(colour, asked, "question"), Card(RIGHT, list(answer), "answer"), notes
    options = [Text(name) for name, _ in lids]
    parts: list[Flow] = []
    notes = ["<p>Ask for hands: how many for each answer? Then go on, and run the cell.</p>"]
    for name, body in lids:
        if "✓ Yes." in body:
            why = [inner.replace("✓ Yes.", "").strip() for inner in paragraphs(body)]
            parts = [Text(f"<b>✓ {name}</b>"), *(Text(inner) for inner in why if inner)]
        else:
            notes.append(f"<p>If they say <b>{name}</b>: {' '.join(paragraphs(body))}</p>")
    return Card(colour, [*asked, *options], "question"), Card(RIGHT, parts, "answer"), notes


def lid_of(lid: Tag) -> tuple[str, str]:
    """The name on a lid and, as HTML, what is under it."""
    name = lid.summary.decode_contents() if lid.summary else ""
    body = lid.find("div")
    return name, body.decode_contents() if isinstance(body, Tag) else ""


def paragraphs(html: str) -> list[str]:
    """The insides of the paragraphs of a piece of HTML."""
    return [part.decode_contents() for part in BeautifulSoup(html, "html.parser").find_all("p")]


def colour_of(box: Tag) -> str:
    """The colour of a card's border."""
    found = re.search(r"solid (rgb\([^)]*\))", str(box.get("style", "")))
    return found[1] if found else "rgb(118, 118, 118)"


def shows(output: NotebookNode) -> Iterator[Flow]:
    """What an output shows."""
    data = output.get("data", {})
    html, text = data.get("text/html", ""), data.get("text/plain", "")
    if "image/png" in data:
        yield Picture.of_png(data["image/png"], text.replace("\n", "; "))
    elif "minigrad-replay" in html:
        yield Replay.of_player(html)
    elif "<img" in html:
        yield drawing(html)
    elif re.search(r"^(✓ The same in both|\d+ of \d+ lines? differ)", text, re.MULTILINE):
        yield from beside(html, text)
    elif html:
        soup = BeautifulSoup(html, "html.parser")
        for element in soup.children:
            if isinstance(element, Tag) and "border-left" in str(element.get("style", "")):
                yield Card(colour_of(element), list(within(element)))
            else:
                yield from flows(element)
    elif printed := (output.get("text", "") or text).rstrip("\n"):
        yield Lines([escape(line, quote=False) for line in printed.split("\n")], "output")


def drawing(html: str) -> Picture:
    """The picture in an `<img>`."""
    image = BeautifulSoup(html, "html.parser").img
    assert image is not None
    kind, _, coded = str(image["src"]).partition(";base64,")
    read = Picture.of_svg if kind == "data:image/svg+xml" else Picture.of_png
    return read(coded, str(image.get("alt", "")))


def beside(html: str, text: str) -> Iterator[Flow]:
    """What two libraries print: equal lines once, of others both sides."""
    lines = text.split("\n")
    verdict = next(
        index for index, line in enumerate(lines) if re.match(r"✓ The same|\d+ of \d+ line", line)
    )
    if program := "\n".join(lines[:verdict]).strip():
        yield Lines(coloured(program))
    box = BeautifulSoup(html, "html.parser").div
    assert box is not None
    said, _, who = lines[verdict].partition(": ")
    rows = [escape(line[2:], quote=False) for line in lines[verdict + 1 :]]
    marked = [f"<b>{row}</b>" if row.startswith("≠") else row for row in rows]
    parts: list[Flow] = [Text(f"<b>{escape(said)}</b>: {escape(who)}")]
    yield Card(colour_of(box), [*parts, Lines(marked, "message")] if marked else parts)


def all_flows(given: Iterable[Flow]) -> Iterator[Flow]:
    """Flows and those in them."""
    for flow in given:
        yield flow
        if isinstance(flow, Card):
            yield from all_flows(flow.parts)
        elif isinstance(flow, Listing):
            yield from all_flows(part for item in flow.items for part in item)
