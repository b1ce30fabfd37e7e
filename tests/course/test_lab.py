"""desk/lab.py: JupyterLab prints its address, and opening a notebook does not change it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_core.utils import ensure_async
from jupyter_server.base.websocket import WebSocketMixin
from nbformat import v4
from tornado.websocket import WebSocketClosedError

from minigrad_course.desk import ipynb, lab, pages
from minigrad_course.kernel import places
from tests import lab_server
from tests.course.kernels import run
from tests.lab_server import Running

PYTHON = ".".join(map(str, sys.version_info[:3]))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with lab_server.running(tmp_path_factory.mktemp("lab"), "--no-browser", "--port=0") as server:
        yield server


@pytest.fixture(scope="module")
def client(running: Running) -> Iterator[BlockingKernelClient]:
    """A client of a kernel that the server has started."""
    kernel = running.ask("api/kernels", {"name": "python3", "path": "notebooks"})["id"]
    client = BlockingKernelClient(connection_file=str(running.runtime / f"kernel-{kernel}.json"))
    client.load_connection_file()
    client.start_channels(hb=False)
    client.kernel_info(reply=True, timeout=120)
    yield client
    client.stop_channels()


def test_it_prints_its_address_and_nothing_else(
    running: Running, client: BlockingKernelClient
) -> None:
    """By the time a kernel answers, the server and the kernel have printed their warnings."""
    running.ask("api/contents/notebooks/00_start_here.ipynb")
    assert bool(client.curve_publickey) == bool(ipynb.KERNELS)
    server, token = running.address()
    address = f"{server}/lab/tree/workbook/00_start_here.ipynb?token={token}"
    folder = running.checkout / "workbook"
    assert running.printed() == lab.READY.format(address=address, folder=folder) + "\n"


def test_a_cell_that_runs_first_is_told_what_to_run_before_it(
    client: BlockingKernelClient,
) -> None:
    """As after a restart of the kernel, when no cell has imported the course yet."""
    chapter = ipynb.read(places.NOTEBOOKS / "04_backward.ipynb")
    (cell,) = (each for each in chapter.cells if "lib:minigrad.core.engine.backward"
               in ipynb.tags(each))  # fmt: skip
    (failed,) = run(client, "minigrad_course").outputs  # imported, and under no name
    assert failed.ename == "NameError"
    (failed,) = run(client, cell.source).outputs
    shown = "\n".join(failed.traceback)
    assert "that cell has not run yet." in shown
    assert "To fix this, choose Run > Run All Above Selected Cell." in shown


def test_a_notebook_is_served_with_the_kernels_python_version(running: Running) -> None:
    """Otherwise JupyterLab changes it on opening, and on closing asks whether to save."""
    place = running.checkout / "notebooks" / "older.ipynb"
    older = ipynb.read(ipynb.chapters()[0])
    older.metadata.language_info.version = "3.99.1"
    place.write_text(ipynb.as_text(older), encoding="utf-8")
    got = running.ask("api/contents/notebooks/older.ipynb")["content"]["metadata"]
    place.unlink()
    assert got["language_info"] == older.metadata.language_info | {"version": PYTHON}


@pytest.mark.parametrize(("kernel", "version"), [("python3", PYTHON), ("xeus", "3.99.1")])
def test_nothing_but_the_version_is_changed(tmp_path: Path, kernel: str, version: str) -> None:
    def metadata(version: str) -> dict[str, Any]:
        info = {"name": "python", "version": version}
        return {"kernelspec": {"name": kernel, "display_name": "K"}, "language_info": info}

    stored = v4.new_notebook(metadata=metadata("3.99.1"), cells=[v4.new_code_cell("1", id="a")])
    nbformat.write(stored, tmp_path / "one.ipynb")
    contents = lab.Contents(root_dir=str(tmp_path))
    with closing(contents.notary.store):
        model = contents.get("one.ipynb")
        assert model["content"].metadata == metadata(version)
        assert nbformat.read(tmp_path / "one.ipynb", as_version=4).metadata == metadata("3.99.1")
        assert contents.get("one.ipynb", content=False)["content"] is None
        assert [each["name"] for each in contents.get("")["content"]] == ["one.ipynb"]


def test_reading_a_notebook_while_it_is_saved_loses_nothing(tmp_path: Path) -> None:
    """As when the page is reloaded during a save."""
    contents = lab.Contents(root_dir=str(tmp_path))

    async def read() -> str:
        model = await ensure_async(contents.get("one.ipynb"))
        return str(model["content"].cells[0].source)

    async def save_and_read(text: str) -> None:
        cells = [v4.new_markdown_cell(text, id=f"a{number}") for number in range(100)]
        content = v4.new_notebook(cells=cells)
        model = {"type": "notebook", "format": "json", "content": content}
        saving = asyncio.create_task(ensure_async(contents.save(model, "one.ipynb")))
        while not saving.done():
            await asyncio.sleep(0)
            await read()
        await saving
        assert await read() == text

    nbformat.write(v4.new_notebook(cells=[v4.new_markdown_cell("")]), tmp_path / "one.ipynb")
    with closing(contents.notary.store):
        for text in "abcdefgh":
            asyncio.run(save_and_read(text))


def test_a_page_that_was_left_is_not_logged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other error is."""
    loggers = [logging.getLogger(name) for name in lab.LOGGERS]
    for logger in loggers:
        monkeypatch.setattr(logger, "filters", [])
    lab.silence_left_pages()
    for error, logged in ((WebSocketClosedError(), False), (ValueError(), True), (None, True)):
        about = (type(error), error, None) if error else None
        record = logging.LogRecord("", logging.ERROR, "", 0, "", (), about)
        assert [bool(logger.filter(record)) for logger in loggers] == [logged] * len(loggers)


