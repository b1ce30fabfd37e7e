"""`outer` and `einsum`: products built from views, `mul`, `bmm` and `sum`.

`einsum` works as in PyTorch: `permute` and `unsqueeze` bring every operand to the dimensions
(output, summed). Then operands are multiplied in pairs from the left, and a dimension is summed as
soon as no remaining operand has it. Each pair is one `bmm` of an operand with the dimensions (in
both, left only, summed) and one with (in both, summed, right only).

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/aten/src/ATen/native/Linear.cpp
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any


from ..core.operation import op
from ..core.tensor import Tensor
from ..rows.declarations import export
from . import elementwise, layouts, products
from .elementwise import scaled
from .indexing import tensor_list
from .products import grad_of_left, grad_of_right

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ELLIPSIS = "."  # represents "..." in a list of labels


@export()
def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """The outer product of two vectors. Shapes: (n), (m) → (n, m), else RuntimeError."""
    for name, vector in (("self", input), ("vec2", vec2)):
        if vector.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {vector.ndim}-D")
    return elementwise.mul(input.reshape(-1, 1), vec2)


@export(only="function")
def einsum(equation: str, *operands: Any) -> Any:
    """The sum of products that an equation such as "ij,jk->ik" describes.

    Letters name dimensions, and those that are missing from the output are summed; `...` means any
    further dimensions, which broadcast. RuntimeError if the equation does not match the operands.
    """
    if not isinstance(equation, str):
        raise TypeError("minigrad's einsum takes an equation in letters, and then the operands")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    tensor_list("einsum", operands, 1)
    left, arrow, right = equation.replace(" ", "").partition("->")
    inputs = [labels_of(part) for part in left.split(",")]
    check_operands(inputs, operands)
    free = max(
        (tensor.ndim - len(labels) + 1 if ELLIPSIS in labels else 0)
        for labels, tensor in zip(inputs, operands, strict=True)
    )
    output = output_labels(inputs, labels_of(right) if arrow else None)
    spelled = [spell(labels, free) for labels in (output, *inputs)]
    order = spelled[0] + sorted({each for labels in spelled[1:] for each in labels} - {*spelled[0]})
    aligned = [
        align(tensor, spell(labels, free, tensor.ndim - len(labels) + 1), order, number)
        for number, (labels, tensor) in enumerate(zip(inputs, operands, strict=True))
    ]
    check_sizes(aligned, inputs, order)
    return contract(aligned, len(spelled[0]))


def labels_of(part: str) -> list[str]:
    labels = list(part.replace("...", ELLIPSIS))
    for position, label in enumerate(labels):
        if label not in LETTERS and label != ELLIPSIS:
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {position} in the equation string,"
                " subscripts must be in [a-zA-Z]"
            )
    return labels


def check_operands(inputs: list[list[str]], operands: Sequence[Tensor]) -> None:
    if len(inputs) != len(operands):
        which = "more" if len(operands) > len(inputs) else "fewer"
        raise RuntimeError(
            f"einsum(): {which} operands were provided than specified in the equation"
        )
    for number, (labels, tensor) in enumerate(zip(inputs, operands, strict=True)):
        count = len(labels)
        if ELLIPSIS not in labels and count != tensor.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({count}) does not match the"
                f" number of dimensions ({tensor.ndim}) for operand {number} and no ellipsis was"
                " given"
            )
        if ELLIPSIS in labels and count - 1 > tensor.ndim:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({count - 1}) is more than the"
                f" number of dimensions ({tensor.ndim}) for operand {number}"
            )


def output_labels(inputs: list[list[str]], given: list[str] | None) -> list[str]:
    """The labels of the output, by default the ellipsis and the letters that occur once, sorted."""
    used = [label for labels in inputs for label in labels]
    if given is None:
        once = sorted(label for label in used if label != ELLIPSIS and used.count(label) == 1)
        return [ELLIPSIS] * (ELLIPSIS in used) + once
    for label in given:
        if given.count(label) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {label} appears more than once in the output"
            )
        if label not in used and label != ELLIPSIS:
            raise RuntimeError(
                f"einsum(): output subscript {label} does not appear in the equation for any input"
                " operand"
            )
    return given


def spell(labels: list[str], free: int, own: int | None = None) -> list[str]:
    """`labels` with the ellipsis replaced by the last `own` of `free` numbered labels."""
    numbers = [f".{n}" for n in range(free - (free if own is None else own), free)]
    return [each for label in labels for each in (numbers if label == ELLIPSIS else [label])]


def align(tensor: Tensor, labels: list[str], order: list[str], number: int) -> Tensor:
    """`tensor` with one dimension for each label of `order`, of length 1 if it lacks the label."""
    kept: list[str] = []
    for label in labels:
        if label not in kept:
            kept.append(label)
            continue
        first, second = kept.index(label), len(kept)
        if tensor.shape[first] != tensor.shape[second]:
            raise RuntimeError(
                f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't"
                f" match, {tensor.shape[second]} != {tensor.shape[first]}"
            )
        tensor = layouts.movedim(layouts.diagonal(tensor, 0, first, second), -1, first)
    missing = [label for label in order if label not in kept]
    for _ in missing:
        tensor = tensor.unsqueeze(-1)
    return tensor.permute([(kept + missing).index(label) for label in order])


def check_sizes(aligned: list[Tensor], inputs: list[list[str]], order: list[str]) -> None:
    seen = [1] * len(order)
    for number, tensor in enumerate(aligned):
        for dim, (size, before) in enumerate(zip(tensor.shape, seen, strict=True)):
            if 1 not in (size, before) and size != before:
                raise RuntimeError(
                    f"einsum(): subscript {order[dim][0]} has size {size} for operand {number}"
                    f" which does not broadcast with previously seen size {before}"
                )
            seen[dim] = size if before == 1 else before


def contract(tensors: list[Tensor], kept: int) -> Any:
    """The product of all tensors, summed over the dimensions from `kept` on."""
    first, *others = tensors
    dims = range(kept, first.ndim)
    if not others:
        return first.sum(tuple(dims)) if dims else first
    while others:
        second, *others = others
        later = {dim for dim in dims if any(each.shape[dim] != 1 for each in others)}
        long_first, long_second = (
            {dim for dim in dims if each.shape[dim] != 1} - later for each in (first, second)
        )
        if long_first - long_second:
            first = first.sum(tuple(sorted(long_first - long_second)), True)
        if long_second - long_first:
            second = second.sum(tuple(sorted(long_second - long_first)), True)
        first = multiply_and_sum(first, second, sorted(long_first & long_second))
    return first.view(first.shape[:kept]) if dims else first


def multiply_and_sum(left: Tensor, right: Tensor, summed: list[int]) -> Any:
    """`left * right` with broadcasting, summed over the dimensions `summed`, which get length 1."""
    if not summed:
        return left * right
    rest = [dim for dim in range(left.ndim) if dim not in summed]
    both = [dim for dim in rest if left.shape[dim] != 1 and right.shape[dim] != 1]
    only_left = [dim for dim in rest if left.shape[dim] != 1 and dim not in both]
    only_right = [dim for dim in rest if dim not in both and dim not in only_left]

    if only_left and only_right and max(only_right) < min(only_left):
        return multiply_and_sum(right, left, summed)  # then the dimensions come out in order

    def size(tensor: Tensor, dims: list[int]) -> int:
        return math.prod(tensor.shape[dim] for dim in dims)

    batch, inner = size(left, both), size(left, summed)
    rows = left.permute(both + only_left + summed + only_right)
    columns = right.permute(both + summed + only_right + only_left)
    product = products.bmm(
        rows.reshape(batch, size(left, only_left), inner),
        columns.reshape(batch, inner, size(right, only_right)),
    )
    order = both + only_left + summed + only_right
    lengths = [*(left.shape[dim] for dim in both + only_left), *([1] * len(summed))]
    lengths += [right.shape[dim] for dim in only_right]
    return product.view(lengths).permute([order.index(dim) for dim in range(len(order))])


# addmm


addmm_scaled = op(
    "addmm",
    lambda self, mat1, mat2, beta, alpha: products.addmm_kernel(beta * self, alpha * mat1, mat2),
    self=lambda grad, beta: scaled(grad, beta),
    mat1=lambda grad, mat1_strides, mat2, alpha: scaled(
        grad_of_left(grad, mat1_strides, mat2), alpha
    ),
    mat2=lambda grad, mat1, mat2_strides, alpha: scaled(
        grad_of_right(grad, mat1, mat2_strides), alpha
    ),
)


@export()
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: float = 1, alpha: float = 1
) -> Tensor:
    """`beta * input + alpha * (mat1 @ mat2)`. Shapes: broadcastable to (m, k), (m, n), (n, k)."""
    if beta == alpha == 1:
        return products.addmm(input, mat1, mat2)
    return addmm_scaled(input, mat1, mat2, beta, alpha)
