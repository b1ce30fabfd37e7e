"""The workers of a `DataLoader`, which load batches in turn with random numbers of their own.

PyTorch's workers are processes. These compute in the process that asks for a batch, so they are no
faster, but they draw the random numbers that PyTorch's draw, from generators seeded like theirs.

Source: https://docs.pytorch.org/docs/2.13/data.html#randomness-in-multi-process-data-loading
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...support.random import default_generator, manual_seed


class WorkerInfo(NamedTuple):
    """What `get_worker_info` returns: which worker it is, its seed, and the dataset."""

    id: int
    num_workers: int
    seed: int
    dataset: Any


class Worker:
    """A context in which random numbers, NumPy's and Python's included, are those of a worker.

    Args:
        info: the worker; its seed is `base_seed` plus its number.
        base_seed: the seed that all workers of a loader share.
        init: `worker_init_fn`, which is called with the number of the worker.
    """

    running: WorkerInfo | None = None  # the worker that is loading a batch

    def __init__(
        self, info: WorkerInfo, base_seed: int, init: Callable[[int], Any] | None
    ) -> None:
        self.states: tuple[Any, ...] = (*random_states(), info)
        with self:
            manual_seed(info.seed)
            random.seed(info.seed)
            words = [info.id, base_seed % 2**32, base_seed >> 32, 0]
            np.random.seed(np.random.SeedSequence(words).generate_state(4))  # noqa: NPY002
            if init is not None:
                init(info.id)

    def __enter__(self) -> None:
        self.swap()

    def __exit__(self, *error: object) -> None:
        self.swap()

    def swap(self) -> None:
        """Exchange the states of this worker and those of the process."""
        before = (*random_states(), Worker.running)
        generator, python, numpys, Worker.running = self.states
        vars(default_generator).clear()
        vars(default_generator).update(generator)
        random.setstate(python)
        np.random.set_state(numpys)  # noqa: NPY002
        self.states = before


def random_states() -> tuple[dict[str, Any], Any, Any]:
    """The states of the default generator, of Python's and of NumPy's."""
    return vars(default_generator).copy(), random.getstate(), np.random.get_state()  # noqa: NPY002


def get_worker_info() -> WorkerInfo | None:
    """The worker that is loading a batch, or None in the main program."""
    return Worker.running
