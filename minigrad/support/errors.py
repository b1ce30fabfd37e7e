"""Errors and warnings: PyTorch's type and words, followed by a note on what to do.

A learner will search the web for the message, so its type and first sentence are PyTorch 2.13's.
The advice, and the notebook that explains the matter, follow in a note (`Exception.add_note`),
which a traceback prints below the message and `str(error)` leaves out.

Each function is named after the problem and returns the error for the caller to raise; those named
`warn_…` issue the warning at the line of user code that caused it. An error that needs no advice
and has one cause is not here, but in the check that raises it, except for those of the core.
"""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from typing import Any

from .dtypes import dtype, from_numpy_dtype

PACKAGE = __name__.partition(".")[0] + "."


class AnomalyMode(threading.local):
    """Whether anomaly mode is on in this thread, and which node's backward is running.

    The advice in the error for a modified tensor depends on it.
    """

    enabled, check_nan = False, True
    node: Any = None


anomaly = AnomalyMode()


def with_note(error: Exception, advice: str, chapter: str) -> Exception:
    """Add a note to `error`: one line of advice, and the chapter of the course that explains it."""
    error.add_note(f"minigrad: {advice} (chapter {chapter})")
    return error


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of user code that called into this package."""
    warnings.warn(text, category, stacklevel=user_stacklevel())


def user_stacklevel() -> int:
    """The `stacklevel` of the first caller outside this package, for `warnings.warn`.

    A frame without a module name belongs to this package as well, see `fast.operations`.
    """
    frame, level = sys._getframe(1), 1
    while frame.f_back and (frame.f_globals.get("__name__", "") or PACKAGE).startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


def type_name(value: Any) -> str:
    """The type of a value as PyTorch writes it: "list", "Tensor", "numpy.ndarray".

    It names the module of a class that is written in C. Those are the ones that nobody can change.
    """
    kind = type(value)
    is_heap_type, is_immutable = kind.__flags__ & 1 << 9, kind.__flags__ & 1 << 8
    from_c = kind.__module__ != "builtins" and (is_immutable or not is_heap_type)
    return f"{kind.__module__}.{kind.__name__}" if from_c else kind.__name__


# Backward: its roots, its inputs and options, the gradients that rules return


def no_graph(index: int) -> Exception:
    return with_note(
        RuntimeError(
            f"element {index} of tensors does not require grad and does not have a grad_fn"
        ),
        "no recorded operation made this result: set requires_grad=True on the leaf before the"
        " computation, and look for detach(), no_grad, item() or numpy() on the way; if this is a"
        " gradient, pass create_graph=True where it is computed",
        "10_switching_off",
    )


def not_real(kind: dtype) -> RuntimeError:
    return RuntimeError(
        f"grad can be implicitly created only for real scalar outputs but got {kind}"
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


def unused_input(index: int) -> Exception:
    return with_note(
        RuntimeError(
            f"The differentiated Tensor at index {index} appears to not have been used in the"
            " graph. Set allow_unused=True if this is the desired behavior."
        ),
        "the result was not computed from this very tensor object",
        "13_jacobians",
    )


def nothing_to_materialize() -> Exception:
    return RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")


def not_summed(grad: Any, leaf: Any) -> Exception:
    """The error at a leaf before chapter 12, when the engine cannot undo a broadcast yet."""
    return RuntimeError(
        f"a gradient of shape {list(grad.shape)} arrived at a leaf of shape"
        f" {list(leaf.shape)}: the engine learns to undo a broadcast in chapter 12"
    )


def invalid_gradient(
    node: Any, index: int, got: tuple[int, ...], expected: tuple[int, ...]
) -> Exception:
    return with_note(
        RuntimeError(
            f"Function {node.name()} returned an invalid gradient at index {index} - got"
            f" {list(got)} but expected shape compatible with {list(expected)}"
        ),
        "a gradient must have the shape of its input, or one to which that shape broadcasts",
        "12_broadcasting",
    )


def warn_create_graph() -> None:
    warn(
        "Using backward() with create_graph=True will create a reference cycle between the"
        " parameter and its gradient which can cause a memory leak. We recommend using"
        " autograd.grad when creating the graph to avoid this. If you have to use this function,"
        " make sure to reset the .grad fields of your parameters to None after use to break the"
        " cycle and avoid the leak."
    )


# Leaves and their gradients


@functools.cache
def warn_slow_arrays() -> None:
    """Warn once in a process, as PyTorch does, because a loop would repeat it at every step."""
    warn(
        "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider"
        " converting the list to a single numpy.ndarray with numpy.array() before converting to a"
        " tensor."
    )


def no_derivative(node: Any) -> Exception:
    return NotImplementedError(f"{node.name()} has no derivative")


def only_floats_require_grad(
    only: str = "Only", kinds: str = "floating point and complex"
) -> Exception:
    """The error as creation functions word it; the arguments vary the wording for other callers."""
    return with_note(
        RuntimeError(f"{only} Tensors of {kinds} dtype can require gradients"),
        "make the values floating point: torch.tensor([1., 2.]) or dtype=torch.float32",
        "02_tensors",
    )


def flag_of_non_leaf(value: bool) -> Exception:
    """The error for setting `requires_grad` of a non-leaf, where it follows from the graph."""
    text = "you can only change requires_grad flags of leaf variables."
    if value:
        advice = "y.retain_grad() keeps the gradient of a result"
        return with_note(RuntimeError(text), advice, "05_leaves")
    text += (
        " If you want to use a computed variable in a subgraph that doesn't require"
        " differentiation use var_no_grad = var.detach()."
    )
    return with_note(
        RuntimeError(text), "y = y.detach() cuts y out of its graph", "10_switching_off"
    )


# Saved values: freed, or changed since


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


def modified_in_place(saved: Any, node: Any) -> Exception:
    """The error for a tensor that has changed since `node` saved it.

    PyTorch names the current `grad_fn` of the saved tensor or, for an output, the node itself.
    """
    of_input = saved.number is None
    maker = saved.tensor.grad_fn if of_input else node
    number = saved.tensor._output_nr if of_input else saved.number
    whose = "" if maker is None else f", which is output {number} of {short_name(maker)},"
    return stale(saved.tensor._data, whose, saved.tensor._counter[0], saved.version)


def short_name(node: Any) -> str:
    """The name of a node without `Backward0`, as in PyTorch's messages about in-place changes."""
    name, backward, number = node.name().rpartition("Backward")
    return name + number.removeprefix("0") if backward and number != "s" else str(node.name())


