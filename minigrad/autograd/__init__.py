"""`minigrad.autograd`: what `torch.autograd` offers, in its spelling."""

from .. import anomaly as anomaly_mode
from .. import grad_mode
from ..anomaly import detect_anomaly, set_detect_anomaly
from ..engine import backward, grad
from ..function import Function
from ..grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from ..missing import missing_from
from .gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function",
    "Variable",
    "anomaly_mode",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
]

LATER = {
    "Variable": "variable",
    "function": "function",
    "functional": "functional",
    "graph": "graph",
}
__getattr__ = missing_from(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
