"""Replays show the order and the values of a backward pass, and watching changes nothing.

The expected results were worked out by hand: counts from the edges of the graph, the order from the
rule "newest ready node first, AccumulateGrad before operations", and values from the derivatives.
"""

import base64
import json
import re
import sys
import weakref
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import minigrad as torch
from minigrad.viz import Replay, replay
from minigrad.viz.replays import page
from tests.pictures import REPLAYS, picture

SVG = {"svg": "http://www.w3.org/2000/svg"}


def code_9() -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    return x, torch.log(y) + torch.sqrt(w)


def replay_code_9() -> Replay:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    return replay(z)


def titles(shown: Replay) -> list[str]:
    return [scene.title.partition(": ")[2] for scene in shown.scenes]


def row(shown: Replay, number: int, name: str) -> list[str]:
    """The lines of the one box with a line `name` in frame `number`."""
    boxes = [[each.text for each in box.rows] for box in shown.scenes[number].boxes]
    (found,) = [rows for rows in boxes if name in rows]
    return found


# What is shown ------------------------------------------------------------------------------------


def test_code_4_in_full() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    expected = """\
Step 0 of 4: z.backward() starts
  This pass has already run: .grad has changed and the graph is freed
  A node runs when a gradient has arrived along every arrow that leads to it
  The numbers show the order of recording
  Passes 1 to #2 LogBackward0, which is now ready
  Ready queue: #2 LogBackward0
  Waiting: 2
Step 1 of 4: #2 LogBackward0 runs
  Receives 1
  Passes 1 × 0.008 = 0.008 to #1 PowBackward0, which is now ready
  Frees what it saved: self
  Ready queue: #1 PowBackward0
  Waiting: 1
Step 2 of 4: #1 PowBackward0 runs
  Receives 0.008
  Passes 0.008 × 75 = 0.6 to AccumulateGrad of x, which is now ready
  Frees what it saved: self
  Ready queue: AccumulateGrad of x
Step 3 of 4: AccumulateGrad of x runs
  Receives 0.6
  Adds it to .grad: None → 0.6
  Ready queue: empty
Step 4 of 4: backward() is done
  x.grad = 0.6
  What the nodes saved is freed: a second backward() would fail
  Ready queue: empty"""
    assert repr(replay(z)) == expected


@pytest.mark.parametrize(("program", "lines"), [(p, lines) for p, *lines in REPLAYS])
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_what_a_replay_says(program: str, lines: list[str]) -> None:
    said = iter([line.strip() for line in repr(picture(program, torch)).splitlines()])
    for line in lines:
        assert line in said  # after those before it


def test_code_9_waits_for_both_paths() -> None:
    shown = replay_code_9()
    assert titles(shown) == [
        "z.backward() starts",
        "#5 AddBackward0 runs",
        "#4 SqrtBackward0 runs",
        "#3 LogBackward0 runs",
        "#2 PowBackward0 runs",
        "#1 PowBackward0 runs",
        "AccumulateGrad of x runs",
        "backward() is done",
    ]
    assert [scene.ready for scene in shown.scenes] == [
        ("#5 AddBackward0",),
        ("#4 SqrtBackward0", "#3 LogBackward0"),
        ("#3 LogBackward0", "#2 PowBackward0"),
        ("#2 PowBackward0", "#1 PowBackward0"),
        ("#1 PowBackward0",),
        ("AccumulateGrad of x",),
        (),
        (),
    ]
    leaf = [row(shown, number, "x = 5")[2:] for number in range(8)]
    assert leaf == [
        *[["waits: 0 of 2 arrived", "x.grad = None"]] * 4,
        ["waits: 1 of 2 arrived, holds 1", "x.grad = None"],
        ["ready, holds 1 + 0.6 = 1.6", "x.grad = None"],
        ["runs, received 1 + 0.6 = 1.6", "x.grad = 1.6"],
        ["done, received 1 + 0.6 = 1.6", "x.grad = 1.6"],
    ]
    reason = "Of 2 ready nodes, the newest runs first"
    assert [reason in scene.lines for scene in shown.scenes] == [
        False, False, True, True, True, False, False, False,
    ]  # fmt: skip


