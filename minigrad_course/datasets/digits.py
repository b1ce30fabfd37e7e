"""The handwritten digits of chapter 16; their source is in `notebooks/data/README.md`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz.palette import RED
from minigrad_course.kernel.places import DATA

FILE = DATA / "digits.npz"


class Digits(NamedTuple):
    """Digits: `images` of shape (N, 8, 8) with values from 0 to 16, and `labels` of shape (N,)."""

    images: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]


def load_digits() -> tuple[Digits, Digits]:
    """1,297 digits for training and 500 held out, always the same."""
    with np.load(FILE) as file:
        images, labels = file["images"], file["labels"].astype(np.int64)
        held_out = file["is_test"]
    return Digits(images[~held_out], labels[~held_out]), Digits(images[held_out], labels[held_out])


def show_images(
    images: Iterable[np.ndarray[Any, Any]],
    titles: Sequence[object],
    about: str,
    columns: int = 10,
) -> None:
    """Show images in rows, each with its title if there is one, below the heading `about`."""
    images = list(images)
    rows = -(-len(images) // columns)
    figure, panels = plt.subplots(rows, columns, figsize=(7.5, 0.5 + 1.05 * rows))
    for axes in panels.flat:
        axes.axis("off")
    for number, (axes, image) in enumerate(zip(panels.flat, images, strict=False)):
        axes.imshow(image, cmap="gray_r")
        axes.set_title(str(titles[number]) if number < len(titles) else "", fontsize=8)
    figure.suptitle(about, fontsize=10)
    figure.tight_layout()
    plt.show()


def show_changes(
    ink: np.ndarray[Any, Any],
    labels: np.ndarray[Any, Any],
    read: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]],
    **changes: np.ndarray[Any, Any],
) -> None:
    """Show digits with their labels, and below them each change and what it turns them into.

    `ink` and `changes` are rows of 64 numbers. `read` says which digits such rows are taken for;
    what differs from the label is red. Ink that a change adds is teal, and ink that it takes away
    is brown.
    """
    rows: list[tuple[str, np.ndarray[Any, Any], bool]] = [("the digits", ink, True)]
    for name, change in changes.items():
        name = name.replace("_", " ")
        rows += [(name, change, False), ("digits + " + name, ink + change, True)]
    shape = {"figsize": (8, 1.08 * len(rows)), "layout": "constrained"}
    _, panels = plt.subplots(len(rows), len(labels), **shape)
    far = max(np.abs(change).max() for change in changes.values())
    for (name, pictures, is_ink), axes in zip(rows, panels, strict=True):
        found = read(pictures) if is_ink else labels
        axes[0].set_ylabel(
            name.replace(" + ", "\n+ "), fontsize=8, rotation=0, ha="right", va="center"
        )
        for panel, picture, digit, label in zip(axes, pictures, found, labels, strict=True):
            colours = {"cmap": "gray_r", "vmin": 0, "vmax": 1}
            if not is_ink:
                colours = {"cmap": "BrBG", "vmin": -1.5 * far, "vmax": 1.5 * far}
            panel.imshow(picture.reshape(8, 8), **colours)
            panel.set(xticks=[], yticks=[])
            if is_ink:
                wrong = {"color": RED, "weight": "bold"} if digit != label else {}
                panel.set_title(f"{digit} ✗" if wrong else f"{digit}", fontsize=9, pad=3, **wrong)
    plt.show()


def trained_network() -> Any:
    """Train a network with two convolutions on the digits, in about a second.

    `maps` computes 32 feature maps of an image of any size, and `scores` computes a logit for each
    digit from the means of these maps.
    """
    import minigrad as torch
    from minigrad import nn

    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            first = nn.Conv2d(1, 8, 3, padding=1, bias=False)  # so that blank paper gives 0
            second = nn.Conv2d(8, 32, 3, padding=1, bias=False)
            self.maps = nn.Sequential(first, nn.ReLU(), second, nn.ReLU())
            self.scores = nn.Linear(32, 10)

        def forward(self, pictures: Any) -> Any:
            return self.scores(self.maps(pictures).mean((2, 3)))

    train, _ = load_digits()
    pictures = torch.tensor(train.images / 16.0).float().unsqueeze(1)
    labels = torch.tensor(train.labels)
    torch.manual_seed(0)
    network = Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(15):
        for batch in torch.randperm(len(labels)).split(50):
            optimizer.zero_grad()
            nn.functional.cross_entropy(network(pictures[batch]), labels[batch]).backward()
            optimizer.step()
    return network
