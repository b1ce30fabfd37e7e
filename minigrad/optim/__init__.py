"""`minigrad.optim`: optimizers, which update parameters from their gradients.

Source: https://docs.pytorch.org/docs/2.13/optim.html
"""

from ..support.missing import public_names
from . import lr_scheduler
from .adam import Adam, AdamW
from .optimizer import Optimizer
from .rmsprop import RMSprop
from .sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]


__getattr__, __dir__ = public_names(__name__, __all__)
