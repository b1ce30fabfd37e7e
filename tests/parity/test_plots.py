"""The same function gives the same plot, whether its tensors are minigrad's or PyTorch's."""

from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

import minigrad
from minigrad.viz import (
    plot_difference_error,
    plot_gradient_field,
    plot_jacobian,
    plot_loss_surface,
    plot_memory,
)


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    """Draw into memory, and close what was drawn."""
    backend = mpl.get_backend()
    mpl.use("Agg")
    yield
    plt.close("all")
    mpl.use(backend)


def differences(lib: Any) -> Axes:
    return plot_difference_error(lambda x: x * x * x, lib.tensor(3.0))


def field(lib: Any) -> Axes:
    grid = lib.linspace(-2.0, 2.0, 9)
    path = [lib.tensor([1.0, 1.0], requires_grad=True), lib.tensor([0.5, 0.25])]
    return plot_gradient_field(lambda w, b: lib.tanh(w) ** 2 + (w * b) ** 2, grid, grid, path=path)


def surface(lib: Any) -> Axes:
    grid = lib.linspace(-2.0, 2.0, 5)
    weight = lib.nn.Parameter(lib.ones(()))
    return plot_loss_surface(lambda w, b: (w * weight + b).square(), grid, grid, path=[(1.0, 2.0)])


def jacobian(lib: Any) -> Axes:
    return plot_jacobian(lambda x: lib.stack([x.prod(), x.sum()]), lib.tensor([1.0, 2.0, 3.0]))


def memory(lib: Any) -> Axes:
    weight = lib.full((100, 100), 0.01, requires_grad=True)
    return plot_memory(lambda t: lib.relu(t @ weight) * 2.0, lib.ones(50, 100), 5)


@pytest.mark.parametrize("program", [differences, field, surface, jacobian, memory])
def test_same_plot(program: Callable[[Any], Axes]) -> None:
    ours, theirs = ([*lines(program(lib))] for lib in (minigrad, torch))
    assert len(ours) == len(theirs) > 0
    for our, their in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(our, their, rtol=1e-6, atol=1e-12)


def lines(ax: Axes) -> Iterator[Any]:
    """Yield the numbers that are drawn: lines, images, arrows, and the limits of the axes."""
    for line in ax.get_lines():
        get_data = getattr(line, "get_data_3d", line.get_data)
        yield from (np.asarray(each, dtype=float) for each in get_data())
    for image in ax.get_images():
        yield np.asarray(image.get_array())
    for collection in ax.collections:
        if hasattr(collection, "U"):
            yield from (collection.U, collection.V)
    if hasattr(ax, "get_zlim"):
        yield ax.get_zlim()
