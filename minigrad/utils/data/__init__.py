"""`minigrad.utils.data`: datasets, samplers, and loading in batches.

Source: https://docs.pytorch.org/docs/2.13/data.html
"""

from ...support.missing import public_names
from .collate import default_collate, default_convert
from .dataset import Dataset, Subset, TensorDataset, random_split
from .loader import DataLoader
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)

__all__ = [
    "BatchSampler", "DataLoader", "Dataset", "RandomSampler", "Sampler", "SequentialSampler",
    "Subset", "TensorDataset", "default_collate", "default_convert",
    "random_split",
]  # fmt: skip


__getattr__, __dir__ = public_names(__name__, __all__)
