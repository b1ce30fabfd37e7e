"""All drawings, plots and figures on one page: `python tools/contact_sheet.py`.

    python tools/contact_sheet.py                    # as they are in this checkout
    python tools/contact_sheet.py --against 6130250  # and as they were there, what changed marked

It writes `contact/index.html` from the stored outputs of the notebooks and from `figures`, and runs
nothing. A picture stands above the words that go with it, under the number of its cell in the file
(`notebook.cells[36]`). Of a replay there are its stills, the first and the last frame. A picture of
before belongs to the one of the same cell now; cells know themselves by their ids.
"""

from __future__ import annotations

import argparse
import base64
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools.pages import with_words  # noqa: E402

FOLDER = ROOT / "contact"
SHOWN = re.compile(r"notebooks/\d\d_\w+\.ipynb|figures/[\w-]+\.svg")


@dataclass(frozen=True)
class Picture:
    """A picture and where it stands; `source` is a data URI."""

    chapter: str
    key: str  # what it is known by in another version of the chapter
    label: str
    source: str
    words: str


@dataclass(frozen=True)
class Row:
    """A picture before and after; one of the two may be missing."""

    before: Picture | None
    after: Picture | None

    @property
    def chapter(self) -> str:
        """Where it stands."""
        return next(each.chapter for each in (self.before, self.after) if each)

    @property
    def state(self) -> str:
        """How the two differ: in the picture or in the words."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        same = (self.before.source, self.before.words) == (self.after.source, self.after.words)
        return "same" if same else "changed"


# --- what there is --------------------------------------------------------------------------------


def files() -> dict[str, str]:
    """The notebooks and figures of this checkout: path → text."""
    paths = sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("figures/*.svg")])
    named = {path.relative_to(ROOT).as_posix(): path for path in paths}
    return {name: path.read_text("utf-8") for name, path in named.items() if SHOWN.fullmatch(name)}


def files_at(revision: str) -> dict[str, str]:
    """The notebooks and figures of a git revision: path → text.

    Raises:
        subprocess.CalledProcessError: git does not know the revision.
    """
    listed = git("ls-tree", "--name-only", revision, "notebooks/", "figures/").splitlines()
    return {name: git("show", f"{revision}:{name}") for name in listed if SHOWN.fullmatch(name)}


def git(*arguments: str) -> str:
    """What git prints about this checkout."""
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def pictures(texts: dict[str, str]) -> Iterator[Picture]:
    """The pictures of notebooks and figures."""
    for name, text in texts.items():
        if name.endswith(".svg"):
            yield figure(Path(name).stem, text)
        else:
            yield from outputs(Path(name).stem, text)


def figure(name: str, svg: str) -> Picture:
    """A figure; its `<desc>` says what it shows."""
    words = re.search(r"<desc>(.*?)</desc>", svg, re.DOTALL)
    coded = base64.b64encode(svg.encode()).decode()
    source = f"data:image/svg+xml;base64,{coded}"
    return Picture("figures", name, name, source, unescape(words[1]) if words else "")


def outputs(chapter: str, text: str) -> Iterator[Picture]:
    """The pictures that a notebook shows below its cells."""
    notebook = nbformat.reads(text, as_version=4)  # type: ignore[no-untyped-call]
    for number, cell in enumerate(notebook.cells):
        images = Images()
        for output in cell.get("outputs", []):
            with_words(output)
            images.feed(output.get("data", {}).get("text/html", ""))
        for place, (source, words) in enumerate(images.found, 1):
            label = f"cell {number}" + f", picture {place}" * (len(images.found) > 1)
            yield Picture(chapter, f"{cell.get('id')} {place}", label, source, words)


class Images(HTMLParser):
    """Finds the images that a piece of HTML carries in itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []  # data URI, words

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an image."""
        told = dict(attrs)
        source = told.get("src") or ""
        if tag == "img" and source.startswith("data:"):
            self.found.append((source, (told.get("alt") or "").replace("; ", "\n")))


def rows(before: Iterable[Picture], after: Iterable[Picture]) -> list[Row]:
    """Pictures beside those of before, in the order of now; what is gone ends its chapter."""
    old = {(each.chapter, each.key): each for each in before}
    found = [Row(old.pop((each.chapter, each.key), None), each) for each in after]
    found += [Row(each, None) for each in old.values()]
    return sorted(found, key=lambda row: (row.chapter == "figures", row.chapter))


# --- the page -------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; background: light-dark(#fff, #111); color: light-dark(#222, #ddd);
  font: 14px/1.4 sans-serif; }
:root:has(#light:checked) { color-scheme: light; }
:root:has(#dark:checked) { color-scheme: dark; }
body:has(#only:checked) :is(.same, section:not(:has(.new, .gone, .changed))) { display: none; }
h2 { width: 100%; margin: 1em 0 0; }
header { position: sticky; top: 0; padding: .5em; background: light-dark(#fff, #111); }
header label { margin-right: 1em; }
section { display: flex; flex-wrap: wrap; gap: 12px; }
article { width: 260px; padding: 6px; border: 1px solid light-dark(#ddd, #444); }
article:has(img + img) { width: 530px; }
article.new, article.gone, article.changed { border: 3px solid #c77700; }
div { display: flex; gap: 10px; align-items: start; }
img { width: 250px; height: 190px; object-fit: contain; }
img:focus { position: fixed; inset: 3%; width: 94%; height: 94%; z-index: 1;
  background: light-dark(#fff, #111); }
pre { max-height: 7em; overflow: auto; white-space: pre-wrap; font-size: 11px; margin: 0; }
"""
PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title><style>{style}</style>
<header><b>{title}</b><br>
<label><input type="radio" name="theme" checked> as the system</label>
<label><input type="radio" name="theme" id="light"> light</label>
<label><input type="radio" name="theme" id="dark"> dark</label>{only}
<small>Click a picture to see it large.</small>
</header>
{body}
</html>
"""
ONLY = '<label><input type="checkbox" id="only"> only what differs</label>'


def page(found: Sequence[Row], against: str) -> str:
    """The contact sheet; `against` names the revision of before, if there is one."""
    parts = []
    for chapter in dict.fromkeys(row.chapter for row in found):
        cards = [card(row, against) for row in found if row.chapter == chapter]
        parts.append("\n".join([f"<section>\n<h2>{chapter}</h2>", *cards, "</section>"]))
    title = f"{len(found)} pictures" + (f"; {against} on the left" if against else "")
    only = ONLY if against else ""
    return PAGE.format(title=escape(title), style=STYLE, only=only, body="\n".join(parts))


def card(row: Row, against: str) -> str:
    """A picture with its label and words; what differs stands there as it was and as it is."""
    shown = [each for each in (row.before, row.after) if each]
    if row.state == "same" or not against:
        shown = shown[-1:]
    state = row.state if against else "same"
    label = shown[-1].label + f": {state}" * (state != "same")
    images = "".join(f'<img tabindex="0" alt="" src="{escape(each.source)}">' for each in shown)
    words = "".join(f"<pre>{escape(text)}</pre>" for text in dict.fromkeys(e.words for e in shown))
    return f'<article class="{state}"><b>{label}</b><div>{images}</div><div>{words}</div></article>'


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page, and say where it is."""
    parser = argparse.ArgumentParser(description="Show all drawings, plots and figures on a page.")
    parser.add_argument("--against", default="", metavar="REV", help="a git revision of before")
    against = parser.parse_args(arguments).against
    try:
        before = pictures(files_at(against)) if against else ()
    except subprocess.CalledProcessError:
        sys.exit(f"git has no revision {against}")
    found = rows(before, pictures(files()))
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "index.html").write_text(page(found, against), encoding="utf-8", newline="\n")
    states = [row.state for row in found]
    told = [f"{states.count(state)} {state}" for state in ("changed", "new", "gone", "same")]
    print(f"{FOLDER.name}/index.html: {len(found)} pictures", *(told if against else ()), sep=", ")


if __name__ == "__main__":
    main()
