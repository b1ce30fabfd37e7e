"""Write the notebooks as slides: `python tools/slides.py [00 03 …]` fills the folder `slides`.

Each chapter is a deck of reveal.js that needs no network: open `slides/index.html` in a browser.
The key S opens the notes for the speaker, with the time; `?print-pdf` behind the address of a deck
makes it ready for the browser's print to PDF.

What stands on which slide is decided by the rule in `tools/deck/packing.py`. A cell's `slide_type`
(in JupyterLab's Property Inspector) has the last word: "slide" begins a section, "subslide" a
slide, "fragment" comes by a click, "-" stays on the slide before, "skip" is left out, and "notes"
is for the speaker. `tools/deck/reveal` holds what is needed of reveal.js 5.2.1 (MIT).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import notebooks  # noqa: E402
from tools.deck import page  # noqa: E402

FOLDER = ROOT / "slides"
PARTS = ROOT / "tools" / "deck"
FILES = [*sorted((PARTS / "reveal").iterdir()), PARTS / "deck.css", PARTS / "deck.js"]


def write(files: Sequence[Path], folder: Path = FOLDER) -> list[Path]:
    """Write the decks of the notebooks `files`, the contents, and what decks need."""
    assets = folder / "reveal"
    assets.mkdir(parents=True, exist_ok=True)
    for part in FILES:
        shutil.copyfile(part, assets / part.name)
    (assets / "code.css").write_text(page.code_style(), encoding="utf-8", newline="\n")
    written = []
    for file in files:
        place = folder / f"{file.stem}.html"
        place.write_text(page.deck(file), encoding="utf-8", newline="\n")
        written.append(place)
    index = folder / "index.html"
    index.write_text(page.contents(notebooks.chapters(), folder), encoding="utf-8", newline="\n")
    return [*written, index]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the notebooks as slides.")
    parser.add_argument("chapters", nargs="*", help="numbers, as in 03 (all, if none is given)")
    wanted = parser.parse_args(arguments).chapters
    known = {file.name[:2]: file for file in notebooks.chapters()}
    if unknown := [number for number in wanted if number not in known]:
        parser.error(f"no chapter {', '.join(unknown)}; there are {', '.join(known)}")
    for place in write([known[number] for number in wanted] or list(known.values())):
        print(place.relative_to(ROOT))


if __name__ == "__main__":
    main()
