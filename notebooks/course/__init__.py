"""What the notebooks import to teach: predictions, checked exercises, errors shown on purpose,
programs beside PyTorch, and in it.

    from course import check, expect_error, predict, score
    from course.after_03 import Node, Tensor, method_of

The second line imports the library as chapter 03 left it (`course.stages`).

Everything shows itself as plain HTML (no script, no style sheet) with a text twin, so that it
reads the same in JupyterLab, trusted or not, on GitHub and in nbconvert's pages, in light and dark
themes. Plots get a text twin as soon as this is imported (`course.plots`).
`course/README.md` says how to write a chapter with it.
"""

from typing import Any

import course.stages  # noqa: F401 - lets `import course.after_03` find its package
from course.checking import answered, check, grade, hint, solution
from course.explain import explain_errors
from course.journal import progress
from course.machine import DEEP, limit_calls, tell_what_is_missing
from course.order import follow_the_cells
from course.plots import describe_plots
from course.predictions import predict
from course.provoke import attempt, expect_error, expect_warning
from course.pytorch import beside_pytorch
from course.reader import yours
from course.scoring import score

__all__ = [
    "DEEP",
    "answered",
    "attempt",
    "beside_pytorch",
    "check",
    "expect_error",
    "expect_warning",
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
describe_plots()
tell_what_is_missing()
follow_the_cells()
explain_errors()


def __getattr__(name: str) -> Any:
    """`in_pytorch` draws with minigrad, which the rest does without."""
    if name == "in_pytorch":
        from course.inside import in_pytorch

        return in_pytorch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
