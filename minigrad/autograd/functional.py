"""`minigrad.autograd.functional`: Jacobians, Hessians and their products with vectors."""

from ..functional import hessian, hvp, jacobian, jvp, vhp, vjp

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
