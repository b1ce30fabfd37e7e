"""`DataLoader`: a dataset in batches, shuffled anew each time it is gone through.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.DataLoader
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ... import creation, dtypes
from ...ops.indexing import stack
from ...random import Generator
from ...tensor import Tensor


class DataLoader:
    """Batches of a dataset; to iterate over as often as one likes.

    Args:
        dataset: anything with a length and numbered samples.
        batch_size: samples a batch; the last one may be smaller.
        shuffle: take the samples in random order, a new one each time.
        drop_last: leave out a last batch that would be smaller.
        generator: where the order comes from, by default from what `manual_seed` seeds. It is
            reproducible, but not PyTorch's.
        collate_fn: makes a batch of a list of samples.

    Raises:
        ValueError: a batch_size that is no positive int, or nothing to shuffle.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int = 1,
        shuffle: bool = False,
        *,
        drop_last: bool = False,
        generator: Generator | None = None,
        collate_fn: Callable[[list[Any]], Any] | None = None,
    ) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(
                f"batch_size should be a positive integer value, but got batch_size={batch_size}"
            )
        if shuffle and len(dataset) == 0:
            raise ValueError(
                "num_samples should be a positive integer value, but got num_samples=0"
            )
        self.dataset, self.batch_size, self.shuffle = dataset, batch_size, shuffle
        self.drop_last, self.generator = drop_last, generator
        self.collate_fn = default_collate if collate_fn is None else collate_fn

    def __len__(self) -> int:
        whole, rest = divmod(len(self.dataset), self.batch_size)
        return whole if self.drop_last or not rest else whole + 1

    def __iter__(self) -> Iterator[Any]:
        count = len(self.dataset)
        order: Sequence[int] = range(count)
        if self.shuffle:
            order = creation.randperm(count, generator=self.generator).tolist()
        for batch in range(len(self)):
            numbers = order[batch * self.batch_size : (batch + 1) * self.batch_size]
            yield self.collate_fn([self.dataset[number] for number in numbers])


def default_collate(batch: Sequence[Any]) -> Any:
    """A batch of samples of one kind: tensors stacked, numbers in a tensor, tuples by position.

    Raises:
        TypeError: samples that are none of these, nor dicts, nor strings.
        RuntimeError: tensors of different shape, tuples of different length.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(batch)
    if isinstance(first, (np.ndarray, np.generic)):
        return stack([creation.from_numpy(np.asarray(sample)) for sample in batch])
    if isinstance(first, float):
        return creation.tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return creation.tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([sample[key] for sample in batch]) for key in first}
    if isinstance(first, (tuple, list)):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(samples) for samples in zip(*batch, strict=True)]
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found"
        f" {type(first)}"
    )
