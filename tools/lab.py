"""Open the course in JupyterLab.

    python tools/lab.py                  # your workbook, which holds copies of the notebooks
    python tools/lab.py --fresh 03       # with a fresh copy of chapter 03; yours is kept beside it
    python tools/lab.py --no-browser     # this, like all other options, is JupyterLab's own

`tools/workbook.py` explains the copies. JupyterLab opens where you stopped reading, asks nothing
about news or about saving a notebook that nobody changed, and logs only what is wrong. What it can
be told in JSON is in `tools/jupyter`: the server's settings (Ctrl+C needs no confirmation, exported
pages fold their answers) and, in `labconfig`, those of the page. What depends on the reader or on
the machine is here. Options on the command line override both.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyterlab.labapp import LabApp

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from minigrad_course.ask import journal  # noqa: E402
from minigrad_course.kernel import machine  # noqa: E402
from tools import notebooks, workbook  # noqa: E402

READY = """
The course is ready; if your browser does not open it, go to

    {address}

To stop, press Ctrl+C here. Your copies of the notebooks are in the folder workbook.
"""


class Contents(AsyncLargeFileManager):  # type: ignore[misc]
    """Serves notebooks with the version of the Python that will run them.

    JupyterLab writes the kernel's version into a notebook that it opens. If that changes the
    notebook, for instance after a Python upgrade, it asks on closing whether to save.
    """

    async def get(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """The model of a file or folder; "content" is None unless the content was requested."""
        model: dict[str, Any] = await super().get(*arguments, **options)
        if model["type"] == "notebook" and model["content"] is not None:
            metadata = model["content"]["metadata"]
            if metadata.get("kernelspec", {}).get("name") == "python3":
                metadata.setdefault("language_info", {})["version"] = platform.python_version()
        return model


def settings() -> list[str]:
    """JupyterLab's options that depend on the reader or on the machine."""
    options = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/workbook/{where_to_begin()}",
        # Otherwise the tabs of other projects would be reopened, whose files are not here.
        f"--LabApp.workspaces_dir={workbook.FOLDER / '.jupyterlab'}",
        # By default tornado warns about Jupyter's ping timeout, which is longer than the interval.
        # A shorter one would close live connections, because Jupyter compares it with the age of
        # the previous answer. On one machine no connection is lost silently, so we send no pings.
        '--ServerApp.tornado_settings={"ws_ping_interval": 0}',
        *(f"--KernelManager.{name}={value}" for name, value in notebooks.KERNELS.items()),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # containers run as root, which Jupyter refuses by default
    return options


def where_to_begin() -> str:
    """The notebook in which the reader continues; the first one if there is no progress yet."""
    try:
        kept = journal.Journal.read(workbook.FOLDER / journal.FILE)
    except (OSError, ValueError):  # the notebooks will say what is wrong with the file
        kept = journal.Journal({}, {})
    names = journal.notebooks()
    task = journal.next_exercise(kept)
    begun = kept.exercises or kept.predictions
    return names[task.id[:2]] if begun and task else notebooks.chapters()[0].name


def trust_notebooks() -> None:
    """Sign the executed notebooks, because JupyterLab hides some outputs of untrusted ones."""
    workbook.trust(*map(notebooks.read, notebooks.chapters()))


def prepare_environment() -> None:
    """Make JupyterLab read `tools/jupyter`, and let it and its kernels import the course."""
    for name, folders in (
        ("JUPYTER_CONFIG_PATH", [notebooks.JUPYTER]),
        ("JUPYTER_PATH", [notebooks.JUPYTER]),
        ("PYTHONPATH", [ROOT]),
    ):
        inherited = os.environ.get(name)
        parts = [*map(str, folders), *([inherited] if inherited else [])]
        os.environ[name] = os.pathsep.join(parts)


def main(arguments: Sequence[str] | None = None) -> None:
    """Bring the workbook up to date and run JupyterLab until it is stopped."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--fresh", action="append", default=[], metavar="NN")
    own, others = parser.parse_known_args(arguments)
    try:
        news = workbook.update(own.fresh)
    except LookupError as error:
        sys.exit(str(error))
    news += machine.troubles()
    print(*news, sep="\n", end="\n" if news else "")
    trust_notebooks()
    prepare_environment()
    server = LabApp.initialize_server([*settings(), *others])
    address = server.display_url.split("\n")[0]
    server.identity_provider.token_generated = False  # so that Jupyter does not log it as well
    server.io_loop.add_callback(print, READY.format(address=address), flush=True)
    server.start()


if __name__ == "__main__":
    main()
