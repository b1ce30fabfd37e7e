"""`minigrad.utils.data`: datasets, samplers, and loading in batches.

Source: https://docs.pytorch.org/docs/2.13/data.html
"""

from ...support.missing import public_names
from . import dataloader, dataset, sampler
from .collate import default_collate, default_convert
from .dataloader import DataLoader
from .dataset import Dataset, Subset, TensorDataset, random_split
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
)
from .worker import get_worker_info

__all__ = [
    "BatchSampler", "DataLoader", "Dataset", "RandomSampler", "Sampler", "SequentialSampler",
    "Subset", "TensorDataset", "default_collate", "default_convert",
    "dataloader", "dataset", "get_worker_info", "random_split", "sampler",
]  # fmt: skip


__getattr__, __dir__ = public_names(__name__, __all__)
