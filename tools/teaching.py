"""Copy to the teaching guide what the notebooks already say.

    python tools/teaching.py              # the guide in `teaching`
    python tools/teaching.py my_exam.md   # the answers of an exam of your own

The pages of `teaching/chapters` are written by hand, except for the minutes of their first line and
the titles, stars and minutes of their tables of exercises: those come from the chapter's first cell
and from its declared exercises, in their order. An exercise that is new gets a row whose last
column is empty, and a deleted one loses its row. The list of chapters in `teaching/README.md` comes
from the same figures. Below each program of an exam is what it prints, above the reasons, which are
written by hand; `teaching/exam.md` has all three.
"""

from __future__ import annotations

import contextlib
import io
import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import minigrad
from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import ROOT
from tools import notebooks

FOLDER = ROOT / "teaching"
MINUTES = re.compile(r"Reading \d+ minutes, exercises \d+, lecture (\d+)\.")
HEAD = "| Set | | min | A good answer shows |\n|---|---|---:|---|\n"
ROW = re.compile(r"^\| \*\*(\d\d\.\d+)\*\* .*\| (.*) \|$", re.MULTILINE)
PROGRAM = re.compile(
    r"```python\n(?P<program>.*?)```\n"
    r"(?:\n<details><summary>Answer</summary>\n\n```text\n.*?```\n\n(?P<why>.*?)</details>\n)?",
    re.DOTALL,
)
ANSWER = (
    "```python\n{}```\n\n<details><summary>Answer</summary>\n\n```text\n{}```\n\n{}</details>\n"
)
BEGIN, END = "<!-- chapters: python tools/teaching.py -->", "<!-- end of chapters -->"


def pages() -> dict[Path, str]:
    """The text that each page of the guide should have."""
    found, rows = {}, []
    for chapter in ipynb.chapters():
        page = FOLDER / "chapters" / f"{chapter.stem}.md"
        text = page.read_text(encoding="utf-8")
        reading, exercises = notebooks.minutes(chapter)
        if not reading:
            raise ValueError(f"{chapter.name}: the first cell does not say how long it takes")
        lecture = lecture_minutes(text, page)
        minutes = f"Reading {reading} minutes, exercises {exercises}, lecture {lecture}."
        text = MINUTES.sub(minutes, text, count=1)
        found[page] = with_exercises(text, chapter.name[:2])
        title = notebooks.titles(chapter.parent)[chapter.name]
        rows.append(f"| [{title}](chapters/{page.name}) | {reading} | {exercises} | {lecture} |")
    readme = FOLDER / "README.md"
    before, rest = readme.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    table = ["| chapter | reading | exercises | lecture |", "|---|---:|---:|---:|", *rows]
    found[readme] = "\n".join([f"{before}{BEGIN}\n", *table, f"\n{END}{after}"])
    exam = FOLDER / "exam.md"
    found[exam] = with_answers(exam.read_text(encoding="utf-8"))
    return found


def with_answers(text: str) -> str:
    """An exam with what each of its programs prints in a folded block below it.

    What is written in such a block below the output stays.
    """

    def answered(found: re.Match[str]) -> str:
        program, why = found["program"], found["why"] or ""
        return ANSWER.format(program, printed(program), why)

    return PROGRAM.sub(answered, text)


def printed(program: str, library: ModuleType = minigrad) -> str:
    """What a program of an exam prints, with `library` as its `torch`."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "<exam>", "exec", dont_inherit=True), {"torch": library})
        except Exception as error:
            error.add_note(f"This is the program that failed:\n\n{program}")
            raise
    return output.getvalue()


def lecture_minutes(text: str, page: Path) -> str:
    """The minutes of a lecture, which only the page itself contains."""
    match = MINUTES.search(text)
    if match is None:
        raise ValueError(f"{page.name} has no line 'Reading … minutes, exercises …, lecture ….'")
    return match[1]


def with_exercises(text: str, number: str) -> str:
    """The page with a new table of the chapter's exercises that keeps its last column."""
    load(number)
    before, _, table = text.partition(HEAD)
    shows = dict(ROW.findall(table))
    rows = [
        f"| **{each.id}** {each.title} | {'★' * each.difficulty} | {each.minutes}"
        f" | {shows.get(each.id, '')} |\n"
        for each in EXERCISES.values()
        if each.id[:2] == number
    ]
    after = "".join(table.splitlines(keepends=True)[len(shows) :])
    return f"{before}{HEAD}{''.join(rows)}{after}"


def main(files: Sequence[str]) -> None:
    """Rewrite the pages, or write the answers into the exams in `files`."""
    found = {Path(file): with_answers(Path(file).read_text(encoding="utf-8")) for file in files}
    for page, text in (found or pages()).items():
        page.write_text(text, encoding="utf-8")
    for file in files:
        print(f"{file} has its answers now.")


if __name__ == "__main__":
    main(sys.argv[1:])
