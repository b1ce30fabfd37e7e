"""`minigrad.autograd.function`: the names that programs import from `torch.autograd.function`."""

from ..function import Function, FunctionNode, once_differentiable

FunctionCtx = BackwardCFunction = FunctionNode  # ctx is the node

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "once_differentiable"]
