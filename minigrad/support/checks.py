"""Checks of what users do with tensors: each raises PyTorch's error, warns, or does nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import errors
from .tensor_like import is_tensor
from .version_counters import counts_no_versions, is_closed

# Attributes of tensors


def check_flag(requires_grad: Any, function: str = "tensor") -> None:
    """TypeError unless `requires_grad`, an argument of `function`, is a bool."""
    if not isinstance(requires_grad, bool):
        raise errors.argument_type(function, "requires_grad", None, "bool", requires_grad)


def check_requires_grad(tensor: Any, value: Any) -> None:
    """RuntimeError unless `tensor.requires_grad = value` is allowed."""
    if not isinstance(value, bool):
        raise RuntimeError("requires_grad must be a bool")
    if tensor._node is not None:
        raise errors.flag_of_non_leaf(value)
    if value and not tensor.dtype.is_floating_point:
        raise errors.only_floats_require_grad("only")
    if value and is_closed(tensor):
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
        )


def check_grad_read(tensor: Any) -> None:
    """Warn when `.grad` of a non-leaf is read, because backward will not fill it."""
    if tensor._grad is not None or tensor._node is None:
        return
    if not getattr(tensor, "retains_grad", False):  # the attribute does not exist before chapter 03
        errors.warn(
            "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad"
            " attribute won't be populated during autograd.backward(). If you indeed want the .grad"
            " field to be populated for a non-leaf Tensor, use .retain_grad() on the non-leaf"
            " Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf"
            " Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
        )


def check_grad(tensor: Any, grad: Any) -> None:
    """Raise unless `tensor.grad = grad` is allowed."""
    if grad is None:
        return
    if not is_tensor(grad):
        raise TypeError(
            "assigned grad expected to be a Tensor or None but got grad of type"
            f" {type(grad).__name__}"
        )
    if grad is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    if grad.dtype is not tensor.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{grad.dtype.c_name}' to a tensor with"
            f" grad_dtype '{tensor.dtype.legacy}'. The gradient must match the tensor's grad_dtype"
            " (defaults to the tensor's dtype). You can set the tensor's grad_dtype attribute with"
            " a specific dtype, or None to allow any dtype. Set grad_dtype with caution. Diverging"
            " the dtypes of a tensor and its gradient may break downstream systems that assume they"
            " match."
        )
    if grad.shape != tensor.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(grad.shape)}' to a tensor of size"
            f" '{list(tensor.shape)}'. Please ensure that the gradient and the tensor are the same"
            " size"
        )


def check_new_data(tensor: Any, value: Any) -> None:
    """Raise unless `tensor.data = value` is allowed."""
    if not is_tensor(value):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    if tensor._requires_grad and not value.dtype.is_floating_point:
        raise RuntimeError(
            "data set to a tensor that requires gradients must be floating point or complex dtype"
        )


def check_one_element(tensor: Any) -> None:
    """RuntimeError unless the tensor has exactly one element."""
    if tensor._data.size != 1:
        raise RuntimeError(
            f"a Tensor with {tensor._data.size} elements cannot be converted to Scalar"
        )


def check_mode(mode: Any) -> None:
    """TypeError unless `mode` is a bool."""
    if not isinstance(mode, bool):
        raise errors.argument_type("set_grad_enabled", "enabled", 1, "bool", mode)


# Hooks


def check_hookable(tensor: Any, only_leaves: bool = False) -> None:
    """RuntimeError if a hook on the tensor would never be called."""
    if not tensor.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if only_leaves and tensor.grad_fn is not None:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")


def replaced(grad: Any, replacement: Any, hook: Callable[..., Any]) -> Any:
    """The gradient to use after `hook`: `replacement`, or `grad` if the hook returned None.

    RuntimeError or TypeError if the replacement has another type, dtype or shape than `grad`.
    """
    if replacement is None:
        return grad
    if grad is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if not isinstance(replacement, type(grad)):
        raise errors.hook_result_type("Variable", replacement)
    if replacement.dtype is not grad.dtype:
        raise RuntimeError(
            f"hook '{name_of(hook)}' has changed the type of value (was"
            f" {errors.tensor_type(grad.dtype)} got {errors.tensor_type(replacement.dtype)})"
        )
    if replacement.shape != grad.shape:
        raise RuntimeError(f"hook '{name_of(hook)}' has changed the size of value")
    return replacement


def replaced_all(grads: Sequence[Any], replacements: Any, hook: Callable[..., Any]) -> list[Any]:
    """The same for a hook on a node, which returns a tuple of gradients or None."""
    if replacements is None:
        return list(grads)
    if not isinstance(replacements, tuple):
        raise errors.hook_result_type("tuple", replacements)
    if len(replacements) != len(grads):
        raise RuntimeError(
            f"hook '{name_of(hook)}' has returned an incorrect number of values (got"
            f" {len(replacements)}, but expected {len(grads)})"
        )
    return [
        new if new is None else replaced(old, new, hook)
        for old, new in zip(grads, replacements, strict=True)
    ]


def name_of(hook: Any) -> str:
    return getattr(hook, "__name__", "<unknown>")


def check_post_hook_result(leaf: Any, result: Any) -> None:
    """Raise unless a post-accumulate hook has returned None or the leaf that it received."""
    if result is None or result is leaf:
        return
    if not is_tensor(result):
        raise errors.hook_result_type("Variable", result)
    raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def is_stray(tensor: Any) -> bool:
    """Whether a view requires grad only because its base does, and has no `grad_fn` of its own."""
    if getattr(tensor, "_view", None) is None or tensor._requires_grad:
        return False
    # The property, not the field, because the history of a view may be out of date.
    return bool(tensor.requires_grad) and tensor.grad_fn is None


# Changes in place


def check_leaf(tensor: Any) -> None:
    """RuntimeError for a leaf that requires grad, which must not change while recording is on."""
    if tensor.requires_grad and tensor._node is None:
        raise errors.leaf_in_place(is_view=False)


def check_view(tensor: Any) -> None:
    """RuntimeError for a view of a leaf that requires grad, because the leaf would change too."""
    if tensor._view is not None and tensor.requires_grad and tensor._view.base._node is None:
        raise errors.leaf_in_place(is_view=True)


def check_inference(tensor: Any, inference: bool) -> None:
    """RuntimeError for a tensor made in inference mode, unless `inference` mode is still on."""
    if counts_no_versions(tensor) and not inference:
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a"
            " clone to get a normal tensor before doing inplace update.See"
            " https://github.com/pytorch/rfcs/pull/17 for more details."
        )


def check_fits(tensor: Any, result: Any) -> None:
    """RuntimeError unless `result` can be written to the memory of `tensor`."""
    if result._data.shape != tensor._data.shape:
        raise errors.output_shape(tensor.shape, result.shape)
    if result.dtype.category > tensor.dtype.category:
        raise errors.output_dtype(tensor.dtype, result.dtype)
    check_memory(tensor, result._data)


def check_memory(tensor: Any, written: Any = None) -> None:
    """RuntimeError if several elements share one memory location, as after `expand`.

    That is fine if the `written` array repeats a single number.
    """
    array = tensor._data
    if array.flags.c_contiguous or 0 not in array.strides:
        return
    single = written is not None and not any(written.strides)
    steps = zip(array.shape, array.strides, strict=True)
    if not single and any(length > 1 and step == 0 for length, step in steps):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a"
            " single memory location. Please clone() the tensor before performing the operation."
        )


def check_overlap(name: str, tensor: Any, operands: Sequence[Any]) -> None:
    """RuntimeError if an operand partially overlaps the memory that is about to be written.

    An operand may be exactly that memory, except where the operation writes at indices.
    """
    if name in ("fill_", "masked_fill_"):  # these read the number before they write
        return
    same = name not in ("index_put_", "scatter_", "scatter_add_")
    for each in operands:
        if each is tensor and not same:
            raise errors.overlapping_operand()
        if not isinstance(each, type(tensor)) or not np.may_share_memory(tensor._data, each._data):
            continue
        arrays = tensor._data, each._data
        bounds = [np.lib.array_utils.byte_bounds(array) for array in arrays]
        if [end - start for start, end in bounds] != [array.nbytes for array in arrays]:
            continue  # with gaps between elements, an exact answer would take too long
        if not same or bounds[0] != bounds[1] or layout(arrays[0]) != layout(arrays[1]):
            raise errors.overlapping_operand()


def layout(array: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """The length and the stride of each dimension; the stride is 0 if the length is 1."""
    return [(n, step if n > 1 else 0) for n, step in zip(array.shape, array.strides, strict=True)]


def not_implemented(name: str, args: Sequence[Any]) -> Any:
    """TypeError, as `add_` raises it for an operand that is not a tensor.

    An operator returns NotImplemented instead.
    """
    if not name.startswith("__"):
        raise errors.argument_type(name, "other", 1, "Tensor", args[0] if args else None)
    return NotImplemented
