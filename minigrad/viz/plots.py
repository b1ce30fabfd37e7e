"""Plots that teach: matplotlib is loaded on first use, and each function returns its Axes.

They work with functions of minigrad's and of PyTorch's tensors: a tensor among the arguments tells
which; plain numbers become tensors of minigrad. Colours are Okabe and Ito's, and every line has a
dash or a marker of its own, so that the plots also read in grey.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.viz import values
from minigrad.viz.protocol import TensorLike, is_tensor, library_of
from minigrad.viz.recording import reach
from minigrad.viz.saved import read_saved

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = np.ndarray[Any, np.dtype[np.float64]]

BLUE, VERMILLION, INK, GREY = "#0072B2", "#D55E00", "#1A1A1A", "#5F5F5F"
TITLE, LABEL, TICK = 16, 14, 12  # points, readable from the back of a lecture hall
MOST_ARROWS = 15
"""Arrows along one side of a gradient field."""
MOST_VALUES = 8
"""A Jacobian with more rows or columns shows colours alone."""


def plot_difference_error(
    f: Callable[[Any], Any], x: float | TensorLike, *, ax: "Axes | None" = None
) -> "Axes":
    """Plot how far finite differences of `f` at `x` are from the derivative, against the step h.

    Forward and central differences in float32 and float64. From right to left the error falls with
    h (h for forward, h² for central differences) until the rounding of f, which grows as 1/h, takes
    over. The derivative is autograd's, in float64. Errors of exactly 0 have no place on the scale.

    Args:
        f: takes a 0-d tensor and returns a tensor of one element.
        x: where; a number or a tensor of one element.

    Raises:
        TypeError: `f` is no such function.
    """
    library, point = _library_for(x), _number(x)
    leaf = library.tensor(point, dtype=library.float64, requires_grad=True)
    (slope,) = library.autograd.grad(_one_element(f(leaf)), leaf)
    steps = 10.0 ** np.arange(-16, 0.5, 0.5)
    across = "step h  (too small: rounding, too large: truncation)"
    ax = _axes(ax, f"Finite differences at x = {values.number(point)}", across, "absolute error")
    for dtype, colour, face in (("float32", VERMILLION, "white"), ("float64", BLUE, BLUE)):
        at = library.tensor(point, dtype=getattr(library, dtype))

        def value(at: Any) -> Any:
            return _one_element(f(at)).detach()

        forward = [float((value(at + h) - value(at)) / h) for h in steps]
        central = [float((value(at + h) - value(at - h)) / (2 * h)) for h in steps]
        for name, found, look in (("forward", forward, "o--"), ("central", central, "s-")):
            error = np.abs(np.array(found) - float(slope))
            shown = np.where(error > 0, error, np.nan)
            style: dict[str, Any] = {"markerfacecolor": face, "label": f"{name}, {dtype}"}
            ax.loglog(steps, shown, look, color=colour, markersize=6, linewidth=1.8, **style)
    ax.grid(color="#DDDDDD")
    ax.legend(fontsize=TICK)
    return ax


def plot_gradient_field(
    f: Callable[[Any, Any], Any],
    xs: Sequence[float] | TensorLike,
    ys: Sequence[float] | TensorLike,
    *,
    path: Iterable[Sequence[Any]] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Plot the contours of `f`, its gradient as arrows, and a `path` that descends.

    An arrow points uphill, at a right angle to the contour; its length grows with the square root
    of the gradient's, since a true one would leave most of them too short to see.

    Args:
        f: takes two 0-d tensors and returns a tensor of one element.
        xs, ys: where, increasing: the grid of the contours; every few of them has an arrow.
        path: points (x, y), numbers or tensors of one element, first to last.

    Raises:
        TypeError: `f` is no such function.
        ValueError: `xs` or `ys` are not at least two numbers, or `path` is not made of pairs.
    """
    x, y, z = _grid(f, xs, ys)
    first, second = _names(f)
    ax = _axes(ax, "Gradient field: arrows point uphill", first, second)
    contours = ax.contour(x, y, z, levels=12, colors=GREY, linewidths=1)
    ax.clabel(contours, fontsize=10)
    some_x, some_y = (each[:: math.ceil(len(each) / MOST_ARROWS)] for each in (x, y))
    gradients = np.array([[_gradient(f, a, b, xs, ys) for a in some_x] for b in some_y])
    lengths = np.sqrt(np.linalg.norm(gradients, axis=2, keepdims=True))
    u, v = np.moveaxis(gradients / np.where(lengths > 0, lengths, 1.0), 2, 0)
    ax.quiver(some_x, some_y, u, v, angles="xy", pivot="mid", color=BLUE)
    if path is not None:
        _draw_path(ax, *_points(path))
    ax.set_aspect("equal")
    return ax


