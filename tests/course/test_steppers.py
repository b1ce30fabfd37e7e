"""Steppers show what the page's own objects do at every stage, even with a broken engine."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minigrad
from minigrad.viz import Replay
from minigrad_course.kernel.reader import yours
from minigrad_course.pictures.slopes import count_calls
from minigrad_course.pictures.steppers import (
    draft_operation,
    draft_tensors,
    slide_h,
    step_draft,
    step_freeing,
    step_order,
    step_record,
    step_stations,
    step_versions,
)
from tests.course.page import CHAPTERS, page, run, stage


def lines(shown: Replay) -> list[list[str]]:
    return [list(scene.lines) for scene in shown.scenes]


def titles(shown: Replay) -> list[str]:
    return [scene.title.partition(": ")[2] for scene in shown.scenes]


# Record -------------------------------------------------------------------------------------------

RECORDED = [
    ["No operation is recorded", "New: x = 5"],
    [
        "x = 5: AccumulateGrad", "New: × (MulBackward0; saved self = x; saved other = x)",
        "New: y = 25",
    ],
    ["New: × (MulBackward0; saved self = y; saved other = x)", "New: z = 125"],
]  # fmt: skip


@pytest.mark.parametrize("number", CHAPTERS)
def test_a_graph_grows_at_every_stage(number: int) -> None:
    library = stage(number)
    assert library is not None  # the programs use it
    shown = step_record(
        """
        x = library.tensor(5.0, requires_grad=True)
        y = x * x
        z = y * x
        """
    )
    assert lines(shown) == RECORDED
    assert [scene.line for scene in shown.scenes] == [0, 1, 2]
    seen = [sum(box.state != "absent" for box in scene.boxes) for scene in shown.scenes]
    assert seen == [1, 3, 5]  # it opens on its first picture


def test_a_program_leaves_the_page_unchanged_and_shows_its_error() -> None:
    x = minigrad.tensor(2.0, requires_grad=True)
    shown = step_record("x = x * 2\nx.backward(x.nothing)\nprint('never')")
    assert x.is_leaf
    assert len(shown.scenes) == 2
    assert lines(shown)[-1][0].startswith("✗ AttributeError:")


def test_an_operation_that_forgets_to_record_shows_no_node() -> None:
    notebook = page(4)
    run("@method_of(Node)\ndef record(self, edges, outputs): pass", notebook)
    library = yours(notebook)
    shown = step_record("x = library.tensor(5.0, requires_grad=True)\ny = x * x")
    assert lines(shown)[1] == ["No operation is recorded", "New: y = 25"]
    assert library is not None


# The draft of chapter 01 --------------------------------------------------------------------------


class Draft:
    """A number computed from others, with its derivatives with respect to them."""

    def __init__(self, value: float, made_from: Any = ()) -> None:
        self.value, self.made_from, self.grad = value, made_from, 0.0

    def backward(self, grad: float = 1.0) -> None:
        self.grad += grad
        for draft, slope in self.made_from:
            draft.backward(grad * slope)


def two_paths(kind: type[Draft]) -> tuple[Draft, Draft]:
    x = kind(5.0)
    w = kind(25.0, [(x, 10.0)])
    return x, kind(30.0, [(w, 2.0), (x, 1.0)])


def test_the_draft_follows_each_path() -> None:
    x, z = two_paths(Draft)
    shown = step_draft(z)
    assert x.grad == 21.0
    assert titles(shown) == [
        "before backward()", "backward of z", "backward of ** 2", "backward of x",
        "backward of x",
    ]  # fmt: skip
    assert lines(shown)[3:] == [
        ["x receives 2 × 10 = 20", "x = 5: grad = 20"],
        ["x receives 1 × 1 = 1", "x = 5: grad = 21"],
    ]
    acting = [[box.state for box in scene.boxes].count("fires") for scene in shown.scenes]
    assert acting == [0, 1, 1, 1, 1]
    assert not any(box.fresh for scene in shown.scenes[1:] for box in scene.boxes)
    assert Draft.backward.__name__ == "backward"


def test_a_draft_with_a_mistake_is_shown_with_it() -> None:
    class Wrong(Draft):
        def backward(self, grad: float = 1.0) -> None:
            self.grad = grad
            for draft, slope in self.made_from:
                draft.backward(slope)

    _, z = two_paths(Wrong)
    assert lines(step_draft(z))[3:] == [
        ["constant receives 2 × 10 = 10", "constant = 5: grad = 10"],
        ["constant receives 1 × 1 = 1", "the 10 that was there is lost", "constant = 5: grad = 1"],
    ]


def test_the_draft_and_its_count_follow_paths_when_backward_has_been_replaced() -> None:
    class Replaced(Draft):
        every_path = Draft.backward

        def backward(self) -> None:  # type: ignore[override]
            raise AssertionError("not this one")

    x, z = two_paths(Replaced)
    assert len(titles(step_draft(z))) == 5
    assert x.grad == 21.0
    assert count_calls(z) == 4
    assert Replaced.backward is not Draft.backward


def test_an_ordered_backward_visits_each_tensor_once() -> None:
    class Ordered(Draft):
        def backward(self) -> None:  # type: ignore[override]
            x, w, z = sorted(draft_tensors(self), key=lambda each: each.value)
            z.grad += 1.0
            w.grad += 2.0
            x.grad += 21.0

    x, z = two_paths(Ordered)
    shown = step_order(z)
    assert x.grad == 21.0
    assert titles(shown) == ["before backward()", "visit z", "visit ** 2", "visit x"]
    assert [each[0] for each in lines(shown)[1:]] == [
        "z receives 1",
        "** 2 receives 1 × 2 = 2",
        "x receives 1 × 1 + 2 × 10 = 21",
    ]
    assert "__setattr__" not in vars(Ordered)


def test_boxes_of_the_draft_have_the_names_of_operations() -> None:
    a, b = Draft(2.0), Draft(3.0)
    product = Draft(6.0, [(a, 3.0), (b, 2.0)])
    total = Draft(8.0, [(product, 1.0), (a, 1.0)])
    root = Draft(8.0**0.5, [(total, 0.5 * 8.0**-0.5)])
    odd = Draft(0.25, [(root, 4.0)])
    assert list(map(draft_operation, (product, total, root, odd))) == ["×", "+", "** 0.5", "f"]
    assert draft_operation(Draft(math.log(3.0), [(b, 1 / 3)])) == "log"
    squashed = 1 / (1 + math.exp(-2.0))
    assert draft_operation(Draft(squashed, [(a, squashed * (1 - squashed))])) == "sigmoid"


# Versions -----------------------------------------------------------------------------------------

WRITE = """
x = library.tensor([1.0, 2.0], requires_grad=True)
y = x * 3.0
same = y.detach()
z = (y * y).sum()
same.mul_(10.0)
z.backward()
"""


def test_a_write_raises_the_counter_and_backward_refuses(library: Any) -> None:
    shown = step_versions(WRITE)
    written, refused = lines(shown)[4:]  # it opens at the first statement
    assert "memory B: [30, 60]: version 1" in written
    assert any("saved self at version 0, now 1" in line for line in written)
    assert refused[0].startswith("✗ RuntimeError: one of the variables needed for gradient")
    assert [box.state for box in shown.scenes[-1].boxes].count("raises") == 1
    held = shown.scenes[-1].edges
    assert sum(edge.passing != "absent" for edge in held) >= 5  # x, y, same, z and the node


def test_a_stepper_shows_a_library_that_forgets_to_count() -> None:
    notebook = page(11)
    run("def count_change(tensor): pass", notebook)
    library = yours(notebook)
    shown = step_versions(WRITE.replace("same.mul_(10.0)", "y._data[...] *= 10.0"))
    assert "memory B: [30, 60]" in shown.scenes[4].boxes[3].rows[0].text
    assert not [line for each in lines(shown) for line in each if "version 1" in line]
    assert not [line for line in lines(shown)[-1] if "Error" in line]
    assert library is not None


# Freeing ------------------------------------------------------------------------------------------


def kept(shown: Replay) -> list[int]:
    return [int(scene.lines[0].split()[3]) for scene in shown.scenes]


def test_saved_arrays_are_freed_as_backward_runs(library: Any) -> None:
    x = library.tensor([1.0, 2.0], requires_grad=True)
    y = x * library.tensor([3.0, 4.0])
    z = (y * y).sum()
    assert kept(step_freeing(z)) == [16, 16, 8, 0, 0, 0]
    assert x.grad.tolist() == [18.0, 64.0]
    z = (y.detach() * x).sum()
    assert set(kept(step_freeing(z, retain_graph=True))) == {8}
    number = library.tensor(3.0, requires_grad=True)
    assert kept(step_freeing(number * number))[0] == 4  # one number that the node keeps twice


def test_a_stepper_shows_what_an_engine_forgets_to_free() -> None:
    x = minigrad.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()

    class Keeps(minigrad.autograd.Function):
        @staticmethod
        def forward(ctx: Any, given: Any) -> Any:
            ctx.save_for_backward(given)
            return given * 2.0

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2.0

    z = Keeps.apply(y).sum()
    node = z.grad_fn.next_functions[0][0]
    type(node).release_variables = lambda self: None
    assert kept(step_freeing(z))[-1] == 8


# Stations -----------------------------------------------------------------------------------------


def test_the_stations_of_a_gradient(library: Any) -> None:
    def double(grad: Any) -> Any:
        return grad * 2

    def after(leaf: Any) -> None:
        leaf.grad = leaf.grad / 6

    x = library.tensor(5.0, requires_grad=True)
    y = x * 3.0
    z = y * 4.0
    y.register_hook(double)
    y.retain_grad()
    y.grad_fn.register_prehook(lambda grads: (grads[0] + 1,))
    y.grad_fn.register_hook(lambda left, came: (left[0] - 7, *left[1:]))
    x.register_post_accumulate_grad_hook(after)
    shown = step_stations(z, y, x)
    assert [(s.title.partition(": ")[2], *s.lines) for s in shown.scenes] == [
        ("arrives at y", "New: arrives at y (4)"),
        ("tensor hook: double", "New: tensor hook: double (4 → 8)"),
        ("retain_grad: y.grad", "New: retain_grad: y.grad (8)"),
        ("pre-hook: lambda", "New: pre-hook: lambda (8 → 9)"),
        ("the rule of MulBackward0", "New: the rule of MulBackward0 (9 → 27, None)"),
        ("post-hook: lambda", "New: post-hook: lambda (27, None → 20, None)"),
        ("arrives at x", "New: arrives at x (20)"),
        ("x.grad", "New: x.grad (20)"),
        ("post-accumulate hook: after", "New: post-accumulate hook: after (20 → 3.3333)"),
    ]
    assert x.grad.item() == pytest.approx(20 / 6)


def test_no_wrapper_is_left_behind() -> None:
    x = minigrad.tensor(5.0, requires_grad=True)
    seen = []
    x.register_hook(lambda grad: seen.append(grad.item()))
    step_stations(x * 2.0, x)
    (x * 3.0).backward()
    assert seen == [2.0, 3.0]
    assert [getattr(hook, "func", None) for hook in x._hooks.values()] == [None]


def test_the_still_picture_of_stations_is_the_last_step() -> None:
    x = minigrad.tensor(5.0, requires_grad=True)
    html = step_stations(x * 2.0, x)._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 1
    assert "The last of" in html
    assert "Step 2 of 2: x.grad" in html


def test_stations_that_are_still_to_come_wait() -> None:
    x = minigrad.tensor(5.0, requires_grad=True)
    first, last = step_stations(x * 2.0, x).scenes
    assert [box.state for box in first.boxes] == ["tensor", "waits"]
    assert [row.text for row in first.boxes[1].rows] == ["x.grad", ""]  # no gradient yet
    assert "waits" not in [box.state for box in last.boxes]


def test_the_stations_of_one_tensor_lead_to_those_of_the_next() -> None:
    x = minigrad.tensor(5.0, requires_grad=True)
    y = x * 2.0
    shown = step_stations(y * 3.0, y, x)
    names = [box.rows[0].text for box in shown.scenes[-1].boxes]
    ways = [(names[tail], names[head]) for tail, head in shown.stills.layout.links]
    assert ("the rule of MulBackward0", "arrives at x") in ways
    tops = [place[1] for place in shown.stills.layout.boxes]
    assert tops == sorted(tops, reverse=True)  # the gradient goes up


def test_a_tensor_that_backward_does_not_reach_is_named() -> None:
    x = minigrad.tensor(5.0, requires_grad=True)
    other = minigrad.tensor(5.0, requires_grad=True)
    with pytest.raises(ValueError, match="backward does not reach other: run the cell"):
        step_stations(x * 2.0, other)


# Sliders ------------------------------------------------------------------------------------------


def test_the_slider_shows_the_slopes_of_the_pages_function() -> None:
    shown = slide_h(lambda x: x**2, 3.0, [1.0, 0.5], 6.0)
    assert lines(shown) == [
        ["(f(x + h) − f(x)) / h = 7", "the derivative is 6, so the error is 1"],
        ["(f(x + h) − f(x)) / h = 6.5", "the derivative is 6, so the error is 0.5"],
    ]
    assert "slope of the line: 7" in shown.frames[0].svg


def test_steppers_are_players_with_words() -> None:
    page = step_record("a = minigrad.tensor(1.0, requires_grad=True)\nb = a.exp()")
    html = page._repr_mimebundle_()["text/html"]
    assert '<div class="minigrad-replay">' in html
    assert 'alt="Step 1 of 2: a = minigrad.tensor(' in html
