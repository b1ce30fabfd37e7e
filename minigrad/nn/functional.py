"""`minigrad.nn.functional`: the operations of neural networks as functions.

They check their arguments (`checks`) and combine operations of `minigrad.ops`, which have the
derivatives.

Source: https://docs.pytorch.org/docs/2.13/nn.functional.html
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.tensor import Tensor, as_array, new_tensor
from ..ops import (
    activations,
    convolution,
    elementwise,
    gather_scatter,
    losses,
    normalization,
    statistics,
)
from ..ops.activations import logsigmoid
from ..ops.convolution import Shape, lengths_of, pair_of, window_of
from ..ops.elementwise import sigmoid, tanh
from ..ops.inplace import in_place_form
from ..ops.products import linear
from ..rows.arguments import with_checked_arguments
from ..rows.operands import optional
from ..support import dtypes, errors, observers
from ..support.errors import warn
from ..support.missing import public_names
from ..support.random import stream_of
from ..support.shapes import broadcastable
from .checks import (
    broadcast_together,
    check_batch,
    check_classes,
    check_convolution,
    check_parameter_dtypes,
    check_probability,
    check_reduction,
    check_weight,
    check_windows,
    implicit_dim,
    pooled_size,
    promote_together,
)

__all__ = [
    "avg_pool2d", "batch_norm", "binary_cross_entropy", "binary_cross_entropy_with_logits",
    "conv1d", "conv2d", "cross_entropy", "dropout", "dropout2d", "elu", "embedding", "gelu",
    "hardtanh", "huber_loss", "l1_loss", "layer_norm", "leaky_relu", "linear", "log_softmax",
    "logsigmoid", "max_pool2d", "mse_loss", "nll_loss", "normalize", "one_hot", "pad", "relu",
    "relu6", "sigmoid", "silu", "smooth_l1_loss", "softmax", "softplus", "tanh",
]  # fmt: skip

# Activations

relu_ = in_place_form(elementwise.relu, "relu_")
leaky_relu_ = in_place_form(activations.leaky_relu_by_result, "leaky_relu_")
elu_ = in_place_form(activations.elu_by_result, "elu_")
hardtanh_ = in_place_form(activations.hardtanh, "hardtanh_")
silu_ = in_place_form(activations.silu, "silu_")


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """The positive part: max(0, x)."""
    return relu_(input) if inplace else elementwise.relu(input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where it is positive, and `negative_slope` times x elsewhere."""
    return (leaky_relu_ if inplace else activations.leaky_relu)(input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where it is positive, and `alpha` (exp(x) - 1) elsewhere."""
    return (elu_ if inplace else activations.elu)(input, alpha)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x times sigmoid(x)."""
    return (silu_ if inplace else activations.silu)(input)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + exp(beta x)) / beta, or x itself where beta x is above `threshold`."""
    return activations.softplus(input, beta, threshold)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x times the probability that a standard normal variable is below x.

    With approximate="tanh" that probability is approximated by a tanh.
    """
    if approximate not in ("none", "tanh"):
        raise RuntimeError("approximate argument must be either none or tanh.")
    return (activations.gelu if approximate == "none" else activations.gelu_by_tanh)(input)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """x, clamped to the range from 0 to 6."""
    return (hardtanh_ if inplace else activations.hardtanh)(input, 0, 6)


