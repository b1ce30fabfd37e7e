"""What watches the nodes and tensors of a thread counts as long as the thread lives, no longer."""

import threading
from typing import Any

import minigrad
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.core.engine import Pass
from minigrad.support import watching


def same(tensor: minigrad.Tensor) -> minigrad.Tensor:
    return tensor


def test_watchers_count_until_their_block_ends() -> None:
    before = watching.active, len(watching.results)
    with saved_tensors_hooks(same, same), minigrad.inference_mode():
        assert (watching.active, len(watching.results)) == (before[0] + 1, before[1] + 1)
    assert (watching.active, len(watching.results)) == before


def test_a_thread_that_ends_inside_a_block_is_not_counted_any_longer() -> None:
    before = watching.active, len(watching.results)
    seen: list[tuple[int, int]] = []

    def enter() -> None:
        minigrad.inference_mode().__enter__()
        saved_tensors_hooks(same, same).__enter__()
        seen.append((watching.active, len(watching.results)))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [(before[0] + 1, before[1] + 1)]
    assert (watching.active, len(watching.results)) == before


def test_the_latest_watcher_of_that_kind_is_removed() -> None:
    before = watching.active
    watching.add(same)
    watching.add(same)
    watching.remove(same)
    assert watching.watchers().count(same) == 1
    watching.remove(same)
    assert (watching.watchers().count(same), watching.active) == (0, before)


def test_the_runs_of_nodes_are_seen_in_their_own_thread_only() -> None:
    seen: list[str] = []

    def look(run: watching.Run, node: Any, grads: Any) -> Any:
        seen.append(node.name())
        return run(node, grads)

    def backward() -> None:
        minigrad.tensor([1.0], requires_grad=True).exp().backward()

    Pass.runs.watchers.append(look)
    try:
        other = threading.Thread(target=backward)
        other.start()
        other.join()
        assert seen == []
        backward()
    finally:
        Pass.runs.watchers.remove(look)
    assert seen == ["ExpBackward0", "torch::autograd::AccumulateGrad"]
