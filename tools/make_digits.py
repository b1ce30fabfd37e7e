"""Make `notebooks/data/digits.npz`: handwritten digits, from the copy in scikit-learn's wheel.

    pip download scikit-learn --no-deps --dest FOLDER
    python tools/make_digits.py FOLDER/scikit_learn-….whl

The wheel is read as an archive: scikit-learn is not installed, and the course does not need it. See
`notebooks/data/README.md` for the source of the digits and their license.
"""

from __future__ import annotations

import gzip
import hashlib
import sys
import zipfile
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parent.parent / "notebooks" / "data" / "digits.npz"
INSIDE = "sklearn/datasets/data/digits.csv.gz"
SHA256 = "6ebb3d2fee246a4e99363262ddf8a00a3c41bee6014c373ed9d9216ba7f651b8"  # of the unpacked text
FOR_THE_TEST = 500


def table(wheel: Path) -> str:
    """The digits as stored in the wheel: each line has 64 numbers from 0 to 16 and the digit.

    Raises:
        ValueError: the table is not the one that the course was written with.
    """
    with zipfile.ZipFile(wheel) as archive:
        text = gzip.decompress(archive.read(INSIDE))
    if hashlib.sha256(text).hexdigest() != SHA256:
        raise ValueError(f"{INSIDE} of {wheel.name} is not the table that the course knows")
    return text.decode("ascii")


def arrays(text: str) -> dict[str, np.ndarray]:
    """The arrays of the file: in the order of the table, with the split as `is_test`."""
    rows = np.array([line.split(",") for line in text.splitlines()], dtype=np.uint8)
    is_test = np.zeros(len(rows), dtype=bool)
    # RandomState, because NumPy promises that its numbers never change
    is_test[np.random.RandomState(16).permutation(len(rows))[:FOR_THE_TEST]] = True
    return {"images": rows[:, :-1].reshape(-1, 8, 8), "labels": rows[:, -1], "is_test": is_test}


def as_table(images: np.ndarray, labels: np.ndarray) -> str:
    """The inverse of `arrays`: the text of the table."""
    rows = np.column_stack([images.reshape(len(images), -1), labels])
    return "".join(",".join(map(str, row)) + "\n" for row in rows.tolist())


if __name__ == "__main__":
    np.savez_compressed(FILE, **arrays(table(Path(sys.argv[1]))))
