"""Plots: what they compute, that they can be read, and clear errors."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_hex

import minigrad as torch
from minigrad.viz import (
    plot_difference_error,
    plot_gradient_field,
    plot_jacobian,
    plot_loss_surface,
    plot_memory,
    plots,
)


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    """Draw into memory, and close what was drawn."""
    backend = mpl.get_backend()
    mpl.use("Agg")
    yield
    plt.close("all")
    mpl.use(backend)


def lines(ax: Axes) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    return {
        str(line.get_label()): (np.asarray(line.get_xdata()), np.asarray(line.get_ydata()))
        for line in ax.get_lines()
    }


def bowl(w: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    return w**2 + 4 * b**2


PATH = [(1.0, 1.0), (0.5, -0.5), (0.1, 0.2)]

# Finite differences -------------------------------------------------------------------------------


def test_difference_error_falls_with_h_and_rises_again() -> None:
    drawn = lines(plot_difference_error(torch.exp, 1.0))
    assert set(drawn) == {
        f"{kind}, {dtype}" for kind in ("forward", "central") for dtype in ("float32", "float64")
    }
    steps, forward = drawn["forward, float64"]
    errors = dict(zip(np.round(np.log10(steps), 1), forward, strict=True))
    # The first neglected term of each series: h/2 f'' and h²/6 f'''.
    assert errors[-3.0] == pytest.approx(1e-3 / 2 * np.e, rel=1e-2)
    central = dict(zip(np.round(np.log10(steps), 1), drawn["central, float64"][1], strict=True))
    assert central[-2.0] == pytest.approx(1e-4 / 6 * np.e, rel=1e-2)
    assert errors[-16.0] == pytest.approx(np.e)  # 1 + h is 1: the difference is 0
    best = {label: np.nanmin(ys) for label, (_, ys) in drawn.items()}
    assert best["central, float64"] < best["forward, float64"] < best["central, float32"]


def test_difference_error_of_zero_is_no_point() -> None:
    _, errors = lines(plot_difference_error(lambda x: x * 2.0, 1.0))["forward, float64"]
    assert np.isnan(errors[-1])


def test_difference_error_at_a_tensor() -> None:
    x = torch.tensor([2.0], requires_grad=True)
    ax = plot_difference_error(torch.log, x)
    assert ax.get_title() == "Finite differences at x = 2"
    assert x.grad is None


# Fields and surfaces ------------------------------------------------------------------------------


def test_arrows_point_along_the_gradient() -> None:
    ax = plot_gradient_field(bowl, [-1.0, 0.0, 1.0], np.linspace(-1, 1, 3))
    (arrows,) = [each for each in ax.collections if hasattr(each, "U")]
    at = arrows.get_offsets()
    gradient = np.stack([2 * at[:, 0], 8 * at[:, 1]])
    found = np.stack([arrows.U, arrows.V])
    cross = found[0] * gradient[1] - found[1] * gradient[0]
    assert np.allclose(cross, 0, atol=1e-6)
    assert np.allclose(np.hypot(*found), np.sqrt(np.hypot(*gradient)), atol=1e-6)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("w", "b")


def test_fine_grid_has_a_readable_number_of_arrows() -> None:
    ax = plot_gradient_field(bowl, np.linspace(-1, 1, 41), np.linspace(-1, 1, 16))
    (arrows,) = [each for each in ax.collections if hasattr(each, "U")]
    assert arrows.N == 14 * 8


def test_path_is_drawn_on_the_field_and_on_the_surface() -> None:
    path = [(torch.tensor(1.0, requires_grad=True), 1.0), *PATH[1:]]
    ax = plot_gradient_field(bowl, [-1.0, 1.0], [-1.0, 1.0], path=path)
    assert [list(each) for each in lines(ax)["path"]] == [[1, 0.5, 0.1], [1, -0.5, 0.2]]
    assert [float(each[0]) for each in lines(ax)["end"]] == [0.1, 0.2]
    surface: Any = plot_loss_surface(bowl, [-1.0, 1.0], [-1.0, 1.0], path=PATH)
    heights = surface.get_lines()[0].get_data_3d()[2]
    assert heights == pytest.approx([5.0, 1.25, 0.17])


def test_surface_has_the_heights_of_the_function() -> None:
    ax: Any = plot_loss_surface(bowl, torch.linspace(-1, 1, 5), torch.linspace(-2, 2, 5))
    floor, top = ax.get_zlim()
    assert top == pytest.approx(17.0)
    assert floor < 0  # it lies below the surface, and carries the contours
    assert ax.get_zlabel() == "loss"
    assert len(ax.collections) == 2


def test_function_of_one_of_the_two_alone() -> None:
    ax = plot_gradient_field(lambda w, b: w * 3.0, [-1.0, 1.0], [-1.0, 1.0])
    (arrows,) = [each for each in ax.collections if hasattr(each, "U")]
    assert np.allclose(arrows.V, 0)


# Jacobians ----------------------------------------------------------------------------------------


def test_jacobian_of_a_function() -> None:
    x = torch.tensor([1.0, 2.0])
    ax = plot_jacobian(lambda x: torch.stack([x[0] * x[1], x[0], -x[1]]), x)
    image = ax.get_images()[0]
    assert np.asarray(image.get_array()).tolist() == [[2.0, 1.0], [1.0, 0.0], [0.0, -1.0]]
    assert image.get_clim() == (-2.0, 2.0)
    assert [text.get_text() for text in ax.texts] == ["2", "1", "1", "0", "0", "−1"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("output", "input")


def test_numbers_can_be_read_on_their_ground() -> None:
    ax = plot_jacobian([[4.0, -4.0, 0.0]])
    assert [to_hex(text.get_color()) for text in ax.texts] == ["#ffffff", "#ffffff", "#1a1a1a"]


def test_large_jacobian_has_hatches_instead_of_numbers() -> None:
    matrix = np.ones((9, 3))
    matrix[2:4] = -1.0
    ax = plot_jacobian(matrix)
    assert len(ax.texts) == 0
    (hatched,) = [each for each in ax.collections if isinstance(each, PolyCollection)]
    assert hatched.get_hatch() == "////"
    assert len(hatched.get_paths()) == 6  # the negative ones


def test_jacobian_of_other_shapes_and_of_zeros() -> None:
    square = plot_jacobian(lambda x: x * 2.0, torch.ones(2, 2)).get_images()[0]
    assert np.asarray(square.get_array()).shape == (4, 4)
    nothing = plot_jacobian(torch.zeros(2, 2)).get_images()[0]
    assert nothing.get_clim() == (-1.0, 1.0)
    broken = plot_jacobian([[float("nan"), -3.0], [float("inf"), 1.0]]).get_images()[0]
    assert broken.get_clim() == (-3.0, 3.0)


# Memory -------------------------------------------------------------------------------------------


def test_memory_grows_with_the_saved_tensors_only_when_recorded() -> None:
    w = torch.full((1000,), 0.5, requires_grad=True)
    drawn = lines(plot_memory(lambda t: torch.exp(t * w), torch.ones(1000), 3))
    # float32: 4 kB each. A step saves the factor t, w once for all steps, and its result, which is
    # also the next step's t. `start` itself is the first t; it needs no gradient, but w does.
    assert drawn["under no_grad"][1].tolist() == [4.0, 4.0, 4.0, 4.0]
    assert drawn["recorded"][1].tolist() == [4.0, 8.0, 16.0, 20.0]


def test_memory_of_views_is_counted_once() -> None:
    start = torch.ones(1000, requires_grad=True)
    ax = plot_memory(lambda t: t.reshape(10, 100) * start.reshape(10, 100), start, 1)
    assert lines(ax)["recorded"][1].tolist() == [4.0, 8.0]


def test_unit_of_memory() -> None:
    def label(elements: int) -> str:
        start = torch.ones(elements, requires_grad=True)
        return plot_memory(lambda t: t.exp() * 1.0, start, 1).get_ylabel()

    assert [label(10), label(1000), label(500_000)] == [
        "memory (bytes)", "memory (kB)", "memory (MB)",
    ]  # fmt: skip


# Axes ---------------------------------------------------------------------------------------------


def test_given_axes_are_used_and_returned() -> None:
    figure, axes = plt.subplots(1, 4)
    space = figure.add_subplot(projection="3d")
    start = torch.ones(2, requires_grad=True)
    assert plot_difference_error(torch.exp, 1.0, ax=axes[0]) is axes[0]
    assert plot_gradient_field(bowl, [0.0, 1.0], [0.0, 1.0], ax=axes[1]) is axes[1]
    assert plot_jacobian([[1.0]], ax=axes[2]) is axes[2]
    assert plot_memory(torch.exp, start, 1, ax=axes[3]) is axes[3]
    assert plot_loss_surface(bowl, [0.0, 1.0], [0.0, 1.0], ax=space) is space


def test_labels_are_large_and_lines_differ_without_colour() -> None:
    ax = plot_difference_error(torch.exp, 1.0)
    assert ax.title.get_fontsize() == plots.TITLE
    assert ax.xaxis.label.get_fontsize() == ax.yaxis.label.get_fontsize() == plots.LABEL
    looks = {
        (line.get_linestyle(), line.get_marker(), to_hex(line.get_markerfacecolor()))
        for line in ax.get_lines()
    }
    assert len(looks) == 4


def test_same_picture_every_time() -> None:
    def pixels() -> bytes:
        ax = plot_gradient_field(bowl, np.linspace(-1, 1, 9), np.linspace(-1, 1, 9), path=PATH)
        ax.figure.canvas.draw()
        return bytes(ax.figure.canvas.buffer_rgba())  # type: ignore[attr-defined]

    assert pixels() == pixels()


def test_contours_are_lines_that_are_labelled() -> None:
    ax = plot_gradient_field(bowl, np.linspace(-1, 1, 9), np.linspace(-1, 1, 9))
    assert not any(isinstance(each, LineCollection) and each.get_hatch() for each in ax.collections)
    assert len(ax.texts) > 3


# Bad input ----------------------------------------------------------------------------------------


def test_functions_must_return_one_element() -> None:
    with pytest.raises(TypeError, match="a tensor of one element, not float"):
        plot_difference_error(lambda x: 1.0, 1.0)
    with pytest.raises(TypeError, match=r"a tensor of one element, not shape \(3,\)"):
        plot_gradient_field(lambda w, b: torch.ones(3), [0.0, 1.0], [0.0, 1.0])
    with pytest.raises(TypeError, match="the function must return one tensor"):
        plot_jacobian(lambda x: (x, x), torch.ones(2))


def test_bad_grids_and_paths() -> None:
    for xs in ([1.0], [[0.0, 1.0]], torch.ones(2, 2)):
        with pytest.raises(ValueError, match="at least two numbers each"):
            plot_gradient_field(bowl, xs, [0.0, 1.0])  # type: ignore[arg-type]
    for path in ([], [(1.0, 2.0, 3.0)]):
        with pytest.raises(ValueError, match="path must be points"):
            plot_loss_surface(bowl, [0.0, 1.0], [0.0, 1.0], path=path)


def test_bad_matrices() -> None:
    for matrix in ([1.0, 2.0], 3.0, np.zeros((0, 2))):
        with pytest.raises(ValueError, match="a Jacobian is a matrix, not an array of shape"):
            plot_jacobian(matrix)
    with pytest.raises(TypeError, match="a function and the point x"):
        plot_jacobian(torch.exp)
    with pytest.raises(TypeError, match="a function and the point x"):
        plot_jacobian([[1.0]], torch.ones(1))


def test_bad_memory_runs() -> None:
    start = torch.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match="start must be a tensor, not float"):
        plot_memory(torch.exp, 1.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="step must return a tensor, not float"):
        plot_memory(lambda t: 1.0, start)
    with pytest.raises(ValueError, match="steps must be positive, not 0"):
        plot_memory(torch.exp, start, 0)


def test_bad_axes() -> None:
    with pytest.raises(TypeError, match="ax must be matplotlib Axes, not str"):
        plot_jacobian([[1.0]], ax="here")  # type: ignore[arg-type]
    _, flat = plt.subplots()
    with pytest.raises(TypeError, match="the axes must be 3-D"):
        plot_loss_surface(bowl, [0.0, 1.0], [0.0, 1.0], ax=flat)


def test_matplotlib_is_loaded_on_first_use() -> None:
    program = "import sys, minigrad.viz; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
