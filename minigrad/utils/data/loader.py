"""`DataLoader`: a dataset in batches, in the order that a sampler gives.

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
    """Batches of a dataset; to iterate over as often as one likes.

    Args:
        dataset: anything with a length and numbered samples.
        batch_size: samples a batch; the last one may be smaller. None gives the samples themselves.
        shuffle: take the samples in random order, a new one each time.
        sampler: gives the numbers of the samples, instead of all in order.
        batch_sampler: gives lists of such numbers, one a batch.
        num_workers: 0: samples are loaded when they are asked for, in the same process.
        collate_fn: makes a batch of a list of samples, by default `default_collate`.
        pin_memory: of no effect on the CPU.
        drop_last: leave out a last batch that would be smaller.
        generator: where a random order comes from, by default from what `manual_seed` seeds.

    Raises:
        ValueError: a batch_size that is no positive int, nothing to shuffle, or arguments that
            exclude each other.
        NotImplementedError: workers.
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
    def _numbers(self) -> Any:
        """The numbers of the samples, or lists of them."""
        return self.sampler if self.batch_sampler is None else self.batch_sampler

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        numbers = iter(self._numbers)
        stream_of(self.generator).seed()  # PyTorch draws one here, for worker processes
        return map(self._taker(), numbers)

    def _taker(self) -> Callable[[Any], Any]:
        """What makes a batch, or a sample, of what `_numbers` gives."""
        dataset, collate = self.dataset, self.collate_fn
        if self.batch_sampler is None:
            return lambda number: collate(dataset[number])
        if collate is default_collate and consists_of_rows(dataset):
            return lambda numbers: rows(dataset, numbers)
        if getattr(dataset, "__getitems__", None):
            return lambda numbers: collate(dataset.__getitems__(numbers))
        return lambda numbers: collate([dataset[number] for number in numbers])


def check_workers(num_workers: int) -> None:
    if num_workers:
        raise NotImplementedError(
            "minigrad loads data in the process that asks for it: use num_workers=0"
        )


def check_exclusive(
    batch_size: int | None, shuffle: bool | None, sampler: Any, batch_sampler: Any, drop_last: bool
) -> None:
    """Raise if one of the options leaves another without meaning."""
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


def consists_of_rows(dataset: Any) -> bool:
    """Whether `rows` may take batches from it: rows of tensors, and nothing would be recorded."""
    while type(dataset) is Subset:
        dataset = dataset.dataset
    return type(dataset) is TensorDataset and not any(t.requires_grad for t in dataset.tensors)


def rows(dataset: Any, numbers: list[int]) -> list[Tensor]:
    """The batch that `default_collate` makes of these samples, without making the samples."""
    while type(dataset) is Subset:
        numbers = [dataset.indices[number] for number in numbers]
        dataset = dataset.dataset
    picked = as_tensor([int(number) for number in numbers], dtype=int64)
    return [tensor[picked] for tensor in dataset.tensors]
