"""Open the course in JupyterLab: `minigrad-course lab`, or `make lab` in a checkout.

    minigrad-course lab                  # your workbook, which holds copies of the notebooks
    minigrad-course lab --folder F       # the workbook in F, which is created if there is none
    minigrad-course lab --fresh 03       # with a fresh copy of chapter 03; yours is kept beside it
    minigrad-course lab --no-browser     # this, like all other options, is JupyterLab's own

`workbook` explains the copies. JupyterLab opens the chapter you last worked in, asks nothing about
news or about saving a notebook that nobody changed, and logs only errors. What it can be told in
JSON is in the folder `jupyter`: the server's settings (Ctrl+C needs no confirmation, exported pages
fold their answers) and, in `labconfig`, those of the page. What depends on the reader or on the
machine is here. Options on the command line override both.
"""

from __future__ import annotations

import argparse
import logging
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_server.services.contents.largefilemanager import LargeFileManager
from jupyterlab.labapp import LabApp
from tornado.websocket import WebSocketClosedError

from minigrad_course.ask import journal
from minigrad_course.desk import ipynb, workbook
from minigrad_course.kernel import machine
from minigrad_course.kernel.places import CHECKOUT, JUPYTER, WORKBOOK_MARK

LAST = ".last_notebook"  # in the workbook: the name of the chapter that was saved last
LOGGERS = ("asyncio", "tornado.application", "tornado.general")  # of Jupyter's server
READY = """
The course is ready; if your browser does not open it, go to

    {address}

To stop, press Ctrl+C here. Your copies of the notebooks are in {folder}
"""


class Contents(LargeFileManager):  # type: ignore[misc]
    """Serves notebooks with the version of the Python that will run them, and notes what is saved.

    JupyterLab writes the kernel's version into a notebook that it opens. If that changes the
    notebook, for instance after a Python upgrade, it asks on closing whether to save.

    It saves a notebook a few seconds after a cell has run, so the last one saved is the chapter in
    which the reader last worked.

    It is not asynchronous, because Jupyter's asynchronous manager may read a notebook that is only
    half written, for instance when the page is reloaded during a save. It takes that for a broken
    file and restores the previous one, so the save is lost, and JupyterLab asks about a file that
    has changed.
    """

    def get(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """The model of a file or folder; "content" is None unless the content was requested."""
        model: dict[str, Any] = super().get(*arguments, **options)
        if model["type"] == "notebook" and model["content"] is not None:
            metadata = model["content"]["metadata"]
            if metadata.get("kernelspec", {}).get("name") == "python3":
                metadata.setdefault("language_info", {})["version"] = platform.python_version()
        return model

    def save(self, model: dict[str, Any], path: str = "") -> dict[str, Any]:
        """Save a file; if it is a chapter of the workbook, the next start opens it."""
        saved: dict[str, Any] = super().save(model, path)
        file = Path(self._get_os_path(path))
        if (file.parent / WORKBOOK_MARK).exists() and file.name in journal.notebooks().values():
            (file.parent / LAST).write_text(file.name, encoding="utf-8")
        return saved


class Kernels(KernelSpecManager):
    """Starts kernels with the course imported, so that its help is there before any cell has run.

    After a restart, a cell further down then says which cells have to run first.
    """

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """How to start a kernel."""
        spec = super().get_kernel_spec(kernel_name)
        if kernel_name == "python3":
            spec.argv.append("--IPKernelApp.exec_lines=__import__('minigrad_course')")
        return spec


def settings(folder: Path) -> list[str]:
    """JupyterLab's options that depend on the machine and on the reader, who works in `folder`."""
    # In a checkout, chapters link to files outside the workbook.
    root = CHECKOUT if CHECKOUT and folder.is_relative_to(CHECKOUT) else folder
    first = (folder / where_to_begin(folder)).relative_to(root).as_posix()
    options = [
        f"--ServerApp.root_dir={root}",
        f"--LabApp.default_url=/lab/tree/{first}",
        # Otherwise the tabs of other projects would be reopened, whose files are not here.
        f"--LabApp.workspaces_dir={folder / '.jupyterlab'}",
        # By default tornado warns about Jupyter's ping timeout, which is longer than the interval.
        # A shorter one would close live connections, because Jupyter compares it with the age of
        # the previous answer. On one machine no connection is lost silently, so we send no pings.
        '--ServerApp.tornado_settings={"ws_ping_interval": 0}',
        *(f"--KernelManager.{name}={value}" for name, value in ipynb.KERNELS.items()),
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--allow-root")  # containers run as root, which Jupyter refuses by default
    return options


def where_to_begin(folder: Path) -> str:
    """The notebook in which the reader last worked; before that, the first one."""
    names = [file.name for file in ipynb.chapters()]
    last = folder / LAST
    name = last.read_text(encoding="utf-8") if last.exists() else ""
    return name if name in names else names[0]


def silence_left_pages() -> None:
    """Do not log that the page to which a kernel sends a message was closed or reloaded.

    Readers do that while cells run. Jupyter's server does not catch the error, so pyzmq, tornado
    and asyncio would each print a traceback.
    """

    def worth_reading(record: logging.LogRecord) -> bool:
        return not (record.exc_info and isinstance(record.exc_info[1], WebSocketClosedError))

    for name in LOGGERS:
        logging.getLogger(name).addFilter(worth_reading)


def prepare_environment() -> None:
    """Make Jupyter read the course's settings, templates and extension from this package."""
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_PATH"):
        inherited = os.environ.get(name)
        os.environ[name] = os.pathsep.join([str(JUPYTER), *([inherited] if inherited else [])])


def main(arguments: Sequence[str] | None = None) -> None:
    """Bring the workbook up to date and run JupyterLab until it is stopped."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--folder", type=Path, default=workbook.default_folder())
    parser.add_argument("--fresh", action="append", default=[], metavar="NN")
    own, others = parser.parse_known_args(arguments)
    folder = own.folder.resolve()
    try:
        news = workbook.update(folder, own.fresh)
    except LookupError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(
            f"The workbook cannot be written to {folder} ({error.strerror})."
            " Choose another folder: minigrad-course lab --folder FOLDER"
        )
    news += machine.troubles()
    print(*news, sep="\n", end="\n" if news else "")
    if CHECKOUT:  # the executed notebooks can be opened as well
        workbook.trust(*map(ipynb.read, ipynb.chapters()))
    prepare_environment()
    server = LabApp.initialize_server([*settings(folder), *others])
    silence_left_pages()
    address = server.display_url.split("\n")[0]
    server.identity_provider.token_generated = False  # so that Jupyter does not log it as well
    ready = READY.format(address=address, folder=folder)
    server.io_loop.add_callback(print, ready, flush=True)
    server.start()
