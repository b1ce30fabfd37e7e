"""Random numbers: generators, and the one that everything draws from by default.

The numbers are PyTorch's: the same seed gives the same ones, so a seeded program prints what it
prints there. PyTorch's CPU generator is the Mersenne Twister, which NumPy has as well; what is done
here is to make floats, integers and permutations of its 32-bit words in the same way. Normal
numbers, 16 or more of them, may differ in the last digit, for logarithm and cosine come from NumPy.
Whether an element is dropped follows PyTorch on AMD processors; on Intel's it asks another library.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.Generator.html,
aten/src/ATen/core/DistributionsHelper.h and aten/src/ATen/native/cpu/DistributionTemplates.h
"""

from __future__ import annotations

import functools
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SEED_OF_A_NEW_GENERATOR = 67280421310721
BLOCK = 16  # as many normal numbers are made at once


class Generator:
    """A source of random numbers of its own: equal seeds give equal numbers."""

    def __init__(self) -> None:
        self.manual_seed(SEED_OF_A_NEW_GENERATOR)

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`, a 64-bit number. RuntimeError unless an int, ValueError if long.

        A negative seed counts down from 2 ** 64.
        """
        if not isinstance(seed, (int, np.integer)):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}")
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._seed = int(seed) % 2**64
        self.__dict__.pop("_stream", None)
        return self

    @functools.cached_property
    def _stream(self) -> Stream:
        """What draws the numbers; made when the first is asked for, for numpy.random loads late."""
        return Stream(self._seed)

    def seed(self) -> int:
        """Start again from a seed that nobody knows beforehand, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8)))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the numbers started from."""
        return self._seed

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


class Stream:
    """The numbers of a Mersenne Twister, in the forms that tensors need.

    `shape` is any shape; a result of shape () is a NumPy scalar.
    """

    def __init__(self, seed: int) -> None:
        self._twister = np.random.RandomState(seed % 2**32)
        self._spare: float | None = None  # normal numbers come in pairs

    def words(self, count: int) -> NDArray[np.uint64]:
        """32-bit numbers, as the twister gives them."""
        return self._twister.randint(2**32, size=count, dtype=np.uint32).astype(np.uint64)

    def long_words(self, count: int) -> NDArray[np.uint64]:
        """64-bit numbers, of two words each."""
        high, low = self.words(2 * count).reshape(count, 2).T
        return (high << np.uint64(32)) | low

    def fractions(self, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Even over [0, 1): the lower 53 bits of a long word for float64, else 24 of a word."""
        if dtype == np.float64:
            return (self.long_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
        return ((self.words(count) & np.uint64(2**24 - 1)) * 2.0**-24).astype(np.float32)

    def uniform(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], start: float = 0.0, to: float = 1.0
    ) -> Any:
        """Even over [start, to)."""
        start, to = float(dtype.type(start)), float(dtype.type(to))
        numbers = self.fractions(math.prod(shape), dtype).astype(np.float64) * (to - start) + start
        return numbers.astype(dtype).reshape(shape)[()]

    def normal(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], mean: float = 0.0, std: float = 1.0
    ) -> Any:
        """Normally distributed: one at a time in double precision, or in blocks of 16."""
        count = math.prod(shape)
        if count < BLOCK:
            numbers = np.array([self.one_normal() * std + mean for _ in range(count)])
        else:
            numbers = self.blocks_of_normals(count, dtype)
            numbers = numbers * numbers.dtype.type(std) + numbers.dtype.type(mean)
        return numbers.astype(dtype).reshape(shape)[()]

    def one_normal(self) -> float:
        """The Box-Muller method: an even angle, and a radius that makes two normal numbers."""
        if self._spare is not None:
            number, self._spare = self._spare, None
            return number
        turn, height = self.fractions(2, np.dtype(np.float64)).tolist()
        radius, angle = math.sqrt(-2 * math.log1p(-height)), 2 * math.pi * turn
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def blocks_of_normals(self, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """The same for many: 8 heights and 8 turns make 16 numbers.

        What does not fill a block is made anew, with all that stands in the last 16 places.
        """
        fractions = self.fractions(count, dtype)
        full = count - count % BLOCK
        fractions[:full] = box_muller(fractions[:full])
        if full < count:
            fractions[-BLOCK:] = box_muller(self.fractions(BLOCK, dtype))
        return fractions

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> Any:
        """Integers from `low` up to, without, `high`."""
        span, count = high - low, math.prod(shape)
        words = self.words(count) if span < 2**28 else self.long_words(count)
        return ((words % np.uint64(span)).astype(np.int64) + low).reshape(shape)[()]

    def permutation(self, count: int) -> NDArray[np.int64]:
        """The integers below `count`: each place in turn gets one of those that are left."""
        order = list(range(count))
        left = np.arange(count, 1, -1).astype(np.uint64)
        for place, step in enumerate((self.words(len(left)) % left).tolist()):
            order[place], order[place + step] = order[place + step], order[place]
        return np.array(order, np.int64)

    def chance(self, probability: float, shape: tuple[int, ...]) -> Any:
        """True with this probability."""
        return self.uniform(shape, np.dtype(np.float64)) < probability

    @property
    def state(self) -> Any:
        """Where the stream is; set it to draw the same numbers again."""
        return self._twister.get_state(), self._spare

    @state.setter
    def state(self, state: Any) -> None:
        twister, self._spare = state
        self._twister.set_state(twister)

    def seed(self) -> int:
        """A 63-bit number, with which PyTorch seeds what is to shuffle data."""
        return int(self.long_words(1)[0]) % 2**63


def box_muller(fractions: NDArray[Any]) -> NDArray[Any]:
    """Even numbers in blocks of 16, made normal."""
    heights, turns = fractions.reshape(-1, 2, BLOCK // 2).swapaxes(0, 1)
    kind = fractions.dtype.type
    radius = np.sqrt(kind(-2) * rounded(np.log, 1 - heights))
    angle = kind(2 * math.pi) * turns
    return np.stack([radius * rounded(np.cos, angle), radius * rounded(np.sin, angle)], 1).ravel()


def rounded(function: Callable[..., Any], values: NDArray[Any]) -> NDArray[Any]:
    """`function(values)` by way of double precision: NumPy's float32 differs between processors."""
    results: NDArray[Any] = function(values.astype(np.float64)).astype(values.dtype)
    return results


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Start the random numbers of everything that is given no generator from `seed`."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start them from a seed that nobody knows beforehand, and return it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that they started from."""
    return default_generator.initial_seed()


def stream_of(generator: Generator | None) -> Stream:
    """What draws the numbers of `generator`, or of the default one. TypeError for anything else."""
    if generator is None:
        return default_generator._stream
    if not isinstance(generator, Generator):
        raise TypeError(f"expected a torch.Generator, but got {type(generator).__name__}")
    return generator._stream
