"""What several programs print with; works on the tensors of either library."""

from collections.abc import Callable
from typing import Any

FLAGS = ("requires_grad", "is_leaf", "retains_grad")


def describe(name: str, tensor: Any) -> None:
    """Print the five attributes that autograd is about, and the tensor itself."""
    if tensor is None:
        print(f"{name}: None")
        return
    flags = ", ".join(f"{flag}={getattr(tensor, flag)}" for flag in FLAGS)
    print(f"{name}: {flags}")
    print(f"    grad_fn: {tensor.grad_fn}")
    gradient = tensor.grad  # read once: of a tensor that is no leaf, each reading warns
    print(f"    grad: {gradient} = {gradient!r}")
    print(f"    tensor: {tensor!s}")


def describe_all(moment: str, **tensors: Any) -> None:
    """Print ``moment`` as a heading and describe each tensor under its keyword."""
    print(f"--- {moment}")
    for name, tensor in tensors.items():
        describe(name, tensor)


def attempt(label: str, action: Callable[[], Any]) -> None:
    """Print what ``action`` returns, or the exception that it raises."""
    try:
        print(f"{label}: {action()!r}")
    except Exception as error:
        print(f"{label}: {type(error).__name__}: {error}")


def state(label: str, tensor: Any) -> None:
    """Print in one line what views and in-place edits are about: version, flags, history, values.

    A history reads ``CopySlices < Mul, None``: the ``grad_fn`` and the nodes it leads to.
    """
    if not hasattr(tensor, "detach"):
        print(f"{label}: {tensor!r}")
        return
    try:
        node = tensor.grad_fn
    except RuntimeError as error:
        history = str(error)
    else:
        history = "no grad_fn" if node is None else node.name()
        if node is not None:
            following = [each.name() if each else None for each, _ in node.next_functions]
            history += f"[{tensor.output_nr}] < {', '.join(map(str, following))}"
    kind = "view" if tensor._is_view() else "own"
    grad = "grad" if tensor.requires_grad else "constant"
    values = tensor.data.tolist()
    print(f"{label}: v{tensor._version} {kind} {grad} {history} {values} {tensor.dtype}")
