"""Argument checks for `functional`, with PyTorch's errors and warnings."""

from __future__ import annotations

import math
import operator

from ..core.tensor import Tensor
from ..ops.convolution import Pair, Shape, output_size
from ..ops.layouts import broadcast_tensors
from ..support import dtypes, errors
from ..support.errors import warn
from ..support.shapes import wrap_dim


def implicit_dim(name: str, input: Tensor, dim: int | None) -> int:
    """`dim`, or if it is None PyTorch's deprecated default, with its warning."""
    if dim is not None:
        return dim
    warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include"
        " dim=X as an argument."
    )
    return 0 if input.ndim in (0, 1, 3) else 1


def check_batch(input: Tensor, tensors: dict[str, Tensor | None], training: bool) -> None:
    """ValueError for one value per channel while training; RuntimeError for sizes that differ."""
    shape = input.shape
    if training and shape[0] * math.prod(shape[2:]) == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {shape}"
        )
    if training and (tensors["running_mean"] is None) != (tensors["running_var"] is None):
        raise ValueError("running_mean and running_var must either both be None or neither be None")
    channels = shape[wrap_dim(1, input.ndim)]
    for name, each in tensors.items():
        if each is None and "running" in name and not training:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
        if each is not None and each.numel() != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {each.numel()}")
    if not input.dtype.is_floating_point:
        raise errors.not_implemented("batch_norm", input.dtype)
    check_parameter_dtypes(input, *tensors.values())
    for name, each in tensors.items():
        if each is not None and "running" in name and each.requires_grad:
            raise RuntimeError(
                f"The function 'native_batch_norm' is not differentiable with respect to argument"
                f" '{name}'. This input cannot have requires_grad True."
            )


def check_probability(p: float) -> None:
    """ValueError unless `p`, the fraction that dropout drops, is a probability."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def check_parameter_dtypes(input: Tensor, *parameters: Tensor | None) -> None:
    """RuntimeError unless the parameters have the dtype of `input`, or float32 for float16."""
    given = [each for each in parameters if each is not None]
    if given and given[0].dtype is not input.dtype:
        if any(each.dtype is not dtypes.float32 for each in given):
            raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
        if input.dtype is not dtypes.float16:
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")
    for each in given:
        if each.dtype is not given[0].dtype:
            raise expected_dtype(input, each)


def check_reduction(reduction: str) -> None:
    """ValueError unless this is the name of a reduction in PyTorch."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not a valid value for reduction")


