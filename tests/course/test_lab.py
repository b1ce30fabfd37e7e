"""tools/lab.py: JupyterLab says where it is, no more, and opening a notebook does not change it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_server.base.websocket import WebSocketMixin
from nbformat import v4

from course.journal import FILE, Journal
from tests import lab_server
from tests.lab_server import Running
from tools import lab, notebooks, pages, workbook

PYTHON = ".".join(map(str, sys.version_info[:3]))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with lab_server.running(tmp_path_factory.mktemp("lab"), "--no-browser", "--port=0") as server:
        yield server


def test_it_says_where_it_is_and_nothing_else(running: Running) -> None:
    """A kernel writes its warnings when it comes up; those of the server come before."""
    running.ask("api/contents/notebooks/00_start_here.ipynb")
    kernel = running.ask("api/kernels", {"name": "python3"})["id"]
    client = BlockingKernelClient(connection_file=str(running.runtime / f"kernel-{kernel}.json"))
    client.load_connection_file()
    assert bool(client.curve_publickey) == bool(notebooks.KERNELS)
    client.start_channels(hb=False)
    client.kernel_info(reply=True, timeout=120)
    client.stop_channels()
    server, token = running.address()
    address = f"{server}/lab/tree/workbook/00_start_here.ipynb?token={token}"
    opens = "Copy the address into your browser."
    assert running.said() == lab.READY.format(address=address, opens=opens) + "\n"


def test_a_notebook_is_handed_out_with_the_kernels_version(running: Running) -> None:
    """Otherwise JupyterLab changes it on opening, and on closing asks whether to save."""
    stored = notebooks.NOTEBOOK_METADATA["language_info"]
    got = running.ask("api/contents/notebooks/00_start_here.ipynb")["content"]["metadata"]
    assert got["language_info"] == stored | {"version": PYTHON}


@pytest.mark.parametrize(("kernel", "version"), [("python3", PYTHON), ("xeus", "3.99.1")])
def test_only_the_version_is_the_kernels(tmp_path: Path, kernel: str, version: str) -> None:
    def metadata(version: str) -> dict[str, Any]:
        info = {"name": "python", "version": version}
        return {"kernelspec": {"name": kernel, "display_name": "K"}, "language_info": info}

    stored = v4.new_notebook(metadata=metadata("3.99.1"), cells=[v4.new_code_cell("1", id="a")])
    nbformat.write(stored, tmp_path / "one.ipynb")
    contents = lab.Contents(root_dir=str(tmp_path))
    with closing(contents.notary.store):
        model = asyncio.run(contents.get("one.ipynb"))
        assert model["content"].metadata == metadata(version)
        assert nbformat.read(tmp_path / "one.ipynb", as_version=4).metadata == metadata("3.99.1")
        assert asyncio.run(contents.get("one.ipynb", content=False))["content"] is None
        assert [each["name"] for each in asyncio.run(contents.get(""))["content"]] == ["one.ipynb"]


def test_a_connection_that_is_alive_is_not_closed() -> None:
    """It would be if the answer to one ping were too old by the time of the next one."""
    (setting,) = (each for each in lab.settings() if "tornado_settings" in each)
    connection = WebSocketMixin()
    connection.settings = json.loads(setting.partition("=")[2])
    assert connection.ping_interval == 0 or connection.ping_timeout > connection.ping_interval


def test_pages_are_exported_as_pages(running: Running) -> None:
    page = running.ask("nbconvert/html/notebooks/00_start_here.ipynb")
    assert 'href="01_slopes.html"' in page
    assert pages.BEGIN in page  # around what follows a prediction
    slides = running.ask("nbconvert/slides/notebooks/00_start_here.ipynb")
    assert pages.BEGIN not in slides


def test_a_terminal_and_kernels_import_the_course_from_anywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", "mine")
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    monkeypatch.delenv("JUPYTER_PATH", raising=False)
    lab.prepare_environment()
    assert os.environ["PYTHONPATH"] == os.pathsep.join([str(notebooks.NOTEBOOKS), "mine"])
    assert os.environ["JUPYTER_CONFIG_PATH"] == str(notebooks.ROOT / "tools" / "jupyter")
    assert os.environ["JUPYTER_PATH"] == str(notebooks.ROOT / "tools" / "jupyter")


def test_what_is_wrong_is_said(tmp_path: Path, running: Running) -> None:
    port = running.address()[0].rpartition(":")[2]
    second = Running(tmp_path, "--no-browser", f"--port={port}", "--ServerApp.port_retries=0")
    assert second.process.wait(timeout=120) != 0
    assert f"port {port} is not available" in second.said()


def test_a_request_for_a_notebook_that_does_not_exist() -> None:
    with pytest.raises(SystemExit, match="there is no notebook '77'; they are 00, 01, 02"):
        lab.main(["--fresh", "77"])


@pytest.mark.parametrize(
    ("kept", "begins"),
    [
        (None, "00"),
        (Journal({}, {}), "00"),
        (Journal({"04.1": "passed"}, {}), "04"),
        (Journal({"04.1": "passed"}, {}, {"05.a": "b"}), "05"),
        (Journal({"04.1": "tried"}, {}, {"03.a": "b"}), "04"),
    ],
)
def test_it_opens_where_progress_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: Journal | None, begins: str
) -> None:
    monkeypatch.setattr(workbook, "FOLDER", tmp_path)
    if kept:
        (tmp_path / FILE).write_text(kept.as_text(), encoding="utf-8")
    assert lab.where_to_begin().startswith(f"{begins}_")
    (setting,) = (each for each in lab.settings() if "default_url" in each)
    assert setting.endswith(f"/workbook/{lab.where_to_begin()}")


def test_it_opens_with_a_file_that_is_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbook, "FOLDER", tmp_path)
    (tmp_path / FILE).write_text("[]", encoding="utf-8")
    assert lab.where_to_begin().startswith("00_")


def test_ctrl_c_ends_make_without_a_word(tmp_path: Path, running: Running) -> None:
    """One press in a terminal, with make in between: nothing is said, and nothing has failed."""
    pty = pytest.importorskip("pty", reason="no terminals of this kind")
    makefile = tmp_path / "Makefile"
    makefile.write_text(f"lab:\n\t@{' '.join(running.command)}\n", encoding="utf-8")
    # A make that was started by a make, as `make test` is, says which folder it enters and leaves.
    environment = {
        n: v for n, v in running.environment.items() if not n.startswith(("MAKE", "MFLAGS"))
    }
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("make", ["make", "-f", str(makefile), "lab"], environment)
    read_until(terminal, "To stop, press Ctrl+C here.")
    os.write(terminal, b"\x03")
    said = read_until(terminal, None)
    _, status = os.waitpid(process, 0)
    assert said.replace("^C", "").strip() == ""
    assert os.waitstatus_to_exitcode(status) == 0


def read_until(terminal: int, words: str | None) -> str:
    """What a terminal shows until `words` are there, or until its programs have ended."""
    said = ""
    while words is None or words not in said:
        try:
            part = os.read(terminal, 1024)
        except OSError:  # Linux says so where others return nothing
            part = b""
        if not part:
            assert words is None, said
            break
        said += part.decode()
    return said
