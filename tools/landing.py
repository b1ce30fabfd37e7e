"""The front page of the website: a puzzle, a replay, and links to what comes next.

Its words are in `tools/web/landing.html`. What they say about the course, such as the number of
chapters, is computed here, so the page is right when a chapter is added.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from typing import Any

import jinja2
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from figures.make import held_out, learning
from minigrad.viz import replay
from minigrad_course.ask.declare import PREDICTIONS, Prediction, load
from minigrad_course.datasets.first_names import load_names
from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import ROOT
from tools import publish
from tools.notebooks import minutes, titles
from tools.questions import commonest

TEMPLATE = ROOT / "tools" / "web" / "landing.html"

PROGRAM = """\
import minigrad as torch  # or: import torch

x = torch.tensor(5.0, requires_grad=True)
y = x**3
w = x**2
z = torch.log(y) + torch.sqrt(w)
z.backward()
"""
# The fifth question. Chapter 00 shows this program without asking about it.
SMALL_WEIGHT = Prediction(
    "weight",
    "Somebody wants small weights: `weight = torch.tensor([1., 2.], requires_grad=True) * 0.1`. "
    "Then `weight.sum().backward()`. What is `weight.grad`?",
    {
        "tensor([1., 1.])": "That is the gradient of the sum with respect to `weight`, but nothing "
        "kept it there.",
        "tensor([0.1000, 0.1000])": "The tensor that `* 0.1` multiplies has this gradient, and "
        "`weight` is the product.",
        "None": "`weight` is the product, so it is not a leaf. The tensor that `* 0.1` multiplies "
        "is one, and it has the gradient.",
    },
    answer="None",
    shown="None",
)
# The question, the code that shows its answer when it runs after the program, and the chapter.
ASKED = [
    ("00.a", "x.grad", "04"),
    ("00.b", "y.grad", "05"),
    ("00.c", "z.backward()", "06"),
    ("00.d", "u = x + 1; u.backward(); u.backward(); x.grad", "07"),
    (
        "weight",
        "weight = torch.tensor([1., 2.], requires_grad=True) * 0.1; weight.sum().backward(); "
        "weight.grad",
        "05",
    ),
]


def questions() -> Iterator[tuple[Prediction, str]]:
    """The five questions of the puzzle, each with the page of the chapter that explains it.

    Chapter 00 declares four of them.
    """
    load("00")
    pages = {file.name[:2]: f"notebooks/{file.stem}" for file in ipynb.chapters()}
    for id, _, chapter in ASKED:
        yield SMALL_WEIGHT if id == "weight" else PREDICTIONS[id], pages[chapter]


def as_html(text: str, code: bool = False) -> str:
    """`text` as HTML, with `code` in code font; what Python prints is all in code font."""
    if code and re.fullmatch(r"None|tensor\(.*\)", text):
        return f"<code>{escape(text)}</code>"
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def player() -> str:
    """The puzzle's backward pass, step by step, as minigrad runs it."""
    names: dict[str, Any] = {}
    exec(PROGRAM.removesuffix("z.backward()\n"), names)
    made = {name: names[name] for name in "xywz"}
    html = replay(made["z"], names=made, direction="TB")._repr_mimebundle_()
    if "text/html" not in html:
        raise RuntimeError(f"no picture: {html['text/plain'].splitlines()[-1]}")
    return html["text/html"]


def picture(name: str) -> str:
    """A picture from the folder `figures`, as a data URI."""
    coded = base64.b64encode((ROOT / "figures" / f"{name}.svg").read_bytes()).decode()
    return f"data:image/svg+xml;base64,{coded}"


def page(folder: Path, link: Callable[[str], str], runs: dict[str, str]) -> str:
    """The page.

    Args:
        folder: the chapters.
        link: turns the name of a page into a link to it.
        runs: links that run chapter 00 without an installation, by their words.
    """
    template = jinja2.Template(
        TEMPLATE.read_text(encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    reading = {name: minutes(folder / name)[0] for name in titles(folder)}
    chapters = [
        {"page": f"notebooks/{Path(name).stem}", "title": title, "reading": reading[name]}
        for name, title in titles(folder).items()
    ]
    _, _, untrained = learning()[0]
    _, _, trained = learning()[-1]
    return template.render(
        program=highlight(PROGRAM, PythonLexer(), HtmlFormatter(nowrap=True)),
        questions=list(questions()),
        chapters=chapters,
        html=as_html,
        count=len(load_names()),
        hours=round(sum(reading.values()) / 60),
        messages=[escape(each.message) for each in commonest() if each.message][:3],
        untrained=", ".join(untrained),
        trained=", ".join(trained),
        losses={model: test for model, (_, test) in held_out().items()},
        player=player(),
        picture=picture,
        link=link,
        runs=runs,
        clone=publish.clone(),
    )
