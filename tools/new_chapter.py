"""Begin a chapter: `python tools/new_chapter.py 20_sparse "Sparse gradients"`.

Writes the notebook, the module of its exercises and its page in TEACHING.md from `tools/template`:
a small chapter that runs, and that passes what the tests ask of every chapter. CONTRIBUTING.md says
what comes then.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "tools" / "template"
AFTER_CHAPTERS = "\n## Assignments and grades\n"  # in the teacher's guide


def begin(name: str, title: str, root: Path = ROOT) -> list[Path]:
    """Write what the chapter `name`, such as `20_sparse`, begins with; return the files.

    Raises:
        ValueError: `name` is no number and word, or not the number after the last chapter's.
        FileExistsError: one of the files is there already; nothing is written.
    """
    if not re.fullmatch(r"\d\d_[a-z][a-z_]*", name):
        raise ValueError(f"a chapter is named like 20_sparse, not {name!r}")
    number = name[:2]
    folder, guide = root / "notebooks", root / "TEACHING.md"
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
    marks = {"NN": number, "PP": f"{last:02d}", "TITLE": title, "NAME": name}
    for source, place in places.items():
        place.write_text(filled(source, marks), encoding="utf-8", newline="\n")
    before, _, after = guide.read_text(encoding="utf-8").partition(AFTER_CHAPTERS)
    page = filled(TEMPLATE / "teaching.md", marks)
    guide.write_text(f"{before}\n{page}{AFTER_CHAPTERS}{after}", encoding="utf-8", newline="\n")
    return [*places.values(), guide]


def filled(source: Path, marks: dict[str, str]) -> str:
    """The text of a template with what its marks stand for."""
    text = source.read_text(encoding="utf-8")
    for mark, value in marks.items():
        text = re.sub(rf"(?<![A-Z]){mark}(?![A-Z])", value, text)
    return text


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
