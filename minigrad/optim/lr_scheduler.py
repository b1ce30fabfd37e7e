"""Learning rates that follow a schedule: one `step` an epoch, after the optimizer's.

A scheduler sets the "lr" of every group of its optimizer: at first when it is made, then whenever
it is stepped. Most go from the rate of the epoch before, so a rate that the user changes stays
changed.

Source: https://docs.pytorch.org/docs/2.13/optim.html#how-to-adjust-learning-rate
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..support.errors import warn
from ..support.missing import public_names
from .optimizer import Group, Optimizer

__all__ = ["CosineAnnealingLR", "ExponentialLR", "LRScheduler", "LambdaLR", "StepLR"]

Factor = Callable[[int], float]


class LRScheduler:
    """Base class: a subclass defines `get_lr`, the rates of all groups for `last_epoch`.

    Attributes:
        optimizer: whose rates are set.
        base_lrs: the rates that it started with, one a group.
        last_epoch: how many steps there were.

    Raises:
        TypeError: something else in the place of the optimizer.
        KeyError: a last_epoch to continue from, with an optimizer that no scheduler has seen.
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
        """The rates for `last_epoch`, one a group."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that the last step has set."""
        return self._last_lr

    def step(self) -> None:
        """Go on to the next epoch. Warns if the optimizer has not been stepped before."""
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
        """Everything but the optimizer, which has its own, and functions, which are not saved."""
        left_out = ("optimizer", "lr_lambdas")
        return {key: value for key, value in self.__dict__.items() if key not in left_out}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue where the scheduler was that `state_dict` comes from."""
        self.__dict__.update(state_dict)

    def _times(self, factor: float) -> list[Any]:
        """The rates of the epoch before, times a factor."""
        return [group["lr"] * factor for group in self._groups]


class StepLR(LRScheduler):
    """Every step_size epochs, gamma times the rate before."""

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        due = self.last_epoch and self.last_epoch % self.step_size == 0
        return self._times(self.gamma if due else 1)


class ExponentialLR(LRScheduler):
    """Every epoch, gamma times the rate before."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return self._times(1 if self._is_initial else self.gamma)


class LambdaLR(LRScheduler):
    """The rate at the start times what a function makes of the epoch's number.

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
    """From the rate at the start to eta_min in T_max epochs, along half a cosine, and back."""

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
            return self._times(1)
        if (epoch - 1 - half) % (2 * half) == 0:  # away from eta_min, where there is no ratio
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
