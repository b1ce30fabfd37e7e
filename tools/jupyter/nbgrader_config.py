"""nbgrader's settings for the folder `assignments`; `tools/assignment.py` puts a copy there."""

import os
import sysconfig
from pathlib import Path

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - there when nbgrader runs this
c.CourseDirectory.course_id = "minigrad"
c.ClearSolutions.code_stub = {"python": ""}  # each answer's cell has a stub of its own

# Kernels import `course` and this checkout. nbgrader calls `alembic` by its name, which the shell
# does not find where the environment was not activated.
checkout = Path(__file__).resolve().parents[1]
for name, folders in (
    ("PYTHONPATH", [checkout]),
    ("PATH", [sysconfig.get_path("scripts")]),
):
    inherited = os.environ.get(name)
    os.environ[name] = os.pathsep.join([*map(str, folders), *([inherited] if inherited else [])])
