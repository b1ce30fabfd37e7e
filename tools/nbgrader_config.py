"""nbgrader's settings for the folder `assignments`; `tools/assignment.py` puts a copy there."""

import os
import sysconfig

c = get_config()  # type: ignore[name-defined]  # noqa: F821 - there when nbgrader runs this
c.CourseDirectory.course_id = "minigrad"
c.ClearSolutions.code_stub = {"python": ""}  # each answer's cell has a stub of its own

# nbgrader calls `alembic` by its name, which the shell does not find where the environment was not
# activated.
scripts = sysconfig.get_path("scripts")
os.environ["PATH"] = os.pathsep.join([scripts, *filter(None, [os.environ.get("PATH")])])
