"""Operations check the mode of their thread only while recording is off in some thread."""

import threading

import pytest

import minigrad as torch
from minigrad.fast import modes


@pytest.fixture(autouse=True)
def forget_ended_threads() -> None:
    modes.no_grad_threads.clear()  # other tests ended threads inside a block


def is_recorded() -> bool:
    return (torch.ones(2, requires_grad=True) * 2.0).requires_grad


def test_a_thread_counts_while_it_records_nothing() -> None:
    assert is_recorded()
    assert not modes.no_grad_threads
    with torch.no_grad():
        assert not is_recorded()
        assert modes.no_grad_threads
        with torch.enable_grad():
            assert is_recorded()
            assert not modes.no_grad_threads
        with torch.inference_mode(), torch.enable_grad():
            assert not is_recorded()
            assert modes.no_grad_threads
        assert not is_recorded()
        assert modes.no_grad_threads
    assert is_recorded()
    assert not modes.no_grad_threads


def test_an_error_ends_the_count() -> None:
    with pytest.raises(ZeroDivisionError), torch.no_grad():
        _ = 1 / 0
    assert is_recorded()
    assert not modes.no_grad_threads


def test_each_thread_has_its_own_mode() -> None:
    entered, leave, answers = threading.Event(), threading.Event(), []

    def evaluate() -> None:
        with torch.no_grad():
            entered.set()
            leave.wait(10)
            answers.append(is_recorded())

    thread = threading.Thread(target=evaluate)
    thread.start()
    assert entered.wait(10)
    assert modes.no_grad_threads
    assert is_recorded()
    leave.set()
    thread.join()
    assert answers == [False]
    assert not modes.no_grad_threads


def test_a_thread_that_ends_with_recording_off_leaves_the_others_alone() -> None:
    thread = threading.Thread(target=torch.set_grad_enabled, args=(False,))
    thread.start()
    thread.join()
    assert modes.no_grad_threads
    assert is_recorded()
    answers: list[bool] = []
    another = threading.Thread(target=lambda: answers.append(is_recorded()))
    another.start()
    another.join()
    assert answers == [True]