def hardtanh(
    input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Tensor:
    """x, clamped to the range from `min_val` to `max_val`. The derivative at the bounds is 0."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return (hardtanh_ if inplace else activations.hardtanh)(input, min_val, max_val)


def softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtypes.dtype | None = None
) -> Tensor:
    """exp(x) / Σ exp(x) along `dim`."""
    return statistics.softmax(input, implicit_dim("softmax", input, dim), dtype)


def log_softmax(
    input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: dtypes.dtype | None = None
) -> Tensor:
    """x - log Σ exp(x) along `dim`."""
    return statistics.log_softmax(input, implicit_dim("log_softmax", input, dim), dtype)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set each element to zero with probability `p`, and divide the others by 1 - p.

    Unless `training`, this returns the input itself. ValueError unless 0 <= p <= 1.
    """
    check_probability(p)
    return _dropped(input, input.shape, p, training, inplace)


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """`dropout` of whole channels. Shapes: (N, C, H, W), or (N, C, L), which warns."""
    check_probability(p)
    if input.ndim == 3:
        warn(DROPOUT_3D)
    if input.ndim < 2:
        raise RuntimeError("Feature dropout requires at least 2 dimensions in the input")
    shape = (*input.shape[:2], *(1,) * (input.ndim - 2))
    return _dropped(input, shape, p, training, inplace)


DROPOUT_3D = (
    "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior"
    " is desired - input is interpreted as shape (N, C, L), where C is the channel dim. This"
    " behavior will change in a future release to interpret the input as one without a batch"
    " dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise dropout behavior, please"
    " switch to using dropout1d instead."
)


def _dropped(
    input: Tensor, shape: tuple[int, ...], p: float, training: bool, inplace: bool
) -> Tensor:
    """`input` times random numbers of this shape, each 0 or 1 / (1 - p)."""
    if p == 0 or not training or input.numel() == 0:
        return input
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            f"result type Float can't be cast to the desired output type {input.dtype.legacy}"
        )
    kept = stream_of(None).bernoulli(1 - p, shape) / (1 - p) if p < 1 else 0.0
    noise = np.asarray(kept, input.dtype.numpy)[()]
    return input.mul_(new_tensor(noise)) if inplace else input * new_tensor(noise)


def one_hot(input: Tensor, num_classes: int = -1) -> Tensor:
    """Encode each class index as a row of zeros with a single 1.

    Shapes: (…) → (…, num_classes), both int64. By default `num_classes` is one more than the
    largest index. RuntimeError for another dtype or an index out of range.
    """
    if input.dtype is not dtypes.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    numbers = input._data
    if numbers.size == 0:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
    elif numbers.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    elif num_classes == -1:
        num_classes = int(numbers.max()) + 1
    elif numbers.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    rows = (np.expand_dims(numbers, -1) == np.arange(num_classes)).astype(np.int64)
    made: Tensor = observers.made("one_hot", (input,), new_tensor(rows))
    return made


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None) -> Tensor:
    """The rows of `weight` with the indices `input`; row `padding_idx` does not get a gradient.

    Shapes: (…) of integers, (rows, n) → (…, n).
    """
    if input.dtype not in (dtypes.int64, dtypes.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types:"
            f" Long, Int; but got torch.{input.dtype.legacy}Tensor instead (while checking"
            " arguments for embedding)"
        )
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    ignored = -1 if padding_idx is None else padding_idx % weight.shape[0]
    return gather_scatter.embedding(weight, input, ignored)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """`input` divided by its `p`-norm along `dim`, or by `eps` if that is larger."""
    length = input.norm(p, dim, keepdim=True).clamp_min(eps)
    return input / length.expand_as(input)


def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize `input` to mean 0 and variance 1 over its last dimensions, then apply the affine
    parameters `weight` and `bias`.

    Shapes: input (…, *normalized_shape), weight and bias normalized_shape. RuntimeError for any
    other shapes.
    """
    shape = list(normalized_shape)
    if list(input.shape[-len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape"
            f" [*, {', '.join(map(str, shape))}], but got input of size{list(input.shape)}"
        )
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and list(each.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape"
                f" {list(each.shape)} and normalized_shape = {shape}"
            )
    check_parameter_dtypes(input, weight, bias)
    if not input.dtype.is_floating_point:
        raise errors.not_implemented("LayerNormKernelImpl", input.dtype)
    dims = tuple(range(input.ndim - len(shape), input.ndim))
    return statistics.layer_norm(input, optional(weight), optional(bias), dims, eps)


def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Tensor:
    """Normalize each channel of `input` to mean 0 and variance 1, then apply `weight` and `bias`.

    With `training` it uses the mean and variance of the batch, and moves the running statistics
    toward them by the fraction `momentum`. Otherwise it uses the running statistics.

    Shapes: input (N, C, …), all other tensors (C).

    Raises:
        ValueError: training with only one value per channel.
        RuntimeError: sizes that do not fit together.
    """
    running = {"running_mean": running_mean, "running_var": running_var}
    check_batch(input, {**running, "weight": weight, "bias": bias}, training)
    if not input.numel():
        result = input.clone() if weight is None else input.clone() * weight[0]
        return result if bias is None else result + bias[0]
    if training and running_mean is not None and running_var is not None:
        kept = as_array(running_mean), as_array(running_var)
        normalization.update_running(as_array(input), *kept, momentum)
    tensors = map(optional, (weight, bias, running_mean, running_var))
    return normalization.batch_norm(input, *tensors, training, eps)


def pad(
    input: Tensor, pad: Sequence[int], mode: str = "constant", value: float | None = None
) -> Tensor:
    """Pad `input` with `value` (default 0).

    `pad` has the number of elements to add at the start and at the end of the last dimension, then
    of the one before it, and so on. A negative number removes elements. NotImplementedError for a
    mode other than "constant".
    """
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input.ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got"
            f" padding length {len(pad)} and input of dimension {input.ndim}"
        )
    if mode != "constant":
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return convolution.pad(input, tuple(pad), 0 if value is None else value)


# Regression losses


def mse_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The mean of the squared differences; `reduction` may also be "sum" or "none"."""
    pair = broadcast_together(input, target)
    check_reduction(reduction)
    return losses.mse_loss(*pair, reduction)