def no_out(name: str) -> TypeError:
    """The error for the argument `out`, which no operation supports."""
    return TypeError(f"minigrad's {name}() has no argument 'out': it returns a new tensor")


def stale(data: Any, whose: str, now: int, then: int) -> Exception:
    """The error for an array that was saved at version `then` but is now at version `now`."""
    kind = from_numpy_dtype(data.dtype)
    type_name = tensor_type(kind)
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
            f"operation: [{type_name} {list(data.shape)}]{whose} is at version {now}; expected"
            f" version {then} instead. Hint: {hint}"
        ),
        "write the change out of place (y = y + 1), or change a clone(); if an optimizer's step"
        " changed a weight, call backward before it",
        "11_in_place",
    )


# Changes in place, and views


def leaf_in_place(is_view: bool) -> Exception:
    what = "a view of a leaf Variable" if is_view else "a leaf Variable"
    return with_note(
        RuntimeError(f"{what} that requires grad is being used in an in-place operation."),
        "update leaves inside `with torch.no_grad():`",
        "11_in_place",
    )


# The reasons why some views cannot be changed in place, which end PyTorch's message.
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
MADE_IN_INFERENCE = MADE_UNRECORDED.replace("no_grad", "inference_mode")
MADE_BY_FUNCTION = (
    "This view was created inside a custom Function (or because an input was returned as-is) and"
    " the autograd logic to handle view+inplace would override the custom backward associated with"
    " the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix"
    " this by cloning the output of the custom Function."
)


def made_unrecorded(mode: Any) -> str:
    """The reason for a view that was created in `mode` while it was not recording."""
    return MADE_IN_INFERENCE if mode.inference else MADE_UNRECORDED