def test_arrows_carry_the_gradients_one_after_the_other() -> None:
    shown = replay_code_9()
    # The edges in order: #1 and #2 to x, #3 to #1, #4 to #2, #5 to #3 and #4, the call to #5.
    assert [edge.label for edge in shown.scenes[-1].edges] == [
        "0.008 × 75 = 0.6", "0.1 × 10 = 1", "1 × 0.008 = 0.008", "1 × 0.1 = 0.1", "1", "1", "1",
    ]  # fmt: skip
    passing = ["".join(edge.passing[0] for edge in scene.edges) for scene in shown.scenes]
    assert passing == [
        "lllllln", "llllnnb", "lllnbbb", "llnbbbb", "lnbbbbb", "nbbbbbb", "bbbbbbb", "bbbbbbb",
    ]  # fmt: skip


def test_freed_saved_tensors_are_struck_out() -> None:
    shown = replay_code_9()
    kinds = [
        [each.kind for each in scene.boxes[3].rows if "saved" in each.text]
        for scene in shown.scenes
    ]
    assert kinds == [["saved"]] * 2 + [["gone"]] * 6


def test_many_saved_tensors_are_counted() -> None:
    class Four(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):  # type: ignore[no-untyped-def]
            ctx.save_for_backward(value, value + 1, value + 2, value + 3)
            return value * 2

        @staticmethod
        def backward(ctx, grad):  # type: ignore[no-untyped-def]
            return grad * 2

    x = torch.tensor(3.0, requires_grad=True)
    y = Four.apply(x)
    first, second, rest, _ = row(replay(y), 0, "#1 FourBackward")[2:]
    assert first.endswith("[0] = x")
    assert second.endswith("[1] = 4")
    assert rest == "saved 2 more"
    assert row(replay(y), 0, "#1 FourBackward")[2] == "saved tensors: freed"


def test_retain_graph_keeps_the_graph() -> None:
    x, z = code_9()
    first = replay(z, retain_graph=True)
    assert first.scenes[-1].lines[-1].startswith("retain_graph=True has kept")
    assert not any("Frees" in line for scene in first.scenes for line in scene.lines)
    assert first.scenes[0].lines[0] == "This pass has already run: .grad has changed"
    second = replay(z)
    assert "Adds it to .grad: 1.6 → 3.2" in second.scenes[6].lines
    assert x.grad is not None
    assert x.grad.item() == pytest.approx(3.2)


def test_long_stories_are_cut() -> None:
    parts = [torch.ones(1, requires_grad=True) for _ in range(30)]
    joined = replay(torch.cat(parts), torch.ones(30))
    assert len(joined.scenes[1].lines) == 9
    assert joined.scenes[1].lines[-1] == "…"


# What it leaves behind ----------------------------------------------------------------------------


def test_grads_are_those_of_a_plain_backward() -> None:
    x, z = code_9()
    replay(z)
    plain, root = code_9()
    root.backward()
    assert x.grad is not None
    assert torch.equal(x.grad, plain.grad)


def test_hooks_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    x, z = code_9()
    replay(z, retain_graph=True)
    monkeypatch.setattr("minigrad.viz.gradients.Gradient.of", lambda _: pytest.fail("still seen"))
    z.backward()
    assert x.grad is not None


@pytest.mark.usefixtures("collector_off")
def test_keeps_no_graph_alive() -> None:
    def replay_and_forget() -> tuple[Replay, weakref.ref[torch.Tensor]]:
        x, z = code_9()
        return replay(z), weakref.ref(x)

    shown, leaf = replay_and_forget()
    assert leaf() is None
    assert len(shown.frames) == 8


# Errors -------------------------------------------------------------------------------------------


