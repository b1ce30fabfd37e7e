"""`minigrad.autograd`: what `torch.autograd` offers, in its spelling."""

from ..core import grad_mode
from ..core.function import Function
from ..core.grad_mode import enable_grad, no_grad, set_grad_enabled
from ..core.targets import backward, grad
from ..more.inference import inference_mode
from ..support.missing import missing_from
from .gradcheck import gradcheck, gradgradcheck

__all__ = [
    "Function", "Variable", "anomaly_mode", "backward", "detect_anomaly", "enable_grad", "function",
    "functional", "grad", "grad_mode", "gradcheck", "gradgradcheck", "graph", "inference_mode",
    "no_grad", "set_detect_anomaly", "set_grad_enabled",
]  # fmt: skip

LATER = {
    "anomaly_mode": "anomaly_mode",
    "detect_anomaly": "anomaly_mode",
    "set_detect_anomaly": "anomaly_mode",
    "Variable": "variable",
    "function": "function",
    "functional": "functional",
    "graph": "graph",
}
__getattr__ = missing_from(__name__, LATER)


def __dir__() -> list[str]:
    return sorted({*globals(), *LATER})
