"""minigrad: PyTorch's autograd in NumPy and pure Python.

With `import minigrad as torch`, an autograd program prints what PyTorch 2.13 prints: values, reprs,
`grad_fn` names, graphs, the order of hooks, error messages. The notebooks of the course build this
package piece by piece, starting with `notebooks/00_start_here.ipynb`.
"""

import math
import os

from . import core as core

if os.environ.get("MINIGRAD_FAST", "1") != "0":
    try:
        from . import fast as fast  # before the table of operations is built
    except ImportError as error:
        if error.name != __name__:  # the folder exists, but importing it failed
            raise

from . import autograd, ops
from . import rare as rare
from .autograd.grad_mode import set_grad_enabled
from .core.grad_mode import enable_grad, is_grad_enabled, no_grad
from .core.tensor import Tensor
from .ops import creation
from .ops.attributes import is_tensor
from .ops.creation import (
    arange,
    as_tensor,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    get_default_dtype,
    linspace,
    normal,
    ones,
    ones_like,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    set_default_dtype,
    tensor,
    zeros,
    zeros_like,
)
from .rare.inference import inference_mode, is_inference_mode_enabled
from .support import dtypes
from .support.devices import (
    accelerator,
    backends,
    cuda,
    device,
    get_default_device,
    layout,
    set_default_device,
    strided,
)
from .support.dtypes import (
    Size,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    uint8,
)
from .support.formatting import set_printoptions
from .support.missing import public_names
from .support.random import Generator, default_generator, initial_seed, manual_seed, seed
from .support.version import __version__ as __version__

inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
asarray = as_tensor
newaxis = None

# Aliases of dtypes, as in PyTorch. They shadow Python's built-in types in this module only.
half, float, double, bool = float16, float32, float64, dtypes.bool_
short, int, long = int16, int32, int64

for _name, _function in ops.FUNCTIONS.items():
    globals()[_name] = _function

for _dtype in dtypes.ALL:  # FloatTensor, LongTensor, …
    globals()[f"{_dtype.legacy}Tensor"] = creation.legacy_constructor(_dtype)

_LAZY = {
    "conv1d": "nn.functional", "conv2d": "nn.functional",
    "finfo": "support.finfo", "iinfo": "support.finfo",
    "is_anomaly_check_nan_enabled": "autograd.anomaly_mode",
    "is_anomaly_enabled": "autograd.anomaly_mode",
    "linalg": "linalg", "load": "serialization", "nn": "nn", "optim": "optim",
    "save": "serialization", "testing": "testing", "utils": "utils",
}  # fmt: skip

__all__ = [
    "Generator", "Size", "Tensor", "accelerator", "arange", "as_tensor", "asarray", "autograd",
    "backends", "bool", "cuda", "default_generator", "device", "double", "dtype", "e", "empty",
    "empty_like", "enable_grad", "eye", "float", "float16", "float32", "float64", "from_numpy",
    "full", "full_like", "get_default_device", "get_default_dtype", "half", "inf", "inference_mode",
    "initial_seed", "int", "int16", "int32", "int64", "int8", "is_grad_enabled",
    "is_inference_mode_enabled", "is_tensor", "layout", "linspace", "long", "manual_seed", "nan",
    "newaxis", "no_grad", "normal", "ones", "ones_like", "pi", "promote_types", "rand", "rand_like",
    "randint", "randn", "randn_like", "randperm", "seed", "set_default_device", "set_default_dtype",
    "set_grad_enabled", "set_printoptions", "short", "strided", "tensor", "uint8", "zeros",
    "zeros_like",
    *_LAZY, *ops.FUNCTIONS, *(f"{kind.legacy}Tensor" for kind in dtypes.ALL),
]  # fmt: skip
__getattr__, __dir__ = public_names(__name__, __all__, _LAZY)