def test_freed_graph_is_replayed_up_to_the_error() -> None:
    x, z = code_9()
    z.backward()
    shown = replay(z)
    assert titles(shown)[1:] == ["#5 AddBackward0 runs", "#4 SqrtBackward0 raises"]
    assert shown.error is not None
    assert shown.error.startswith("RuntimeError: Trying to backward through the graph a second")
    assert shown.scenes[-1].boxes[3].state == "raises"
    assert shown.scenes[-1].ready == ("#3 LogBackward0",)
    assert x.grad is not None
    assert x.grad.item() == pytest.approx(1.6)


def test_hook_that_raises_ends_the_replay_and_leaves_no_hooks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(grad: torch.Tensor) -> None:
        raise ZeroDivisionError("not today. Maybe tomorrow")

    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    handle = y.register_hook(fail)
    z = y * 2
    shown = replay(z, retain_graph=True)
    assert titles(shown)[-1] == "A hook raises"
    assert shown.error == "ZeroDivisionError: not today"
    handle.remove()
    monkeypatch.setattr("minigrad.viz.gradients.Gradient.of", lambda _: pytest.fail("still seen"))
    z.backward(retain_graph=True)


def test_interruption_is_not_part_of_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(grad: torch.Tensor) -> None:
        raise KeyboardInterrupt

    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    y.register_hook(interrupt)
    z = y * 2
    with pytest.raises(KeyboardInterrupt):
        replay(z)


def test_calls_that_backward_refuses_raise() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar"):
        replay(x * 2)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        replay(x * 2, torch.ones(3))
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        replay(torch.ones(2))
    assert x.grad is None


def test_a_second_backward_through_the_same_graph_is_noticed() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    inner = x.exp() * 1.0
    outer = inner * 3.0
    started = []

    def start_another(grad: torch.Tensor) -> None:
        if not started:
            started.append(True)
            inner.backward(retain_graph=True)

    outer.register_hook(start_another)
    with pytest.raises(RuntimeError, match="another backward pass ran through the same graph"):
        replay(outer + 1)


def test_bad_arguments() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    z = x * 2
    with pytest.raises(TypeError, match="replay\\(\\) takes tensors, not float"):
        replay(5.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="replay\\(\\) takes tensors, not float"):
        replay(z, 1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="direction must be 'LR' or 'TB', not 'up'"):
        replay(z, direction="up")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a leaf has no graph to replay"):
        replay(x)
    assert x.grad is None


# Engines of one's own -----------------------------------------------------------------------------


def add_to(leaf: Any, grad: Any) -> None:
    leaf.grad = grad if leaf.grad is None else leaf.grad + grad


def first_come(root: Any, grad: Any) -> None:
    """A node runs with the first gradient that arrives, and never again."""
    work, ran = [(root, grad)], set()
    for node, grad in work:
        if type(node).__name__ == "AccumulateGrad":
            add_to(node.variable, grad)
        elif node is not None and node not in ran:
            ran.add(node)
            following = [each for each, _ in node.next_functions]
            work += zip(following, node.backward(grad), strict=True)


def on_sums(root: Any, grad: Any) -> None:
    """A node runs again with everything so far, whenever a gradient arrives."""
    work, arrived = [(root, grad)], {}
    for node, grad in work:
        if type(node).__name__ == "AccumulateGrad":
            add_to(node.variable, grad)
        elif node is not None:
            arrived[node] = grad + arrived.get(node, 0.0)
            following = [each for each, _ in node.next_functions]
            work += zip(following, node.backward(arrived[node]), strict=True)


def every_path(node: Any, grad: Any) -> None:
    if type(node).__name__ == "AccumulateGrad":
        add_to(node.variable, grad)
        return
    for (following, _), part in zip(node.next_functions, node.backward(grad), strict=True):
        every_path(following, part)


def overwriting(node: Any, grad: Any) -> None:
    """A leaf keeps only the last gradient."""
    if type(node).__name__ == "AccumulateGrad":
        node.variable.grad = None
        node.variable._grad = None
    for (following, _), part in zip(node.next_functions, node.backward(grad), strict=True):
        overwriting(following, part)


