"""How a tensor prints: the text of ``repr(tensor)``, character for character as in PyTorch 2.13.

Printing takes four decisions, which this file makes in this order:

1. *Which elements?* Above ``threshold`` elements, only the ``edgeitems`` at both ends of each axis.
2. *Which notation?* One for the whole tensor, so that the columns line up: ``1.`` when every number
   is whole, ``1.5000`` as a rule, ``1.5000e+00`` when the numbers are large, small or far apart.
3. *Where do lines break?* Rows are wrapped at ``linewidth``, blank lines separate matrices.
4. *What else is there to know?* The size of an empty tensor, a dtype that the numbers do not show,
   and what autograd adds: ``requires_grad=True`` or ``grad_fn=<AddBackward0>``.

The rules, including their quirks, are those of ``torch/_tensor_str.py``; the parity suite compares
thousands of tensors with PyTorch. For the options, see
https://docs.pytorch.org/docs/2.13/generated/torch.set_printoptions.html
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import dtypes
from .checks import is_stray

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["set_printoptions", "tensor_repr"]


class PrintOptions(NamedTuple):
    """The options of `set_printoptions`, with PyTorch's defaults."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


_PROFILES = {
    "default": PrintOptions(),
    "short": PrintOptions(precision=2, edgeitems=2),
    "full": PrintOptions(threshold=math.inf),
}

