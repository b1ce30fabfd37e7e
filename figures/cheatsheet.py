"""Make the cheat sheet: `python figures/cheatsheet.py` writes docs/cheatsheet.pdf and .svg.

One page, A4, to be printed. Its numbers, tables and messages come from programs that run here; the
picture is drawn from a live graph. `cheatsheet.typ` beside this file is the layout, which Typst
sets with the fonts that it brings, so every machine makes the same page. What the page says stands
in the SVG as `<desc>`; tests/course/test_cheatsheet.py makes it anew and compares.
"""

from __future__ import annotations

import ast
import html
import io
import json
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import minigrad as torch
from minigrad.viz import Drawing, draw

FOLDER = Path(__file__).parent
DOCS = FOLDER.parent / "docs"
TITLE = "PyTorch’s autograd on one page"
NOTE = (
    "Numbers and messages are outputs of programs; PyTorch 2.13 prints the same. "
    "On the right: the chapter of the course."
)
# Narrower than the letters for which the picture was laid out. In the SVG the picture is an image,
# and a browser that lacks the first takes another.
FONT = "Libertinus Serif, Liberation Serif, Times New Roman, serif"
PICTURE_WIDTH = 186.0  # points

Item = dict[str, Any]
Section = dict[str, Any]


# --- running --------------------------------------------------------------------------------------


def program(source: str) -> Item:
    """A program with what it shows: each value of an expression, and what is printed."""
    names: dict[str, Any] = {"torch": torch}
    lines = []
    for statement in ast.parse(source.strip()).body:
        printed = io.StringIO()
        with redirect_stdout(printed):
            if isinstance(statement, ast.Expr):
                value = eval(ast.unparse(statement), names)
                if value is not None:
                    print(repr(value))
            else:
                exec(ast.unparse(statement), names)
        text = ast.get_source_segment(source.strip(), statement) or ""
        shown = re.sub(r" object at 0x\w+", "", printed.getvalue().rstrip())
        lines += [[line, ""] for line in text.split("\n")]
        lines[-1][1] = ", ".join(shown.split("\n"))
    return {"kind": "program", "lines": lines}


def provoked(source: str) -> str:
    """The first sentence of the error or warning that a program gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(source, {"torch": torch})
        except (RuntimeError, ValueError, TypeError) as error:
            return first_sentence(str(error))
    return first_sentence(str(caught[0].message))


def first_sentence(text: str) -> str:
    """Up to the first full stop that ends a sentence."""
    return re.split(r"(?<=\w\.)\s|(?<=\)\.)\s", text, maxsplit=1)[0]


def message(source: str, cure: str, chapter: str) -> Item:
    """A message with its cure."""
    return {"kind": "message", "words": provoked(source), "cure": cure, "chapter": chapter}


def text(words: str) -> Item:
    """A few sentences."""
    return {"kind": "text", "words": words}


def facts(head: list[str], rows: list[list[str]]) -> Item:
    """A table."""
    return {"kind": "facts", "head": head, "rows": rows}


def yes(value: bool) -> str:
    """A fact as a word."""
    return "yes" if value else "no"


# --- what the page says ---------------------------------------------------------------------------


def graph() -> Drawing:
    """Document 002, Code 9: two paths to one leaf."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    z.backward(retain_graph=True)
    return draw(z, gradients=True, direction="TB")


def picture() -> Item:
    """The drawing, its letters set in the page's font."""
    drawing = graph()
    svg = re.sub(r'font-family="[^"]+"', f'font-family="{FONT}"', drawing.svg)
    return {"kind": "picture", "svg": svg, "alt": repr(drawing), "width": PICTURE_WIDTH}


def leaves() -> Item:
    """Which tensors are leaves."""
    sources = [
        "torch.tensor(2.)",
        "torch.tensor(2., requires_grad=True)",
        "w * 0.01",
        "w[:1]",
        "w.double()",
        "w.detach()",
        "(w * 0.01).detach().requires_grad_()",
        "torch.nn.Parameter(w * 0.01)",
    ]
    w = torch.tensor([2.0], requires_grad=True)
    made = [eval(source, {"torch": torch, "w": w}) for source in sources]
    rows = [
        [f"`{source}`", yes(each.is_leaf), yes(each.requires_grad)]
        for source, each in zip(sources, made, strict=True)
    ]
    return facts(["`w` is a leaf that requires grad", "is_leaf", "requires_grad"], rows)