def plot_loss_surface(
    f: Callable[[Any, Any], Any],
    xs: Sequence[float] | TensorLike,
    ys: Sequence[float] | TensorLike,
    *,
    path: Iterable[Sequence[Any]] | None = None,
    ax: "Axes | None" = None,
) -> "Axes":
    """Plot `f` as a landscape, its contours on the floor below, and a `path` that descends.

    Arguments and errors as in `plot_gradient_field`; `ax`, if given, has to be three-dimensional
    (`subplot_kw={"projection": "3d"}`), else TypeError.
    """
    x, y, z = _grid(f, xs, ys)
    first, second = _names(f)
    ax = _axes(ax, "Loss surface", first, second, projection="3d")
    surface: Any = ax
    if not hasattr(surface, "plot_surface"):
        raise TypeError('the axes must be 3-D: plt.subplots(subplot_kw={"projection": "3d"})')
    across, up = np.meshgrid(x, y)
    floor = z.min() - 0.35 * (np.ptp(z) or 1.0)
    look = {"cmap": "cividis", "alpha": 0.85, "edgecolor": "white", "linewidth": 0.25}
    surface.plot_surface(across, up, z, rcount=30, ccount=30, **look)
    surface.contour(across, up, z, levels=12, zdir="z", offset=floor, colors=GREY, linewidths=1)
    surface.set_zlim(floor, z.max())
    surface.set_zlabel("loss", fontsize=LABEL, labelpad=10)
    surface.xaxis.labelpad = surface.yaxis.labelpad = 10  # clear of the numbers
    if path is not None:
        points = _points(path)
        heights = [_value(f, a, b, xs, ys) for a, b in zip(*points, strict=True)]
        _draw_path(surface, *points, np.array(heights))
    return ax


def plot_jacobian(matrix: Any, x: TensorLike | None = None, *, ax: "Axes | None" = None) -> "Axes":
    """Plot a Jacobian as a heat map: a row for each output, a column for each input.

    The colours are centred at 0. A small matrix shows its numbers; in a larger one the negative
    elements are hatched, since both ends of the scale are equally dark in grey print.

    Args:
        matrix: a 2-D tensor or array; or a function, whose Jacobian at `x` is taken.
        x: where, for a function. Inputs and outputs of other shapes are read row by row.

    Raises:
        TypeError: a function without `x`, or `x` without a function.
        ValueError: the matrix is not 2-D, or is empty.
    """
    if callable(matrix) != (x is not None):
        raise TypeError("plot_jacobian() takes a matrix alone, or a function and the point x")
    if x is not None:
        jacobian: Any = _library_for(x).autograd.functional.jacobian(matrix, x)
        if isinstance(jacobian, tuple):
            raise TypeError("the function must return one tensor")
        found = np.array(jacobian.tolist()).reshape(-1, math.prod(x.shape))
    else:
        found = np.array(matrix.tolist() if hasattr(matrix, "tolist") else matrix, dtype=float)
    if found.ndim != 2 or not found.size:
        raise ValueError(f"a Jacobian is a matrix, not an array of shape {found.shape}")
    from matplotlib.colors import ListedColormap

    ax = _axes(ax, "Jacobian", "input", "output")
    largest = float(np.abs(found[np.isfinite(found)]).max(initial=0.0)) or 1.0
    image = ax.imshow(found, cmap="PuOr_r", vmin=-largest, vmax=largest, aspect="auto")
    if max(found.shape) <= MOST_VALUES:
        for (row, column), value in np.ndenumerate(found):
            dark = np.dot(image.to_rgba(value)[:3], (0.3, 0.59, 0.11)) < 0.45  # to the eye
            place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": LABEL}
            colour = "white" if dark else INK
            ax.text(column, row, values.number(float(value)), color=colour, **place)
    else:
        edges = [np.arange(length + 1) - 0.5 for length in found.shape[::-1]]
        negative = np.ma.masked_where(~(found < 0), found)
        unseen = ListedColormap(["#FFFFFF00"])
        ax.pcolor(*edges, negative, cmap=unseen, hatch="////", edgecolor="#A0A0A0", linewidth=0)
    ax.locator_params(integer=True)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label("∂ output / ∂ input", fontsize=LABEL)
    bar.ax.tick_params(labelsize=TICK)
    return ax


