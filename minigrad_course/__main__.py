"""The command `minigrad-course`, which is also `python -m minigrad_course`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

USAGE = """usage: minigrad-course lab [--folder F] [--fresh NN] [options of JupyterLab]
       minigrad-course explain "MESSAGE"

`lab` opens the course in JupyterLab. The first time, it puts your copies of the notebooks in the
folder F, which is by default `minigrad-workbook` in the current folder, or `workbook` in a
checkout. After that it keeps what you have written. `--fresh 03` gives you a fresh copy of chapter
03 and keeps yours beside it.

`explain` tells you what an error or a warning of PyTorch means, what to change, and where to read
about it."""
NO_JUPYTERLAB = """JupyterLab is missing: install minigrad-course with its extra `course`.
In a checkout:        python -m pip install -e ".[course]"
From a wheel:         python -m pip install "minigrad_course-VERSION-py3-none-any.whl[course]"
Or JupyterLab alone:  python -m pip install jupyterlab"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if {"-h", "--help"} & set(given):
        print(USAGE)
        return
    if given[:1] == ["explain"] and len(given) > 1:
        from minigrad_course.ask.questions import explain

        print(explain(" ".join(given[1:])))
        return
    if given[:1] != ["lab"]:
        sys.exit(USAGE)
    if find_spec("jupyterlab") is None:
        sys.exit(NO_JUPYTERLAB)
    from minigrad_course.desk import lab

    lab.main(given[1:])


if __name__ == "__main__":
    main()
