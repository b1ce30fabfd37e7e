"""JupyterLab, started the way a reader starts it, in a copy of the checkout."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tools import notebooks

# Compiled files are copied, because compiling the library and the course takes seconds. Python
# writes them under another name first, which may be gone before it is copied.
NOT_COPIED = (".*", "*.pyc.*", "*.egg-info", "build", "dist", "html", "workbook")


class Running:
    """JupyterLab, started with `arguments` in a copy of the checkout, with its own Jupyter folders.

    Programs called `dot` are removed from the search path, because readers need none. Its standard
    input is a terminal, if the system has them.
    """

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.folder, self.checkout = folder, folder / "minigrad"
        self.log, self.runtime = folder / "log", folder / "RUNTIME"
        ignored = shutil.ignore_patterns(*NOT_COPIED)
        shutil.copytree(notebooks.ROOT, self.checkout, ignore=ignored)
        own = {f"JUPYTER_{kind}_DIR": str(folder / kind) for kind in ("CONFIG", "DATA", "RUNTIME")}
        own |= {"PYTHONPATH": str(self.checkout), "PATH": without("dot", os.environ["PATH"])}
        self.environment = os.environ | own
        self.terminal = os.openpty() if hasattr(os, "openpty") else ()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "minigrad_course", "lab", *arguments],
                cwd=self.checkout,
                env=self.environment,
                stdin=self.terminal[1] if self.terminal else None,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def printed(self) -> str:
        """The text that it has printed so far."""
        return self.log.read_text(encoding="utf-8")

    def address(self) -> tuple[str, str]:
        """The server's address and the token, as soon as they are printed."""
        until = time.monotonic() + 120
        while time.monotonic() < until and self.process.poll() is None:
            if found := re.search(r"(http://\S+?)/lab/tree/\S+token=(\w+)\n", self.printed()):
                return found[1], found[2]
            time.sleep(0.1)
        raise AssertionError(f"no address, but {self.printed()!r}")

    def ask(self, path: str, data: Any = None, method: str | None = None) -> Any:
        """The server's answer, parsed if `path` is in its API."""
        server, token = self.address()
        body = None if data is None else json.dumps(data).encode()
        headers = {"Authorization": f"token {token}"}
        request = Request(f"{server}/{path}", body, headers, method=method)
        with urlopen(request, timeout=120) as answer:
            text = answer.read().decode()
        return json.loads(text) if text and path.startswith("api/") else text

    def end_kernels(self) -> None:
        """Stop the notebooks' kernels, so that the next notebook gets a new one."""
        for session in self.ask("api/sessions"):
            self.ask(f"api/sessions/{session['id']}", method="DELETE")

    def stop(self) -> None:
        """Stop the server and its kernels; kill whatever does not stop."""
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for process in self.left():
            os.kill(process, signal.SIGKILL)
        for end in self.terminal:
            os.close(end)

    def left(self) -> list[int]:
        """The processes with a file of this server on their command line, if this is Linux."""
        commands = Path("/proc").glob("[1-9]*/cmdline")
        return [int(each.parent.name) for each in commands if str(self.folder) in _read(each)]


@contextmanager
def running(folder: Path, *arguments: str) -> Iterator[Running]:
    """JupyterLab for the length of a block, whatever happens in it."""
    server = Running(folder, *arguments)
    try:
        yield server
    finally:
        server.stop()


def without(program: str, path: str) -> str:
    """The search path `path` without the folders that hold `program`."""
    folders = path.split(os.pathsep)
    return os.pathsep.join(each for each in folders if not shutil.which(program, path=each))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:  # the process has ended
        return ""
