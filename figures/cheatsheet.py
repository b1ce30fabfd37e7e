"""Make the cheat sheet and the poster: `python figures/cheatsheet.py` writes them to docs.

The sheet is cheatsheet.pdf and .svg: one page, A4, to be printed. The poster is poster.pdf: A3, for
the wall of a classroom. `cheatsheet.typ` and `poster.typ` beside this file have the text and
the layout. Numbers, tables and messages come from programs that run here, and the pictures are
drawn from live graphs. Typst uses its own fonts, so every machine makes the same pages. The SVG has
the text of the sheet as `<desc>`, and a test of the course makes both pages again and compares.
"""

from __future__ import annotations

import ast
import html
import io
import json
import re
import sys
import tomllib
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import typst
from pypdf import PdfReader

import minigrad as torch
from minigrad.viz import Drawing, draw

FOLDER = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parent))

from figures.make import code_9  # noqa: E402
from minigrad_course.ask.pytorch import first_sentence  # noqa: E402

DOCS = FOLDER.parent / "docs"
TITLE = "PyTorch’s autograd on one page"
POSTER = "What backward() does"
LETTERS = {"cheatsheet": 8.4, "poster": 19.5}  # points
# Narrower than the font for which the picture was laid out. In the SVG the picture is an image,
# and a browser that lacks the first takes another.
FONT = "Libertinus Serif, Liberation Serif, Times New Roman, serif"

Rows = list[list[Any]]

# Each line is shown with its output.
PROGRAMS = {
    "graph": """
x = torch.tensor(5., requires_grad=True)
y = x**3
z = torch.log(y)
z.grad_fn
z.grad_fn.next_functions[0][0]
y.grad_fn.next_functions[0][0].variable is x
z.backward()
x.grad
""",
    "filled": """
w = torch.tensor(1., requires_grad=True)
for _ in range(2): (w * 3).backward()
w.grad
""",
    "in place": """
x = torch.tensor([2.], requires_grad=True)
y = x * 3
y += 1
y._version
y.grad_fn
""",
    "twice": """
x = torch.tensor(5., requires_grad=True)
z = torch.log(x**3)
g, = torch.autograd.grad(z, x, create_graph=True)
g
torch.autograd.grad(g, x)
""",
}
# Each ends in an error or a warning, whose message is shown.
MISTAKES = {
    "lost": """
w = torch.tensor(2., requires_grad=True)
loss = (w * 3).detach()
loss.backward()
""",
    "twice": """
w = torch.tensor(2., requires_grad=True)
loss = w**2
loss.backward()
loss.backward()
""",
    "changed": """
w = torch.tensor([2.], requires_grad=True)
h = w.exp()
h += 1
h.sum().backward()
""",
    "leaf edited": """
w = torch.tensor(2., requires_grad=True)
w -= 0.1
""",
    "vector": """
w = torch.tensor([2., 3.], requires_grad=True)
(w * w).backward()
""",
    "not a leaf": """
w = torch.tensor(2., requires_grad=True)
(w * 3).grad
""",
    "name moved": """
w = torch.tensor(2., requires_grad=True)
for _ in range(2):
    (w * w).backward()
    w = w - 0.1 * w.grad
""",
    "unused": """
w = torch.tensor(2., requires_grad=True)
v = torch.tensor(2., requires_grad=True)
torch.autograd.grad(w * 3, [w, v])
""",
    "to NumPy": """
torch.tensor([2.], requires_grad=True).numpy()
""",
    "integers": """
torch.tensor([1, 2], requires_grad=True)
""",
    "optimizer": """
w = torch.randn(3, requires_grad=True) * 0.01
torch.optim.SGD([w], lr=0.1)
""",
    "view edited": """
w = torch.tensor([2., 3.], requires_grad=True)
w[0] = 1.
""",
}


def program(source: str) -> Rows:
    """A program with its output: the value of each expression, and what it prints."""
    names: dict[str, Any] = {"torch": torch}
    lines: Rows = []
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
    return lines