def broadcast_together(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both tensors, broadcast to a common shape, with PyTorch's warning if their shapes differ."""
    if target.size() != input.size():
        warn(
            f"Using a target size ({target.shape}) that is different to the input size"
            f" ({input.shape}). This will likely lead to incorrect results due to broadcasting."
            " Please ensure they have the same size."
        )
        input, target = broadcast_tensors(input, target)
    return input, target


def promote_together(input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both tensors, broadcast to a common shape and promoted to a common dtype."""
    input, target = broadcast_together(input, target)
    kind = dtypes.result_type([(each.dtype, 2 if each.ndim else 1) for each in (input, target)])
    return input.to(kind), target.to(kind)


SEVERAL_TARGETS = "0D or 1D target tensor expected, multi-target not supported"


def check_one_class(found: tuple[int, ...]) -> None:
    """Check the target of unbatched input: raise unless its shape `found` is () or (1,)."""
    if len(found) > 1:
        raise RuntimeError(SEVERAL_TARGETS)
    if found and found != (1,):
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {found[0]}"
        )


def check_classes(input: Tensor, target: Tensor) -> None:
    """Raise PyTorch's error unless `target` has a class for each example in `input`."""
    # The shapes of the arrays, because `Tensor.shape` creates a `Size`, which would take as long
    # as the whole check.
    shape, found = input._data.shape, target._data.shape
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    expected = shape[:1] + shape[2:]
    if len(shape) == 1:
        check_one_class(found)
    elif found != expected:
        batch, targets = shape[0], found[0] if found else 0
        if batch != targets:
            raise ValueError(
                f"Expected input batch_size ({batch}) to match target batch_size ({targets})."
            )
        if len(shape) == 2:
            raise RuntimeError(SEVERAL_TARGETS)
        raise RuntimeError(f"Expected target size {list(expected)}, got {list(found)}")
    kind, images = target.dtype, len(shape) > 2
    if kind is not dtypes.int64 and (images or kind is not dtypes.uint8):
        if kind is dtypes.uint8:
            raise RuntimeError("expected scalar type Long but found Byte")
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {kind.legacy}")
    if not input.dtype.is_floating_point:
        kernel = "nll_loss2d_forward_out_frame" if images else "nll_loss_out_frame"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{input.dtype.legacy}'")


def expected_dtype(input: Tensor, other: Tensor) -> RuntimeError:
    """The error for `other`, which should have the dtype of `input`."""
    expected, found = input.dtype.legacy, other.dtype.legacy
    return RuntimeError(f"expected scalar type {expected} but found {found}")


def check_weight(weight: Tensor, input: Tensor) -> None:
    """RuntimeError unless there is a weight for each class, in the dtype of `input`."""
    classes = input.shape[min(input.ndim - 1, 1)]
    if weight.shape != (classes,):
        if input.ndim > 2:
            raise RuntimeError("weight tensor should be defined either for all or no classes")
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes but"
            f" got weight tensor of shape: {list(weight.shape)}"
        )
    if weight.dtype is not input.dtype:
        raise expected_dtype(input, weight)


def check_convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> None:
    """RuntimeError, with PyTorch's message, for arguments that do not fit together."""
    size, sizes = list(weight._data.shape), list(input._data.shape)
    wide = len(size) == 4 and min(size[2:]) > 3
    by_onednn = input.dtype is dtypes.float32 and (  # where PyTorch leaves it to that library
        sizes[0] > 1 or groups > 1 or wide or input.numel() > 20480
    )
    if min(*stride, *dilation, groups) < 1 or min(padding) < 0 or size[0] % groups:
        raise RuntimeError(
            f"no convolution with a weight of size {size} has stride={stride}, padding={padding},"
            f" dilation={dilation}, groups={groups}"
        )
    if sizes[1] != size[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {size}, expected input{sizes} to have"
            f" {size[1] * groups} channels, but got {sizes[1]} channels instead"
        )
    if bias is not None and bias._data.shape != (size[0],):
        raise RuntimeError(
            f"Given weight of size {size}, expected bias to be 1-dimensional with {size[0]}"
            f" elements, but got bias of size {list(bias.shape)} instead"
        )
    have = [n + 2 * side for n, side in zip(sizes[2:], padding, strict=True)]
    need = [step * (n - 1) + 1 for n, step in zip(size[2:], dilation, strict=True)]
    if any(map(operator.lt, have, need)):
        found, wanted = (" x ".join(map(str, lengths)) for lengths in (have, need))
        raise RuntimeError(
            f"Calculated padded input size per channel: ({found}). Kernel size: ({wanted}). Kernel"
            " size can't be greater than actual input size"
        )
    if input.dtype is dtypes.bool_:
        raise errors.not_implemented("slow_conv2d_cpu", dtypes.bool_)
    if input.dtype is not weight.dtype:
        if not by_onednn:
            raise expected_dtype(input, weight)
        raise RuntimeError(
            f"Input type (torch.{input.dtype.legacy}Tensor) and weight type"
            f" (torch.{weight.dtype.legacy}Tensor) should be the same or input should be a MKLDNN"
            " tensor and weight is a dense tensor"
        )


def check_windows(size: Pair, stride: Pair, padding: Pair, dilation: Pair) -> None:
    """RuntimeError for a stride of zero, or more padding than half of the window."""
    if 0 in stride:
        raise RuntimeError("stride should not be zero")
    for side, length, step in zip(padding, size, dilation, strict=True):
        if 2 * side > step * (length - 1) + 1:
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got"
                f" pad={side}, kernel_size={length} and dilation={step}"
            )


def pooled_size(
    shape: tuple[int, ...], size: Pair, stride: Pair, padding: Pair, dilation: Pair, ceil_mode: bool
) -> Pair:
    """How many rows and columns of windows there are. RuntimeError if there are none."""
    rows, columns = output_size(shape[-2:], size, stride, padding, dilation)
    if ceil_mode:  # windows may extend past the edge, but have to start inside
        more = [n + step - 1 for n, step in zip(shape[-2:], stride, strict=True)]
        found = output_size(tuple(more), size, stride, padding, dilation)
        rows, columns = (
            n - ((n - 1) * step >= length + side)
            for n, step, length, side in zip(found, stride, shape[-2:], padding, strict=True)
        )
    if rows < 1 or columns < 1:
        planes, (height, width) = shape[-3], shape[-2:]
        raise RuntimeError(
            f"Given input size: ({planes}x{height}x{width}). Calculated output size:"
            f" ({planes}x{rows}x{columns}). Output size is too small"
        )
    return rows, columns