def l1_loss(input: Tensor, target: Tensor, *, reduction: str = "mean") -> Tensor:
    """The mean of the absolute differences."""
    input, target = broadcast_together(input, target)
    check_reduction(reduction)
    difference = (input - target).abs()
    return difference if reduction == "none" else getattr(difference, reduction)()


def smooth_l1_loss(
    input: Tensor, target: Tensor, *, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """The mean of d² / 2 beta for differences d below `beta`, and of |d| - beta / 2 above."""
    pair = broadcast_together(input, target)
    check_reduction(reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(*pair, reduction=reduction)
    return losses.smooth_l1_loss(*pair, reduction, beta)


def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
) -> Tensor:
    """The mean of d² / 2 for differences d up to `delta`, and of delta (|d| - delta / 2) above."""
    pair = promote_together(input, target)
    check_reduction(reduction)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    return losses.huber_loss(*pair, reduction, delta)


# Classification losses


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """The negative log-probability of the target class, averaged over the examples.

    Examples whose target is `ignore_index` are left out. With `weight`, the average is weighted.

    Shapes: input (C), (N, C) or (N, C, d1, …) of log-probabilities, target (), (N) or (N, d1, …)
    of class indices, weight (C).
    """
    check_reduction(reduction)
    check_classes(input, target)
    shape = input._data.shape
    if weight is not None:
        check_weight(weight, input)
    weight = optional(weight)
    if len(shape) == 1:
        target = target.reshape(())
    if len(shape) <= 2:
        return losses.nll_loss(input, target, weight, reduction, ignore_index)
    if len(shape) == 4:
        return losses.nll_loss2d(input, target, weight, reduction, ignore_index)
    plane = input.contiguous().view(shape[0], shape[1], 1, -1)
    flat = target.contiguous().view(shape[0], 1, -1)
    result = losses.nll_loss2d(plane, flat, weight, reduction, ignore_index)
    return result.view(target.shape) if reduction == "none" else result


_nll_loss = nll_loss  # itself, without the check of its arguments that is put around it below


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """`nll_loss` of `log_softmax`: the loss of logits against classes, or against probabilities.

    Args:
        input: logits: (C), (N, C) or (N, C, d1, …).
        target: class indices, (), (N) or (N, d1, …); or probabilities, in the shape of `input`.
        weight: a weight for each class: (C).
        ignore_index: examples with this target are left out.
        reduction: "mean", "sum" or "none".
        label_smoothing: the fraction of the target that is spread evenly over all classes.
    """
    check_reduction(reduction)
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    shape = input._data.shape
    dim = 0 if len(shape) == 1 else 1
    if shape == target._data.shape:
        if not target.dtype.is_floating_point:
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, got"
                f" {target.dtype.legacy}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _soft_cross_entropy(input, target, weight, dim, reduction, label_smoothing)
    log_probs = statistics.log_softmax_dim(input, dim)
    loss = _nll_loss(log_probs, target, weight, ignore_index=ignore_index, reduction=reduction)
    if label_smoothing == 0:
        return loss
    smooth = _label_smoothing_loss(log_probs, target, weight, dim, ignore_index, reduction)
    share = label_smoothing / shape[dim]
    return elementwise.mul_number(loss, 1 - label_smoothing) + elementwise.mul_number(smooth, share)


def _weighted(losses: Tensor, weight: Tensor | None, dim: int) -> Tensor:
    """These losses of all classes, which are along `dim`, times the weight of their class."""
    if weight is None:
        return losses
    return losses * weight.view([-1 if axis == dim else 1 for axis in range(losses.ndim)])


def _soft_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None,
    dim: int,
    reduction: str,
    label_smoothing: float,
) -> Tensor:
    classes = input.shape[dim]
    log_probs = statistics.log_softmax(input, dim)
    if label_smoothing > 0:
        target = elementwise.add_number(
            elementwise.mul_number(target, 1 - label_smoothing), label_smoothing / classes
        )
    products = _weighted(log_probs * target, weight, dim)
    if reduction == "none":
        return -products.sum(dim)
    loss = -products.sum()
    return loss if reduction == "sum" else elementwise.div_number(loss, input.numel() / classes)


