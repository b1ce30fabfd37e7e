"""Rarely used features that extend the core from outside and that no chapter builds.

`saved_values` lets nodes show their saved values, and is part of the library from chapter 03 on.
The rest is only in the complete library.
"""

from . import saved_values  #@03
from . import subclasses, inference, saved_tensors_hooks, copying, nodes, signatures  #@rare
