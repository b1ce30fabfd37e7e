"""`save` and `load`: tensors, numbers, strings, and dictionaries and lists of them, in a file.

The file is a ZIP archive: `structure.json`, and an array in NumPy's format for each tensor. Loading
it cannot run code, which loading a pickle can. It is not PyTorch's format, which pickles.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.save.html
"""

from __future__ import annotations

import json
import zipfile
from collections import OrderedDict
from typing import Any

import numpy as np

from .core.tensor import Tensor, as_array, new_tensor
from .nn.parameter import Parameter
from .support import dtypes
from .support.devices import device

KINDS: dict[str, Any] = {
    "list": list, "tuple": tuple, "Size": dtypes.Size, "dict": dict, "OrderedDict": OrderedDict
}  # fmt: skip


def save(obj: Any, f: Any) -> None:
    """Write `obj` to the file `f`, a path or a file that is open for writing bytes.

    A tensor that occurs twice is loaded as one; views of one memory are loaded as separate tensors.
    TypeError for anything but tensors, numbers, strings, None, and containers of them.
    """
    tensors: dict[int, tuple[int, Tensor]] = {}
    structure = described(obj, tensors)
    with zipfile.ZipFile(f, "w") as archive:
        archive.writestr("structure.json", json.dumps(structure))
        for number, tensor in tensors.values():
            with archive.open(f"{number}.npy", "w") as file:
                np.lib.format.write_array(file, as_array(tensor), allow_pickle=False)


def described(obj: Any, tensors: dict[int, tuple[int, Tensor]]) -> Any:
    """`obj` in terms of JSON; adds the tensors in it to `tensors`."""
    kind = type(obj).__name__
    if obj is None or type(obj) in (bool, int, float, str):
        return obj
    if isinstance(obj, Tensor):
        number, _ = tensors.setdefault(id(obj), (len(tensors), obj))
        return {"tensor": [number, obj.requires_grad, isinstance(obj, Parameter)]}
    if type(obj) is KINDS.get(kind):
        items = obj.items() if isinstance(obj, dict) else obj
        return {kind: [described(each, tensors) for each in items]}
    raise TypeError(
        f"minigrad saves tensors, numbers, strings, and dictionaries and lists of them, but not"
        f" {type(obj)}; of a module or an optimizer, save the state_dict()"
    )


def load(f: Any, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """Read what `save` has written to the file `f`, a path or a file that is open for reading.

    Args:
        f: the file.
        map_location: the CPU, for programs that say so; RuntimeError for another device.
        weights_only: no effect, because loading never runs code.

    Raises:
        RuntimeError: the file was not written by `save`; PyTorch's own files are of another kind.
    """
    if map_location is not None:
        device(map_location)
    try:
        with zipfile.ZipFile(f) as archive:
            return restored(json.loads(archive.read("structure.json")), archive, {})
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise RuntimeError(f"minigrad.save has not written this file: {error}") from None


def restored(structure: Any, archive: zipfile.ZipFile, tensors: dict[int, Tensor]) -> Any:
    """The object that `structure` describes."""
    if not isinstance(structure, dict):
        return structure
    ((kind, content),) = structure.items()
    if kind in KINDS:
        return KINDS[kind](restored(each, archive, tensors) for each in content)
    number, requires_grad, is_parameter = content
    if number not in tensors:
        with archive.open(f"{number}.npy") as file:
            array = np.lib.format.read_array(file, allow_pickle=False)
        tensor = new_tensor(array)
        tensors[number] = Parameter(tensor, requires_grad) if is_parameter else tensor
        tensors[number].requires_grad_(requires_grad)
    return tensors[number]
