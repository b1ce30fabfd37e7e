"""`minigrad.optim`: from gradients to better parameters.

Source: https://docs.pytorch.org/docs/2.13/optim.html
"""

from .adam import Adam
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Adam", "Optimizer"]
