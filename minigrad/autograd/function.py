"""`minigrad.autograd.function`: the names that programs import from `torch.autograd.function`."""

from ..core.function import Function, FunctionNode
from ..more.once_differentiable import once_differentiable
from ..support.missing import missing_from

FunctionCtx = BackwardCFunction = FunctionNode  # ctx is the node

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "once_differentiable"]

__getattr__ = missing_from(__name__)
