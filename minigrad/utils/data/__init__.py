"""`minigrad.utils.data`: samples, and batches of them.

Source: https://docs.pytorch.org/docs/2.13/data.html
"""

from .dataset import Dataset, Subset, TensorDataset, random_split
from .loader import DataLoader, default_collate

__all__ = ["DataLoader", "Dataset", "Subset", "TensorDataset", "default_collate", "random_split"]
