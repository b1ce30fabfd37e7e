"""Data loaders: order, reproducibility, and arguments that they refuse."""

import gc
import weakref

import pytest

import minigrad
from minigrad.utils.data import (
    DataLoader,
    Dataset,
    Subset,
    TensorDataset,
    random_split,
)


def order(loader: DataLoader) -> list[int]:
    return [sample for batch in loader for sample in batch.tolist()]


def test_a_generator_alone_decides_the_order() -> None:
    def loader(seed: int) -> DataLoader:
        generator = minigrad.Generator().manual_seed(seed)
        return DataLoader(range(50), 8, shuffle=True, generator=generator)

    minigrad.manual_seed(1)
    state = minigrad.rand(1).item()
    minigrad.manual_seed(1)
    first, again, other = loader(0), loader(0), loader(1)
    assert order(first) == order(again)
    assert order(first) == order(again) != order(loader(0))  # the second epoch
    assert order(other) != order(loader(0))
    assert minigrad.rand(1).item() == state  # the default generator was not used


def test_without_a_generator_the_default_one_decides() -> None:
    loader = DataLoader(range(50), 8, shuffle=True)
    minigrad.manual_seed(0)
    first = order(loader)
    minigrad.manual_seed(0)
    assert order(loader) == first
    assert order(loader) != first
    assert sorted(first) == list(range(50))


def test_two_iterators_do_not_disturb_each_other() -> None:
    loader = DataLoader(range(4), 2)
    assert [(a.tolist(), b.tolist()) for a in loader for b in loader] == [
        ([0, 1], [0, 1]),
        ([0, 1], [2, 3]),
        ([2, 3], [0, 1]),
        ([2, 3], [2, 3]),
    ]


def test_split_is_reproducible() -> None:
    def split() -> list[list[int]]:
        generator = minigrad.Generator().manual_seed(5)
        return [list(part.indices) for part in random_split(range(30), [10, 20], generator)]

    assert split() == split()
    assert sorted(sample for part in split() for sample in part) == list(range(30))


def test_part_of_a_part() -> None:
    dataset = TensorDataset(minigrad.arange(10))
    part = Subset(Subset(dataset, [9, 7, 5]), [2, 0])
    assert [sample.item() for (sample,) in part] == [5, 9]
    assert DataLoader(part, 2).dataset is part


def test_generator_must_be_a_generator() -> None:
    with pytest.raises(TypeError, match=r"expected a torch.Generator, but got int"):
        list(DataLoader(range(3), shuffle=True, generator=3))  # type: ignore[arg-type]


def test_dataset_is_generic_for_type_checkers() -> None:
    class Numbers(Dataset[int]):
        def __getitem__(self, index: int) -> int:
            return index * index

        def __len__(self) -> int:
            return 3

    assert order(DataLoader(Numbers(), 2)) == [0, 1, 4]


def test_batches_are_freed_as_they_are_passed() -> None:
    gc.disable()
    try:
        batches = iter(DataLoader(TensorDataset(minigrad.ones(4, 2)), 2))
        (first,) = next(batches)
        gone = weakref.ref(first)
        del first
        next(batches)
        assert gone() is None
    finally:
        gc.enable()


def test_workers_leave_the_random_numbers_of_the_program_alone() -> None:
    dataset = minigrad.utils.data.TensorDataset(minigrad.ones(4))
    loader = minigrad.utils.data.DataLoader(
        dataset, collate_fn=lambda batch: minigrad.rand(1), num_workers=2
    )
    minigrad.manual_seed(0)
    batches = iter(loader)
    expected = minigrad.rand(3).tolist()
    minigrad.manual_seed(0)
    batches = iter(loader)
    drawn = []
    for _ in range(3):
        next(batches)
        drawn += minigrad.rand(1).tolist()
    assert drawn == expected



def test_rows_of_tensors_are_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: TensorDataset, index: int) -> None:
        raise AssertionError("one by one")

    dataset = TensorDataset(minigrad.arange(6), minigrad.ones(6, 2))
    part = Subset(dataset, [5, 3, 1])
    monkeypatch.setattr(TensorDataset, "__getitem__", refuse)
    assert [x.tolist() for x, _ in DataLoader(dataset, 4)] == [[0, 1, 2, 3], [4, 5]]
    assert [x.tolist() for x, _ in DataLoader(part, 2)] == [[5, 3], [1]]
    with pytest.raises(AssertionError, match="one by one"):
        list(DataLoader(dataset, 4, collate_fn=list))
