"""Random numbers: generators, and the one that everything draws from by default.

The numbers come from NumPy's PCG64. A seed makes a run reproducible, here as there; the numbers
themselves are not PyTorch's, whose CPU generator is a Mersenne Twister with its own way of making
floats of bits.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.Generator.html
"""

from __future__ import annotations

import functools
import os

import numpy as np

SEED_OF_A_NEW_GENERATOR = 67280421310721


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
        self.__dict__.pop("numpy", None)
        return self

    @functools.cached_property
    def numpy(self) -> np.random.Generator:
        """What draws the numbers; made when the first is asked for, for numpy.random loads late."""
        return np.random.default_rng(self._seed)

    def seed(self) -> int:
        """Start again from a seed that nobody knows beforehand, and return it."""
        self.manual_seed(int.from_bytes(os.urandom(8)))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that the numbers started from."""
        return self._seed

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"


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


def numpy_generator(generator: Generator | None) -> np.random.Generator:
    """What draws the numbers of `generator`, or of the default one. TypeError for anything else."""
    if generator is None:
        return default_generator.numpy
    if not isinstance(generator, Generator):
        raise TypeError(f"expected a torch.Generator, but got {type(generator).__name__}")
    return generator.numpy