def sort_first(result: Any) -> None:
    """It is right: every node runs once, after all nodes that pass a gradient to it."""
    order: dict[Any, None] = {}

    def visit(node: Any) -> None:
        for following, _ in node.next_functions:
            if following is not None and following not in order:
                visit(following)
        order[node] = None

    visit(result.grad_fn)
    arrived = {result.grad_fn: torch.tensor(1.0)}
    for node in reversed(order):
        for (following, _), part in zip(
            node.next_functions, node.backward(arrived.pop(node)), strict=True
        ):
            arrived[following] = part + arrived.get(following, 0.0)


def fan_out() -> tuple[torch.Tensor, torch.Tensor]:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    a = y + y
    return x, y + a


def replay_of(engine: Any) -> tuple[torch.Tensor, Replay]:
    x, z = fan_out()
    given = [] if engine is sort_first else [torch.tensor(1.0)]
    return x, replay(z, *given, names={"x": x}, engine=engine)


def faults(shown: Replay) -> list[tuple[str, str]]:
    """The titles of steps with something wrong, and what is wrong."""
    return [
        (title, line)
        for title, scene in zip(titles(shown), shown.scenes, strict=True)
        for line in scene.lines
        if line.startswith("✗")
    ]


def test_a_node_that_runs_too_early_and_what_arrives_too_late() -> None:
    x, shown = replay_of(first_come)
    assert x.grad is not None
    assert x.grad.item() == 6.0  # 18 would be right
    late = "✗ Passes 1 to #1 MulBackward0 too late: it has run for the last time"
    assert faults(shown) == [
        (
            "#1 MulBackward0 runs",
            "✗ Runs too early: only 1 of 3 had arrived, and it never runs again",
        ),
        ("#2 AddBackward0 runs", late),
        ("#2 AddBackward0 runs", late),
        (
            "first_come() is done",
            "✗ 1 + 1 = 2 reached #1 MulBackward0 after its last run, and was lost",
        ),
    ]
    assert [box.state for box in shown.scenes[2].boxes].count("wrong") == 1
    assert [edge.passing for edge in shown.scenes[-1].edges].count("late") == 2
    assert row(shown, -1, "#1 MulBackward0")[-1] == "✗ received 1, too late: 1 + 1 = 2"
    # the leaf runs twice with 3, and nothing has added the two up
    leaf = [row(shown, number, "AccumulateGrad")[-2] for number in (2, 4, 5)]
    assert leaf == ["ready, pending: 3, 3", "runs, received 3, pending: 3", "runs, received 3"]


def test_without_scripts_the_steps_that_go_wrong_are_shown_as_well() -> None:
    _, shown = replay_of(first_come)
    html = shown._repr_mimebundle_()["text/html"]
    steps = re.findall(r'alt="Step (\d+) of 6', html)
    assert steps == ["0", "2", "3", "6"]
    _, shown = replay_of(every_path)
    html = shown._repr_mimebundle_()["text/html"]
    assert html.count("<img") == 2


def test_a_node_that_passes_on_what_it_has_passed_on_before() -> None:
    x, shown = replay_of(on_sums)
    assert x.grad is not None
    assert x.grad.item() == 36.0
    assert faults(shown) == [
        ("#1 MulBackward0 runs", "✗ Runs again with 3, although nothing new has arrived")
    ]


def test_an_engine_that_follows_every_path_is_right() -> None:
    x, shown = replay_of(every_path)
    assert x.grad is not None
    assert x.grad.item() == 18.0
    assert not faults(shown)
    assert titles(shown).count("#1 MulBackward0 runs") == 3
    assert "Adds it to .grad: 15 → 18" in shown.scenes[-2].lines


def test_a_leafs_own_node_may_add_in_place() -> None:
    def follow(node: Any, grad: Any) -> None:
        for (following, _), part in zip(node.next_functions, node.backward(grad), strict=True):
            follow(following, part)

    _, shown = replay_of(follow)
    assert not faults(shown)
    assert "Adds it to .grad: 15 → 18" in shown.scenes[-2].lines


