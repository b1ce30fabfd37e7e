"""Make nbgrader assignments of the chapters: `python tools/assignment.py [04 05 …]`.

The folder `assignments` becomes a course of nbgrader's. For each chapter it gets

    source/exercises_04/exercises_04.ipynb     the teacher's: solutions between nbgrader's markers
    release/exercises_04/exercises_04.ipynb    the students': `nbgrader generate_assignment` made it

An assignment is a chapter's exercises and the cells that they need: those whose code becomes the
library, and those that define what an exercise names. `tools/notebooks.py` has already put
nbgrader's metadata on the exercises' cells. An exercise is worth a point for each of its stars, and
all code except the answers is locked. The cells that grade call `course.grade`, which raises unless
the answer is right. If the answer is a value and not a program, that call is a hidden test, because
students could otherwise try values until one is right.

A source that exists is kept, because the teacher may have edited it; delete its folder to get a new
one. teaching/assignments.md says how to hand out, collect and grade.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode, v4

from minigrad_course.ask.checking import solution_value
from minigrad_course.ask.declare import EXERCISES, Exercise, load
from minigrad_course.desk import ipynb, workbook
from minigrad_course.kernel.places import ROOT, repository
from tools import notebooks
from tools.cell_names import cell_names

FOLDER = ROOT / "assignments"
CONFIG = ROOT / "tools" / "nbgrader_config.py"

ABOUT = """# {title}: exercises

These are the exercises from chapter {title}. The cells before them have what you built in the
chapter, as far as the exercises need it. Run those first, and read the chapter before you begin.

Replace the dots in the cell below each question with your answer. The cell after it is the one that
is graded. If your answer is a program, that cell tells you what is wrong with it. If it consists of
values, the cell only tells you whether each place is filled. An exercise is worth one point per
star. A graded cell shows an error until your answer is right, and the cells after it run all the
same. All other code is locked. Run all cells once more before you hand in this file, and keep its
name.
"""
PREDICTION = re.compile(r"^(predict\(.*\)|score\(\))$", re.MULTILINE)
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)
CHANGES = re.compile(r"^(@method_of\(|[A-Z]\w*\.\w+(, .*)? = )", re.MULTILINE)  # changes a class
WORD = re.compile(r"`([A-Za-z_]\w{2,})(?:\(.*?\))?`")
# The graded cell imports `grade` itself, so an answer that defines one makes no difference.
GRADED = "from minigrad_course import grade\n\ngrade{call}"
OF_A_VALUE = """from minigrad_course import answered

answered{call}
### BEGIN HIDDEN TESTS
from minigrad_course import grade

grade{call}
### END HIDDEN TESTS"""
# Run All goes on after an error of a cell with this tag; nbgrader counts the error all the same.
GOES_ON = "raises-exception"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Make nbgrader assignments of the chapters.")
    parser.add_argument("chapters", nargs="*", metavar="NN", help="such as 04; all, if none")
    asked = parser.parse_args(arguments).chapters
    files = [file for file in ipynb.chapters() if not asked or file.name[:2] in asked]
    if unknown := set(asked) - {file.name[:2] for file in files}:
        sys.exit(f"there is no chapter {', '.join(sorted(unknown))}")
    if find_spec("nbgrader") is None:
        sys.exit('nbgrader is missing: pip install -e ".[course,classroom]"')
    FOLDER.mkdir(exist_ok=True)
    if not (FOLDER / CONFIG.name).exists():
        shutil.copy(CONFIG, FOLDER)
    for file in files:
        print(write(file, FOLDER))
        generate = [sys.executable, "-m", "nbgrader", "generate_assignment", called(file)]
        options = ["--force", "--log-level=WARN"]
        done = subprocess.run([*generate, *options], cwd=FOLDER)
        if done.returncode:
            sys.exit(f"nbgrader could not make the students' version of {called(file)}")
        print(f"release/{called(file)}: the students' version")
    print(f"\nThe folder is {FOLDER.name}; teaching/assignments.md says what to do with it.")


def called(file: Path) -> str:
    """The name of a chapter's assignment, which differs from that of the chapter's notebook."""
    return f"exercises_{file.name[:2]}"


def write(file: Path, folder: Path) -> str:
    """Write the teacher's version of a chapter unless it exists; return what happened."""
    place = folder / "source" / called(file) / f"{called(file)}.ipynb"
    if place.exists():
        return f"source/{called(file)} is kept as it is; delete it for a new one"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(ipynb.as_text(source(file)), encoding="utf-8", newline="\n")
    return f"source/{called(file)}: the teacher's version, with solutions"


