"""Data loaders: order, reproducibility, and arguments that they refuse."""

import weakref

import pytest

import minigrad
from minigrad.utils.data import (
    DataLoader,
    Dataset,
    Subset,
    TensorDataset,
)


def order(loader: DataLoader) -> list[int]:
    return [sample for batch in loader for sample in batch.tolist()]


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


@pytest.mark.usefixtures("collector_off")
def test_batches_are_freed_as_they_are_passed() -> None:
    batches = iter(DataLoader(TensorDataset(minigrad.ones(4, 2)), 2))
    (first,) = next(batches)
    gone = weakref.ref(first)
    del first
    next(batches)
    assert gone() is None


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
