"""What chapter 21 shows: which engine runs each node, what the lane hands over, times, errors."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pytest

import minigrad as torch
from minigrad import Tensor
from minigrad.core.node import gradient_edge
from minigrad_course.pictures import watching
from minigrad_course.pictures.watching import (
    COUNTING,
    LANE,
    draw_cases,
    draw_engines,
    draw_times,
    who_ran,
)

needs_the_accelerator = pytest.mark.skipif(not hasattr(torch, "fast"), reason="it is off")


def leaves() -> tuple[Tensor, Tensor]:
    return torch.tensor(3.0, requires_grad=True), torch.tensor(4.0, requires_grad=True)


@pytest.fixture
def twin_text(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The text twin of the figure that has been drawn."""
    monkeypatch.setattr(plt, "show", lambda: None)
    yield lambda: plt.gcf().get_label()
    plt.close("all")


def test_an_error_is_shown_in_the_row_of_its_line(twin_text: Any) -> None:
    draw_cases("z.foo()\nif\ntorch.autograd.grad(z, y)\nz = None", {"torch": torch})
    columns, missing, broken, towards, nothing = twin_text().splitlines()
    assert columns == "node of z, node of y, leaf x, leaf b"
    assert missing.startswith("z.foo() → AttributeError: 'Tensor' object")
    assert broken.startswith("if → SyntaxError: ")
    assert towards.endswith(" → lane, –, –, –" if hasattr(torch, "fast") else "counting, –, –, –")
    assert nothing == "z = None → –, –, –, –"


@needs_the_accelerator
def test_the_lane_hands_over_what_it_cannot_run() -> None:
    u, v = leaves()
    square = u * u
    root = square.sqrt()
    loss = (square + root) * v
    root.register_hook(lambda grad: None)
    ran = who_ran(loss.backward)
    assert [*ran.values()] == [LANE] * 2 + [COUNTING] * 4
    handed_over = {node: grad.item() for node, grad in ran.handed_over.items()}
    nodes = [gradient_edge(each)[0] for each in (v, root, square)]
    assert handed_over == dict(zip(nodes, (12.0, 4.0, 4.0), strict=True))


@needs_the_accelerator
def test_of_several_passes_the_last_is_shown(twin_text: Any) -> None:
    first = "z.backward(retain_graph=True)"
    watched = f"{first}; y.register_hook(seen); z.backward()"
    no_longer = f"hook = y.register_hook(seen); {first}; hook.remove(); z.backward()"
    draw_cases(f"{watched}\n{no_longer}", {"seen": lambda grad: None})
    _, of_watched, of_no_longer = twin_text().splitlines()
    assert of_watched.endswith(" → lane, counting, counting, counting")
    assert of_no_longer.endswith(" → lane, lane, lane, lane")


@needs_the_accelerator
def test_only_the_last_pass_has_handed_over() -> None:
    x, y = leaves()

    def two_passes() -> None:
        hooked, z = x * y, (x * y).exp()
        hooked.register_hook(lambda grad: None)
        hooked.exp().backward()
        z.backward()

    ran = who_ran(two_passes)
    assert {*ran.values()} == {LANE}
    assert not ran.handed_over


@needs_the_accelerator
def test_watching_adds_no_reference_to_a_grad() -> None:
    """The lane counts the references to a `.grad`; an observer must not be one of them."""
    x, y = leaves()
    for _ in range(2):
        (x * y).backward()
    assert {*who_ran((x * y).backward).values()} == {LANE}


@needs_the_accelerator
def test_a_pass_inside_another_belongs_to_it() -> None:
    x, y = leaves()
    product = x * y
    z, inside = product.exp(), y * 2
    product.register_hook(lambda grad: inside.backward())
    ran = who_ran(z.backward)
    assert [ran[each] for each in (z.grad_fn, product.grad_fn)] == [LANE, COUNTING]
    assert len(ran) == 5  # the product inside is a node as well


@needs_the_accelerator
def test_nothing_is_handed_over_if_one_engine_ran_everything() -> None:
    x, y = leaves()
    assert not who_ran((x * y).backward).handed_over
    with torch.fast.off():
        ran = who_ran((x * y).backward)
    assert {*ran.values()} == {COUNTING}
    assert not ran.handed_over


@needs_the_accelerator
def test_the_colours_and_their_legend() -> None:
    x, y = leaves()
    product = x * y
    z = product.exp()
    product.register_hook(lambda grad: None)
    drawing = draw_engines(z, who_ran(z.backward))
    lines = drawing.dot.splitlines()
    for engine, times in ((LANE, 1), (COUNTING, 3)):
        painted = [line for line in lines if watching.LOOKS[engine] in line]
        assert len(painted) == times + 1
        assert watching.LEGEND[engine] in painted[-1]
    assert [line.strip() for line in str(drawing).splitlines() if " → " in line][:3] == [
        "#1 → x",
        "#1 → y",
        "#2 → #1",
    ]


def test_times_in_words(twin_text: Any) -> None:
    draw_times({"slow": (0.002, 0.0055), "quick": (0.0004, 0.0005)})
    assert twin_text().splitlines() == [
        "slow: 2.00 forward + 3.50 backward = 5.50 ms",
        "quick: 0.40 forward + 0.10 backward = 0.50 ms",
    ]
