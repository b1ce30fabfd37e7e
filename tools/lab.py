"""Open the course in JupyterLab: `python tools/lab.py [options of jupyter lab]`.

A notebook that JupyterLab has not seen before is untrusted, and parts of its stored outputs stay
hidden until it is run. The course's own notebooks are therefore trusted first, as `jupyter trust`
does it.
"""

import os
import sys
from pathlib import Path

import nbformat
from jupyterlab.labapp import LabApp
from nbformat.sign import NotebookNotary

ROOT = Path(__file__).resolve().parents[1]


def trust_notebooks() -> None:
    """Sign every notebook of the course in the user's own signature database."""
    notary = NotebookNotary()
    for path in sorted(ROOT.glob("notebooks/*.ipynb")):
        notary.sign(nbformat.read(path, as_version=4))


def add_settings() -> None:
    """Let JupyterLab read the defaults in `tools/jupyter`, after which the user's own settings win.

    They switch off the question, at the first start, whether to fetch news. In JupyterLab 4.6 the
    option `--LabApp.news_url=None` leaves the question there.
    """
    inherited = os.environ.get("JUPYTER_CONFIG_PATH")
    paths = [str(ROOT / "tools" / "jupyter"), *([inherited] if inherited else [])]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(paths)


def options() -> list[str]:
    """Return the command line that makes JupyterLab open the checkout at the first notebook."""
    line = [
        f"--ServerApp.root_dir={ROOT}",
        "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        line.append("--allow-root")  # in a container one is root, and Jupyter would refuse
    return line


if __name__ == "__main__":
    trust_notebooks()
    add_settings()
    LabApp.launch_instance([*options(), *sys.argv[1:]])