def saved() -> Item:
    """What operations save, by what it is that they save."""
    x = torch.tensor([0.5], requires_grad=True)
    y = torch.tensor([2.0], requires_grad=True)
    sources = ["x + y", "-x", "x.sum()", "x * y", "x / y", "x**2", "x.log()", "x.sin()"]
    sources += ["x.exp()", "x.sqrt()", "x.tanh()", "x.sigmoid()", "x.relu()"]
    kinds: dict[str, list[str]] = {}
    for source in sources:
        node = eval(source, {"x": x, "y": y}).grad_fn
        names = [name for name in dir(node) if name.startswith("_saved_")]
        held = [name for name in names if isinstance(getattr(node, name), torch.Tensor)]
        kept = {"_saved_result": "its result", "_saved_self": "its input"}
        words = "both inputs" if len(held) == 2 else kept[held[0]] if held else "no tensor"
        kinds.setdefault(words, []).append(f"`{source}`")
    return facts(["saved", "by"], [[words, ", ".join(each)] for words, each in kinds.items()])


def cuts() -> Item:
    """What the ways to leave the graph do."""
    x = torch.tensor([2.0], requires_grad=True)
    y = x * 3
    with torch.no_grad():
        inside = y * 1
        view = y.view(1)
    made = {
        "y.detach()": y.detach(),
        "y.clone()": y.clone(),
        "y.clone().detach()": y.clone().detach(),
        "y * 1` in `no_grad()": inside,
        "y.view(1)` in `no_grad()": view,
    }
    rows = [
        [f"`{source}`", yes(each.grad_fn is not None), yes(each.data_ptr() == y.data_ptr())]
        for source, each in made.items()
    ]
    return facts(["`y` has a history", "history", "memory of `y`"], rows)


def hooks() -> Item:
    """The order in which everything runs at one node and at a leaf."""
    order: list[str] = []
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.retain_grad()
    node = y.grad_fn

    def before(_: object) -> None:
        if y.grad is not None:  # filled by now
            order.append("y.retain_grad()")
        order.append("node.register_prehook")

    node.register_hook(lambda *_: order.append("node.register_hook"))
    node.register_prehook(before)
    x.register_post_accumulate_grad_hook(
        lambda _: order.append("x.register_post_accumulate_grad_hook")
    )
    x.register_hook(lambda _: order.append("x.register_hook"))
    y.register_hook(lambda _: order.append("y.register_hook"))
    (y * y).backward()
    sees = {
        "y.register_hook": "the whole gradient of `y`",
        "y.retain_grad()": "fills `y.grad`",
        "node.register_prehook": "what goes in",
        "node.register_hook": "what comes out",
        "x.register_hook": "this pass alone",
        "x.register_post_accumulate_grad_hook": "`x.grad`",
    }
    rows = [[f"{n}. `{name}`", sees[name]] for n, name in enumerate(order, 1)]
    return facts(["in this order, `y = x * 3`, `node = y.grad_fn`", "sees"], rows)


def page() -> dict[str, Any]:
    """All that the page says."""
    return {"title": TITLE, "note": NOTE, "columns": [left(), middle(), right()]}


def section(title: str, place: str, *items: Item) -> Section:
    """A part of the page; `place` says where the course builds it."""
    return {"title": title, "place": place, "items": list(items)}


