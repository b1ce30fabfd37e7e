"""The same function gives the same plot, whether its tensors are minigrad's or PyTorch's."""

from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

import minigrad
from minigrad.viz import plot_jacobian


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    """Draw into memory, and close what was drawn."""
    backend = mpl.get_backend()
    mpl.use("Agg")
    yield
    plt.close("all")
    mpl.use(backend)


def jacobian(lib: Any) -> Axes:
    x = lib.tensor([1.0, 2.0, 3.0])
    return plot_jacobian(
        lib.autograd.functional.jacobian(lambda x: lib.stack([x.prod(), x.sum()]), x)
    )


def test_same_plot() -> None:
    ours, theirs = ([*lines(jacobian(lib))] for lib in (minigrad, torch))
    assert len(ours) == len(theirs) > 0
    for our, their in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(our, their, rtol=1e-6, atol=1e-12)


def lines(ax: Axes) -> Iterator[Any]:
    """Yield the numbers that are drawn."""
    for image in ax.get_images():
        yield np.asarray(image.get_array())
