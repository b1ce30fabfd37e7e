"""The library that the notebooks build: one idea a file, in the order of the chapters.

A line that belongs to a later chapter than its file ends with the number of that chapter, as
`# 05`; with a colon, as `# 10:`, it comes to stand around its block at that chapter. The mark 99 is
on lines for what is exact but rare, which no chapter shows, and 98 on those where the accelerator
plugs in. The text at a chapter is the text without the lines of later ones: that is what its
notebook shows, and what runs there. From 20 on stand the workshops.

This is what runs with `MINIGRAD_FAST=0`, for stepping through it. By default `minigrad.fast` does
the usual operations and passes in its place, and leaves the rest to this: `Operation.__call__` and
`BackwardPass.execute` are seldom called there.
"""

from . import tensor
from . import node, operation  # 03
from .checks import graph  # 03
from . import engine  # 04
from . import leaves  # 05
from . import function  # 08
from . import gradcheck  # 09
from . import grad_mode  # 10
from . import inplace  # 11
from . import broadcasting  # 12
from . import targets  # 13
from . import hooks  # 15
from . import jacobians  # 23
