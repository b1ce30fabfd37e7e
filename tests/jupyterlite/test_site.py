"""The site that `make lite` writes, without a browser: all its parts are there.

These tests need the extra `lite`, so they stand apart; `.ci/run` runs them after `make lite`. What
needs no JupyterLite is in `tests/course/test_lite.py`, and what needs a browser in `tests/browser`.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from tools import lite, notebooks

constants = pytest.importorskip(
    "jupyterlite_pyodide_kernel.constants",
    reason='JupyterLite is missing: python -m pip install -e ".[course,test,lite]"',
)

NAMES = [file.name for file in notebooks.chapters()]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the course."""
    folder = tmp_path_factory.mktemp("lite") / "lite"
    lite.build(folder)
    return folder


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_kernel_and_pyodide_are_of_one_release() -> None:
    assert f"/v{constants.PYODIDE_VERSION}/" in lite.PYODIDE
    python = read(lite.LOCK)["info"]["python"]
    assert python.startswith(f"{constants.PYODIDE_PYTHON_VERSION}.")


def test_the_first_page_leads_to_each_chapter(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    links = [urlsplit(link.replace("&amp;", "&")) for link in re.findall(r'href="([^"]+)"', page)]
    opened = []
    for link in links:
        assert not link.scheme
        assert (site / link.path).is_file()
        if found := re.match(r"path=([^&]+)", link.query):
            assert (site / "files" / unquote(found[1])).is_file()
            opened.append(found[1])
    assert opened == [*(f"workbook/{name}" for name in NAMES), "README.md"]
    assert 'id="jupyter-config-data"' in page  # JupyterLite's pages look for it


def test_the_readers_files_are_listed(site: Path) -> None:
    listed = read(site / "api" / "contents" / "workbook" / "all.json")["content"]
    assert sorted(each["name"] for each in listed) == NAMES
    for place, content in lite.contents().items():
        assert (site / "files" / place).read_bytes() == content


def test_the_kernel_finds_what_it_loads(site: Path) -> None:
    data = read(site / "jupyter-lite.json")["jupyter-config-data"]
    settings = data["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert settings["pyodideUrl"] == f"{lite.PYODIDE}pyodide.js"
    options = settings["loadPyodideOptions"]
    lock = site / options["lockFileURL"]
    entries = read(lock)["packages"]
    assert set(options["packages"]) <= set(entries)
    own = [entry for entry in entries.values() if "://" not in entry["file_name"]]
    assert len(own) == 4
    for entry in own:
        content = (lock.parent / entry["file_name"]).read_bytes()
        assert entry["sha256"] == hashlib.sha256(content).hexdigest()
    assert entries["graphviz"]["version"] == version("graphviz")


def test_two_extensions_and_no_other_are_there(site: Path) -> None:
    data = read(site / "jupyter-lite.json")["jupyter-config-data"]
    names = {each["name"] for each in data["federated_extensions"]}
    assert names == {"@jupyterlite/pyodide-kernel-extension", "minigrad-course"}
    for each in data["federated_extensions"]:
        assert (site / "extensions" / each["name"] / each["load"]).is_file()


def test_pyodide_can_be_a_part_of_the_site(tmp_path: Path) -> None:
    pyodide = tmp_path / "pyodide"
    pyodide.mkdir()
    (pyodide / "pyodide.js").write_text("// a stand-in", encoding="utf-8")
    lite.write(pyodide / "pyodide-lock.json", read(lite.LOCK))
    folder = tmp_path / "lite"
    lite.build(folder, pyodide)
    data = read(folder / "jupyter-lite.json")["jupyter-config-data"]
    settings = data["litePluginSettings"]["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert (folder / settings["pyodideUrl"]).is_file()
    numpy = read(folder / "packages" / "pyodide-lock.json")["packages"]["numpy"]["file_name"]
    assert (folder / "packages" / numpy).parent.resolve() == folder / "pyodide"


def test_what_jupyterlite_complains_about_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lite, "KERNEL", "@jupyterlite/no-such-kernel")
    with pytest.raises(subprocess.CalledProcessError) as told:
        lite.build(tmp_path / "lite")
    assert "no-such-kernel" in told.value.stdout + told.value.stderr
    assert not (tmp_path / "lite").exists()
