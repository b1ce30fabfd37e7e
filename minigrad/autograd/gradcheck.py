"""`minigrad.autograd.gradcheck`: the names that programs import from `torch.autograd.gradcheck`.

The package has the function of this name too, and `autograd.gradcheck` is the function, as in
PyTorch; `from minigrad.autograd.gradcheck import GradcheckError` finds the module.
"""

from ..gradcheck import GradcheckError, gradcheck, gradgradcheck

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
