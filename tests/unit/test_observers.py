"""An observer of a thread's nodes and tensors counts only while the thread is alive."""

import threading
from typing import Any

import minigrad
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.support import observers


def same(tensor: minigrad.Tensor) -> minigrad.Tensor:
    return tensor


def test_observers_count_until_their_block_ends() -> None:
    before = len(observers.active), len(observers.results)
    with saved_tensors_hooks(same, same), minigrad.inference_mode():
        assert (len(observers.active), len(observers.results)) == (before[0] + 1, before[1] + 1)
    assert (len(observers.active), len(observers.results)) == before


def test_a_thread_that_ends_inside_a_block_is_not_counted_any_longer() -> None:
    before = len(observers.active), len(observers.results)
    seen: list[tuple[int, int]] = []

    def enter() -> None:
        minigrad.inference_mode().__enter__()
        saved_tensors_hooks(same, same).__enter__()
        seen.append((len(observers.active), len(observers.results)))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [(before[0] + 1, before[1] + 1)]
    assert (len(observers.active), len(observers.results)) == before


def test_the_latest_equal_observer_is_removed() -> None:
    before = len(observers.active)
    observers.add(same)
    observers.add(same)
    observers.remove(same)
    assert observers.watchers().count(same) == 1
    observers.remove(same)
    assert (observers.watchers().count(same), len(observers.active)) == (0, before)


def test_node_runs_are_observed_in_their_own_thread_only() -> None:
    seen: list[str] = []

    def look(run: observers.Run, node: Any, grads: Any) -> Any:
        seen.append(node.name())
        return run(node, grads)

    def backward() -> None:
        minigrad.tensor([1.0], requires_grad=True).exp().backward()

    observers.add_around(look)
    try:
        other = threading.Thread(target=backward)
        other.start()
        other.join()
        assert seen == []
        backward()
    finally:
        observers.remove_around(look)
    assert seen == ["ExpBackward0", "torch::autograd::AccumulateGrad"]