def left() -> list[Section]:
    """The graph and how it is walked."""
    return [
        section(
            "The graph",
            "03, 04",
            picture(),
            text(
                "An operation on what requires grad records a node: the `grad_fn` of its result. "
                "Its edges are `next_functions`. Backward (the arrows) starts with 1. A node runs "
                "once, when all its gradients have arrived; the newest first. It multiplies by "
                "its own derivative. What meets is added."
            ),
            program(
                """
x = torch.tensor(5., requires_grad=True)
y = x**3
z = torch.log(y)
z.grad_fn
z.grad_fn.next_functions[0][0]
y.grad_fn.next_functions[0][0].variable is x
z.backward()
x.grad
"""
            ),
        ),
        section(
            "Ask for gradients",
            "04, 13",
            facts(
                ["call", "does"],
                [
                    ["`z.backward()`", "adds to `.grad` of every leaf; `z` has one element"],
                    ["`z.backward(v)`", "`v` times the Jacobian; `v` has the shape of `z`"],
                    ["`grad(z, [x, w])`", "returns the gradients; writes no `.grad`"],
                    ["`retain_graph=True`", "keeps what is saved, for another backward"],
                    ["`create_graph=True`", "records backward itself: gradients have a history"],
                    ["`inputs=[x]`", "fills only these `.grad`"],
                ],
            ),
        ),
    ]


def middle() -> list[Section]:
    """The rules."""
    return [
        section("Leaves", "05", leaves()),
        section(
            "When .grad is filled",
            "05, 07",
            text(
                "Where a path from the result ends in a leaf that requires grad, and where "
                "`t.retain_grad()` was called before. Elsewhere it stays None. Each backward adds:"
            ),
            program(
                """
w = torch.tensor(1., requires_grad=True)
for _ in range(2): (w * 3).backward()
w.grad
"""
            ),
            text("`opt.zero_grad()` sets None: `step()` skips None, and uses zeros."),
        ),
        section(
            "Saved, and freed",
            "06",
            saved(),
            text("`backward()` frees what is saved; nodes live as long as a result does."),
        ),
        section(
            "Off the graph",
            "10",
            cuts(),
            text("`w.requires_grad_(False)` freezes a leaf. `eval()` switches nothing off."),
        ),
        section(
            "In place",
            "11",
            text(
                "Each edit raises the version of the memory, for all views. Backward refuses a "
                "saved tensor whose version has moved on. `.data` and NumPy change it unseen."
            ),
            program(
                """
x = torch.tensor([2.], requires_grad=True)
y = x * 3
y += 1
y._version
y.grad_fn
"""
            ),
        ),
        section(
            "Twice",
            "14",
            program(
                """
x = torch.tensor(5., requires_grad=True)
z = torch.log(x**3)
g, = torch.autograd.grad(z, x, create_graph=True)
g
torch.autograd.grad(g, x)
"""
            ),
        ),
    ]


LOST = """
w = torch.tensor(2., requires_grad=True)
loss = (w * 3).detach()
loss.backward()
"""
TWICE = """
w = torch.tensor(2., requires_grad=True)
loss = w**2
loss.backward()
loss.backward()
"""
CHANGED = """
w = torch.tensor([2.], requires_grad=True)
h = w.exp()
h += 1
h.sum().backward()
"""
LEAF_EDIT = """
w = torch.tensor(2., requires_grad=True)
w -= 0.1
"""
VECTOR = """
w = torch.tensor([2., 3.], requires_grad=True)
(w * w).backward()
"""
NON_LEAF = """
w = torch.tensor(2., requires_grad=True)
(w * 3).grad
"""
NAME_MOVED = """
w = torch.tensor(2., requires_grad=True)
for _ in range(2):
    (w * w).backward()
    w = w - 0.1 * w.grad
"""
UNUSED = """
w = torch.tensor(2., requires_grad=True)
v = torch.tensor(2., requires_grad=True)
torch.autograd.grad(w * 3, [w, v])
"""
TO_NUMPY = """
torch.tensor([2.], requires_grad=True).numpy()
"""
INTEGERS = """
torch.tensor([1, 2], requires_grad=True)
"""
OPTIMIZER = """
w = torch.randn(3, requires_grad=True) * 0.01
torch.optim.SGD([w], lr=0.1)
"""
VIEW_OF_LEAF = """
w = torch.tensor([2., 3.], requires_grad=True)
w[0] = 1.
"""


