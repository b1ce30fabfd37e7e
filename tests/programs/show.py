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
