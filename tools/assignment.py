"""Make nbgrader assignments of the chapters: `python tools/assignment.py [04 05 …]`.

The folder `assignments` becomes a course of nbgrader's. For each chapter it gets

    source/exercises_04/exercises_04.ipynb     the teacher's: solutions between nbgrader's markers
    release/exercises_04/exercises_04.ipynb    the students': `nbgrader generate_assignment` made it

An assignment is the chapter up to its last exercise. `tools/notebooks.py` has already put
nbgrader's metadata on the exercises' cells. An exercise is worth a point for each of its stars, and
all code except the answers is locked. The cells that grade call `course.grade`, which raises unless
the answer is right. If the answer is a value and not a program, that call is a hidden test, because
students could otherwise try values until one is right.

A source that exists is kept, because the teacher may have edited it; delete its folder to get a new
one. teaching/assignments.md says how to hand out, collect and grade.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode, v4

from minigrad_course.ask.declare import EXERCISES, Exercise, load
from minigrad_course.desk import ipynb, workbook
from minigrad_course.kernel.places import ROOT, repository
from tools import notebooks

FOLDER = ROOT / "assignments"
CONFIG = ROOT / "tools" / "nbgrader_config.py"

ABOUT = """# {title}: exercises

This is the chapter [{title}]({file}) with its exercises at the end. Write each answer into the cell
below its question, in the place of the dots. The cell after it is the one that is graded. Where you
write a program, it says what is wrong. Where you write values, it says only whether each place is
filled. Each exercise is worth one point per star. All other code is locked. Run all cells
once more before you hand in this file, under its name.
"""
# The graded cell imports `grade` itself, so an answer that defines one makes no difference.
GRADED = "from minigrad_course import grade\n\ngrade{call}"
OF_A_VALUE = """from minigrad_course import answered

answered{call}
### BEGIN HIDDEN TESTS
from minigrad_course import grade

grade{call}
### END HIDDEN TESTS"""


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
    # nbgrader starts `alembic`, which is found only in an activated environment.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    for file in files:
        print(write(file, FOLDER))
        generate = [sys.executable, "-m", "nbgrader", "generate_assignment", called(file)]
        options = ["--force", "--log-level=WARN"]
        done = subprocess.run([*generate, *options], cwd=FOLDER, env=os.environ | {"PATH": path})
        if done.returncode:
            sys.exit(f"nbgrader could not make the students' version of {called(file)}")
        print(f"release/{called(file)}: the students' version")
    print(f"\nAll of it is in the folder {FOLDER.name}. teaching/assignments.md says how to go on.")


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
    about = ABOUT.format(title=title, file=file.name).strip()
    cells = [v4.new_markdown_cell(about, id="about")]
    end = 1
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if id := notebooks.checked_exercise(cell):
            own = EXERCISES[id]
            fill(own, cells[-1], cell)
            caption = f"**Your answer to {id} {own.title}** · {own.stars} · {own.minutes} minutes"
            name = f"{cells[-1].id}-caption"
            cells.insert(-1, v4.new_markdown_cell(caption, id=name))
            end = len(cells) + 1
        elif cell.cell_type == "code" and "nbgrader" not in cell.metadata:
            locked = {"grade_id": cell.id, "locked": True, "solution": False}
            cell.metadata["nbgrader"] = notebooks.nbgrader_metadata("", graded=False) | locked
        cells.append(cell)
    notebook.cells = cells[:end]
    return notebook


def fill(own: Exercise, answer: NotebookNode, check: NotebookNode) -> None:
    """Put the solution into the answer's cell, and the grading into the cell below it."""
    check.metadata["nbgrader"]["points"] = own.difficulty
    answer.source += f"\n### BEGIN SOLUTION\n{own.solution}\n### END SOLUTION"
    (name,) = re.findall(r'^check\("[\d.]+", (\w+)\)$', check.source, re.MULTILINE)
    check.source = (OF_A_VALUE if is_value(own) else GRADED).format(call=f'("{own.id}", {name})')


def is_value(own: Exercise) -> bool:
    """Whether the answer is a literal value, such as a number or a list of words."""
    statement = ast.parse(own.solution).body[-1]
    if not isinstance(statement, ast.Assign):
        return False
    try:
        ast.literal_eval(statement.value)
    except ValueError:
        return False
    return True


if __name__ == "__main__":
    main()
