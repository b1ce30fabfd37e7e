"""`minigrad.autograd.function`: the names that programs import from `torch.autograd.function`."""

from ..function import Function, FunctionNode, once_differentiable

FunctionCtx = FunctionNode  # ctx is the node

__all__ = ["Function", "FunctionCtx", "once_differentiable"]
