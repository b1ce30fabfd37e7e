"""Open the course in JupyterLab.

    python tools/lab.py                  # on the workbook, the reader's copies of the notebooks
    python tools/lab.py --fresh 03       # after a fresh copy of chapter 03; yours is kept beside it
    python tools/lab.py --no-browser     # this, and all other options, are JupyterLab's

`tools/workbook.py` says what the copies are. This module starts JupyterLab so that it

- says one thing, that it is ready and where, and of its own log only what is wrong;
- opens where the reader's progress says, and ends at Ctrl+C without a word;
- encrypts what passes between the notebooks and their kernels, where Jupyter can;
- asks nothing: neither for news, nor, on closing a notebook that nobody changed, to save it.

All of this yields to the options on the command line.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyterlab.labapp import LabApp

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import notebooks, workbook  # noqa: E402

from course import journal, machine  # noqa: E402  # isort: skip - found once tools.notebooks is there


class Contents(AsyncLargeFileManager):  # type: ignore[misc]
    """Files, the notebooks among them with the version of the Python that will run them.

    JupyterLab writes the kernel's version into a notebook that it opens. Where that changes the
    notebook, it asks on closing it whether to save.
    """

    async def get(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """The model of a file or folder; "content" is None where only the rest was asked for."""
        model: dict[str, Any] = await super().get(*arguments, **options)
        if model["type"] == "notebook" and model["content"] is not None:
            metadata = model["content"]["metadata"]
            if metadata.get("kernelspec", {}).get("name") == "python3":
                metadata.setdefault("language_info", {})["version"] = platform.python_version()
        return model


class Server(ServerApp):  # type: ignore[misc]
    """Jupyter's server, which says in plain words when it is ready."""

    def init_signal(self) -> None:
        """End at the first Ctrl+C, for a question would wait: notebooks are saved all the time."""
        super().init_signal()
        signal.signal(signal.SIGINT, lambda *_: self.stop(from_signal=True))

    def start_app(self) -> None:
        """Start; then, as soon as the server listens, give the address."""
        address = self.display_url.split("\n")[0]
        self.identity_provider.token_generated = False  # said here, so Jupyter need not say it
        super().start_app()
        opens = OPENS if self.open_browser else "Copy the address into your browser."
        self.io_loop.add_callback(print, READY.format(address=address, opens=opens), flush=True)


READY = """
The course is ready:

    {address}

{opens}
Your copies of the notebooks are in the folder workbook. To stop, press Ctrl+C here.
"""
OPENS = "Your browser opens it; if it does not, copy the address into it."


def settings() -> list[str]:
    """The options that JupyterLab gets before those of the command line."""
    line = [
        f"--ServerApp.root_dir={ROOT}",
        f"--LabApp.default_url=/lab/tree/workbook/{where_to_begin()}",
        f"--ServerApp.contents_manager_class={__name__}.Contents",
        "--Application.log_level=WARN",
        "--LanguageServerManager.autodetect=False",  # it lists each that is not installed
        # Jupyter closes a connection whose last answer is older than the timeout, and looks when it
        # sends the next ping. Its default timeout is three times that interval, which its tornado
        # does not allow and says so in the log; a shorter one closes connections that are alive. On
        # one machine none is lost unseen, so no pings.
        '--ServerApp.tornado_settings={"ws_ping_interval": 0}',
        # Tabs of another project, which this server has not, are none of this one's.
        f"--LabApp.workspaces_dir={workbook.FOLDER / '.jupyterlab'}",
        "--HTMLExporter.preprocessors=tools.pages.Pages",
        "--HTMLExporter.preprocessors=tools.pages.Folds",
        "--HTMLExporter.template_name=course",
        "--SlidesExporter.template_name=reveal",  # slides are pages, too, and have no folds
    ]
    line += [f"--KernelManager.{name}={value}" for name, value in notebooks.KERNELS.items()]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # in a container one is root, and Jupyter would refuse
    return line


def where_to_begin() -> str:
    """The notebook in which the reader goes on; the first one where nothing is kept."""
    try:
        kept = journal.Journal.read(workbook.FOLDER / journal.FILE)
    except (OSError, ValueError):  # the notebooks say what is wrong with it
        kept = journal.Journal({}, {})
    names = journal.notebooks()
    task = journal.following(kept)
    begun = kept.exercises or kept.predictions
    return names[task.id[:2]] if begun and task else notebooks.chapters()[0].name


@contextmanager
def alone_at_the_keyboard() -> Iterator[None]:
    """Take Ctrl+C for this process alone: `make`, which started it, would call it an error.

    The terminal sends it to all processes of the group in front. So this one leaves make's group,
    comes to the front, and gives the place back at the end. Ctrl+Z would stop it behind make's
    back, and does nothing meanwhile.
    """
    before = os.getpgrp() if os.name == "posix" else 0
    if (
        before in (0, os.getpid())  # it is alone already
        or not sys.stdin.isatty()
        or os.tcgetpgrp(0) != before  # it was started in the background
    ):
        yield
        return
    for kind in (signal.SIGTTOU, signal.SIGTSTP):  # the first comes when the place is given back
        signal.signal(kind, signal.SIG_IGN)
    os.setpgid(0, 0)
    os.tcsetpgrp(0, os.getpgrp())
    try:
        yield
    finally:
        os.tcsetpgrp(0, before)


def trust_notebooks() -> None:
    """Sign the executed notebooks: of an untrusted one JupyterLab hides a part of the outputs."""
    workbook.trust(*map(notebooks.read, notebooks.chapters()))


def prepare_environment() -> None:
    """Let JupyterLab read what is in `tools/jupyter`, and kernels import `course` anywhere.

    The defaults switch off the question, at the first start, whether to fetch news; the user's own
    settings win over them. In JupyterLab 4.6 the option `--LabApp.news_url=None` leaves it there.
    The extensions that `make assignment` and `make lite` install are left out; the
    course's own, which asks the questions, is in `tools/jupyter/labextensions`.
    """
    for name, folder in (
        ("JUPYTER_CONFIG_PATH", ROOT / "tools" / "jupyter"),
        ("JUPYTER_PATH", ROOT / "tools" / "jupyter"),
        ("PYTHONPATH", notebooks.NOTEBOOKS),
    ):
        inherited = os.environ.get(name)
        os.environ[name] = os.pathsep.join([str(folder), *([inherited] if inherited else [])])


def main(arguments: Sequence[str] | None = None) -> None:
    """Bring the workbook up to date and start JupyterLab."""
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
    LabApp.serverapp_class = Server
    with alone_at_the_keyboard():
        LabApp.launch_instance([*settings(), *others])


if __name__ == "__main__":
    main()
