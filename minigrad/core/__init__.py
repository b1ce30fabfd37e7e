"""The library that the notebooks build: one idea per file, in the order of the chapters.

A line that belongs to a later chapter than its file ends with the mark of that chapter, `#@05`.
With a colon, `#@10:`, it is the header of its block from that chapter on; before, that block is
dedented. `#@rare` marks what is exact but so rare that no chapter shows it, and `#@fast` marks the
places where the accelerator plugs in. Without the lines of later chapters, this is the library as a
chapter builds it, and what its notebook shows and runs. Chapter 22 is optional.

Set `MINIGRAD_FAST=0` to step through this code. By default `minigrad.fast` takes over the usual
operations and passes and falls back to this code for everything else, so a debugger seldom stops in
`Operation.__call__` or `BackwardPass.execute`.
"""

from . import tensor
from . import node, operation, checks  #@03
from . import engine  #@04
from . import leaves  #@05
from . import function  #@08
from . import gradcheck  #@09
from . import grad_mode  #@10
from . import inplace  #@11
from . import broadcasting  #@12
from . import targets  #@13
from . import hooks  #@15
from . import jacobians  #@18
