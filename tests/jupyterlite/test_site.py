"""The site that `make lite` writes is complete, and says so when Python cannot be fetched.

These tests need the extra `lite`, so `make test` leaves them out; `.ci/run` runs them. What needs
no JupyterLite is in `tests/course/test_lite.py`, and what needs Pyodide in `tests/browser`.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from minigrad_course.desk import ipynb
from tests import chromium
from tools import lite

constants = pytest.importorskip(
    "jupyterlite_pyodide_kernel.constants",
    reason='JupyterLite is missing: python -m pip install -e ".[course,test,lite]"',
)

NAMES = [file.name for file in ipynb.chapters()]


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


def kernel_settings(site: Path) -> Any:
    data = read(site / "jupyter-lite.json")["jupyter-config-data"]
    return data["litePluginSettings"][f"{lite.KERNEL}:kernel"]


def test_the_kernel_finds_what_it_loads(site: Path) -> None:
    settings = kernel_settings(site)
    assert settings["pyodideUrl"] == f"{lite.PYODIDE}pyodide.js"
    packages = settings["loadPyodideOptions"]["packages"]
    wheels = [each for each in packages if each.endswith(".whl")]
    script = next(site.rglob(f"{lite.KERNEL}/**/remoteEntry*.js"))  # the workers are beside it
    found = sorted((script.parent / wheel).resolve() for wheel in wheels)
    assert found == sorted((site / "packages").iterdir())
    assert len(found) == 4


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
    folder = tmp_path / "lite"
    lite.build(folder, pyodide)
    assert (folder / kernel_settings(folder)["pyodideUrl"]).is_file()


# --- in a browser ---------------------------------------------------------------------------------


CHAPTER = lite.address(NAMES[0])


@pytest.mark.parametrize("network", ["refuses", "is silent", "answers with its own page"])
def test_a_chapter_says_that_python_cannot_be_fetched(site: Path, network: str) -> None:
    reactions = {
        "refuses": lambda route: route.abort(),
        "is silent": lambda route: None,
        "answers with its own page": lambda route: route.fulfill(status=403, body="blocked"),
    }
    with chromium.served(site) as home, chromium.driven() as browser:
        context = browser.new_context()
        context.route(re.compile(f"^(?!{home}|data:|blob:)"), reactions[network])
        page = context.new_page()
        began = time.monotonic()
        page.goto(f"{home}/{CHAPTER}")
        page.locator(".jp-Notebook .jp-Cell").nth(3).wait_for()
        told = page.get_by_role("alert").filter(has_text="Python could not be loaded")
        told.wait_for()
        assert time.monotonic() - began < 20  # it waits for 7 seconds; JupyterLab begins in a few
        assert "cdn.jsdelivr.net" in told.inner_text()
        assert "on your own machine" in told.inner_text()
        told.get_by_role("button", name="Close").click()
        assert told.count() == 0


def test_a_chapter_says_nothing_if_python_is_there(site: Path) -> None:
    with chromium.served(site) as home, chromium.driven() as browser:
        context = browser.new_context()
        context.route(
            re.compile(f"^(?!{home}|data:|blob:)"),
            lambda route: route.fulfill(body="", headers={"Access-Control-Allow-Origin": "*"}),
        )
        page = context.new_page()
        with page.expect_response(re.compile(r"/pyodide\.js$")):
            page.goto(f"{home}/{CHAPTER}")
        page.locator(".jp-Notebook .jp-Cell").nth(3).wait_for()
        page.wait_for_timeout(1000)
        assert page.get_by_role("alert").filter(has_text="Python").count() == 0