def test_a_live_connection_is_not_closed() -> None:
    """It would be closed if the answer to one ping were too old by the time of the next one."""
    (setting,) = (each for each in lab.settings(Path.cwd()) if "tornado_settings" in each)
    connection = WebSocketMixin()
    connection.settings = json.loads(setting.partition("=")[2])
    assert connection.ping_interval == 0 or connection.ping_timeout > connection.ping_interval


def test_pages_are_exported_as_pages(running: Running) -> None:
    page = running.ask("nbconvert/html/notebooks/00_start_here.ipynb")
    assert 'href="01_slopes.html"' in page
    assert pages.BEGIN in page  # around the cells after a prediction
    slides = running.ask("nbconvert/slides/notebooks/00_start_here.ipynb")
    assert pages.BEGIN not in slides


def test_jupyter_reads_the_settings_of_the_course_before_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("JUPYTER_PATH", "mine")
    monkeypatch.delenv("JUPYTER_CONFIG_PATH", raising=False)
    lab.prepare_environment()
    assert os.environ["JUPYTER_CONFIG_PATH"] == str(places.JUPYTER)
    assert os.environ["JUPYTER_PATH"] == os.pathsep.join([str(places.JUPYTER), "mine"])


def test_problems_are_printed(running: Running) -> None:
    port = running.address()[0].rpartition(":")[2]
    options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0"]
    second = subprocess.run(
        [sys.executable, "-m", "minigrad_course", "lab", *options],
        cwd=running.checkout,
        env=running.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert second.returncode != 0
    assert f"port {port} is not available" in second.stderr


def test_a_request_for_a_notebook_that_does_not_exist() -> None:
    with pytest.raises(SystemExit, match="there is no notebook '77'; the notebooks are 00, 01, 02"):
        lab.main(["--fresh", "77"])


def test_it_opens_the_chapter_that_was_saved_last(tmp_path: Path) -> None:
    """JupyterLab saves a notebook after its cells have run."""
    folder = tmp_path / "workbook"
    folder.mkdir()
    (folder / places.WORKBOOK_MARK).touch()
    names = [file.name for file in ipynb.chapters()]
    contents = lab.Contents(root_dir=str(tmp_path))
    model = {"type": "notebook", "format": "json", "content": v4.new_notebook()}
    with closing(contents.notary.store):
        assert lab.where_to_begin(folder) == names[0]
        for saved in (names[4], names[3]):
            contents.save(dict(model), f"workbook/{saved}")
            assert lab.where_to_begin(folder) == saved
        contents.save(dict(model), "workbook/mine.ipynb")
        contents.save(dict(model), names[7])
    assert lab.where_to_begin(folder) == names[3]
    (setting,) = (each for each in lab.settings(folder) if "default_url" in each)
    assert setting.endswith(f"/lab/tree/{names[3]}")
    (folder / lab.LAST).write_text("gone.ipynb", encoding="utf-8")
    assert lab.where_to_begin(folder) == names[0]


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="no terminals of this kind")
def test_a_single_ctrl_c_ends_it(running: Running) -> None:
    """In a terminal, where Jupyter by default asks for a confirmation.

    It is the last test, because it ends the server that the others use.
    """
    running.address()
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(timeout=60) == 0
