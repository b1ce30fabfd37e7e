"""`Optimizer`: groups of parameters, the state of each parameter, and the step.

A step changes parameters in place without recording it, and increments their version counters, so
that backward through a graph that saved the old value raises. It computes with NumPy directly on
the arrays, because it records nothing and runs often.

Source: https://docs.pytorch.org/docs/2.13/optim.html#base-class
"""

from __future__ import annotations

import copy
import functools
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.grad_mode import enable_grad, mode
from ..core.tensor import Tensor, as_array, count_change, new_tensor
from ..nn.module import type_name
from ..nn.parameter import _zero_grads
from ..rows.silence import silence
from ..support import dtypes
from ..support.checks import check_inference
from ..support.errors import warn
from ..support.missing import ExplainsKeywords

Array = np.ndarray[Any, Any]
Group = dict[str, Any]
Params = Iterable[Tensor] | Iterable[Group] | Iterable[tuple[str, Tensor]]


def note_call(step: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `step` so that it sets `_opt_called`, which learning rate schedulers check."""

    @functools.wraps(step)
    def wrapper(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True
        return step(self, *args, **kwargs)

    return wrapper


class Optimizer(ExplainsKeywords):
    """Base class; a subclass defines `_update`, or the whole `step`.

    Attributes:
        param_groups: dictionaries with "params" and their options. If you change an option such as
            the learning rate, it takes effect with the next step.
        state: parameter → what the optimizer stores for it between steps.
        defaults: the options of groups that do not override them.

    Raises:
        TypeError: `params` is a tensor, or contains something other than tensors.
        ValueError: there are no parameters, one is not a leaf, or one is in two groups.
    """

    _opt_called = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = note_call(cls.step)  # type: ignore[method-assign]

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts,"
                f" but got {type_name(params)}"
            )
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def add_param_group(self, param_group: Group) -> None:
        """Add parameters to optimize: {"params": …} and any options that differ from the defaults.

        The dictionary itself becomes the group. Parameters may be pairs with names, like those
        of `named_parameters`; the group stores the names as "param_names".
        """
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering"
                " of tensors in sets will change between runs. Please use a list instead."
            )
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [each[0] for each in params if isinstance(each, tuple)]
        if names and len(names) < len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        params = [each[1] for each in params] if names else params
        check_params(params)
        existing = {param for group in self.param_groups for param in group["params"]}
        if not existing.isdisjoint(params):
            raise ValueError("some parameters appear in more than one parameter group")
        param_group["params"] = params
        if names:
            param_group["param_names"] = names
        for option, value in self.defaults.items():
            param_group.setdefault(option, value)
        self.param_groups.append(param_group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Set the gradients to None, or fill them with zeros."""
        parameters = (each for group in self.param_groups for each in group["params"])
        _zero_grads(parameters, set_to_none)

    @note_call
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient.

        Args:
            closure: called first, under enable_grad, to compute the loss and the gradients.

        Returns:
            The result of the closure, or None.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with silence():
            for group in self.param_groups:
                for param in group["params"]:
                    if param._grad is not None:
                        check_inference(param, mode.inference)
                        self._update(param, as_array(param), param._grad._data, group)
                        count_change(param)
        return loss

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        """Update `values`, the memory of `param`, in place."""
        raise NotImplementedError

    def _first_state(self, param: Tensor, *names: str) -> dict[str, Any]:
        """The state of `param` before its first step: a count of steps, and zeros by name."""
        kind = np.float64 if dtypes.default is dtypes.float64 else np.float32  # as in PyTorch
        zeros = {name: new_tensor(np.zeros_like(param._data)) for name in names}
        state = self.state[param] = {"step": new_tensor(kind(0)), **zeros}
        return state

    def state_dict(self) -> dict[str, Any]:
        """The state and the groups, with indices instead of the parameters."""
        params = [param for group in self.param_groups for param in group["params"]]
        number = {param: index for index, param in reversed(list(enumerate(params)))}
        return {
            "state": {number[param]: state for param, state in self.state.items()},
            "param_groups": [
                {key: value for key, value in group.items() if key != "params"}
                | {"params": [number[param] for param in group["params"]]}
                for group in self.param_groups
            ],
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Restore the state of the optimizer that `state_dict` was saved from.

        ValueError unless the numbers of groups and of parameters in each group match.
        """
        state_dict = state_dict.copy()
        groups = copy.deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        pairs = list(zip(self.param_groups, groups, strict=True))
        if any(len(mine["params"]) != len(loaded["params"]) for mine, loaded in pairs):
            raise ValueError(
                "loaded state dict contains a parameter group that doesn't match the size of"
                " optimizer's group"
            )
        param_of = {
            number: param
            for mine, loaded in pairs
            for param, number in zip(mine["params"], loaded["params"], strict=True)
        }
        self.state = defaultdict(dict)
        for number, state in state_dict["state"].items():
            param = param_of[number]
            self.state[param] = {key: converted(value, key, param) for key, value in state.items()}
        self.param_groups = [{**loaded, "params": mine["params"]} for mine, loaded in pairs]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for index, group in enumerate(self.param_groups):
            lines += [""] * (index > 0) + [f"Parameter Group {index}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def converted(value: Any, key: str, param: Tensor) -> Any:
    """A loaded value in the dtype of its parameter; not a copy if the dtype already matches."""
    if isinstance(value, Tensor) and key != "step" and param.dtype.is_floating_point:
        return value.to(param.dtype)
    return value


def check_lr(lr: Any) -> None:
    """ValueError unless the learning rate is a single number and not negative."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")


def check_not_negative(**values: float) -> None:
    """ValueError, naming it, if one of these is negative or nan."""
    for name, value in values.items():
        if not value >= 0.0:
            raise ValueError(f"Invalid {name} value: {value}")


def check_unsupported(**options: Any) -> None:
    """NotImplementedError if one of these options of PyTorch is set."""
    for name, value in options.items():
        if value:
            raise NotImplementedError(f"minigrad's optimizers have no {name}={value}")


def with_weight_decay(values: Array, grad: Array, group: Group) -> Array:
    """The gradient, negated in order to maximize, plus the weight decay term."""
    if group["maximize"]:
        grad = -grad
    if group["weight_decay"]:
        grad = grad + group["weight_decay"] * values
    return grad


def check_params(params: list[Any]) -> None:
    """Raise unless all of these can be optimized; warn about duplicates."""
    for param in params:
        if not isinstance(param, Tensor):
            raise TypeError(
                f"optimizer can only optimize Tensors, but one of the params is {type_name(param)}"
            )
        if not param.is_leaf and not param.retains_grad:
            raise ValueError("can't optimize a non-leaf Tensor")
    if len(set(params)) < len(params):
        warn(
            "optimizer contains a parameter group with duplicate parameters; in future, this will"
            " cause an error; see github.com/pytorch/pytorch/issues/40967 for more information"
        )
