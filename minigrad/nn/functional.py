"""`minigrad.nn.functional`: the operations of networks as functions."""

from ..ops.elementwise import relu, sigmoid, tanh
from ..ops.products import linear

__all__ = ["linear", "relu", "sigmoid", "tanh"]
