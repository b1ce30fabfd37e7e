"""Exact but rare: what hangs on the core from outside, and what no chapter builds.

`saved_values` lets nodes show what they have saved, and comes with the stages of the library from
chapter 03 on. The rest is there when the library is complete.
"""

from . import saved_values  #@03
from . import subclasses, inference, saved_tensors_hooks, copying, nodes, signatures  #@rare
