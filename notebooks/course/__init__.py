"""What the notebooks import to teach: predictions, checked exercises, errors shown on purpose.

    from course import check, expect_error, predict

Everything shows itself as plain HTML (no script, no style sheet) with a text twin, so that it
reads the same in JupyterLab, trusted or not, on GitHub and in nbconvert's pages, in light and dark
themes.
`course/README.md` says how to write a chapter with it.
"""

from course.checking import check, hint, solution
from course.predictions import predict
from course.provoke import expect_error, expect_warning

__all__ = ["check", "expect_error", "expect_warning", "hint", "predict", "solution"]
