"""What rows and rules compute with when they compute with bare arrays.

- `KERNELS`: of a row (what users call) a kernel that gives the same as its own, faster. What the
  row's own kernel would refuse it leaves to that one, which says why.
- `RULES`: of a row and an input a rule on arrays that gives the same as its own, faster.
- `TWINS`: of a helper on tensors that rules name the same on arrays. A row means its kernel there,
  a helper on numbers itself: `meaning` knows, and `on_arrays` runs the code of a rule so.

These functions take arrays, or NumPy's scalars for 0-d ones, and may return either. Their first
line says which plain expression they stand for.
"""

from ...ops import padding  # noqa: F401 - all of `ops` is to be there before it is nameless
from ..silence import nameless
from .arrays import KERNELS, RULES, TWINS, meaning, on_arrays

from . import broadcasting, elementwise, reductions, indexing, losses, products, convolution  # isort: skip

__all__ = ["KERNELS", "RULES", "TWINS", "meaning", "on_arrays"]
__all__ += ["broadcasting", "elementwise", "reductions", "indexing", "losses", "products"]
__all__ += ["convolution"]

# The kernels of the table are called from here, too.
nameless("fast.kernels.", "ops.", "support.layouts")
