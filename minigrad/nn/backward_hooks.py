"""Full backward hooks of modules, which receive the gradients of a module's inputs and outputs.

A module is not a node, and the graph that it records may use only some of its inputs or have nodes
after its outputs. So a module with such hooks passes its arguments, and later its output, through a
`BackwardHookFunction`, which is the identity. Ordinary hooks on these two nodes then call the hooks
of the module.

Source: https://docs.pytorch.org/docs/2.13/notes/modules.html#module-hooks and torch/utils/hooks.py
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..core.function import Function, FunctionNode
from ..core.grad_mode import is_grad_enabled
from ..core.tensor import Tensor
from ..support.errors import warn

if TYPE_CHECKING:
    from .module import Module

Values = tuple[Any, ...]
Hooks = Sequence[Callable[..., Any]]


class BackwardHookFunction(Function):
    """The identity, forward and backward."""

    @staticmethod
    def forward(ctx: FunctionNode, *tensors: Tensor) -> Values:
        ctx.mark_non_differentiable(*(each for each in tensors if not each.requires_grad))
        return tensors

    @staticmethod
    def backward(ctx: FunctionNode, *grads: Tensor) -> Values:
        return grads


def pass_through(
    values: Values, run: Callable[[Values, Values], Values | None]
) -> tuple[Values, bool]:
    """Pass `values` through an identity node; returns them, and whether a node was recorded.

    There is a node only if one of the values requires grad. Once backward has run it, `run` is
    called with the node's grad_inputs and grad_outputs, which contain None for every value that is
    not a tensor. It may return a replacement for the grad_inputs.
    """
    tensors = [value for value in values if isinstance(value, Tensor)]
    if not (is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)):
        return values, False
    is_tensor = [isinstance(value, Tensor) for value in values]

    def fill_in_none(grads: Values) -> Values:
        rest = iter(grads)
        return tuple(next(rest) if each else None for each in is_tensor)

    def hook(grad_inputs: Values, grad_outputs: Values) -> Values | None:  # errors say its name
        replaced = run(fill_in_none(grad_inputs), fill_in_none(grad_outputs))
        if replaced is None:
            return None
        return tuple(grad for grad, each in zip(replaced, is_tensor, strict=True) if each)

    passed = BackwardHookFunction.apply(*tensors)
    node = next(tensor.grad_fn for tensor in passed if tensor.grad_fn is not None)
    node.register_hook(hook)
    rest = iter(passed)
    result = [next(rest) if isinstance(value, Tensor) else value for value in values]
    return tuple(result) if type(values) is tuple else type(values)(*result), True


class BackwardHooks:
    """The full backward hooks of one call of a module.

    Attributes:
        grad_outputs: the gradients of the output, from the time backward computes them until the
            hooks have been called.
    """

    def __init__(self, module: Module, pre_hooks: Hooks, hooks: Hooks) -> None:
        self.module, self.pre_hooks, self.hooks = module, tuple(pre_hooks), tuple(hooks)
        self.grad_outputs: Values | None = None

    def enter(self, args: Values) -> Values:
        """The arguments to call `forward` with."""
        self.argument_count = len(args)
        args, self.has_input_node = pass_through(args, self._at_arguments)
        return args

    def leave(self, output: Any) -> Any:
        """The output that the module returns."""
        if isinstance(output, tuple):
            return pass_through(output, self._at_output)[0]
        if not isinstance(output, Tensor):
            warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of"
                f" Tensors but received {type(output)}"
            )
        return pass_through((output,), self._at_output)[0][0]

    def _at_output(self, _: Values, grads: Values) -> Values:
        for hook in self.pre_hooks:
            grads = replacement(hook(self.module, grads), grads, "pre hook", "grad_output")
        self.grad_outputs = grads
        if not self.has_input_node:  # backward will not reach the arguments
            warn(
                "Full backward hook is firing when gradients are computed with respect to module"
                " outputs since no inputs require gradients. See"
                " https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                "#torch.nn.Module.register_full_backward_hook for more details."
            )
            grad_inputs = self._at_arguments((None,) * self.argument_count, ())
            if grad_inputs is not None and any(grad is not None for grad in grad_inputs):
                raise RuntimeError(
                    "Backward hook for Modules where no input requires gradient should always"
                    " return None or None for all gradients."
                )
        return grads

    def _at_arguments(self, grads: Values, _: Values) -> Values | None:
        if self.grad_outputs is None:  # backward did not go through the output
            return None
        for hook in self.hooks:
            returned = hook(self.module, grads, self.grad_outputs)
            grads = replacement(returned, grads, "hook", "grad_input")
        self.grad_outputs = None
        return grads


def replacement(returned: Any, grads: Values, hook: str, what: str) -> Values:
    """What a hook returned, or `grads` if that is None. RuntimeError if the lengths differ."""
    if returned is None:
        return grads
    if len(returned) != len(grads):
        raise RuntimeError(
            f"Backward {hook} returned an invalid number of {what}, got {len(returned)}, but"
            f" expected {len(grads)}"
        )
    return tuple(returned)
