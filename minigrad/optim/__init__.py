"""`minigrad.optim`: from gradients to better parameters.

Source: https://docs.pytorch.org/docs/2.13/optim.html
"""

from ..support.missing import missing_from
from . import lr_scheduler
from .adam import Adam, AdamW
from .optimizer import Optimizer
from .sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]


__getattr__ = missing_from(__name__)
