"""`minigrad.autograd.function`: the names that programs import from `torch.autograd.function`."""

from ..core.function import Function, FunctionNode
from ..rare.once_differentiable import once_differentiable
from ..support.missing import public_names

FunctionCtx = BackwardCFunction = FunctionNode  # ctx is the node

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "once_differentiable"]

__getattr__, __dir__ = public_names(__name__, __all__)
