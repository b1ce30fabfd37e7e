"""What the notebooks import to teach: predictions, checked exercises, errors shown on purpose,
programs beside PyTorch, and in it.

    from minigrad_course import check, expect_error, predict, score
    from minigrad_course.after_03 import Node, Tensor, method_of

The second line imports the library as chapter 03 left it (`minigrad_course.kernel.stages`).

Everything displays as plain HTML (no scripts, no style sheets) plus a text version, so it reads the
same in JupyterLab, trusted or not, on GitHub and on nbconvert's pages, in light and dark themes.
Importing this package gives plots a text version too (`minigrad_course.pictures.plots`).
`minigrad_course/README.md` explains how to write a chapter with it.
"""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

if find_spec("IPython") is None:  # the library needs NumPy alone, the course more
    # The command imports this package first, and a traceback would hide what to do.
    is_command = Path(sys.argv[0]).stem in ("minigrad-course", "-m")
    raise (SystemExit if is_command else ImportError)(
        "The course runs in Jupyter, which is missing in this environment: install minigrad-course"
        " with its extra `kernel` for notebooks, or `course` for JupyterLab as well."
    )

import minigrad_course.kernel.stages  # noqa: F401 - finds `minigrad_course.after_03`
from minigrad_course.ask.checking import answered, check, grade, hint, solution
from minigrad_course.ask.expect import attempt, expect_error, expect_warning
from minigrad_course.ask.journal import progress
from minigrad_course.ask.predictions import predict
from minigrad_course.ask.pytorch import beside_pytorch
from minigrad_course.ask.questions import explain
from minigrad_course.ask.scoring import score
from minigrad_course.kernel.cell_order import track_cells
from minigrad_course.kernel.explain import explain_errors
from minigrad_course.kernel.machine import DEEP, limit_calls, show_troubles
from minigrad_course.kernel.reader import yours
from minigrad_course.pictures.plots import prepare_plots

__all__ = [
    "DEEP",
    "answered",
    "attempt",
    "beside_pytorch",
    "check",
    "expect_error",
    "expect_warning",
    "explain",
    "grade",
    "hint",
    "in_pytorch",
    "predict",
    "progress",
    "score",
    "solution",
    "yours",
]

limit_calls()
prepare_plots()
show_troubles()
track_cells()
explain_errors()


def __getattr__(name: str) -> Any:
    """Import `in_pytorch` on first use, because it alone needs minigrad, for its drawings."""
    if name == "in_pytorch":
        from minigrad_course.ask.in_pytorch import in_pytorch

        return in_pytorch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