def made_by_function(node: Any, outputs: Any) -> str:
    """The reason for an output of a custom Function, which depends on how many it has."""
    several = sum(getattr(each, "_node", None) is node for each in outputs) > 1
    return MADE_WITH_OTHERS if several else MADE_BY_FUNCTION


def view_in_place(view: Any, directly: bool, why: str) -> Exception:
    """The error for a view that was changed in place, `directly` or through its base."""
    what = "is" if directly else "its base or another view of its base has been"
    what += " being modified inplace" if directly else " modified inplace"
    node = view._node
    name = "A view" if node is None else f"Output {view._output_nr} of {short_name(node)} is a view"
    was = "was created in" if node is None else "of a view which was created in"
    if why is MADE_IN_INFERENCE:
        what = f"{name} {was} inference mode and {what} in normal mode"
    elif why is MADE_UNRECORDED or node is None:
        what = f"{name} {was} no_grad mode and {what} with grad mode enabled"
    else:
        what = f"{name} and {what}"
    unrecorded = why in (MADE_UNRECORDED, MADE_IN_INFERENCE)
    advice = "make the view where it is recorded" if unrecorded else "change a clone() of the view"
    advice = f"{advice} instead" if directly else "take the view again after the write"
    return with_note(RuntimeError(f"{what}. {why}"), advice, "20_error_clinic")


def no_deletion_of_data() -> Exception:
    return RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")


def overlapping_operand() -> Exception:
    return RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to tensor refer"
        " to a single memory location. Please clone() the tensor before performing the operation."
    )


def overflow(dtype: str) -> Exception:
    """The error for a number that a dtype cannot represent, which PyTorch calls by its C++ name."""
    names = {"int32": "int", "float16": "c10::Half", "float32": "float", "float64": "double"}
    name = names.get(dtype, f"{dtype}_t")
    return RuntimeError(f"value cannot be converted to type {name} without overflow")


def output_shape(shape: tuple[int, ...], result: tuple[int, ...]) -> Exception:
    return RuntimeError(
        f"output with shape {list(shape)} doesn't match the broadcast shape {list(result)}"
    )


def output_dtype(wanted: Any, result: Any) -> Exception:
    return RuntimeError(
        f"result type {result.legacy} can't be cast to the desired output type {wanted.legacy}"
    )


# Hooks


def hook_result_type(expected: str, got: Any) -> Exception:
    return TypeError(f"expected {expected}, but hook returned '{type(got).__name__}'")


def tensor_type(kind: dtype) -> str:
    """The C++ name of a tensor of this dtype."""
    return "CPUBoolType" if kind.legacy == "Bool" else f"torch.{kind.legacy}Tensor"


# Custom Functions


def warn_saved_variables() -> None:
    warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)


def dirty_leaf() -> Exception:
    return RuntimeError(
        "a leaf Variable that requires grad has been used in an in-place operation."
    )


# Conversion to arrays


def needs_detach_for_numpy() -> Exception:
    return with_note(
        RuntimeError(
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead."
        ),
        "NumPy cannot record operations, so the graph would end here unnoticed",
        "10_switching_off",
    )


# Arguments: types, dtypes, dimensions, shapes


def argument_type(
    function: str, name: str, position: int | None, expected: str, got: Any
) -> TypeError:
    """The error for an argument of a wrong type; `position` is None if it was passed by name."""
    place = "" if position is None else f" (position {position})"
    return TypeError(
        f"{function}(): argument '{name}'{place} must be {expected}, not {type_name(got)}"
    )


def bool_subtraction(both: bool) -> RuntimeError:
    """The error for a subtraction in which one operand, or `both`, are bool tensors."""
    what = (
        "with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
        if both
        else "with a bool tensor is not supported. If you are trying to invert a mask, use the `~`"
        " or `logical_not()` operator instead."
    )
    return RuntimeError(f"Subtraction, the `-` operator, {what}")


def not_implemented(function: str, kind: dtype) -> NotImplementedError:
    return NotImplementedError(f"\"{function}\" not implemented for '{kind.legacy}'")


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
