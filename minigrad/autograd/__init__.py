"""`minigrad.autograd`: what `torch.autograd` offers, in its spelling."""

from typing import Any

from .. import anomaly as anomaly_mode
from .. import grad_mode
from ..anomaly import detect_anomaly, set_detect_anomaly
from ..engine import backward, grad
from ..function import Function
from ..grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from . import function, functional, graph
from .gradcheck import gradcheck, gradgradcheck
from .variable import Variable

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


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"module 'minigrad.autograd' has no attribute '{name}': README.md says what is left out of"
        " torch.autograd"
    )
