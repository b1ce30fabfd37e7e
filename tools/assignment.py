"""Make nbgrader assignments of the chapters' exercises: `python tools/assignment.py [04 05 …]`.

The folder `assignments` becomes a course of nbgrader's. For each chapter it gets

    source/exercises_04/exercises_04.ipynb     the teacher's: solutions between nbgrader's markers
    release/exercises_04/exercises_04.ipynb    the students': `nbgrader generate_assignment` made it

An assignment is the exercises alone. It starts from the library as the chapter leaves it,
`course.after_04`, and has what else the exercises name: of the chapter's imports, and the few
definitions of its cells in `HELPERS`. Each exercise brings as many points as it has stars. The
cells that grade are locked. They call `course.grade`, which raises on all but a right answer. Where
the answer is a value and not a program, that call is a hidden test, for values can be tried until
one is right.

A source that is there already is left alone, for the teacher may have edited it: delete its folder
for a new one. TEACHING.md says how to hand out, to collect and to grade.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from nbformat import NotebookNode, from_dict, v4

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "notebooks")]

from course.declare import EXERCISES, Exercise, load  # noqa: E402
from course.stages import bound_names  # noqa: E402
from tools import lib_cells, notebooks  # noqa: E402

FOLDER = ROOT / "assignments"
CONFIG = ROOT / "tools" / "jupyter" / "nbgrader_config.py"
STAGE = re.compile(r"course\.after_\d\d")
ALWAYS = {"annotations", "draw", "np", "tensor"}  # as far as the chapter imports or builds them
# What a chapter's cells define apart from their `lib:` cells, and its exercises build on.
HELPERS = {
    "04.3": "Listed",
    "05.4": "ends_of will_be_filled",
    "08.4": "MyPow",
    "09.3": "zeros",
    "16.3": "Linear",
    "17.4": "walk __call__",
    "19.2": "toy_lane",
}
IMPORTS = {"02": "import course.after_02 as mine", "06": "from course.after_06 import FREED"}
WIDTH = 100
LOCKED = {"grade_id": "setup", "locked": True, "solution": False}  # a cell that nobody answers

ABOUT = """# {title}: exercises

Write each answer into the cell below its question, in the place of the dots. The cell after it is
the one that is graded; it is locked, and says what is wrong as long as something is. Run all cells
once more before you hand in this file, under its name.

You have read the chapter [{title}]({file}): "above" and "this page" mean that
notebook. The next cell brings what the exercises need.{more}
"""
LIBRARY = " Of the library as the chapter leaves it, `{stage}`, you may import more."


@dataclass(frozen=True)
class Task:
    """An exercise as its notebook has it: the text before it, the answer's cell and its name."""

    exercise: Exercise
    text: list[NotebookNode]
    stub: str
    name: str

    @property
    def is_value(self) -> bool:
        """Whether the answer is written as plain numbers, words and the like."""
        statement = ast.parse(self.exercise.solution).body[-1]
        if not isinstance(statement, ast.Assign):
            return False
        try:
            ast.literal_eval(statement.value)
        except ValueError:
            return False
        return True

    def words(self) -> set[str]:
        """The names in the question's code and in the answers."""
        code = [self.stub, self.exercise.solution, *self.exercise.wrong.values()]
        for cell in self.text:
            quoted = re.findall(r"```.*?```|`[^`]+`", cell.source, re.DOTALL)
            code += quoted if cell.cell_type == "markdown" else [cell.source]
        return words("\n".join(code))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Make nbgrader assignments of the exercises.")
    parser.add_argument("chapters", nargs="*", metavar="NN", help="such as 04; all, if none")
    asked = parser.parse_args(arguments).chapters
    files = [file for file in notebooks.chapters() if not asked or file.name[:2] in asked]
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
        done = subprocess.run([*generate, "--force", "--log-level=WARN"], cwd=FOLDER)
        if done.returncode:
            sys.exit(f"nbgrader could not make the students' version of {called(file)}")
        print(f"release/{called(file)}: the students' version")
    print(f"\nAll of it is in the folder {FOLDER.name}. TEACHING.md says how to go on.")


def called(file: Path) -> str:
    """The name of the assignment; a student's workbook has the chapter itself beside it."""
    return f"exercises_{file.name[:2]}"


def write(file: Path, folder: Path) -> str:
    """Write the teacher's version of the chapter in `file`, unless there is one; say which."""
    place = folder / "source" / called(file) / f"{called(file)}.ipynb"
    if place.exists():
        return f"source/{called(file)} is kept as it is; delete it for a new one"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(notebooks.as_text(source(file)), encoding="utf-8", newline="\n")
    return f"source/{called(file)}: the teacher's version, with solutions"


def source(file: Path) -> NotebookNode:
    """The teacher's version of the assignment that the chapter in `file` makes."""
    chapter = notebooks.read(file)
    before, found = tasks(chapter)
    stage = f"course.after_{file.name[:2]}" if notebooks.all_lib_names(chapter) else ""
    more = LIBRARY.format(stage=stage) if stage else ""
    title = notebooks.titles(file.parent)[file.name]
    about = v4.new_markdown_cell(ABOUT.format(title=title, file=file.name, more=more).strip())
    setup = v4.new_code_cell(needed(before, found, file))
    setup.metadata["nbgrader"] = {**notebooks.nbgrader_metadata("", graded=False), **LOCKED}
    cells = [about, setup, *(cell for task in found for cell in asked(task))]
    for number, cell in enumerate(cells):
        cell.id = f"a{file.name[:2]}-{number:02}"
    return v4.new_notebook(cells=cells, metadata=from_dict(notebooks.NOTEBOOK_METADATA))


