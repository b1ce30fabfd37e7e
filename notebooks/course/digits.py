"""The handwritten digits of chapter 16; whose they are stands in `notebooks/data/README.md`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

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
