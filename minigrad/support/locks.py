"""Threads that share a leaf take turns adding to its gradient, as in PyTorch.

Without that, two of them could read the old sum before either has written the new one, and one
gradient would be lost.

Source: the mutex of torch/csrc/autograd/functions/accumulate_grad.h
"""

from __future__ import annotations

import threading

one_at_a_time = threading.RLock()  # hooks on what a sum saves may run a pass of their own
