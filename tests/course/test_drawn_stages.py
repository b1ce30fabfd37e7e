"""Drawings and replays of the library at every stage, run by the reader's own engine."""

from __future__ import annotations

import pytest

from minigrad.viz import draw, replay
from tests.course.page import CHAPTERS, page, run, stage


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_graph_is_drawn(number: int) -> None:
    library = stage(number)
    x = library.tensor(5.0, requires_grad=True)
    y = x * x
    z = y * x
    assert repr(draw(z)) == (
        "tensors\n"
        "  x = 5 | leaf | AccumulateGrad | grad = None\n"
        "  y = 25\n"
        "  z = 125\n"
        "operations\n"
        "  #1: × | MulBackward0 | saved self = x | saved other = x\n"
        "  #2: × | MulBackward0 | saved self = y | saved other = x\n"
        "arrows\n"
        "  x → #1 (input 0)\n"
        "  x → #1 (input 1)\n"
        "  #1 → y\n"
        "  y → #2 (input 0)\n"
        "  x → #2 (input 1)\n"
        "  #2 → z"
    )


@pytest.mark.parametrize("number", [n for n in CHAPTERS if n >= 4])
def test_gradients_are_drawn_and_leave_no_trace(number: int) -> None:
    library = stage(number)
    x = library.tensor(5.0, requires_grad=True)
    x.grad = held = library.tensor(7.0)
    z = x * x
    for _ in range(2):
        shown = repr(draw(z, gradients=True))
        assert "adds 5 + 5 = 10" in shown
        assert "#1 → x: 1 × 5 = 5" in shown
    assert x.grad is held
    assert held.item() == 7.0
    z.backward()


@pytest.mark.parametrize("number", [n for n in CHAPTERS if n >= 5])
def test_a_replay_says_what_is_retained(number: int) -> None:
    x = stage(number).tensor(3.0, requires_grad=True)
    y = x * x
    y.retain_grad()
    z = y + (y + y)
    assert "y retains its gradient: y.grad = 3" in repr(replay(z))


@pytest.mark.parametrize("number", [11, 12])
def test_a_gradient_of_the_wrong_shape_is_marked(number: int) -> None:
    library = stage(number)  # chapter 12 undoes the broadcast
    v = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = v @ v
    z = (h * library.tensor([1.0, 10.0, 100.0])).sum()
    shown = repr(draw(z, gradients=True))
    assert ("✗ receives (3,), its output is ()" in shown) == (number == 11)


def test_the_watched_engine_is_the_notebooks() -> None:
    notebook = page(4)
    run(
        "@method_of(BackwardPass)\ndef run_node(self, node, grads):\n"
        "    return [grad and grad * 100.0 for grad in node.backward(*grads)]",
        notebook,
    )
    run_node = notebook["BackwardPass"].run_node
    x = notebook["tensor"](5.0, requires_grad=True)
    assert "adds 500 + 500 = 1000" in repr(draw(x * x, gradients=True))
    assert notebook["BackwardPass"].run_node is run_node


def test_before_an_engine_there_is_nothing_to_watch() -> None:
    x = stage(3).tensor(5.0, requires_grad=True)
    assert "no library with autograd.grad" in repr(draw(x * x, gradients=True))
    with pytest.raises(TypeError, match=r"no backward\(\)"):
        replay(x * x)


def test_an_error_of_the_engine_becomes_a_note() -> None:
    notebook = page(6)
    x = notebook["tensor"](5.0, requires_grad=True)
    x.grad = held = notebook["tensor"](1.0)
    z = x * x
    z.backward()
    assert x.grad is not held
    before = x.grad
    assert "has freed the graph" in repr(draw(z, gradients=True))
    assert x.grad is before
    assert "draw one at a time" in repr(draw(x * 2.0, x * 3.0, gradients=True))


@pytest.mark.parametrize("number", [n for n in CHAPTERS if n >= 4])
def test_a_backward_pass_is_replayed(number: int) -> None:
    library = stage(number)
    x = library.tensor(5.0, requires_grad=True)
    y = x * x
    z = y * x + y
    replayed = replay(z)
    assert replayed.error is None
    assert x.grad.item() == 85.0
    assert [repr(frame).partition(":")[2].split("\n")[0] for frame in replayed.frames] == [
        " z.backward() starts",
        " #3 AddBackward0 runs",
        " #2 MulBackward0 runs",
        " #1 MulBackward0 runs",
        " AccumulateGrad of x runs",
        " backward() is done",
    ]
    assert "Receives 1 + 5 = 6" in repr(replayed.frames[3])


def replayed_with(propagate: str) -> list[str]:
    """A replay with an engine whose `propagate` was replaced."""
    notebook = page(4)
    run(f"@method_of(BackwardPass)\ndef propagate(self, edges, grads):\n{propagate}", notebook)
    x = notebook["tensor"](5.0, requires_grad=True)
    y = x * x
    z = y * x + y
    return [repr(frame) for frame in replay(z).frames]


EAGER = """
    for (node, number), grad in zip(edges, grads):
        if node is not None:
            self.input_buffers.setdefault(node, [None])[number] = grad
            if node not in self.ready:
                heappush(self.ready, node)
"""


def test_a_replay_shows_an_engine_that_does_not_wait() -> None:
    frames = replayed_with(EAGER)
    wrong = [(frame.split(":")[0], line) for frame in frames for line in frame.split("\n  ✗ ")[1:]]
    assert [(step, line.partition("\n")[0]) for step, line in wrong] == [
        ("Step 4 of 6", "Leaves out 1, and never runs again"),
        ("Step 5 of 6", "Leaves out 25, and never runs again"),
        ("Step 5 of 6", "Overwrites .grad: 25 → 25"),
    ]


def test_a_replay_shows_an_engine_that_forgets_to_count_down() -> None:
    never = EAGER.replace("if node not in self.ready:", "if self.dependencies[node] == 0:")
    frames = replayed_with(never)
    assert frames[-1].splitlines()[:2] == [
        "Step 1 of 1: backward() ends too early",
        "  ✗ It never ran #1 MulBackward0, #2 MulBackward0, AccumulateGrad of x, #3 AddBackward0",
    ]
