"""`minigrad.nn`: neural networks, which are modules made of modules.

A `Parameter` is a tensor to train, and a `Module` finds all of its parameters. The building blocks
are in `layers`, `normalization`, `activations`, `losses` and `containers`; most of them just
call a function of `functional`. `init` initializes parameters, and `utils` clips their gradients.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from ..support.missing import public_names
from . import functional, init, utils
from .activations import (
    ELU,
    GELU,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    ReLU,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
)
from .containers import ModuleDict, ModuleList, Sequential
from .layers import (
    AvgPool2d,
    Conv1d,
    Conv2d,
    Dropout,
    Dropout2d,
    Embedding,
    Flatten,
    Identity,
    Linear,
    MaxPool2d,
)
from .losses import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from .module import Module
from .normalization import BatchNorm1d, BatchNorm2d, LayerNorm
from .parameter import Parameter

__all__ = [
    "functional", "init", "utils", "Module", "Parameter", "ModuleDict", "ModuleList", "Sequential",
    "BatchNorm1d", "BatchNorm2d", "LayerNorm", "AvgPool2d", "Conv1d", "Conv2d", "Dropout",
    "Dropout2d", "Embedding", "Flatten", "Identity", "Linear", "MaxPool2d", "ELU", "GELU",
    "Hardtanh", "LeakyReLU", "LogSigmoid", "LogSoftmax", "ReLU", "Sigmoid", "SiLU", "Softmax",
    "Softplus", "Tanh", "BCELoss", "BCEWithLogitsLoss", "CrossEntropyLoss", "HuberLoss", "L1Loss",
    "MSELoss", "NLLLoss", "SmoothL1Loss",
]  # fmt: skip

__getattr__, __dir__ = public_names(__name__, __all__)