def plot_memory(
    step: Callable[[Any], Any], start: TensorLike, steps: int = 20, *, ax: "Axes | None" = None
) -> "Axes":
    """Plot the memory that a result keeps alive, step by step, with recording and under `no_grad`.

    `step` is applied to `start`, then to what it returned, and so on, twice: as it is, and under
    `no_grad`. Counted are the bytes of the newest result and of all tensors that the graph behind
    it has saved, memory that several of them share once: what would be freed with the result, and
    the inputs it was computed from. Nodes themselves (some hundred bytes each) are not counted.

    Raises:
        TypeError: `start` is no tensor, or `step` does not return one.
        ValueError: `steps` is not positive.
    """
    if not is_tensor(start):
        raise TypeError(f"start must be a tensor, not {type(start).__name__}")
    if steps < 1:
        raise ValueError(f"steps must be positive, not {steps}")
    recorded = _bytes_held(step, start, steps)
    with _library_for(start).no_grad():
        plain = _bytes_held(step, start, steps)
    unit, name = next(u for u in ((1e6, "MB"), (1e3, "kB"), (1, "bytes")) if max(recorded) >= u[0])
    ax = _axes(ax, "Memory that the result keeps alive", "steps", f"memory ({name})")
    for label, sizes, look, colour in (
        ("recorded", recorded, "o-", VERMILLION),
        ("under no_grad", plain, "s--", BLUE),
    ):
        ax.plot(range(steps + 1), np.array(sizes) / unit, look, color=colour, label=label)
    ax.set_ylim(bottom=0)
    ax.locator_params(axis="x", integer=True)
    ax.grid(color="#DDDDDD")
    ax.legend(fontsize=TICK)
    return ax


def _axes(ax: "Axes | None", title: str, across: str, up: str, **subplot: Any) -> "Axes":
    """Return `ax`, or new axes, with labels of a readable size."""
    import matplotlib.pyplot as plt  # on first use: importing minigrad must not need it
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib Axes, not {type(ax).__name__}")
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 5.5), layout="constrained", subplot_kw=subplot)
    ax.set_title(title, fontsize=TITLE)
    ax.set_xlabel(across, fontsize=LABEL)
    ax.set_ylabel(up, fontsize=LABEL)
    ax.tick_params(labelsize=TICK)
    return ax


def _library_for(*things: Any) -> ModuleType:
    """Return the library of the first tensor among `things`, minigrad if there is none."""
    import minigrad

    found = (library_of(thing) for thing in things if is_tensor(thing))
    return next((library for library in found if library is not None), minigrad)


