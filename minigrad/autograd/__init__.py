"""`minigrad.autograd`: the names of `torch.autograd`."""

from typing import Any

from ..core.engine import BackwardPass
from ..core.function import Function
from ..core.grad_mode import enable_grad, no_grad
from ..core.targets import grad
from ..rare.inference import inference_mode
from ..support.backward_args import as_roots
from ..support.missing import public_names
from . import grad_mode
from .grad_mode import set_grad_enabled
from .gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad", "function",
    "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode",
    "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip

_LAZY = {
    "anomaly_mode": "anomaly_mode",
    "detect_anomaly": "anomaly_mode",
    "set_detect_anomaly": "anomaly_mode",
    "Variable": "variable",
    "function": "function",
    "functional": "functional",
    "graph": "graph",
}
__getattr__, __dir__ = public_names(__name__, __all__, _LAZY)


def backward(  #@13
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,  #@14
    *,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from.

    Args:
        tensors: the roots: results to differentiate.
        grad_tensors: a cotangent for each root, in its shape; may be None for one-element roots.
        inputs: accumulate into these tensors only.
        retain_graph, create_graph: as in PyTorch.

    Raises:
        RuntimeError: a root without a graph, a graph that was freed, or a cotangent that is missing
            or has the wrong shape.
    """
    current = BackwardPass(retain_graph=retain_graph, inputs=inputs)
    current.create_graph = create_graph  #@14
    current.run(as_roots(tensors), grad_tensors)
