"""Begin a chapter: `python tools/new_chapter.py 20_sparse "Sparse gradients"`.

Writes the notebook and the module of its exercises from `tools/template`: a small chapter that
runs, and that passes what the tests ask of every chapter. CONTRIBUTING.md says what comes then.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "tools" / "template"
NOTEBOOKS = ROOT / "notebooks"


def begin(name: str, title: str, folder: Path = NOTEBOOKS) -> list[Path]:
    """Write notebook and exercises of the chapter `name`, such as `20_sparse`; return their files.

    Raises:
        ValueError: `name` is no number and word, or not the number after the last chapter's.
        FileExistsError: one of the files is there already; nothing is written.
    """
    if not re.fullmatch(r"\d\d_[a-z][a-z_]*", name):
        raise ValueError(f"a chapter is named like 20_sparse, not {name!r}")
    number = name[:2]
    last = max(int(file.name[:2]) for file in folder.glob("[0-9][0-9]_*.ipynb"))
    if int(number) != last + 1:
        raise ValueError(f"the next chapter has the number {last + 1}, not {number}")
    places = {
        TEMPLATE / "chapter.ipynb": folder / f"{name}.ipynb",
        TEMPLATE / "exercises.py": folder / "course" / "exercises" / f"ch{number}.py",
    }
    for place in places.values():
        if place.exists():
            raise FileExistsError(f"{place.name} is there already")
    for source, place in places.items():
        text = source.read_text(encoding="utf-8")
        for mark, value in (("NN", number), ("PP", f"{last:02d}"), ("TITLE", title)):
            text = re.sub(rf"(?<![A-Z]){mark}(?![A-Z])", value, text)
        place.write_text(text, encoding="utf-8", newline="\n")
    return list(places.values())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Begin a chapter from the template.")
    parser.add_argument("name", help="such as 20_sparse")
    parser.add_argument("title", help='such as "Sparse gradients"')
    options = parser.parse_args(arguments)
    try:
        files = begin(options.name, options.title)
    except (ValueError, FileExistsError) as reason:
        parser.error(str(reason))
    for file in files:
        print(file.relative_to(ROOT))
    print(f"Then: make run NOTEBOOKS=notebooks/{options.name}.ipynb")
    return 0


if __name__ == "__main__":
    sys.exit(main())
