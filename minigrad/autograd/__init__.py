"""`minigrad.autograd`: what `torch.autograd` offers, in its spelling."""

from .. import functional
from ..engine import backward, grad
from ..function import Function
from ..grad_mode import enable_grad, no_grad, set_grad_enabled
from ..gradcheck import GradcheckError, gradcheck, gradgradcheck
from . import function

__all__ = [
    "Function",
    "GradcheckError",
    "backward",
    "enable_grad",
    "function",
    "functional",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "no_grad",
    "set_grad_enabled",
]
