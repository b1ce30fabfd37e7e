"""`DataLoader`: loads a dataset in batches, in the order of a sampler.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.DataLoader
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, cycle, islice
from typing import Any

from ...core.tensor import Tensor
from ...ops.creation import as_tensor
from ...support.dtypes import int64
from ...support.missing import ExplainsKeywords
from ...support.random import Generator, stream_of
from .collate import default_collate, default_convert
from .dataset import Subset, TensorDataset
from .sampler import BatchSampler, RandomSampler, SequentialSampler
from .worker import Worker, WorkerInfo


class DataLoader(ExplainsKeywords):
    """An iterable of the batches of a dataset, which you can iterate over any number of times.

    Args:
        dataset: anything with `__len__` and `__getitem__`.
        batch_size: samples per batch; the last batch may be smaller. None disables batching.
        shuffle: use a new random order each time.
        sampler: an iterable of indices to use instead of all indices in order.
        batch_sampler: an iterable of lists of indices, one for each batch.
        num_workers: how many workers take turns at loading batches. They compute in this process,
            so they are not faster, but each has PyTorch's random numbers.
        collate_fn: turns a list of samples into a batch; by default `default_collate`.
        pin_memory, timeout, multiprocessing_context, pin_memory_device, in_order: no effect here.
        drop_last: drop the last batch if it is smaller.
        worker_init_fn: called with the number of each worker when it starts.
        generator: the source of randomness, by default the one that `manual_seed` seeds.
        prefetch_factor: how many batches' indices are drawn ahead for each worker, by default 2.
        persistent_workers: keep the workers, and their random numbers, from epoch to epoch.

    Raises:
        ValueError: a batch_size that is not a positive int, an empty dataset to shuffle, or
            arguments that exclude each other.
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
        timeout: float = 0,
        worker_init_fn: Callable[[int], Any] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        check_workers(num_workers, timeout, prefetch_factor, persistent_workers)
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
        self.num_workers, self.pin_memory, self.timeout = num_workers, pin_memory, timeout
        self.worker_init_fn, self.persistent_workers = worker_init_fn, persistent_workers
        self.multiprocessing_context = multiprocessing_context
        self.pin_memory_device, self.in_order = pin_memory_device, in_order
        self.prefetch_factor = prefetch_factor or (2 if num_workers else None)
        self._workers: list[Worker] = []
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
        if self.persistent_workers and self._workers:
            return self._by_workers(indices)
        seed = stream_of(self.generator).seed()  # drawn even if there are no workers
        infos = (
            WorkerInfo(number, self.num_workers, seed + number, self.dataset)
            for number in range(self.num_workers)
        )
        self._workers = [Worker(info, seed, self.worker_init_fn) for info in infos]
        if self._workers:
            return self._by_workers(indices)
        return map(self._loading_function(), indices)

    def _by_workers(self, indices: Iterator[Any]) -> Iterator[Any]:
        """The batches, which the workers load in turn. PyTorch draws the first indices at once."""
        workers = cycle(self._workers)
        ready = list(islice(indices, (self.prefetch_factor or 2) * self.num_workers))
        load = self._loading_function()

        def loaded(worker: Worker, index: Any) -> Any:
            with worker:
                return load(index)

        return map(loaded, workers, chain(ready, indices))

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


def check_workers(
    num_workers: int, timeout: float, prefetch_factor: int | None, persistent_workers: bool
) -> None:
    """ValueError for options of workers that make no sense, or that need workers."""
    if num_workers < 0:
        raise ValueError(
            "num_workers option should be non-negative; use num_workers=0 to disable"
            " multiprocessing."
        )
    if timeout < 0:
        raise ValueError("timeout option should be non-negative")
    if num_workers == 0 and prefetch_factor is not None:
        raise ValueError(
            "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0"
            " to enable multiprocessing, otherwise set prefetch_factor to None."
        )
    if prefetch_factor is not None and prefetch_factor < 0:
        raise ValueError("prefetch_factor option should be non-negative")
    if persistent_workers and num_workers == 0:
        raise ValueError("persistent_workers option needs num_workers > 0")


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
