"""A file is data: loading one cannot run code, and saving says what a file can hold."""

import io
import pickle
import zipfile

import numpy as np
import pytest

import minigrad


class Explosive:
    def __reduce__(self) -> tuple[object, ...]:
        return (pytest.fail, ("loading ran code",))


def test_a_pickle_is_refused() -> None:
    with pytest.raises(RuntimeError, match="has not written this file"):
        minigrad.load(io.BytesIO(pickle.dumps(Explosive())))


def test_an_archive_of_pickled_objects_is_refused() -> None:
    file, array = io.BytesIO(), io.BytesIO()
    np.save(array, np.array([Explosive()], object))
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("structure.json", '{"tensor": [0, false, false]}')
        archive.writestr("0.npy", array.getvalue())
    with pytest.raises(RuntimeError, match="has not written this file"):
        minigrad.load(file)


@pytest.mark.parametrize("obj", [minigrad.nn.Linear(1, 1), {"a": object()}, {1, 2}, np.ones(2)])
def test_only_data_is_saved(obj: object) -> None:
    with pytest.raises(TypeError, match="minigrad saves tensors, numbers"):
        minigrad.save(obj, io.BytesIO())


def test_another_device_is_refused() -> None:
    file = io.BytesIO()
    minigrad.save([1], file)
    with pytest.raises(RuntimeError, match="there is no device 'cuda'"):
        minigrad.load(file, map_location="cuda")
