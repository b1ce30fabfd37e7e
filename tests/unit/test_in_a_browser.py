"""What the scripts of drawings and replays do, where there is a browser to run them."""

from pathlib import Path
from typing import Any

import pytest

import minigrad as torch
from minigrad.viz import draw, replay
from tests import chromium

LAPTOP, PHONE = (1366, 768), (420, 900)
HELP = """
const $ = (selector) => document.querySelector(selector);
const place = (selector) => $(selector).getBoundingClientRect().toJSON();
const point = (element, type, x, y) => element.dispatchEvent(
  new PointerEvent(type, { bubbles: true, buttons: 1, clientX: x, clientY: y }));
const key = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key }));
"""


def measure(shown: str, script: str, size: tuple[int, int], folder: Path) -> Any:
    """Show HTML in a window of `size`, and return what `script` returns there."""
    page = folder / "inner.html"
    page.write_text(
        '<!doctype html><meta charset="utf-8"><body style="margin: 0">'
        f"{shown}<script>{HELP}</script></body>",
        encoding="utf-8",
    )
    return chromium.measured(page, script, size, folder)


def replayed() -> str:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    return replay(z)._repr_mimebundle_()["text/html"]


def large() -> str:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(30):
        y = y * 2
    return draw(y)._repr_mimebundle_()["text/html"]


# The player ---------------------------------------------------------------------------------------


def test_player_fits_under_the_bars_of_a_laptop(tmp_path: Path) -> None:
    script = """return { player: place(".minigrad-player"), graph: place(".minigrad-graph svg"),
                         texts: place(".minigrad-texts") };"""
    seen = measure(replayed(), script, LAPTOP, tmp_path)
    assert seen["player"]["height"] <= 0.62 * LAPTOP[1]
    assert seen["graph"]["left"] > seen["texts"]["right"]
    assert seen["graph"]["bottom"] <= seen["player"]["bottom"]


def test_player_on_a_narrow_page(tmp_path: Path) -> None:
    script = """const play = $(".minigrad-play");
                play.click();  // now it says Pause, which is longer
                const range = document.createRange();
                range.selectNodeContents(play);
                return { label: range.getBoundingClientRect().toJSON(),
                         play: place(".minigrad-play"), slider: place(".minigrad-bar input"),
                         texts: place(".minigrad-texts"), graph: place(".minigrad-graph"),
                         wide: document.documentElement.scrollWidth };"""
    seen = measure(replayed(), script, PHONE, tmp_path)
    assert seen["play"]["left"] <= seen["label"]["left"]
    assert seen["label"]["right"] <= seen["play"]["right"] <= seen["slider"]["left"]
    assert seen["graph"]["top"] >= seen["texts"]["bottom"]
    assert seen["wide"] <= PHONE[0]


def test_player_steps_and_jumps(tmp_path: Path) -> None:
    script = """const player = $(".minigrad-player"), title = () => $("output").textContent;
                const titles = [title()];
                for (const each of ["ArrowRight", "End", "ArrowLeft", "Home"]) {
                  key(player, each);
                  titles.push(title());
                }
                return titles;"""
    titles = measure(replayed(), script, LAPTOP, tmp_path)
    assert [title.split(":")[0] for title in titles] == [
        "Step 0 of 7", "Step 1 of 7", "Step 7 of 7", "Step 6 of 7", "Step 0 of 7",
    ]  # fmt: skip


# Large drawings -----------------------------------------------------------------------------------


def test_large_drawing_is_enlarged_moved_and_put_back(tmp_path: Path) -> None:
    script = """const image = $("img"), frame = image.parentElement, seen = [];
                const note = () => seen.push([image.getBoundingClientRect().width,
                                              frame.scrollLeft, frame.scrollTop]);
                note();
                point(frame, "click", 100, 300);
                note();
                point(frame, "pointerdown", 100, 300);
                point(frame, "pointermove", 80, 250);
                point(frame, "click", 80, 250);
                note();
                key(frame, "+");
                note();
                key(frame, "Escape");
                note();
                return { seen, hint: frame.nextSibling.textContent,
                         height: frame.getBoundingClientRect().height };"""
    found = measure(large(), script, PHONE, tmp_path)
    whole, enlarged, moved, zoomed, back = found["seen"]
    assert enlarged[0] >= 1.5 * whole[0]
    assert moved[0] == enlarged[0]
    assert moved[2] == pytest.approx(enlarged[2] + 50, abs=1)
    assert zoomed[0] == pytest.approx(1.25 * moved[0], rel=0.01)
    assert back[0] == whole[0]
    assert found["height"] <= 0.75 * PHONE[1] + 1
    assert "Click to enlarge" in found["hint"]


def test_the_place_that_is_clicked_stays_where_it_is(tmp_path: Path) -> None:
    script = """const image = $("img"), frame = image.parentElement;
                const at = (y) => { const seen = image.getBoundingClientRect();
                                    return (y - seen.top) / seen.height; };
                const before = at(400);
                point(frame, "click", 150, 400);
                return { before, after: at(400) };"""
    seen = measure(large(), script, PHONE, tmp_path)
    assert seen["after"] == pytest.approx(seen["before"], abs=0.01)
