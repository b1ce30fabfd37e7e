"""PyTorch's error messages, word for word, and the note that says what to do about each.

What a learner reads here is what they will search for later, so type and first sentence are PyTorch
2.13's. The advice, and the chapter that explains the matter, follow in a note
(`Exception.add_note`), which a traceback prints below the message and `str(error)` leaves out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import anomaly

if TYPE_CHECKING:
    from .node import Node


def with_note(error: Exception, advice: str, chapter: str) -> Exception:
    """`error` with one line of advice and the notebook that explains it."""
    error.add_note(f"minigrad: {advice} (notebooks/{chapter}.ipynb)")
    return error


def freed_graph() -> Exception:
    return with_note(
        RuntimeError(
            "Trying to backward through the graph a second time (or directly access saved tensors"
            " after they have already been freed). Saved intermediate values of the graph are freed"
            " when you call .backward() or autograd.grad(). Specify retain_graph=True if you need"
            " to backward through the graph a second time or if you need to access saved tensors"
            " after calling backward."
        ),
        "run the forward computation again, or pass retain_graph=True to the first backward",
        "06_lifetime",
    )


def modified_in_place(
    type_name: str, shape: tuple[int, ...], maker: str, now: int, then: int
) -> Exception:
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The "
        "variable in question was changed in there or anywhere later. Good luck!"
        if anomaly.enabled
        else "enable anomaly detection to find the operation that failed to compute its gradient, "
        "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return with_note(
        RuntimeError(
            "one of the variables needed for gradient computation has been modified by an inplace "
            f"operation: [{type_name} {list(shape)}]{maker} is at version {now}; expected version "
            f"{then} instead. Hint: {hint}"
        ),
        "write the change out of place (y = y + 1), or change a clone()",
        "11_in_place",
    )


def no_graph(index: int) -> Exception:
    return with_note(
        RuntimeError(
            f"element {index} of tensors does not require grad and does not have a grad_fn"
        ),
        "no input of this result required grad while recording was on: set requires_grad=True on"
        " the leaf before the computation, and look for detach(), no_grad, item() or numpy() on"
        " the way",
        "10_switching_off",
    )


def not_a_scalar() -> Exception:
    return with_note(
        RuntimeError("grad can be implicitly created only for scalar outputs"),
        "reduce the result with sum() or mean(), or pass gradient= with the shape of the result",
        "13_jacobians",
    )


def cotangent_shape(
    index: int, grad_shape: tuple[int, ...], output_shape: tuple[int, ...]
) -> Exception:
    return with_note(
        RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of torch.Size({list(grad_shape)})"
            f" and output[{index}] has a shape of torch.Size({list(output_shape)})."
        ),
        "the gradient argument must have the shape of the tensor that backward() is called on",
        "13_jacobians",
    )


def invalid_gradient(
    node: Node, index: int, got: tuple[int, ...], expected: tuple[int, ...]
) -> Exception:
    return RuntimeError(
        f"Function {node.name()} returned an invalid gradient at index {index} - got {list(got)}"
        f" but expected shape compatible with {list(expected)}"
    )


def unrelated_subclasses(function: str, a: type, b: type) -> Exception:
    return TypeError(
        f"Multiple dispatch failed for 'torch.{function}'; all __torch_function__ handlers returned"
        f" NotImplemented:\n\n  - tensor subclass {a}\n  - tensor subclass {b}\n\nFor more"
        " information, try re-running with TORCH_LOGS=not_implemented"
    )


def inference_in_place() -> Exception:
    return RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a"
        " clone to get a normal tensor before doing inplace update.See"
        " https://github.com/pytorch/rfcs/pull/17 for more details."
    )


def leaf_in_place(is_view: bool) -> Exception:
    what = "a view of a leaf Variable" if is_view else "a leaf Variable"
    return with_note(
        RuntimeError(f"{what} that requires grad is being used in an in-place operation."),
        "update leaves inside `with torch.no_grad():`",
        "11_in_place",
    )


# Why the history of some views cannot follow in-place changes, as PyTorch ends its message.
MADE_WITH_OTHERS = (
    "This view is the output of a function that returns multiple views. Such functions do not"
    " allow the output views to be modified inplace. You should replace the inplace operation by an"
    " out-of-place one."
)
MADE_UNRECORDED = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify "
    "your code by moving both the view and the inplace either both inside the no_grad block (if"
    " you don't want the inplace to be tracked) or both outside (if you want the inplace to be "
    "tracked)."
)
MADE_BY_FUNCTION = (
    "This view was created inside a custom Function (or because an input was returned as-is) and"
    " the autograd logic to handle view+inplace would override the custom backward associated with"
    " the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix"
    " this by cloning the output of the custom Function."
)


MADE_IN_INFERENCE = MADE_UNRECORDED.replace("no_grad", "inference_mode")


def view_in_place(maker: str | None, directly: bool, why: str) -> Exception:
    """The error for a view that was changed, itself or through its base; `maker` made it."""
    what = "is" if directly else "its base or another view of its base has been"
    what += " being modified inplace" if directly else " modified inplace"
    if why is MADE_IN_INFERENCE:
        what = f"A view was created in inference mode and {what} in normal mode"
    elif maker is None:
        what = f"A view was created in no_grad mode and {what} with grad mode enabled"
    else:
        what = f"{maker} is a view and {what}"
    return with_note(
        RuntimeError(f"{what}. {why}"), "change a clone() of the view instead", "11_in_place"
    )


def only_floats_require_grad() -> Exception:
    return with_note(
        RuntimeError("Only Tensors of floating point and complex dtype can require gradients"),
        "make the values floating point: torch.tensor([1., 2.]) or dtype=torch.float32",
        "02_tensors",
    )


def needs_detach_for_numpy() -> Exception:
    return with_note(
        RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        ),
        "NumPy cannot record operations, so the graph would end here unnoticed",
        "10_switching_off",
    )


def unused_input(index: int) -> Exception:
    return with_note(
        RuntimeError(
            f"The differentiated Tensor at index {index} appears to not have been used in the"
            " graph. Set allow_unused=True if this is the desired behavior."
        ),
        "the result was not computed from this very tensor object",
        "13_jacobians",
    )


def argument_type(
    function: str, name: str, position: int | None, expected: str, got: Any
) -> TypeError:
    """The error for an argument of a wrong type; `position` is None if it was given by name."""
    place = "" if position is None else f" (position {position})"
    return TypeError(
        f"{function}(): argument '{name}'{place} must be {expected}, not {type_name(got)}"
    )


def type_name(value: Any) -> str:
    """The type of a value as PyTorch writes it: "list", "Tensor", "numpy.ndarray"."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def bool_subtraction(both: bool) -> RuntimeError:
    """The error for a difference of which one operand is bool, or both are."""
    what = (
        "with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        if both
        else "with a bool tensor is not supported. If you are trying to invert a mask, use the `~`"
        " or `logical_not()` operator instead."
    )
    return RuntimeError(f"Subtraction, the `-` operator, {what}")


def does_not_broadcast(a: tuple[int, ...], b: tuple[int, ...]) -> RuntimeError:
    """The error for two shapes that do not broadcast, naming the last dimension that differs."""
    rank = max(len(a), len(b))
    padded_a, padded_b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    dim = max(
        i for i in range(rank) if padded_a[i] != padded_b[i] and 1 not in (padded_a[i], padded_b[i])
    )
    return RuntimeError(
        f"The size of tensor a ({padded_a[dim]}) must match the size of tensor b ({padded_b[dim]}) "
        f"at non-singleton dimension {dim}"
    )