def _label_smoothing_loss(
    log_probs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    dim: int,
    ignore_index: int,
    reduction: str,
) -> Tensor:
    """The term that label smoothing adds: minus the sum of the log-probabilities of all classes."""
    loss = -_weighted(log_probs, weight, dim).sum(dim)
    ignored = target.eq(ignore_index)
    loss.masked_fill_(ignored, 0.0)
    if reduction == "none":
        return loss
    if reduction == "sum":
        return loss.sum()
    counted = target.masked_select(ignored.logical_not())
    total = ignored.logical_not().sum() if weight is None else weight.gather(0, counted).sum()
    return loss.sum() / total


# Binary classification losses


def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, *, reduction: str = "mean"
) -> Tensor:
    """-(t log x + (1 - t) log(1 - x)) for probabilities x; logarithms are clamped at -100."""
    check_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size"
            f" ({input.shape}) is deprecated. Please ensure they have the same size."
        )
    for each in (target, weight):
        if each is not None and each.dtype is not input.dtype:
            raise RuntimeError(f"Found dtype {each.dtype.legacy} but expected {input.dtype.legacy}")
    if weight is not None and not broadcastable(weight.shape, target.shape):
        at = next(n for n in range(1, 9) if weight.shape[-n] not in (1, target.shape[-n]))
        raise RuntimeError(
            f"Attempting to broadcast a dimension of length {weight.shape[-at]} at -{at}!"
            f" Mismatching argument at index 1 had {weight.shape}; but expected shape should be"
            f" broadcastable to {list(target.shape)}"
        )
    if weight is not None:
        weight = weight.expand(target.shape)
    return losses.binary_cross_entropy(input, target, optional(weight), reduction)


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    *,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """`binary_cross_entropy` of sigmoid(input), computed in a numerically stable way.

    `pos_weight` multiplies the term of the positive class.
    """
    check_reduction(reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Target size ({target.shape}) must be the same as input size ({input.shape})"
        )
    if not target.dtype.is_floating_point:
        raise RuntimeError(
            f"result type {input.dtype.legacy} can't be cast to the desired output type"
            f" {target.dtype.legacy}"
        )
    if pos_weight is not None and not broadcastable(pos_weight.shape, input.shape):
        raise errors.does_not_broadcast(pos_weight.shape, input.shape)
    if weight is not None and not broadcastable(input.shape, weight.shape):
        raise errors.does_not_broadcast(input.shape, weight.shape)
    return losses.binary_cross_entropy_with_logits(
        input, target, optional(weight), optional(pos_weight), reduction
    )