def right() -> list[Section]:
    """The messages, and the hooks."""
    return [
        section(
            "You see this: do this",
            "18",
            message(
                LOST,
                "Find where the graph ended: `detach`, `no_grad`, `.item()`, `.data`, NumPy, "
                "`torch.tensor(loss)`. Not `loss.requires_grad_()`: it only silences.",
                "10",
            ),
            message(
                TWICE,
                "Compute the loss anew in each step; `state.detach()` what is carried on. "
                "`retain_graph=True` only for two losses of one graph.",
                "06",
            ),
            message(
                CHANGED,
                "Write `h = h + 1`. A node needs the `h` that was overwritten.",
                "11",
            ),
            message(LEAF_EDIT, "Update weights inside `with torch.no_grad():`.", "11"),
            message(VIEW_OF_LEAF, "The same, for a part of a weight.", "11"),
            message(NAME_MOVED, "`w = w - …` is no leaf. Write `w -= …` in `no_grad()`.", "05"),
            message(VECTOR, "Reduce first: `.mean()`, `.sum()`; or `backward(v)`.", "13"),
            message(NON_LEAF, "Call `t.retain_grad()` before, or ask `grad(loss, t)`.", "05"),
            message(
                OPTIMIZER,
                "`w = (… * 0.01).detach().requires_grad_()`, or a `Parameter`.",
                "05",
            ),
            message(UNUSED, "No path leads to it. If that is right: `allow_unused=True`.", "13"),
            message(TO_NUMPY, "`t.detach().numpy()`; it shares the memory.", "10"),
            message(INTEGERS, "Write `1.` or `dtype=torch.float32`.", "02"),
        ),
        section(
            "Hooks",
            "15",
            hooks(),
            text("What a hook returns replaces the gradient, None leaves it. Never edit it."),
        ),
    ]


# --- the files ------------------------------------------------------------------------------------


def twin(sheet: dict[str, Any]) -> str:
    """The page as plain text."""
    return "\n".join([sheet["title"], sheet["note"], *spoken(sheet)])


def spoken(sheet: dict[str, Any]) -> Iterator[str]:
    """The lines of the page's sections."""
    for part in (part for column in sheet["columns"] for part in column):
        yield f"\n{part['title']} ({part['place']})"
        for item in part["items"]:
            match item["kind"]:
                case "program":
                    yield from ("  → ".join(filter(None, line)) for line in item["lines"])
                case "facts":
                    yield from (" | ".join(row) for row in [item["head"], *item["rows"]])
                case "message":
                    yield f"{item['words']}\n  {item['cure']} ({item['chapter']})"
                case "picture":
                    yield item["alt"]
                case _:
                    yield item["words"]


def compiled(sheet: dict[str, Any], form: str) -> bytes:
    """The page, set by Typst: "pdf" or "svg"."""
    import typst  # in the extra `print`; what the page says is known without

    done = typst.compile(
        str(FOLDER / "cheatsheet.typ"),
        format=form,
        sys_inputs={"sheet": json.dumps(sheet)},
        ignore_system_fonts=True,
    )
    assert isinstance(done, bytes), "it has become more than one page"
    return done


def with_words(svg: str, words: str) -> str:
    """The SVG with what it says, for those who cannot see it: its letters are shapes."""
    start, rest = re.match(r"(<svg[^>]*)>(.*)", svg, re.DOTALL).groups()  # type: ignore[union-attr]
    about = f"<title>{TITLE}</title><desc>{html.escape(words, quote=False)}</desc>"
    return f'{start} role="img">{about}{rest}'


def main() -> int:
    """Write both files."""
    sheet = page()
    DOCS.mkdir(exist_ok=True)
    (DOCS / "cheatsheet.pdf").write_bytes(compiled(sheet, "pdf"))
    svg = with_words(compiled(sheet, "svg").decode(), twin(sheet))
    (DOCS / "cheatsheet.svg").write_text(svg, encoding="utf-8", newline="\n")
    print("docs/cheatsheet.pdf", "docs/cheatsheet.svg", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
