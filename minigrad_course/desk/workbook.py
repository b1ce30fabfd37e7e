"""The workbook: copies of the notebooks for the reader, in a folder that git ignores.

The notebooks in `notebooks` are stored with their outputs, so each answer would appear below its
question before anybody has thought about it. That is why the copies have no outputs, except those
of cells tagged `keep-output`, which are there to be read.

A copy stores the digest of what it was made from. As long as the reader has not edited it, it is
replaced whenever the notebook changes in the course. Once edited it belongs to the reader, and only
a request for a fresh copy moves it to another name.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from nbformat import NotebookNode, ValidationError
from nbformat.sign import NotebookNotary

from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import CHECKOUT, ROOT, WORKBOOK_MARK, repository

NAME = "workbook" if CHECKOUT else "minigrad-workbook"
KEEP = "keep-output"
COMMAND = 'make lab LAB_ARGS="--fresh {}"' if CHECKOUT else "minigrad-course lab --fresh {}"
PICTURE = re.compile(r'src="\.\./([^"]+\.svg)"')
OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)\s]+)\)")  # a link to a file that is not a notebook
CHECK = re.compile(r"""^check\(["'](\d\d\.\d+)["'].*\)$""", re.MULTILINE)
COPY = "minigrad_copy_of"  # in a copy's metadata: the digest of the cells it was made from


def default_folder() -> Path:
    """Where the workbook is by default: the current folder if it is one, or else a folder in it.

    In a checkout it is always the checkout's own, wherever the command is run.
    """
    here = Path.cwd()
    if CHECKOUT is None and (here / WORKBOOK_MARK).exists():
        return here
    return (CHECKOUT or here) / NAME


def update(folder: Path, fresh: Sequence[str] = ()) -> list[str]:
    """Bring the workbook in `folder` up to date with the course; create it if there is none.

    Args:
        fresh: the notebooks to replace by fresh copies, by number or name, or "all".

    Returns what the reader should know, a sentence or two about each notebook that changed.

    Raises:
        LookupError: `fresh` names a notebook that does not exist.
        OSError: the folder cannot be written.
    """
    sources = ipynb.chapters()
    for name in fresh:
        if not any(asked(file, [name]) for file in sources):
            known = ", ".join(file.name[:2] for file in sources)
            raise LookupError(f"there is no notebook {name!r}; the notebooks are {known}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WORKBOOK_MARK).touch()
    whole = CHECKOUT is not None and folder.is_relative_to(CHECKOUT)
    news = []
    for file in sources:
        copy = copied(file) if whole else alone(copied(file), repository())
        news.append(renew(copy, folder / file.name, asked(file, fresh)))
    return [line for line in news if line]


def asked(source: Path, fresh: Sequence[str]) -> bool:
    """Whether the reader wants a fresh copy of `source`."""
    return bool({"all", source.name[:2], source.stem, source.name} & set(fresh))


def renew(new: NotebookNode, place: Path, fresh: bool) -> str:
    """Write `new` to `place` unless there is a copy to keep; say what happened."""
    if not place.exists():
        write(new, place)
        return ""
    given, found = digests(place)
    if fresh and given != found:
        kept = set_aside(place)
        write(new, place)
        return f"{place.name} is now a fresh copy, and yours is {kept.name}."
    if fresh:
        write(new, place)
        return f"{place.name} is now a fresh copy."
    if given == new.metadata[COPY]:
        return ""
    if given == found:
        write(new, place)
        return f"{place.name} has changed in the course. You had not edited it, so it was updated."
    return (
        f"{place.name} has changed in the course. You have edited yours, so it was left alone."
        f" To get the new one as well, run {COMMAND.format(place.name[:2])}"
    )


def copied(source: Path) -> NotebookNode:
    """The notebook in `source` as the reader gets it: nothing has been run."""
    notebook = ipynb.read(source)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.execution_count = None
            cell.source = with_effort(cell.source)
            if KEEP not in ipynb.tags(cell):
                cell.outputs = []
            for output in cell.outputs:
                if output.output_type == "execute_result":
                    output.execution_count = None
    return signed(notebook)


def alone(copy: NotebookNode, home: str | None) -> NotebookNode:
    """A copy that needs no checkout around it: its pictures are in it, and links lead to the web.

    `home` is the address of the repository. Without one, only the words of such a link are left.
    """
    for cell in copy.cells:
        if cell.cell_type == "markdown":
            cell.source = PICTURE.sub(lambda found: f'src="{as_data(found[1])}"', cell.source)
            cell.source = OUTSIDE.sub(rf"[\1]({home}/blob/HEAD/\2)" if home else r"\1", cell.source)
    return signed(copy)


def as_data(place: str) -> str:
    """A picture of the course, an SVG, as the address of an image."""
    content = (ROOT / place).read_bytes()
    return f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"


def signed(notebook: NotebookNode) -> NotebookNode:
    """The notebook with its digest, which later shows whether the reader has edited it."""
    notebook.metadata[COPY] = digest(notebook.cells)
    return notebook


def with_effort(source: str) -> str:
    """Code with a comment on each `check` about the difficulty and the minutes of its exercise.

    In the executed notebooks `check` shows them, but a copy has no outputs.
    """

    def effort(call: re.Match[str]) -> str:
        load(call[1][:2])
        task = EXERCISES.get(call[1])
        return f"{call[0]}  # {task.stars} {task.minutes} minutes" if task else call[0]

    return CHECK.sub(effort, source)


def digests(place: Path) -> tuple[str | None, str | None]:
    """The digests of what a copy was made from and of its cells now; edits make them differ."""
    try:
        notebook = ipynb.read(place)
    except (ValueError, LookupError, TypeError, ValidationError):  # the reader's own file
        return None, ""
    return notebook.metadata.get(COPY), digest(notebook.cells)


def digest(cells: Sequence[NotebookNode]) -> str:
    """A hash of the code and prose in `cells`, which neither running nor an empty cell changes."""
    written = [[cell.cell_type, cell.source] for cell in cells if cell.source.strip()]
    return hashlib.sha256(json.dumps(written).encode()).hexdigest()


def set_aside(place: Path) -> Path:
    """Rename the reader's notebook to a free name, and return its new place."""
    names = [f"{place.stem}_mine.ipynb", *(f"{place.stem}_mine_{n}.ipynb" for n in range(2, 1000))]
    kept = next(free for name in names if not (free := place.with_name(name)).exists())
    return place.rename(kept)


def write(notebook: NotebookNode, place: Path) -> None:
    """Write a notebook, atomically, and trust it, so that JupyterLab shows all its outputs."""
    draft = place.with_suffix(".draft")
    draft.write_text(ipynb.as_text(notebook), encoding="utf-8", newline="\n")
    os.replace(draft, place)
    trust(notebook)


def trust(*signed: NotebookNode) -> None:
    """Sign notebooks, because JupyterLab hides some outputs of unsigned ones."""
    notary = NotebookNotary()
    with closing(notary.store):  # a database
        for notebook in signed:
            notary.sign(notebook)