# Images


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """`conv2d` with one spatial dimension.

    Shapes: input (N, C, L) or (C, L), weight (O, C / groups, l), bias (O); result (N, O, windows).
    """
    return _convolution(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """Cross-correlate `input` with the filters in `weight`, one for each output channel.

    Shapes: input (N, C, H, W) or (C, H, W), weight (O, C / groups, h, w), bias (O); the result
    (N, O, rows, columns). `stride`, `padding` and `dilation` are a number or a pair of numbers;
    `padding` may also be "valid" or "same".
    """
    return _convolution(2, input, weight, bias, stride, padding, dilation, groups)


def _convolution(
    dims: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Tensor:
    """A convolution over the last `dims` dimensions of `input`."""
    if bias is not None and bias.dtype is not input.dtype:
        kinds = input.dtype.c_name, bias.dtype.c_name
        raise RuntimeError("Input type ({}) and bias type ({}) should be the same".format(*kinds))
    ndim, size = len(input._data.shape), weight._data.shape
    if ndim not in (dims + 1, dims + 2):
        raise RuntimeError(
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to conv{dims}d, but"
            f" got input of size: {list(input.shape)}"
        )
    if len(size) != dims + 2:
        raise RuntimeError(
            f"Expected {len(size)}-dimensional input for {len(size)}-dimensional weight"
            f" {list(size)}, but got {dims + 2}-dimensional input of size"
            f" {[1] * (dims + 2 - ndim) + list(input.shape)} instead"
        )
    steps, spread = lengths_of("stride", stride, dims), lengths_of("dilation", dilation, dims)
    batch = input.unsqueeze(0) if ndim == dims + 1 else input
    sides = (0,) * dims if isinstance(padding, str) else lengths_of("padding", padding, dims)
    if padding == "same":
        batch, sides = _same_padding(batch, weight, steps, spread)
    elif isinstance(padding, str) and padding != "valid":
        raise RuntimeError(f"Invalid padding string: '{padding}'")
    check_convolution(batch, weight, bias, steps, sides, spread, groups)
    result = convolution.convolution(batch, weight, optional(bias), steps, sides, spread, groups)
    return result.squeeze(0) if ndim == dims + 1 else result


def _same_padding(
    input: Tensor, weight: Tensor, stride: Shape, dilation: Shape
) -> tuple[Tensor, Shape]:
    """For padding="same": how much padding goes on both sides, and the input, to which the odd
    zeros have already been added.
    """
    if max(stride) > 1:
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [step * (length - 1) for length, step in zip(weight.shape[2:], dilation, strict=True)]
    if any(number % 2 for number in total):
        warn(
            "Using padding='same' with even kernel lengths and odd dilation may require a"
            " zero-padded copy of the input be created"
        )
        ends = [side for number in reversed(total) for side in (0, number % 2)]
        input = convolution.pad(input, tuple(ends))
    return input, tuple(number // 2 for number in total)


def max_pool2d(
    input: Tensor,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    """The largest element of each window; with `return_indices` also its index in the plane.

    Shapes: (N, C, H, W) or (C, H, W). `stride` defaults to the kernel size, so that windows do not
    overlap. With `ceil_mode` the last windows may extend past the edge.
    """
    shape = input._data.shape
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    spread = pair_of("max_pool2d: dilation", dilation)
    size, steps, sides = window_of("max_pool2d", kernel_size, stride, padding)
    check_windows(size, steps, sides, spread)
    if sides[0] > size[0] // 2 or sides[1] > size[1] // 2:
        raise RuntimeError(
            "pad should be smaller than or equal to half of kernel size, but got"
            f" padW = {sides[1]}, padH = {sides[0]}, kW = {size[1]}, kH = {size[0]}"
        )
    windows = pooled_size(shape, size, steps, sides, spread, ceil_mode)
    if input.dtype is dtypes.bool_:
        raise errors.not_implemented("max_pool2d", dtypes.bool_)
    indices = convolution.max_pool_indices(input, windows, size, steps, sides, spread)
    result = convolution.max_pool(input, indices)
    return (result, indices) if return_indices else result


def avg_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0) -> Tensor:
    """The mean of each window, in which padding counts as zeros.

    Shapes: (N, C, H, W) or (C, H, W). `stride` defaults to the kernel size.
    """
    shape = input._data.shape
    if len(shape) not in (3, 4) or 0 in shape[-3:]:
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but"
            f" got:{list(shape)}"
        )
    how = window_of("avg_pool2d", kernel_size, stride, padding)
    check_windows(*how, (1, 1))
    pooled_size(shape, *how, (1, 1), False)
    if input.dtype is dtypes.bool_:
        raise errors.not_implemented("avg_pool2d", dtypes.bool_)
    return convolution.avg_pool(input, *how)


# PyTorch checks the arguments of these functions, and uses these names in its errors. The others
# accept any object that has the attributes they read.
for _name, _error_name in {
    "avg_pool2d": "avg_pool2d",
    "conv1d": "conv1d",
    "conv2d": "conv2d",
    "cross_entropy": "cross_entropy_loss",
    "dropout": "dropout",
    "linear": "linear",
    "max_pool2d": "max_pool2d",
    "nll_loss": "nll_loss_nd",
    "one_hot": "one_hot",
}.items():
    _function = globals()[_name]
    globals()[_name] = functools.wraps(_function)(with_checked_arguments(_function, _error_name))

__getattr__, __dir__ = public_names(__name__, __all__)