def test_an_engine_that_sorts_is_right_and_takes_the_tensor() -> None:
    x, shown = replay_of(sort_first)
    assert x.grad is not None
    assert x.grad.item() == 18.0
    assert not faults(shown)
    assert shown.scenes[0].queue == []  # only the library's engine is known to have one
    assert titles(shown)[1:] == [
        "#3 AddBackward0 runs", "#2 AddBackward0 runs", "#1 MulBackward0 runs",
        "AccumulateGrad of x runs", "sort_first() is done",
    ]  # fmt: skip


def test_an_overwritten_gradient_is_wrong() -> None:
    _, shown = replay_of(overwriting)
    assert ("AccumulateGrad of x runs", "✗ Overwrites .grad: 3 → 3") in faults(shown)


def test_an_engine_that_raises_is_replayed_up_to_the_error() -> None:
    def broken(node: Any, grad: Any) -> None:
        node.backward(grad)
        raise KeyError("here")

    _, shown = replay_of(broken)
    assert titles(shown) == ["broken() starts", "#3 AddBackward0 runs", "The engine raises"]
    assert shown.error == "KeyError: 'here'"


def test_watching_an_engine_leaves_the_classes_as_they_were() -> None:
    x, z = fan_out()
    kinds = [type(x), type(z.grad_fn), type(z.grad_fn.next_functions[0][0])]
    before = [dict(vars(kind)) for kind in kinds]
    replay(z, torch.tensor(1.0), engine=first_come)
    assert [dict(vars(kind)) for kind in kinds] == before


def test_an_engine_that_needs_a_gradient_says_so() -> None:
    _, z = fan_out()
    with pytest.raises(TypeError, match=r"replay\(z, tensor\(1.0\), engine=first_come\)"):
        replay(z, engine=first_come)


# Others -------------------------------------------------------------------------------------------


def test_draft_without_hooks_is_refused() -> None:
    class Draft:
        grad_fn, is_leaf, requires_grad = None, True, True

    with pytest.raises(TypeError, match=r"Draft has no backward\(\) with hooks"):
        replay(Draft())  # type: ignore[arg-type]


def test_graph_that_is_too_large_is_refused_before_it_runs() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 1.0 * 1.0 * 1.0
    with pytest.raises(ValueError, match="the graph has 3 operations"):
        replay(y, max_nodes=2)
    assert x.grad is None
    assert len(replay(y, max_nodes=3).frames) == 6


# Pictures and player ------------------------------------------------------------------------------


