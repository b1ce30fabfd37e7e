"""What watches the nodes and tensors of a thread counts as long as the thread lives, no longer."""

import threading

import minigrad
from minigrad.autograd.graph import saved_tensors_hooks
from minigrad.support import watching


def same(tensor: minigrad.Tensor) -> minigrad.Tensor:
    return tensor


def test_watchers_count_until_their_block_ends() -> None:
    before = watching.active
    with saved_tensors_hooks(same, same), minigrad.inference_mode():
        assert watching.active == before + 2
    assert watching.active == before


def test_a_thread_that_ends_inside_a_block_is_not_counted_any_longer() -> None:
    before = watching.active
    seen: list[int] = []

    def enter() -> None:
        minigrad.inference_mode().__enter__()
        saved_tensors_hooks(same, same).__enter__()
        seen.append(watching.active)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert (seen, watching.active) == ([before + 2], before)


def test_the_latest_watcher_of_that_kind_is_removed() -> None:
    before = watching.active
    watching.add(same)
    watching.add(same)
    watching.remove(same)
    assert watching.watchers().count(same) == 1
    watching.remove(same)
    assert (watching.watchers().count(same), watching.active) == (0, before)
