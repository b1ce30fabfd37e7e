"""Samplers: in which order the samples of a dataset come, and which of them make a batch.

Source: https://docs.pytorch.org/docs/2.13/data.html#torch.utils.data.Sampler
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar

from ...ops import creation
from ...support.random import Generator, stream_of

T_co = TypeVar("T_co", covariant=True)


class Sampler(Generic[T_co]):
    """Base class: a subclass defines `__iter__`, and `__len__` if loaders are asked for theirs."""

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError


class SequentialSampler(Sampler[int]):
    """The numbers of all samples, in order."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """The numbers of all samples in random order, a new one each time.

    Args:
        data_source: the dataset, of which only the length counts.
        replacement: draw every number from all, so that some come twice and others never.
        num_samples: how many to draw, by default as many as there are; without replacement, more
            than these begin anew.
        generator: where the order comes from, by default from what `manual_seed` seeds.

    Raises:
        TypeError: a replacement that is no bool. ValueError: no samples.
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
        """How many numbers are drawn."""
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        generator = self.generator
        if generator is None:
            generator = Generator().manual_seed(stream_of(None).seed())
        count = len(self.data_source)
        if self.replacement:
            drawn = creation.randint(count, (self.num_samples,), generator=generator)
            yield from drawn.tolist()
            return
        rounds, rest = divmod(self.num_samples, count)
        for _ in range(rounds):
            yield from creation.randperm(count, generator=generator).tolist()
        # Drawn even if nothing is left to fill, as in PyTorch: the next round depends on it.
        yield from creation.randperm(count, generator=generator).tolist()[:rest]

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """What another sampler gives, in lists of batch_size; drop_last leaves a shorter last one out.

    ValueError unless batch_size is a positive int and drop_last a bool.
    """

    def __init__(self, sampler: Iterable[Any], batch_size: int, drop_last: bool) -> None:
        check_positive("batch_size", batch_size)
        if not isinstance(drop_last, bool):
            raise ValueError(f"drop_last should be a boolean value, but got drop_last={drop_last}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        numbers = iter(self.sampler)
        while batch := list(islice(numbers, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)  # type: ignore[arg-type]
        return whole if self.drop_last or not rest else whole + 1


def check_positive(name: str, value: Any) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError(f"{name} should be a positive integer value, but got {name}={value}")