def use_wasm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Render as a plain pip environment does, without the `dot` program."""
    monkeypatch.setenv("PATH", "")


def svg_of(image: str) -> str:
    match = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', image)
    assert match
    return base64.b64decode(match.group(1)).decode()


def test_every_frame_has_its_text_in_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    use_wasm(monkeypatch)
    shown = replay_code_9()
    pictures = [ET.fromstring(frame.svg) for frame in shown.frames]
    assert len({picture.attrib["viewBox"] for picture in pictures}) == 1
    places = [[rect.get("x") for rect in p.iterfind(".//svg:rect", SVG)] for p in pictures]
    assert places == [places[0]] * 8
    for drawn, scene in zip(pictures, shown.scenes, strict=True):
        assert drawn.findtext("svg:desc", namespaces=SVG) == scene.twin()
        texts = {text.text for text in drawn.iterfind(".//svg:text", SVG)}
        said = {row.text for box in scene.boxes for row in box.rows}
        labels = {edge.label for edge in scene.edges} - {""}
        assert {scene.title, *scene.lines, *scene.queue, *said, *labels} == texts


def test_states_differ_by_more_than_colour() -> None:
    looks = [tuple(sorted(look.items())) for look in page.BOX_LOOKS.values()]
    frames = {
        tuple(pair for pair in look if pair[0] in ("stroke-width", "stroke-dasharray"))
        for look in looks[:4]
    }
    assert len(set(looks)) == len(looks)
    assert len(frames) == 4


def test_player_is_self_contained_and_shows_pictures_without_scripts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    use_wasm(monkeypatch)
    bundle = replay_code_9()._repr_mimebundle_()
    html = bundle["text/html"]
    assert bundle["text/plain"] == repr(replay_code_9())
    assert len(html) < 150_000
    assert "http" not in html
    without_scripts = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    first, last = re.findall(r"<img[^>]+>", without_scripts)
    assert 'alt="Step 0 of 7: z.backward() starts; ' in first
    assert 'alt="Step 7 of 7: backward() is done; ' in last
    for image in (first, last):
        svg = svg_of(image)
        assert svg.replace('xmlns="http://www.w3.org/2000/svg"', "").count("http") == 0
        assert ET.fromstring(svg).attrib["role"] == "img"


def test_the_players_patches_add_up_to_the_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    use_wasm(monkeypatch)
    shown = replay_code_9()
    first = ET.fromstring(svg_of(shown._repr_mimebundle_()["text/html"]))
    data = json.loads(first.findtext("svg:metadata", namespaces=SVG) or "")
    parts: dict[str, str] = {}
    for number, frame in enumerate(data["frames"]):
        parts |= frame["parts"]
        assert parts == shown.stills.parts(number)
        assert frame["title"] == shown.scenes[number].title
        assert frame["queue"] == shown.scenes[number].queue
    assert len(data["frames"][3]["parts"]) < len(parts)  # unchanged parts are not repeated
    assert [frame["at"] for frame in data["frames"]] == [6, 4, 3, 2, 1, 0, 5, None]


def test_html_outside_of_the_pictures_does_not_depend_on_the_renderer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So nbval, which ignores data URIs, can compare the rest on any machine."""

    def html() -> str:
        return re.sub(r"base64,[^\"]+", "", replay_code_9()._repr_mimebundle_()["text/html"])

    once = html()
    monkeypatch.setattr(page, "LINE", 23.0)
    assert html() == once


def test_data_flows_down_and_gradients_up() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x * 2
    leaf, call = 1, 2  # box 0 is the operation, and the last the call of backward()
    down = replay(y, retain_graph=True).stills.layout.boxes
    assert down[leaf][1] < down[0][1] < down[call][1]
    across = replay(y, retain_graph=True, direction="LR").stills.layout.boxes
    assert across[leaf][0] < across[0][0] < across[call][0]


def test_long_lines_are_cut_in_boxes_but_not_beside_them() -> None:
    x = torch.tensor([1.23456, 2.34567, 3.45678, 4.56789, 5.6789], requires_grad=True)
    y = (x * x).sum()
    svg = replay(y).frames[2].svg
    assert "runs, received [1, 1, 1, 1, 1]" in svg
    assert "Passes [1.2346, 2.3457, 3.4568, 4.5679, 5.6789] to AccumulateGrad of x" in svg
    assert ">ready, holds [2.4691, 4.6913, 6.9136, 9…<" in svg


def test_names_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    use_wasm(monkeypatch)
    awkward = 'a<b> & "q" \\n 값'
    x = torch.tensor(5.0, requires_grad=True)
    y = x * 2
    html = replay(y, names={awkward: x})._repr_mimebundle_()["text/html"]
    texts = [text.text for text in ET.fromstring(svg_of(html)).iterfind(".//svg:text", SVG)]
    assert f"{awkward} = 5" in texts


def test_frame_shows_as_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    use_wasm(monkeypatch)
    frame = replay_code_9().frames[4]
    bundle = frame._repr_mimebundle_()
    assert bundle["text/plain"] == repr(frame)
    assert repr(frame).startswith("Step 4 of 7: #2 PowBackward0 runs\n  ")
    assert svg_of(bundle["text/html"]) == frame.svg


def test_without_graphviz_only_the_text_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    shown = replay_code_9()
    for bundle in (shown._repr_mimebundle_(), shown.frames[0]._repr_mimebundle_()):
        assert set(bundle) == {"text/plain"}
        assert "shown as text" in bundle["text/plain"]
