"""The plot of a Jacobian: what it shows, legibility, and clear errors."""

from collections.abc import Iterator

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex

import minigrad as torch
from minigrad.viz import plot_jacobian, plots


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    """Draw to memory, and close the figures afterwards."""
    backend = mpl.get_backend()
    mpl.use("Agg")
    yield
    plt.close("all")
    mpl.use(backend)


def test_a_row_for_each_output_and_a_column_for_each_input() -> None:
    ax = plot_jacobian(torch.tensor([[2.0, 1.0], [1.0, 0.0], [0.0, -1.0]]))
    image = ax.get_images()[0]
    assert np.asarray(image.get_array()).tolist() == [[2.0, 1.0], [1.0, 0.0], [0.0, -1.0]]
    assert image.get_clim() == (-2.0, 2.0)
    assert [text.get_text() for text in ax.texts] == ["2", "1", "1", "0", "0", "−1"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("output", "input")


def test_numbers_contrast_with_their_background() -> None:
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


def test_jacobian_of_zeros_and_with_nan() -> None:
    nothing = plot_jacobian(torch.zeros(2, 2)).get_images()[0]
    assert nothing.get_clim() == (-1.0, 1.0)
    broken = plot_jacobian([[float("nan"), -3.0], [float("inf"), 1.0]]).get_images()[0]
    assert broken.get_clim() == (-3.0, 3.0)


def test_given_axes_are_used_and_labels_are_large() -> None:
    _, ax = plt.subplots()
    assert plot_jacobian([[1.0]], ax=ax) is ax
    assert ax.title.get_fontsize() == plots.TITLE
    assert ax.xaxis.label.get_fontsize() == ax.yaxis.label.get_fontsize() == plots.LABEL


def test_bad_matrices() -> None:
    for matrix in ([1.0, 2.0], 3.0, np.zeros((0, 2))):
        with pytest.raises(ValueError, match="a Jacobian is a matrix, not an array of shape"):
            plot_jacobian(matrix)


def test_bad_axes() -> None:
    with pytest.raises(TypeError, match="ax must be matplotlib Axes, not str"):
        plot_jacobian([[1.0]], ax="here")  # type: ignore[arg-type]
