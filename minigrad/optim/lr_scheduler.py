"""Learning rate schedules, with one `step` per epoch after the optimizer's.

A scheduler sets the "lr" of every group of its optimizer when it is created, and again at each
step. Most schedulers compute the new rate from the current one, so if you change a rate yourself,
the schedule continues from there.

Source: https://docs.pytorch.org/docs/2.13/optim.html#how-to-adjust-learning-rate
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..support.errors import warn
from ..support.missing import ExplainsKeywords, public_names
from .optimizer import Group, Optimizer

__all__ = [
    "CosineAnnealingLR", "ExponentialLR", "LRScheduler", "LambdaLR", "MultiStepLR", "StepLR"
]  # fmt: skip

Factor = Callable[[int], float]


class LRScheduler(ExplainsKeywords):
    """Base class; a subclass defines `get_lr`, which returns the rate of each group.

    Attributes:
        optimizer: the optimizer whose rates it sets.
        base_lrs: the initial rate of each group.
        last_epoch: the number of steps so far.

    Raises:
        TypeError: `optimizer` is not an Optimizer.
        KeyError: `last_epoch` is not -1, but the optimizer never had a scheduler.
    """

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.optimizer = optimizer
        for number, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{number}] when resuming"
                    " scheduler with last_epoch >= 0.\n"
                    "This typically happens when:\n"
                    "1. You're trying to resume training from a checkpoint but haven't properly"
                    " loaded the optimizer state\n"
                    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._step_count = 0
        self._is_initial = True
        self.step()
        self._is_initial = False

    @property
    def _groups(self) -> list[Group]:
        return self.optimizer.param_groups

    def get_lr(self) -> list[Any]:
        """The rate of each group for `last_epoch`."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step set."""
        return self._last_lr

    def step(self) -> None:
        """Advance to the next epoch. Warns if the optimizer has not made a step yet."""
        if self._step_count == 1 and not self.optimizer._opt_called:
            warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0"
                " and later, you should call them in the opposite order: `optimizer.step()` before"
                " `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping the"
                " first value of the learning rate schedule. See more details at"
                " https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
            )
        self._step_count += 1
        self.last_epoch += 1
        self._last_lr = self.get_lr()
        for group, lr in zip(self._groups, self._last_lr, strict=True):
            group["lr"] = lr

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer, which has its own state_dict, and functions."""
        skipped = ("optimizer", "lr_lambdas")
        return {key: value for key, value in self.__dict__.items() if key not in skipped}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the state of the scheduler that `state_dict` was saved from."""
        self.__dict__.update(state_dict)

    def _scaled_rates(self, factor: float) -> list[Any]:
        """The current rates, multiplied by a factor."""
        return [group["lr"] * factor for group in self._groups]


class StepLR(LRScheduler):
    """Multiplies the rates by gamma every step_size epochs."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        due = self.last_epoch and self.last_epoch % self.step_size == 0
        return self._scaled_rates(self.gamma if due else 1)


class MultiStepLR(LRScheduler):
    """Multiplies the rates by gamma at each of the milestones, which are epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones, self.gamma = Counter(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return self._scaled_rates(self.gamma ** self.milestones[self.last_epoch])


class ExponentialLR(LRScheduler):
    """Multiplies the rates by gamma every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return self._scaled_rates(1 if self._is_initial else self.gamma)


class LambdaLR(LRScheduler):
    """The initial rate times a function of the epoch.

    `lr_lambda` is one function, or a list with one for each group (ValueError if too few or many).
    """

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Factor | Sequence[Factor], last_epoch: int = -1
    ) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas = [lr_lambda] * groups if callable(lr_lambda) else list(lr_lambda)
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return [
            base * f(self.last_epoch)
            for base, f in zip(self.base_lrs, self.lr_lambdas, strict=True)
        ]


class CosineAnnealingLR(LRScheduler):
    """Anneals the rate to eta_min over T_max epochs, along half a period of a cosine, and back."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,  # noqa: N803 - PyTorch's spelling
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        epoch, half = self.last_epoch, self.T_max
        if self._is_initial:
            return self._scaled_rates(1)
        if (epoch - 1 - half) % (2 * half) == 0:  # just after eta_min, where `before` is 0
            rise = (1 - math.cos(math.pi / half)) / 2
            return [
                group["lr"] + (base - self.eta_min) * rise
                for base, group in zip(self.base_lrs, self._groups, strict=True)
            ]
        now, before = (1 + math.cos(math.pi * each / half) for each in (epoch, epoch - 1))
        return [
            now / before * (group["lr"] - self.eta_min) + self.eta_min for group in self._groups
        ]


__getattr__, __dir__ = public_names(__name__, __all__)