def provoked(source: str) -> str:
    """The first sentence of the error or warning that a program gives."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(source, {"torch": torch})
        except (RuntimeError, ValueError, TypeError) as error:
            return first_sentence(str(error))
    return first_sentence(str(caught[0].message))


def two_paths() -> Drawing:
    """Two paths to one leaf. No variable holds the results in between, so the picture is narrow."""
    x = torch.tensor(5.0, requires_grad=True)
    z = torch.log(x**3) + torch.sqrt(x**2)
    z.backward(retain_graph=True)
    return draw(z, gradients=True)


def picture(drawing: Drawing) -> dict[str, str]:
    """A drawing in the page's font, with the colors of paper.

    Typst does not know the CSS for dark pages, and would paint black what that styles.
    """
    svg = re.sub(r'font-family="[^"]+"', f'font-family="{FONT}"', drawing.svg)
    svg = re.sub(r"<style>.*?</style>", "", svg, flags=re.DOTALL)
    return {"svg": svg, "alt": repr(drawing)}


def leaves() -> Rows:
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
    return [
        [f"`{source}`", each.is_leaf, each.requires_grad]
        for source, each in zip(sources, made, strict=True)
    ]


def saved() -> Rows:
    """Operations grouped by what they save."""
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
    return [[words, ", ".join(each)] for words, each in kinds.items()]


def cuts() -> Rows:
    """What each way to leave the graph does."""
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
    return [
        [f"`{source}`", each.grad_fn is not None, each.data_ptr() == y.data_ptr()]
        for source, each in made.items()
    ]


def hooks() -> list[str]:
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
    return order


def course() -> str:
    """The name and version of the course, its license and, once it is published, its address."""
    settings = (FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(settings)["project"]
    parts = [f"minigrad {project['version']}, a course in Jupyter notebooks", "CC BY 4.0"]
    address = project.get("urls", {}).get("Repository")
    return " · ".join([*parts, address.removeprefix("https://")] if address else parts)


def values() -> dict[str, Any]:
    """Everything on the page that comes from programs."""
    return {
        "title": TITLE,
        "poster": POSTER,
        "course": course(),
        "picture": picture(two_paths()),
        "large": picture(code_9(gradients=True)),
        "programs": {name: program(source) for name, source in PROGRAMS.items()},
        "messages": {name: provoked(source) for name, source in MISTAKES.items()},
        "tables": {"leaves": leaves(), "saved": saved(), "cuts": cuts()},
        "hooks": hooks(),
    }


def compiled(content: dict[str, Any], form: str, page: str = "cheatsheet") -> bytes:
    """The page as Typst compiles it to `form`, "pdf" or "svg"."""
    done = typst.compile(
        str(FOLDER / f"{page}.typ"),
        format=form,
        sys_inputs={"values": json.dumps(content), "letters": str(LETTERS[page])},
        ignore_system_fonts=True,
    )
    assert isinstance(done, bytes), "it has become more than one page"
    return done


def words(pdf: bytes) -> str:
    """The text of a page."""
    (page,) = PdfReader(io.BytesIO(pdf)).pages
    return page.extract_text()


def described(pdf: bytes, picture: str) -> str:
    """The page in plain text, with a description of its picture."""
    return f"{words(pdf)}\n\nThe picture:\n{picture}"


def with_words(svg: str, about: str) -> str:
    """The SVG with its text as a description, because its letters are only outlines."""
    start, rest = re.match(r"(<svg[^>]*)>(.*)", svg, re.DOTALL).groups()  # type: ignore[union-attr]
    about = f"<title>{TITLE}</title><desc>{html.escape(about, quote=False)}</desc>"
    return f'{start} role="img">{about}{rest}'


def main() -> int:
    """Write the files."""
    content = values()
    pdf = compiled(content, "pdf")
    (DOCS / "cheatsheet.pdf").write_bytes(pdf)
    about = described(pdf, content["picture"]["alt"])
    svg = with_words(compiled(content, "svg").decode(), about)
    (DOCS / "cheatsheet.svg").write_text(svg, encoding="utf-8", newline="\n")
    (DOCS / "poster.pdf").write_bytes(compiled(content, "pdf", "poster"))
    print("docs/cheatsheet.pdf", "docs/cheatsheet.svg", "docs/poster.pdf", sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
