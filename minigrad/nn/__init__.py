"""`minigrad.nn`: networks, as modules made of modules.

`parameter` has what is trained, `module` what finds it; `layers`, `normalization`, `activations`,
`losses` and `containers` are the modules to build with, and each computes by a function of
`functional`. `init` fills parameters with their first values, `utils` clips their gradients.

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
    Conv1d,
    Conv2d,
    Dropout,
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
    "BatchNorm1d", "BatchNorm2d", "LayerNorm", "Conv1d", "Conv2d", "Dropout", "Embedding",
    "Flatten", "Identity", "Linear", "MaxPool2d", "ELU", "GELU", "Hardtanh", "LeakyReLU",
    "LogSigmoid", "LogSoftmax", "ReLU", "Sigmoid", "SiLU", "Softmax", "Softplus", "Tanh", "BCELoss",
    "BCEWithLogitsLoss", "CrossEntropyLoss", "HuberLoss", "L1Loss", "MSELoss", "NLLLoss",
    "SmoothL1Loss",
]  # fmt: skip

__getattr__, __dir__ = public_names(__name__, __all__)
