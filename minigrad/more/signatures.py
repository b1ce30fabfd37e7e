"""What `help` shows of `backward` and `grad`: the options of a pass, and not `**options`."""

from __future__ import annotations

from ..core.engine import BackwardPass, backward
from ..core.targets import GradPass, grad
from ..support.options import show_options

show_options(backward, BackwardPass)
show_options(grad, GradPass)
