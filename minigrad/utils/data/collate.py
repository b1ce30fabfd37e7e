"""Turning samples into batches: `default_collate`, and `default_convert` without batches.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.default_collate
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.tensor import Tensor
from ...ops import creation
from ...ops.indexing import stack
from ...support import dtypes


def default_collate(batch: Sequence[Any]) -> Any:
    """Combine samples into a batch: stack tensors, put numbers in a tensor, recurse into sequences.

    Raises:
        TypeError: samples that are none of these, and neither mappings nor strings.
        RuntimeError: tensors of different shapes, or sequences of different lengths.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch)
    if isinstance(first, (np.ndarray, np.generic)) and not isinstance(first, (str, bytes)):
        if first.dtype.kind in "SUO":
            raise unsupported_type(first.dtype)
        return stack([creation.as_tensor(np.asarray(sample)) for sample in batch])
    if isinstance(first, float):
        return creation.tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return creation.tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return like_sequence(first, map(default_collate, zip(*batch, strict=True)))
    raise unsupported_type(type(first))


def default_convert(sample: Any) -> Any:
    """Convert all arrays in a sample to tensors."""
    if isinstance(sample, (np.ndarray, np.generic)) and sample.dtype.kind not in "SUO":
        return creation.as_tensor(np.asarray(sample))
    if isinstance(sample, Mapping):
        return {key: default_convert(each) for key, each in sample.items()}
    if isinstance(sample, Sequence) and not isinstance(sample, (str, bytes)):
        return like_sequence(sample, map(default_convert, sample))
    return sample


def like_sequence(first: Sequence[Any], values: Iterable[Any]) -> Any:
    """`values` as a namedtuple if `first` is one, else as a list."""
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*values)
    return list(values)


def unsupported_type(found: Any) -> TypeError:
    return TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found"
        f" {found}"
    )
