"""The handwritten digits in `notebooks/data`: unchanged, and with what their licence requires."""

from __future__ import annotations

import gzip
import hashlib
import zipfile
from pathlib import Path

import numpy as np
import pytest

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


def test_the_script_refuses_another_table(tmp_path: Path) -> None:
    wheel = tmp_path / "other.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(make_digits.INSIDE, gzip.compress(b"0,1\n"))
    with pytest.raises(ValueError, match="not the table"):
        make_digits.table(wheel)


def test_the_split_has_every_image_once_and_every_digit_twice() -> None:
    train, test = load_digits()
    assert len(train.images) + len(test.images) == len(stored()["images"])
    assert {*train.labels.tolist()} == {*test.labels.tolist()} == {*range(10)}
    assert not {image.tobytes() for image in train.images} & {i.tobytes() for i in test.images}


def test_the_readme_names_the_source_and_licence_of_the_digits() -> None:
    text = (FILE.parent / "README.md").read_text(encoding="utf-8")
    for part in ("Alpaydin", "Kaynak", "10.24432/C50P49", "Creative Commons Attribution 4.0"):
        assert part in text