# Replaced as a whole, so that a thread that is printing never sees a partial change.
_options = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors print from now on, as ``torch.set_printoptions`` does.

    Args:
        precision: digits after the decimal point (4).
        threshold: a tensor with more elements than this is summarised (1000).
        edgeitems: how many elements a summary shows at both ends of an axis (3).
        linewidth: characters per line (80).
        profile: ``"default"``, ``"short"`` or ``"full"``, the values to start from; the other
            arguments override it. Another name changes nothing, as in PyTorch.
        sci_mode: scientific notation always (True), never (False) or as the numbers need it (None).

    An argument left at None keeps its setting, except ``sci_mode``: every call sets it, as in
    PyTorch, so ``set_printoptions()`` returns it to None.
    """
    global _options
    base = _PROFILES.get(profile or "", _options)
    given = {
        "precision": precision, "threshold": threshold,
        "edgeitems": edgeitems, "linewidth": linewidth,
    }  # fmt: skip
    changes: Any = {name: value for name, value in given.items() if value is not None}
    _options = base._replace(sci_mode=sci_mode, **changes)


def show_tensor(tensor: Any) -> str:
    """`repr(tensor)`: its values, and `grad_fn` or `requires_grad`."""
    prefix = "tensor(" if of_plain_class(tensor) else f"{type(tensor).__name__}("
    suffixes = []
    try:
        node = tensor.grad_fn
        if node is not None:
            suffixes = [f"grad_fn=<{type(node).__name__}>"]
        elif tensor._requires_grad or is_stray(tensor):
            suffixes = ["requires_grad=True"]
    except RuntimeError:  # a view whose base was changed in a way that it cannot follow
        suffixes = ["grad_fn=<Invalid>"]
    return tensor_repr(tensor._data, suffixes, prefix=prefix)


def of_plain_class(tensor: Any) -> bool:
    """Whether the tensor prints as `tensor(…)`; a Parameter does, but other subclasses do not."""
    return getattr(tensor, "_class_of_results", type(tensor)).__name__ == "Tensor"


def tensor_repr(
    data: NDArray[Any] | np.generic, suffixes: Sequence[str] = (), *, prefix: str = "tensor("
) -> str:
    """Return what ``repr`` of a PyTorch tensor with these values prints.

    Args:
        data: real numbers, integers or bools, of any shape; a NumPy scalar is a 0-d tensor.
        suffixes: formatted text to append after ``size=`` and ``dtype=``, such as
            ``["requires_grad=True"]`` or ``["grad_fn=<AddBackward0>"]``.
        prefix: the opening, including its bracket; continuation lines are indented by its length.
    """
    options = _options
    data = np.asarray(data)
    text = prefix + _body(data, len(prefix), options)
    return _append(text, [*_size_and_dtype(data, options), *suffixes], len(prefix), options) + ")"


def _body(data: NDArray[Any], indent: int, options: PrintOptions) -> str:
    """Return the numbers in their brackets, wrapped and indented."""
    if data.size == 0:
        return "[]"
    edge, folded = options.edgeitems, (False,) * data.ndim
    if data.size > options.threshold and data.ndim > 0:
        if edge == 0:
            return "[...]"
        folded = tuple(size > 2 * edge for size in data.shape)
        data = _ends(data, folded, edge)
    cells, width = _cells(data, options)
    return _layout(cells, folded, width, indent, options)


def _ends(data: NDArray[Any], folded: tuple[bool, ...], edge: int) -> NDArray[Any]:
    """Keep the first and the last `edge` elements of each folded axis (reading only those)."""
    both_ends = np.r_[:edge, -edge:0]
    kept = [
        both_ends if fold else np.arange(size)
        for fold, size in zip(folded, data.shape, strict=True)
    ]
    shown: NDArray[Any] = data[np.ix_(*kept)]
    return shown


def _cells(data: NDArray[Any], options: PrintOptions) -> tuple[NDArray[np.object_], int]:
    """Return each number as text, right-aligned, in an array of the shape of `data`, and the width.

    The width is that of the widest number that is neither zero nor inf nor nan. PyTorch measures
    only those, so inf can stick out of its column and a long row of zeros outgrows the line.
    """
    numbers = data.ravel().tolist()  # Python numbers: a float32 prints as the double it equals
    if data.dtype.kind == "f":
        measured = [x for x in numbers if x != 0 and math.isfinite(x)]
        spec = _float_spec(measured, options)
    else:
        measured, spec = numbers, ""
    width = max((len(format(x, spec)) for x in measured), default=1)
    cells = np.empty(data.size, dtype=object)
    cells[:] = [format(x, spec).rjust(width) for x in numbers]
    return cells.reshape(data.shape), width


def _float_spec(numbers: list[float], options: PrintOptions) -> str:
    """Return the format specification that suits these finite, non-zero numbers together."""
    if not numbers:
        return "#.0f"
    largest, smallest = max(map(abs, numbers)), min(map(abs, numbers))
    scientific = options.sci_mode
    if scientific is None:
        scientific = largest / smallest > 1000 or largest > 1e8 or smallest < 1e-4
    if scientific:
        return f".{options.precision}e"
    if all(x.is_integer() for x in numbers):
        return "#.0f"  # the # keeps the point: "3." is a float, "3" would be an integer
    return f".{options.precision}f"


def _layout(
    cells: NDArray[np.object_],
    folded: tuple[bool, ...],
    width: int,
    indent: int,
    options: PrintOptions,
) -> str:
    """Join the cells: commas within a row, one line break per row, more between matrices."""
    if cells.ndim == 0:
        return str(cells.item())
    if cells.ndim == 1:
        items, dots = cells.tolist(), " ..."
    else:
        items = [_layout(row, folded[1:], width, indent + 1, options) for row in cells]
        dots = "..."
    if folded[0]:
        items.insert(options.edgeitems, dots)
    if cells.ndim == 1:
        per_line = max(1, (options.linewidth - indent) // (width + len(", ")))
        items = [", ".join(items[i : i + per_line]) for i in range(0, len(items), per_line)]
    return "[" + ("," + "\n" * max(1, cells.ndim - 1) + " " * (indent + 1)).join(items) + "]"


def _size_and_dtype(data: NDArray[Any], options: PrintOptions) -> Iterator[str]:
    """Yield the size if no numbers are shown, and the dtype if the numbers do not imply it."""
    empty = data.size == 0
    if data.ndim != 1 if empty else options.edgeitems == 0:
        yield f"size={data.shape}"
    # 1. implies the default dtype, 1 int64 and True bool; an empty tensor has no numbers to tell.
    default = dtypes.default.name
    obvious = (default,) if empty else (default, "int64", "bool")
    if data.dtype.name not in obvious:
        yield f"dtype=torch.{data.dtype.name}"


def _append(text: str, suffixes: Sequence[str], indent: int, options: PrintOptions) -> str:
    """Append ``, suffix`` for each suffix, on a new line where it would cross the line width."""
    # As in PyTorch, the last line of `text` counts as two characters longer than it is.
    column = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if column + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            column = indent + len(suffix)
        else:
            text += ", " + suffix
            column += len(suffix) + 2
    return text
