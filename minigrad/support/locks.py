"""The lock under which threads that share a leaf add to its gradient, as in PyTorch.

Without it, two threads could both read the old sum before either writes the new one, and one
gradient would be lost.

Source: the mutex of torch/csrc/autograd/functions/accumulate_grad.h
"""

from __future__ import annotations

import threading

one_at_a_time = threading.RLock()  # reentrant, because a saved-tensor hook may run a pass itself
