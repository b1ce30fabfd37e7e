"""What the scripts of drawings and replays do in a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import minigrad as torch
from minigrad.viz import draw, replay
from minigrad_course.pictures.steppers import step_record

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Measure = Callable[..., Any]
LAPTOP, PHONE = (1366, 768), (420, 900)
HELP = """
const $ = (selector) => document.querySelector(selector);
const place = (selector) => $(selector).getBoundingClientRect().toJSON();
const point = (element, type, x, y) => element.dispatchEvent(
  new PointerEvent(type, { bubbles: true, buttons: 1, clientX: x, clientY: y }));
const key = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key }));
"""


@pytest.fixture
def measure(browser: Browser) -> Measure:
    """Shows HTML in a window of a size, and returns what a script returns there."""

    def measured(shown: str, script: str, size: tuple[int, int]) -> Any:
        width, height = size
        with browser.new_page(viewport={"width": width, "height": height}) as page:
            page.set_content(
                '<!doctype html><meta charset="utf-8"><body style="margin: 0">'
                f"{shown}<script>{HELP}</script></body>"
            )
            page.wait_for_timeout(50)  # some of the drawings' scripts wait for the layout
            return page.evaluate(f"() => {{ {script} }}")

    return measured


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


def test_player_fits_a_laptop_below_jupyterlabs_bars(measure: Measure) -> None:
    script = """return { player: place(".minigrad-player"), graph: place(".minigrad-graph svg"),
                         texts: place(".minigrad-texts") };"""
    seen = measure(replayed(), script, LAPTOP)
    assert seen["player"]["height"] <= 0.62 * LAPTOP[1]
    assert seen["graph"]["left"] > seen["texts"]["right"]
    assert seen["graph"]["bottom"] <= seen["player"]["bottom"]


def test_player_on_a_narrow_page(measure: Measure) -> None:
    script = """const play = $(".minigrad-play");
                play.click();  // now it says Pause, which is longer
                const range = document.createRange();
                range.selectNodeContents(play);
                return { label: range.getBoundingClientRect().toJSON(),
                         play: place(".minigrad-play"), slider: place(".minigrad-bar input"),
                         texts: place(".minigrad-texts"), graph: place(".minigrad-graph"),
                         wide: document.documentElement.scrollWidth };"""
    seen = measure(replayed(), script, PHONE)
    assert seen["play"]["left"] <= seen["label"]["left"]
    assert seen["label"]["right"] <= seen["play"]["right"] <= seen["slider"]["left"]
    assert seen["graph"]["top"] >= seen["texts"]["bottom"]
    assert seen["wide"] <= PHONE[0]


def test_player_steps_and_jumps_and_tells_screen_readers(measure: Measure) -> None:
    script = """const player = $(".minigrad-player"), steps = [];
                const note = () => steps.push([$("output").textContent,
                                               $("[aria-live=polite]").textContent]);
                note();
                for (const each of ["ArrowRight", "End", "ArrowLeft", "Home"]) {
                  key(player, each);
                  note();
                }
                return steps;"""
    steps = measure(replayed(), script, LAPTOP)
    assert [title.split(":")[0] for title, _ in steps] == [
        "Step 0 of 7", "Step 1 of 7", "Step 7 of 7", "Step 6 of 7", "Step 0 of 7",
    ]  # fmt: skip
    assert steps[0][1] == ""
    assert steps[1][1].startswith("Step 1 of 7: #5 AddBackward0 runs. Receives 1. Passes 1 to")


def test_a_low_window_shows_the_whole_player(measure: Measure) -> None:
    script = """return { player: place(".minigrad-player"), graph: place(".minigrad-graph"),
                         drawn: place(".minigrad-graph svg") };"""
    seen = measure(replayed(), script, (1280, 600))
    assert seen["player"]["height"] <= 0.75 * 600
    assert seen["drawn"]["height"] <= seen["graph"]["height"] + 1  # there is nothing to scroll


def test_with_reduced_motion_the_player_does_not_play(measure: Measure) -> None:
    script = """const player = $(".minigrad-player"), play = $(".minigrad-play");
                key(player, " ");
                return [getComputedStyle(play).display, $("output").textContent];"""
    still = "<script>matchMedia = () => ({ matches: true })</script>"
    shown, title = measure(still + replayed(), script, LAPTOP)
    assert shown == "none"
    assert title.startswith("Step 1 of 7")


def test_a_stepper_shows_the_line_that_has_run(measure: Measure) -> None:
    stepper = step_record("x = torch.tensor(5.0, requires_grad=True)\ny = x.exp()")
    script = """key($(".minigrad-player"), "End");
                const now = document.querySelectorAll(".minigrad-code .now");
                return [...now].map((line) => line.textContent);"""
    html = stepper._repr_mimebundle_()["text/html"]
    assert measure(html, script, LAPTOP) == ["y = x.exp()"]


# Drawings -----------------------------------------------------------------------------------------


def test_a_click_on_a_box_shows_the_line_that_made_it_beside_the_box(measure: Measure) -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x.exp()
    html = draw(y)._repr_mimebundle_()["text/html"]
    script = """const seen = $("img").getBoundingClientRect(), notes = [];
                for (const part of [0.1, 0.5, 0.9]) {
                  const x = (seen.left + seen.right) / 2, y = seen.top + part * seen.height;
                  const box = document.elementFromPoint(x, y);
                  box.click();
                  const note = [...box.parentElement.children].at(-1);
                  const place = note.getBoundingClientRect(), made = box.getBoundingClientRect();
                  notes.push([note.textContent, place.left - made.right, place.top - made.top]);
                }
                return notes;"""
    notes = measure(html, script, LAPTOP)
    assert [text for text, _, _ in notes] == [
        "x = torch.tensor(5.0, requires_grad=True)", "y = x.exp()", "y = x.exp()",
    ]  # fmt: skip
    assert all(0 < beside < 20 and abs(below) < 5 for _, beside, below in notes)


@pytest.mark.parametrize("size", [(1280, 720), PHONE])
def test_a_large_drawing_is_seen_whole_and_needs_no_scroll_bar(
    measure: Measure, size: tuple[int, int]
) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    wide = draw(*[x.exp() * float(k) for k in range(9)])._repr_mimebundle_()["text/html"]
    script = """const { width, height } = place("img"), frame = $(".minigrad-drawing");
                return { width, height, page: document.documentElement.scrollWidth,
                         hidden: frame.scrollHeight - frame.clientHeight };"""
    for html in (wide, large()):
        seen = measure(html, script, size)
        assert seen["page"] <= size[0]
        assert seen["width"] <= size[0]
        assert seen["height"] <= size[1]
        assert seen["hidden"] <= 1


def test_a_large_drawing_can_be_enlarged_moved_and_fitted_again(measure: Measure) -> None:
    script = """const image = $("img"), frame = $(".minigrad-drawing"), seen = [];
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
                const { height } = frame.getBoundingClientRect();
                key(frame, "Escape");
                note();
                return { seen, hint: $("[role=status]").textContent, height,
                         bars: getComputedStyle(frame).scrollbarWidth };"""
    found = measure(large(), script, PHONE)
    whole, enlarged, moved, zoomed, back = found["seen"]
    assert enlarged[0] >= 1.5 * whole[0]
    assert moved[0] == enlarged[0]
    assert moved[2] == pytest.approx(enlarged[2] + 50, abs=1)
    assert zoomed[0] == pytest.approx(1.25 * moved[0], rel=0.01)
    assert back[0] == whole[0]
    assert found["height"] <= 0.85 * PHONE[1] + 1
    assert "enlarge" in found["hint"]


def test_zooming_keeps_the_clicked_point_in_place(measure: Measure) -> None:
    script = """const image = $("img"), frame = $(".minigrad-drawing");
                const at = (y) => { const seen = image.getBoundingClientRect();
                                    return (y - seen.top) / seen.height; };
                const before = at(400);
                point(frame, "click", 20, 400);
                return { before, after: at(400) };"""
    seen = measure(large(), script, PHONE)
    assert seen["after"] == pytest.approx(seen["before"], abs=0.01)


# Both ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ['data-jp-theme-light="{}"', 'data-theme="{}"'])
def test_the_page_decides_between_light_and_dark(measure: Measure, mark: str) -> None:
    """In JupyterLab and on the website; where a page has no theme, the system decides."""
    x = torch.tensor(5.0, requires_grad=True)
    shown = draw(x.exp())._repr_mimebundle_()["text/html"] + replayed()
    script = """return [".minigrad-drawing", ".minigrad-player"].map((each) =>
                  getComputedStyle($(each)).colorScheme).concat(
                  getComputedStyle($(".minigrad-player")).backgroundColor,
                  getComputedStyle($(".minigrad-graph rect")).fill);"""
    grounds = []
    for scheme, lab in (("light", "true"), ("dark", "false")):
        words = mark.format(lab if "jp" in mark else scheme)
        *schemes, ground, box = measure(f"<div {words}>{shown}</div>", script, LAPTOP)
        assert schemes == [scheme, scheme]
        grounds.append((ground, box))
    assert grounds[0][0] == "rgb(255, 255, 255)"
    assert grounds[1][0] == "rgb(31, 33, 38)"
    assert grounds[0][1] != grounds[1][1]


def test_on_a_slide_keys_step_and_then_lead_on(measure: Measure) -> None:
    script = """const player = $(".minigrad-player"), title = () => $("output").textContent;
                const deck = [], steps = [];
                document.addEventListener("keydown", (event) => deck.push(event.key));
                player.focus();
                for (const each of ["PageDown", "ArrowRight", "End", "PageDown"]) {
                  (document.activeElement ?? document.body).dispatchEvent(
                    new KeyboardEvent("keydown", { key: each, bubbles: true }));
                  steps.push(title().split(":")[0]);
                }
                return { deck, steps, left: document.activeElement !== player };"""
    seen = measure(f'<div class="reveal">{replayed()}</div>', script, LAPTOP)
    assert seen["steps"] == ["Step 1 of 7", "Step 2 of 7", "Step 7 of 7", "Step 7 of 7"]
    assert seen["deck"] == ["PageDown"]
    assert seen["left"]
