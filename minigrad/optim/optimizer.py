"""`Optimizer`: parameters in groups, what is remembered for each, and the step.

A parameter is changed in place, unrecorded, and its version counter rises: a graph that saved the
old value notices. The arithmetic is NumPy's on the arrays themselves, because a step records
nothing and runs often.

Source: https://docs.pytorch.org/docs/2.13/optim.html#base-class
"""

from __future__ import annotations

import copy
import functools
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from ..core.grad_mode import enable_grad
from ..core.tensor import Tensor, as_array, count_change
from ..nn.module import type_name
from ..nn.parameter import _zero_grads
from ..rows.silence import silence
from ..support.errors import warn

Array = np.ndarray[Any, Any]
Group = dict[str, Any]
Params = Iterable[Tensor] | Iterable[Group] | Iterable[tuple[str, Tensor]]


def noted(step: Callable[..., Any]) -> Callable[..., Any]:
    """`step`, which leaves word that it has been called: a scheduler of learning rates asks."""

    @functools.wraps(step)
    def wrapper(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        self._opt_called = True
        return step(self, *args, **kwargs)

    return wrapper


class Optimizer:
    """Base class: a subclass defines `_update`, or the whole `step`.

    Attributes:
        param_groups: dictionaries with "params" and the options for them; changing an option (a
            learning rate) takes effect with the next step.
        state: what is remembered between steps, by parameter.
        defaults: the options for groups that do not say otherwise.

    Raises:
        TypeError: a tensor in place of a list of tensors, or something else among them.
        ValueError: no parameters, the result of an operation among them, or one in two groups.
    """

    _opt_called = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = noted(cls.step)  # type: ignore[method-assign]

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
        """Optimize more parameters: {"params": …} and any options of their own.

        The dictionary itself becomes the group. Parameters may come with names, as from
        `named_parameters`; the group keeps these as "param_names".
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
        taken = {param for group in self.param_groups for param in group["params"]}
        if not taken.isdisjoint(params):
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

    @noted
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Change every parameter that has a gradient.

        Args:
            closure: computes the loss and the gradients first, with recording switched on.

        Returns:
            What the closure returns.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with silence():
            for group in self.param_groups:
                for param in group["params"]:
                    if param._grad is not None:
                        self._update(param, as_array(param), param._grad._data, group)
                        count_change(param)
        return loss

    def _update(self, param: Tensor, values: Array, grad: Array, group: Group) -> None:
        """Change `values`, the memory of `param`, in place."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """State and groups, with numbers in the place of the parameters."""
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
        """Continue where the optimizer was that `state_dict` comes from.

        ValueError unless there are as many groups, with as many parameters each.
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
            self.state[param] = {key: fitted(value, key, param) for key, value in state.items()}
        self.param_groups = [{**loaded, "params": mine["params"]} for mine, loaded in pairs]

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for index, group in enumerate(self.param_groups):
            lines += [""] * (index > 0) + [f"Parameter Group {index}"]
            lines += [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
        return "\n".join([*lines, ")"])


def fitted(value: Any, key: str, param: Tensor) -> Any:
    """What was remembered, in the dtype of the parameter it is for; no copy where it has that."""
    if isinstance(value, Tensor) and key != "step" and param.dtype.is_floating_point:
        return value.to(param.dtype)
    return value


def check_lr(lr: Any) -> None:
    """ValueError unless the learning rate is one number that is not negative."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")


def check_unsupported(**options: Any) -> None:
    """NotImplementedError if one of PyTorch's options is on that are not there."""
    for name, value in options.items():
        if value:
            raise NotImplementedError(f"minigrad's optimizers have no {name}={value}")


def regularized(values: Array, grad: Array, group: Group) -> Array:
    """The gradient to go against: turned round to maximize, and with the pull of weight decay."""
    if group["maximize"]:
        grad = -grad
    if group["weight_decay"]:
        grad = grad + group["weight_decay"] * values
    return grad


def check_params(params: list[Any]) -> None:
    """Raise unless these can be optimized; warn if one is there twice."""
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
