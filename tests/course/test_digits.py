"""The handwritten digits in `notebooks/data`: unchanged, and with what their licence requires."""

from __future__ import annotations

import hashlib

import numpy as np

from minigrad_course.datasets.digits import FILE, load_digits
from tools import make_digits


def stored() -> dict[str, np.ndarray]:
    with np.load(FILE) as file:
        return {name: file[name] for name in file.files}


def test_the_numbers_match_the_source() -> None:
    text = make_digits.as_table(stored()["images"], stored()["labels"])
    assert hashlib.sha256(text.encode()).hexdigest() == make_digits.SHA256


def test_the_script_reproduces_the_file() -> None:
    text = make_digits.as_table(stored()["images"], stored()["labels"])
    made = make_digits.arrays(text)
    assert made.keys() == stored().keys()
    assert all(np.array_equal(made[name], array) for name, array in stored().items())


def test_the_split_has_every_image_once_and_every_digit_twice() -> None:
    train, test = load_digits()
    assert len(train.images) + len(test.images) == len(stored()["images"])
    assert {*train.labels.tolist()} == {*test.labels.tolist()} == {*range(10)}
    assert not {image.tobytes() for image in train.images} & {i.tobytes() for i in test.images}