def _number(value: Any) -> float:
    """Return a number, or the number in a tensor; `float` alone would warn of a leaf."""
    return float(value.detach() if hasattr(value, "detach") else value)


def _one_element(result: Any) -> Any:
    if not is_tensor(result) or math.prod(result.shape) != 1:
        what = f"shape {tuple(result.shape)}" if is_tensor(result) else type(result).__name__
        raise TypeError(f"the function must return a tensor of one element, not {what}")
    return result


def _value(f: Callable[[Any, Any], Any], a: float, b: float, *like: Any) -> float:
    """Return f(a, b), computed with tensors of the library of `like`."""
    tensor = _library_for(*like).tensor
    return float(_one_element(f(tensor(float(a)), tensor(float(b)))).detach())


def _gradient(f: Callable[[Any, Any], Any], a: float, b: float, *like: Any) -> list[float]:
    """Return ∂f/∂a and ∂f/∂b; 0 where f does not depend on one of them."""
    library = _library_for(*like)
    leaves = [library.tensor(float(each), requires_grad=True) for each in (a, b)]
    found = library.autograd.grad(_one_element(f(*leaves)), leaves, allow_unused=True)
    return [0.0 if each is None else float(each) for each in found]


def _grid(f: Callable[[Any, Any], Any], xs: Any, ys: Any) -> tuple[Array, Array, Array]:
    """Return both axes as arrays, and f at every crossing: a row for each of `ys`."""
    x, y = (
        np.array(each.tolist() if hasattr(each, "tolist") else each, float) for each in (xs, ys)
    )
    if any(each.ndim != 1 or len(each) < 2 for each in (x, y)):
        raise ValueError("xs and ys must be one-dimensional, with at least two numbers each")
    return x, y, np.array([[_value(f, a, b, xs, ys) for a in x] for b in y])


def _names(f: Callable[..., Any]) -> tuple[str, str]:
    """Return what `f` calls its two arguments."""
    try:
        first, second, *_ = inspect.signature(f).parameters
    except ValueError:  # a built-in, or a function of other arguments
        return "x", "y"
    return first, second


def _points(path: Iterable[Sequence[Any]]) -> tuple[Array, Array]:
    points = [tuple(map(_number, point)) for point in path]
    if not points or any(len(point) != 2 for point in points):
        raise ValueError("path must be points (x, y), at least one")
    across, up = np.array(points).T
    return across, up


def _draw_path(ax: Any, *coordinates: Array) -> None:
    """Draw a line from the first point to the last, which has a star."""
    from matplotlib.patheffects import withStroke

    style: dict[str, Any] = {"color": VERMILLION, "zorder": 10}
    outline = [withStroke(linewidth=5, foreground="white")]  # in grey, line and ground are alike
    ax.plot(
        *coordinates, "o-", linewidth=2.5, markersize=5, path_effects=outline, label="path", **style
    )
    end = [each[-1:] for each in coordinates]
    ax.plot(*end, "*", markersize=20, markeredgecolor=INK, label="end", **style)
    ax.legend(fontsize=TICK, loc="upper right", framealpha=0.95)


def _bytes_held(step: Callable[[Any], Any], result: Any, steps: int) -> list[int]:
    sizes = [_graph_bytes(result)]
    for _ in range(steps):
        result = step(result)
        if not is_tensor(result):
            raise TypeError(f"step must return a tensor, not {type(result).__name__}")
        sizes.append(_graph_bytes(result))
    return sizes


def _graph_bytes(result: Any) -> int:
    """Count the bytes of `result` and of what its graph has saved, shared memory once."""
    operations, _ = reach([result.grad_fn])
    saved = [tensor for node in operations for tensor in read_saved(node).tensors().values()]
    arrays = [tensor.detach().numpy() for tensor in (result, *saved)]
    end = total = 0
    for first, last in sorted(np.lib.array_utils.byte_bounds(array) for array in arrays):
        total += max(0, last - max(first, end))
        end = max(end, last)
    return total