def tasks(chapter: NotebookNode) -> tuple[list[NotebookNode], list[Task]]:
    """The code cells before the exercises of a chapter, and the exercises."""
    before: list[NotebookNode] = []
    found: list[Task] = []
    text: list[NotebookNode] | None = None  # None: the exercises have not begun
    for cell in chapter.cells:
        if text is None:
            if cell.cell_type == "markdown" and "## Exercises" in cell.source.split("\n"):
                text = [v4.new_markdown_cell(cell.source.partition("## Exercises\n")[2].strip())]
            elif cell.cell_type == "code":
                before.append(cell)
        elif id := notebooks.checked_exercise(cell):
            load(id[:2])
            (name,) = re.findall(r'^check\("[\d.]+", (\w+)\)$', cell.source, re.MULTILINE)
            answer = text.pop()
            found.append(Task(EXERCISES[id], text, answer.source, name))
            text = []
        else:
            text.append(cell)
    return before, found


def asked(task: Task) -> Iterator[NotebookNode]:
    """The cells of one exercise: heading, text, answer, and the cell that is graded."""
    own = task.exercise
    stars = "★" * own.difficulty + "☆" * (3 - own.difficulty)
    points = f"{own.difficulty} point{'s' * (own.difficulty > 1)}"
    yield v4.new_markdown_cell(
        f"## {own.id} {own.title}\n\n{stars} · about {own.minutes} minutes · {points}"
    )
    for cell in task.text:
        text = re.sub(rf"^\*\*{re.escape(own.id)}\*\*\s*", "", cell.source, flags=re.MULTILINE)
        new = v4.new_markdown_cell if cell.cell_type == "markdown" else v4.new_code_cell
        yield new(text)
    answer = v4.new_code_cell(f"{task.stub}\n### BEGIN SOLUTION\n{own.solution}\n### END SOLUTION")
    call = f'("{own.id}", {task.name})'
    if task.is_value:
        test = f"from course import answered\n\nanswered{call}\n" + HIDDEN.format(call=call)
    else:
        test = f"from course import grade\n\ngrade{call}"
    graded = v4.new_code_cell(test)
    for cell in (answer, graded):
        cell.metadata["nbgrader"] = notebooks.nbgrader_metadata(
            own.id, graded=cell is graded, points=own.difficulty
        )
        yield cell


# The import is in the graded cell, so that an answer that names something `grade` changes nothing.
HIDDEN = """### BEGIN HIDDEN TESTS
from course import grade

grade{call}
### END HIDDEN TESTS"""


# --- what the exercises need ----------------------------------------------------------------------


def needed(before: Sequence[NotebookNode], found: Sequence[Task], file: Path) -> str:
    """The first code cell: what the exercises use of the chapter's imports and definitions.

    What the chapter builds, and what it imports from the library as it was before, comes from the
    library as it is afterwards.
    """
    every = [name for cell in before for name in notebooks.lib_names(cell)]
    tags = [name for name in every if ".ops." not in name]  # a row has a public name as well
    built = sorted({lib_cells.locate(name)[2].partition(".")[0] for name in tags})
    plain = [
        (statement, cell.source)
        for cell in before
        if not notebooks.lib_names(cell)
        for statement in ast.parse(cell.source).body
    ]
    helpers = [
        definition(plain, name)
        for task in found
        for name in HELPERS.get(task.exercise.id, "").split()
    ]
    used = ALWAYS.union(words("\n".join(helpers)), *(task.words() for task in found))
    imports = imported([statement for statement, _ in plain], used - set(built))

    of_stage = [name for module in imports if STAGE.fullmatch(module) for name in imports[module]]
    lines = [
        line
        for module, names in imports.items()
        if not STAGE.fullmatch(module)
        for line in import_lines(module, names)
    ]
    stage = f"course.after_{file.name[:2]}"
    lines += import_lines(stage, [name for name in built + of_stage if name[0] != "_"])
    lines += filter(None, [IMPORTS.get(file.name[:2])])
    return "\n\n\n".join(["\n".join(lines), *dict.fromkeys(helpers)])


def words(code: str) -> set[str]:
    """The names in code."""
    return set(re.findall(r"[A-Za-z_]\w*", code))


def definition(plain: Sequence[tuple[ast.stmt, str]], name: str) -> str:
    """The text in which a chapter's own cells define `name` for the last time."""
    for statement, source in reversed(plain):
        if name in bound_names(statement):
            lines = source.split("\n")
            first = lib_cells.first_line(lines, statement) - 1
            return "\n".join(lines[first : statement.end_lineno])
    raise LookupError(f"no cell before the exercises defines {name}")


def imported(statements: Sequence[ast.stmt], used: set[str]) -> dict[str, list[str]]:
    """The imports among `statements` that bring a name in `used`: what is imported, by module.

    "" stands for plain imports. What the course brings for teaching is left out.
    """
    found: dict[str, list[str]] = {}
    for statement in statements:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            module = getattr(statement, "module", None) or ""
            for alias in statement.names:
                name = alias.asname or alias.name
                if name in used and module != "course":
                    entries = found.setdefault(module, [])
                    entries += [ast.unparse(alias)] if ast.unparse(alias) not in entries else []
    return found


def import_lines(module: str, names: Sequence[str]) -> list[str]:
    """The imports of `names` from `module`, in lines that are not too long."""
    if not module:
        return [f"import {name}" for name in names]
    start = f"from {module} import "
    lines = textwrap.wrap(", ".join(names), WIDTH - len(start))
    end = [""] if module == "__future__" else []  # an empty line after it, as formatters have it
    return [start + line.rstrip(",") for line in lines] + end


if __name__ == "__main__":
    main()
