"""Datasets and loaders under both libraries, over sizes that hypothesis finds."""

import warnings
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st

import minigrad

LIBRARIES = (torch, minigrad)


def outcome(action: Any) -> Any:
    """What `action` returns, or the type and message of the exception that it raises."""
    try:
        return action()
    except Exception as error:
        return type(error).__name__, str(error)


@given(st.integers(0, 20), st.integers(0, 7), st.booleans())
def test_batches(length: int, batch_size: int, drop_last: bool) -> None:
    def batches(library: Any) -> Any:
        data = library.utils.data
        x = library.arange(2.0 * length).reshape(length, 2)
        dataset = data.TensorDataset(x, library.arange(length))
        loader = data.DataLoader(dataset, batch_size, drop_last=drop_last)
        return len(loader), repr(list(loader))

    expected, actual = (outcome(lambda lib=library: batches(lib)) for library in LIBRARIES)
    assert expected == actual


# Below 2 in all, for floats that add up to the number of samples are a TypeError of randperm's.
fractions = st.lists(st.sampled_from([0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 1.0]), min_size=1, max_size=5)
lengths_of_parts = st.lists(st.integers(-1, 10), min_size=1, max_size=4)


@given(st.integers(0, 20), lengths_of_parts | fractions.filter(lambda parts: sum(parts) < 2))
def test_split_sizes(length: int, lengths: list[float]) -> None:
    def sizes(library: Any) -> Any:
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter("always")
            library.manual_seed(0)
            parts = library.utils.data.random_split(range(length), lengths)
        samples = sorted(sample for part in parts for sample in part)
        if all(each >= 0 for each in lengths):
            assert samples == list(range(length))
        return [len(part) for part in parts], samples, [str(each.message) for each in issued]

    expected, actual = (outcome(lambda lib=library: sizes(lib)) for library in LIBRARIES)
    assert expected == actual


samples = st.recursive(
    st.sampled_from([1, 2.5, True, "word", None]),
    lambda inner: (
        st.tuples(inner, inner)
        | st.lists(inner, min_size=1, max_size=2)
        | st.dictionaries(st.sampled_from("ab"), inner, min_size=1)
    ),
    max_leaves=4,
)


@given(samples, st.integers(1, 3))
def test_collating(sample: Any, count: int) -> None:
    expected, actual = (
        outcome(lambda lib=library: repr(lib.utils.data.default_collate([sample] * count)))
        for library in LIBRARIES
    )
    assert expected == actual
