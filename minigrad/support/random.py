"""Random numbers: generators, and the default one.

The same seed gives the same numbers as in PyTorch, so a seeded program prints the same output.
PyTorch's CPU generator is the Mersenne Twister, which NumPy has as well, so this module only has to
turn its 32-bit words into floats, integers and permutations in the same way. Normal numbers may
differ in the last digit when 16 or more are drawn at once, because NumPy computes their logarithms
and cosines. Dropout matches PyTorch on AMD processors; on Intel's, PyTorch draws from MKL instead.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.Generator.html,
aten/src/ATen/core/DistributionsHelper.h and aten/src/ATen/native/cpu/DistributionTemplates.h
"""

from __future__ import annotations

import functools
import math
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import devices
from .missing import ExplainsKeywords

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SEED_OF_A_NEW_GENERATOR = 67280421310721
BLOCK = 16  # PyTorch computes this many normal numbers at a time


class Generator(ExplainsKeywords):
    """An independent source of random numbers; equal seeds give equal numbers.

    RuntimeError for a device other than the CPU.
    """

    def __init__(self, device: Any = "cpu") -> None:
        self.device = devices.device(device)
        self.manual_seed(SEED_OF_A_NEW_GENERATOR)

    def manual_seed(self, seed: int) -> Generator:
        """Restart from `seed`, a 64-bit integer, and return the generator.

        A negative seed counts down from 2 ** 64. RuntimeError unless it is an integer, ValueError
        if it needs more than 64 bits.
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
        """The stream of numbers, created on first use because importing numpy.random takes long."""
        return Stream(self._seed)

    def seed(self) -> int:
        """Restart from an unpredictable seed, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8)))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that this generator was last started from."""
        return self._seed

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


class Stream:
    """The numbers of a Mersenne Twister, in the forms that tensors need.

    `shape` can be any shape; for the shape () the result is a NumPy scalar.
    """

    def __init__(self, seed: int) -> None:
        self._twister = np.random.RandomState(seed % 2**32)
        self._spare: float | None = None  # the Box-Muller method makes two numbers at a time

    def words(self, count: int) -> NDArray[np.uint64]:
        """32-bit numbers, straight from the Mersenne Twister."""
        return self._twister.randint(2**32, size=count, dtype=np.uint32).astype(np.uint64)

    def long_words(self, count: int) -> NDArray[np.uint64]:
        """64-bit numbers, each from two words."""
        high, low = self.words(2 * count).reshape(count, 2).T
        return (high << np.uint64(32)) | low

    def fractions(self, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """Uniform over [0, 1): the lower 53 bits of a long word for float64, else 24 of a word."""
        if dtype == np.float64:
            return (self.long_words(count) & np.uint64(2**53 - 1)) * 2.0**-53
        return ((self.words(count) & np.uint64(2**24 - 1)) * 2.0**-24).astype(np.float32)

    def uniform(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], start: float = 0.0, to: float = 1.0
    ) -> Any:
        """Uniformly distributed over [start, to)."""
        start, to = float(dtype.type(start)), float(dtype.type(to))
        numbers = self.fractions(math.prod(shape), dtype).astype(np.float64) * (to - start) + start
        return numbers.astype(dtype).reshape(shape)[()]

    def normal(
        self, shape: tuple[int, ...], dtype: np.dtype[Any], mean: float = 0.0, std: float = 1.0
    ) -> Any:
        """Normally distributed: fewer than 16 in double precision, more in blocks of 16."""
        count = math.prod(shape)
        if count < BLOCK:
            numbers = np.array([self.one_normal() * std + mean for _ in range(count)])
        else:
            numbers = self.blocks_of_normals(count, dtype)
            numbers = numbers * numbers.dtype.type(std) + numbers.dtype.type(mean)
        return numbers.astype(dtype).reshape(shape)[()]

    def one_normal(self) -> float:
        """The Box-Muller method: a uniform angle and a random radius give two normal numbers."""
        if self._spare is not None:
            number, self._spare = self._spare, None
            return number
        turn, height = self.fractions(2, np.dtype(np.float64)).tolist()
        radius, angle = math.sqrt(-2 * math.log1p(-height)), 2 * math.pi * turn
        self._spare = radius * math.sin(angle)
        return radius * math.cos(angle)

    def blocks_of_normals(self, count: int, dtype: np.dtype[Any]) -> NDArray[Any]:
        """The same for many numbers: 8 heights and 8 turns give a block of 16.

        If the last block is not full, the last 16 numbers are drawn again, as in PyTorch.
        """
        fractions = self.fractions(count, dtype)
        full = count - count % BLOCK
        fractions[:full] = box_muller(fractions[:full])
        if full < count:
            fractions[-BLOCK:] = box_muller(self.fractions(BLOCK, dtype))
        return fractions

    def exponential(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """Exponentially distributed, with mean 1."""
        fractions = self.fractions(math.prod(shape), np.dtype(np.float64))
        numbers: NDArray[Any] = -np.log1p(-fractions).astype(dtype).reshape(shape)
        return numbers

    def integers(self, low: int, high: int, shape: tuple[int, ...]) -> Any:
        """Random integers from `low` up to but not including `high`."""
        span, count = high - low, math.prod(shape)
        words = self.words(count) if span < 2**28 else self.long_words(count)
        return ((words % np.uint64(span)).astype(np.int64) + low).reshape(shape)[()]

    def permutation(self, count: int) -> NDArray[np.int64]:
        """A random permutation of the integers below `count`: a Fisher-Yates shuffle."""
        order = list(range(count))
        remaining = np.arange(count, 1, -1).astype(np.uint64)
        for i, step in enumerate((self.words(len(remaining)) % remaining).tolist()):
            order[i], order[i + step] = order[i + step], order[i]
        return np.array(order, np.int64)

    def bernoulli(self, probability: float, shape: tuple[int, ...]) -> Any:
        """Bools that are True with this probability."""
        return self.uniform(shape, np.dtype(np.float64)) < probability

    @property
    def state(self) -> Any:
        """The position in the stream; set it to draw the same numbers again."""
        return self._twister.get_state(), self._spare

    @state.setter
    def state(self, state: Any) -> None:
        twister, self._spare = state
        self._twister.set_state(twister)

    def seed(self) -> int:
        """A random 63-bit number, with which PyTorch seeds the generators that shuffle data."""
        return int(self.long_words(1)[0]) % 2**63


def box_muller(fractions: NDArray[Any]) -> NDArray[Any]:
    """Turn uniform numbers, in blocks of 16, into normally distributed ones."""
    heights, turns = fractions.reshape(-1, 2, BLOCK // 2).swapaxes(0, 1)
    kind = fractions.dtype.type
    radius = np.sqrt(kind(-2) * rounded(np.log, 1 - heights))
    angle = kind(2 * math.pi) * turns
    return np.stack([radius * rounded(np.cos, angle), radius * rounded(np.sin, angle)], 1).ravel()


def rounded(function: Callable[..., Any], values: NDArray[Any]) -> NDArray[Any]:
    """`function(values)`, computed in double precision because NumPy's float32 results depend on
    the processor.
    """
    results: NDArray[Any] = function(values.astype(np.float64)).astype(values.dtype)
    return results


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Restart the default generator from `seed`, and return it."""
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Restart the default generator from an unpredictable seed, and return the seed."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator was last started from."""
    return default_generator.initial_seed()


def stream_of(generator: Generator | None) -> Stream:
    """The stream of `generator`, or of the default one for None. TypeError for anything else."""
    if generator is None:
        return default_generator._stream
    if not isinstance(generator, Generator):
        raise TypeError(f"expected a torch.Generator, but got {type(generator).__name__}")
    return generator._stream
