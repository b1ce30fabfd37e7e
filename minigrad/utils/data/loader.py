"""`DataLoader`: loads a dataset in batches, in the order of a sampler.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.DataLoader
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ...core.tensor import Tensor
from ...ops.creation import as_tensor
from ...support.dtypes import int64
from ...support.random import Generator, stream_of
from .collate import default_collate, default_convert
from .dataset import Subset, TensorDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler


class DataLoader:
    """An iterable of the batches of a dataset, which you can iterate over any index of times.

    Args:
        dataset: anything with `__len__` and `__getitem__`.
        batch_size: samples per batch; the last batch may be smaller. None disables batching.
        shuffle: use a new random order each time.
        sampler: an iterable of indices to use instead of all indices in order.
        batch_sampler: an iterable of lists of indices, one for each batch.
        num_workers: must be 0, since samples are loaded on demand in this process.
        collate_fn: turns a list of samples into a batch; by default `default_collate`.
        pin_memory: has no effect on the CPU.
        drop_last: drop the last batch if it is smaller.
        generator: the source of randomness, by default the one that `manual_seed` seeds.

    Raises:
        ValueError: a batch_size that is not a positive int, an empty dataset to shuffle, or
            arguments that exclude each other.
        NotImplementedError: num_workers is not 0.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        *,
        generator: Generator | None = None,
    ) -> None:
        check_workers(num_workers)
        check_exclusive(batch_size, shuffle, sampler, batch_sampler, drop_last)
        if sampler is None and shuffle:
            sampler = RandomSampler(dataset, generator=generator)
        elif sampler is None:
            sampler = SequentialSampler(dataset)
        if batch_sampler is not None:
            batch_size = None
        elif batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.sampler, self.batch_sampler, self.generator = sampler, batch_sampler, generator
        self.num_workers, self.pin_memory = num_workers, pin_memory
        in_batches = batch_sampler is not None
        self.collate_fn = collate_fn or (default_collate if in_batches else default_convert)

    @property
    def _index_source(self) -> Any:
        """The sampler, or the batch sampler if there are batches."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self) -> int:
        return len(self._index_source)

    def __iter__(self) -> Iterator[Any]:
        indices = iter(self._index_source)
        stream_of(self.generator).seed()  # PyTorch draws one here, for worker processes
        return map(self._loading_function(), indices)

    def _loading_function(self) -> Callable[[Any], Any]:
        """The function that loads a batch for a list of indices, or a sample for an index."""
        dataset, collate = self.dataset, self.collate_fn
        if self.batch_sampler is None:
            return lambda index: collate(dataset[index])
        if collate is default_collate and is_tensor_dataset(dataset):
            return lambda indices: rows(dataset, indices)
        if getattr(dataset, "__getitems__", None):
            return lambda indices: collate(dataset.__getitems__(indices))
        return lambda indices: collate([dataset[index] for index in indices])


def check_workers(num_workers: int) -> None:
    if num_workers:
        raise NotImplementedError(
            "minigrad loads data in the process that asks for it: use num_workers=0"
        )


def check_exclusive(
    batch_size: int | None, shuffle: bool | None, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """ValueError if some of the options contradict each other."""
    if sampler is not None and shuffle:
        raise ValueError("sampler option is mutually exclusive with shuffle")
    if batch_sampler is not None:
        if batch_size != 1 or shuffle or sampler is not None or drop_last:
            raise ValueError(
                "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and"
                " drop_last"
            )
    elif batch_size is None and drop_last:
        raise ValueError(
            "batch_size=None option disables auto-batching and is mutually exclusive with drop_last"
        )


def is_tensor_dataset(dataset: Any) -> bool:
    """Whether `rows` can load its batches: they are rows of tensors that do not require grad."""
    while type(dataset) is Subset:
        dataset = dataset.dataset
    return type(dataset) is TensorDataset and not any(t.requires_grad for t in dataset.tensors)


def rows(dataset: Any, indices: list[int]) -> list[Tensor]:
    """The same batch as `default_collate` of these samples, without creating each sample."""
    while type(dataset) is Subset:
        indices = [dataset.indices[each] for each in indices]
        dataset = dataset.dataset
    index = as_tensor([int(each) for each in indices], dtype=int64)
    return [tensor[index] for tensor in dataset.tensors]
