"""Datasets, which return samples by index.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.Dataset
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from ...core.tensor import Tensor
from ...ops import creation
from ...support.errors import warn
from ...support.missing import ExplainsKeywords
from ...support.random import Generator

T_co = TypeVar("T_co", covariant=True)


class Dataset(ExplainsKeywords, Generic[T_co]):
    """Base class; a subclass defines `__getitem__`, and `__len__` for use in a `DataLoader`."""

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Sample i is a tuple of row i of each tensor. AssertionError if their lengths differ."""

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensor.size(0) != tensors[0].size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class Subset(Dataset[T_co]):
    """The samples of a dataset at the given indices."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> T_co:
        if isinstance(index, list):
            index = [self.indices[each] for each in index]
        else:
            index = self.indices[index]
        sample: T_co = self.dataset[index]
        return sample

    def __getitems__(self, indices: list[int]) -> list[T_co]:
        """All samples of a batch, which the loader requests in a single call if it can."""
        selected = [self.indices[index] for index in indices]
        if callable(getattr(self.dataset, "__getitems__", None)):
            samples: list[T_co] = self.dataset.__getitems__(selected)
            return samples
        return [self.dataset[index] for index in selected]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = None
) -> list[Subset[Any]]:
    """Split a dataset randomly into disjoint subsets.

    Args:
        dataset: anything with `__len__` and `__getitem__`.
        lengths: the number of samples in each subset, or fractions that add up to 1.
        generator: the source of randomness, by default the one that `manual_seed` seeds.

    Raises:
        ValueError: lengths that do not add up to the length of the dataset.
    """
    fractions = math.isclose(sum(lengths), 1) and sum(lengths) <= 1
    sizes: list[Any] = split_sizes(len(dataset), lengths) if fractions else list(lengths)
    if sum(sizes) != len(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = creation.randperm(len(dataset), generator=generator).tolist()
    starts = [sum(sizes[:part]) for part in range(len(sizes))]
    return [Subset(dataset, order[i : i + n]) for i, n in zip(starts, sizes, strict=True)]


def split_sizes(total: int, fractions: Sequence[float]) -> list[int]:
    """Split `total` by fractions, rounding down; the remainder is spread from the first part on."""
    for index, fraction in enumerate(fractions):
        if not 0 <= fraction <= 1:
            raise ValueError(f"Fraction at index {index} is not between 0 and 1")
    sizes = [math.floor(total * fraction) for fraction in fractions]
    for extra in range(total - sum(sizes)):
        sizes[extra % len(sizes)] += 1
    for index, size in enumerate(sizes):
        if size == 0:
            warn(f"Length of split at index {index} is 0. This might result in an empty dataset.")
    return sizes
