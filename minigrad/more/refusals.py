"""What cannot be asked of tensors and Functions, refused in PyTorch's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.function import Function, FunctionNode
from ..core.node import FREED
from ..core.tensor import Tensor
from ..support import errors
from ..support.methods import method_of

# Calling `apply` of the base class itself gets as far as its `forward`, which says what is missing.
Function._node_class, FunctionNode._function = FunctionNode, Function


@method_of(FunctionNode)
def release_variables(self: FunctionNode) -> None:
    """Let go of what was saved; `saved_tensors` raises from now on, even if there was nothing."""
    self._saved = dict.fromkeys(self._saved, FREED) or {"0": FREED}


def raising(error: Callable[[], Exception]) -> Callable[..., None]:
    """A setter or deleter of a property that raises."""

    def refuse(*args: Any) -> None:
        raise error()

    return refuse


method_of(Function, "jvp")(staticmethod(raising(errors.no_jvp)))  # forward mode, which is not used


def read_only(name: str) -> Callable[..., None]:
    return raising(lambda: errors.not_writable(name))


DELETERS = {
    "data": raising(errors.no_deletion_of_data),
    "requires_grad": raising(lambda: RuntimeError("requires_grad must be a bool")),
}
for name, attribute in list(vars(Tensor).items()):
    if isinstance(attribute, property) and not name.startswith("__"):
        setter = attribute.fset or read_only(name)
        deleter = attribute.fdel or DELETERS.get(name) or read_only(name)
        setattr(Tensor, name, property(attribute.fget, setter, deleter, attribute.__doc__))
