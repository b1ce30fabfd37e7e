"""Samplers, which decide the order of the samples and group them into batches.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.Sampler
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from ...ops import creation
from ...support.missing import ExplainsKeywords
from ...support.random import Generator, stream_of

T_co = TypeVar("T_co", covariant=True)


class Sampler(ExplainsKeywords, Generic[T_co]):
    """Base class; a subclass defines `__iter__`, and `__len__` if the loader needs a length."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """All indices, in order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """All indices, in a new random order each time.

    Args:
        data_source: the dataset, of which only the length is used.
        replacement: draw with replacement, so that indices may repeat.
        num_samples: how many to draw, by default the length of the dataset. Beyond that length, a
            new permutation begins.
        generator: the source of randomness, by default the one that `manual_seed` seeds.

    Raises:
        TypeError: `replacement` is not a bool.
        ValueError: there are no samples to draw.
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        if not isinstance(replacement, bool):
            raise TypeError(
                f"replacement should be a boolean value, but got replacement={replacement}"
            )
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self._num_samples = num_samples
        check_positive("num_samples", self.num_samples)

    @property
    def num_samples(self) -> int:
        """How many indices are drawn."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(stream_of(None).seed())
        count = len(self.data_source)
        if self.replacement:
            for start in range(0, self.num_samples, 32):  # as many at a time as PyTorch draws
                size = min(32, self.num_samples - start)
                yield from creation.randint(count, (size,), generator=generator).tolist()
            return
        rounds, rest = divmod(self.num_samples, count)
        for _ in range(rounds):
            yield from creation.randperm(count, generator=generator).tolist()
        # Like PyTorch, draw this even if `rest` is 0, because it advances the generator.
        yield from creation.randperm(count, generator=generator).tolist()[:rest]

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Groups the indices of a sampler into lists of batch_size; drop_last drops a shorter last one.

    ValueError unless batch_size is a positive int and drop_last is a bool.
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        check_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        indices = iter(self.sampler)
        while batch := list(islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole if self.drop_last or not rest else whole + 1


def check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
