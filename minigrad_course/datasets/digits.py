"""The handwritten digits of chapters 15 and 16; their source is in `notebooks/data/README.md`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

from minigrad_course.kernel.places import DATA

FILE = DATA / "digits.npz"


class Digits(NamedTuple):
    """Digits: `images` of shape (N, 8, 8) with values from 0 to 16, and `labels` of shape (N,)."""

    images: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]


def load_digits(by_chance: bool = True) -> tuple[Digits, Digits]:
    """1,297 digits for training and 500 for testing, always the same.

    Args:
        by_chance: whether the test digits are a random sample or the last 500 of the file.
    """
    with np.load(FILE) as file:
        images, labels = file["images"], file["labels"].astype(np.int64)
        is_test = file["is_test"]
    if not by_chance:
        is_test = np.arange(len(labels)) >= len(labels) - is_test.sum()
    return Digits(images[~is_test], labels[~is_test]), Digits(images[is_test], labels[is_test])


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
