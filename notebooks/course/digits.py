"""The handwritten digits of chapter 16; whose they are stands in `notebooks/data/README.md`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np

FILE = Path(__file__).resolve().parents[1] / "data" / "digits.npz"


class Digits(NamedTuple):
    """Some of the digits: `images` (N, 8, 8), with numbers from 0 to 16, and `labels` (N,)."""

    images: np.ndarray[Any, Any]
    labels: np.ndarray[Any, Any]


def load_digits(by_chance: bool = True) -> tuple[Digits, Digits]:
    """1,297 digits to train with, and 500 others to test with; the same each time.

    Args:
        by_chance: whether the 500 were drawn at random; if not, they are the last of the file.
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
    """Show pictures in rows, each below its title if it has one; `about` says what all are."""
    images = list(images)
    rows = -(-len(images) // columns)
    figure, places = plt.subplots(rows, columns, figsize=(7.5, 0.5 + 1.05 * rows))
    for place in places.flat:
        place.axis("off")
    for number, (place, image) in enumerate(zip(places.flat, images, strict=False)):
        place.imshow(image, cmap="gray_r")
        place.set_title(str(titles[number]) if number < len(titles) else "", fontsize=8)
    figure.suptitle(about, fontsize=10)
    figure.tight_layout()
    plt.show()
