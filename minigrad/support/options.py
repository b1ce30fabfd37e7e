"""Options: arguments that a function passes on to the object that does its work.

The options of `backward` are fields of the `BackwardPass` that it runs. A chapter that adds a field
thereby adds an option, and the signature of `backward` follows.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

from . import errors


class Options:
    """Sets those fields of a subclass that are options, by position or by name.

    Raises:
        TypeError: too many arguments, or a name that is not an option.
    """

    function = "Tensor.backward"  # the function that takes the options
    own = (1, 2)  # how many other arguments it takes: at least, at most
    options: ClassVar[tuple[str, ...]] = ("retain_graph", "create_graph", "inputs")  # in order

    def __init__(self, *args: Any, **options: Any) -> None:
        for name in options:
            if name not in self.options or not hasattr(self, name):
                raise TypeError(f"{self.function}() got an unexpected keyword argument '{name}'")
        if args:
            options |= self.named(args, options)
        vars(self).update(options)

    def named(self, args: Sequence[Any], given: Collection[str]) -> dict[str, Any]:
        """The options in `args`, by name. TypeError for one that is also `given` by name."""
        names = options_of(type(self))
        if len(args) > len(names):
            least, most = self.own
            raise TypeError(
                f"{self.function}() takes from {least} to {most + len(names)} positional arguments"
                f" but {most + len(args)} were given"
            )
        by_name = dict(zip(names, args, strict=False))
        for name in by_name:
            if name in given:
                raise TypeError(f"{self.function}() got multiple values for argument '{name}'")
        return by_name


class GradOptions(Options):
    """The options of `grad`, in addition to those of every backward pass.

    Such a pass finds the gradients of its `inputs`, and stores them in `found` by edge.

    Raises:
        ValueError: options that contradict each other.
        NotImplementedError: `is_grads_batched`.
    """

    inputs: Any
    edges: list[Any]
    found: dict[Any, Any]
    function = "grad"
    own = (2, 3)
    options: ClassVar[tuple[str, ...]] = (
        "retain_graph", "create_graph",
        "only_inputs", "allow_unused", "is_grads_batched", "materialize_grads",
    )  # fmt: skip
    only_inputs = True
    allow_unused: bool | None = None
    is_grads_batched = False
    materialize_grads = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.materialize_grads and self.allow_unused is False:
            raise ValueError(
                "Expected allow_unused to be True or not passed when materialize_grads=True, but"
                " got: allow_unused=False."
            )
        if self.is_grads_batched:
            raise NotImplementedError(
                "minigrad does not support is_grads_batched: call grad once for each grad_outputs"
            )
        if not self.only_inputs:
            errors.warn(
                "only_inputs argument is deprecated and is ignored now (defaults to True). To"
                " accumulate gradient for other parts of the graph, please use"
                " torch.autograd.backward.",
                FutureWarning,
            )


def options_of(cls: type[Options]) -> list[str]:
    """The names of the options that `cls` supports, in order."""
    return [name for name in cls.options if hasattr(cls, name)]


def show_options(function: Callable[..., Any], cls: type[Options]) -> None:
    """Show the options of `cls` in the signature of a function that takes `*args, **options`."""
    parameters = inspect.signature(function).parameters.values()
    own = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    signature = LazySignature(lambda: inspect.Signature([*own, *as_parameters(cls)]))
    function.__signature__ = signature  # type: ignore[attr-defined]


def as_parameters(cls: type[Options]) -> list[inspect.Parameter]:
    """The options of `cls` as parameters, with the values of its fields as defaults."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return [inspect.Parameter(name, kind, default=getattr(cls, name)) for name in options_of(cls)]


class LazySignature(inspect.Signature):
    """A signature that is built on first use, because an import creates hundreds of functions."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], inspect.Signature]) -> None:
        self.make = make

    @property
    def parameters(self) -> Any:
        return self.make().parameters

    @property
    def return_annotation(self) -> Any:
        return self.make().return_annotation

    def replace(self, **changes: Any) -> Any:
        return self.make().replace(**changes)
