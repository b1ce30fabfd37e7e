"""`minigrad.autograd`: what `torch.autograd` offers, in its spelling."""

from .. import functional
from ..anomaly import detect_anomaly, set_detect_anomaly
from ..engine import backward, grad
from ..function import Function
from ..grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from ..gradcheck import GradcheckError, gradcheck, gradgradcheck
from . import function, graph

__all__ = [
    "Function",
    "GradcheckError",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]