def source(file: Path) -> NotebookNode:
    """The teacher's version of the assignment for the chapter in `file`."""
    notebook = workbook.alone(ipynb.read(file), repository())  # students may have the wheel alone
    del notebook.metadata[workbook.COPY]  # it is no copy of a chapter
    load(file.name[:2])
    title = notebooks.titles(file.parent)[file.name]
    about = ABOUT.format(title=title).strip()
    cells = [v4.new_markdown_cell(about, id="about"), *needed(notebook.cells)]
    for cell in exercise_cells(notebook.cells):
        if id := notebooks.checked_exercise(cell):
            own = EXERCISES[id]
            fill(own, cells[-1], cell)
            caption = f"**Your answer to {id} {own.title}** · {own.stars} · {own.minutes} minutes"
            name = f"{cells[-1].id}-caption"
            cells.insert(-1, v4.new_markdown_cell(caption, id=name))
            cell.metadata.setdefault("tags", []).append(GOES_ON)
        cells.append(cell)
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
            if "nbgrader" not in cell.metadata:
                locked = {"grade_id": cell.id, "locked": True, "solution": False}
                metadata = notebooks.nbgrader_metadata("", graded=False)
                cell.metadata["nbgrader"] = metadata | locked
    notebook.cells = cells
    return notebook


def exercise_cells(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The cells from the heading of the exercises to the last check."""
    checks = [place for place, cell in enumerate(cells) if notebooks.checked_exercise(cell)]
    begin = next(
        place
        for place, cell in enumerate(cells)
        if cell.cell_type == "markdown" and re.search(r"^## Exercises$", cell.source, re.MULTILINE)
    )
    return list(cells[begin : checks[-1] + 1])


def needed(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The code cells above the exercises that these need, directly or through one another."""
    wanted = exercise_cells(cells)
    above = [cell for cell in cells[: cells.index(wanted[0])] if cell.cell_type == "code"]
    for cell in above:
        cell.source = PREDICTION.sub("", cell.source).rstrip()
    names = [cell_names(cell.source) for cell in above]
    ahead = [  # the first two install and import
        place
        for place, cell in enumerate(above)
        if place < 2 or notebooks.lib_names(cell) or CHANGES.search(cell.source)
    ]
    defined = {name for each in names for name in each.defined}
    for name in names_in(wanted, defined):
        ahead += [place for place, each in enumerate(names) if name in each.bound][-1:]
    kept: set[int] = set()
    while ahead:
        place = ahead.pop()
        if place in kept:
            continue
        kept.add(place)
        for name in names[place].needed:
            makers = [other for other, each in enumerate(names) if name in each.bound]
            before = [other for other in makers if other < place]
            ahead += before[-1:] or makers[:1]
    return [cell for place, cell in enumerate(above) if place in kept]


def names_in(cells: Sequence[NotebookNode], defined: set[str]) -> set[str]:
    """The names that exercises use in stubs and solutions, and the defined ones that texts name."""
    found: set[str] = set()
    answers = [cell_names(cell.source).bound for cell in cells if cell.cell_type == "code"]
    for cell in cells:
        if cell.cell_type == "markdown":
            programs = [free_names(program) for program in PROGRAM.findall(cell.source)]
            found |= defined & set(WORD.findall(cell.source)).union(*programs)
        else:
            found |= free_names(cell.source)
        if id := notebooks.checked_exercise(cell):
            found |= free_names(EXERCISES[id].solution)
    return found.difference(*answers)


def free_names(source: str) -> frozenset[str]:
    """The names that a program reads and does not bind; none if it is only a part of one."""
    try:
        return cell_names(source).needed
    except SyntaxError:
        return frozenset()


def fill(own: Exercise, answer: NotebookNode, check: NotebookNode) -> None:
    """Put the solution into the answer's cell, and the grading into the cell below it."""
    check.metadata["nbgrader"]["points"] = own.difficulty
    answer.source += f"\n### BEGIN SOLUTION\n{own.solution}\n### END SOLUTION"
    (name,) = re.findall(r'^check\("[\d.]+", (\w+)\)$', check.source, re.MULTILINE)
    grading = GRADED if solution_value(own) is ... else OF_A_VALUE
    check.source = grading.format(call=f'("{own.id}", {name})')


if __name__ == "__main__":
    main()
