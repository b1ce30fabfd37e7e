"""`minigrad.autograd.graph`: nodes, edges and what they save, as in `torch.autograd.graph`."""

from ..engine import GradientEdge, get_gradient_edge
from ..hooks import RemovableHandle
from ..inplace import changed as increment_version
from ..node import Node
from ..saved_hooks import disable_saved_tensors_hooks, saved_tensors_hooks

__all__ = [
    "GradientEdge",
    "Node",
    "RemovableHandle",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "saved_tensors_hooks",
]
