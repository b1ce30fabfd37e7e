"""Make every figure from a live graph: `python figures/make.py` writes figures/*.svg.

Each figure is a function that runs a program of the documents and returns the drawing. The
text version of a drawing is the `<desc>` of its SVG; tests/course/test_figures.py draws everything
again and fails if a committed figure says something else.

The folder figures/marks has the mark of the course, the buttons of README and the picture of what
the course ends with, each from a function that returns an SVG.
"""

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from html import escape
from pathlib import Path

import minigrad as torch
from minigrad.viz import Drawing, draw, draw_holders, replay
from minigrad.viz.palette import BLUE, GRADIENT, GREY, INK, ORANGE
from minigrad.viz.render import FONT, SVG
from minigrad.viz.replays import Replay

FOLDER = Path(__file__).resolve().parent
MARKS = FOLDER / "marks"
TRAINING = FOLDER.parent / "notebooks" / "17_a_language_model.ipynb"
AMBER = "#F0B429"


def dag() -> Drawing:
    """Document 000: the graph of Q = 3a³ − b², with blue leaves and the backward functions."""
    a = torch.tensor([2.0, 3.0], requires_grad=True)
    b = torch.tensor([6.0, 4.0], requires_grad=True)
    Q = 3 * a**3 - b**2  # noqa: N806 - the document's name
    return draw(Q)


def dynamic_graph_off() -> Drawing:
    """Document 001: without `requires_grad` a product leaves no graph."""
    x, y = torch.tensor(1.0), torch.tensor(2.0)
    z = x * y
    return draw(x, y, z)


def dynamic_graph_on() -> Drawing:
    """Document 001: with `requires_grad` on x the same product records MulBackward0."""
    x, y = torch.tensor(1.0, requires_grad=True), torch.tensor(2.0)
    z = x * y
    return draw(z)


def code_4() -> Drawing:
    """Document 002, Code 4: a chain of two operations after backward, its buffers freed."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    z.backward()
    return draw(z)


def holders() -> Drawing:
    """Who holds whom in Code 4: tensors hold nodes, and no node holds its result."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    return draw_holders(z, names={"y": y})


def code_9(gradients: bool) -> Drawing:
    """Document 002, Code 9: two paths lead back to x, and their gradients are added."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    if gradients:
        z.backward(retain_graph=True)
    return draw(z, gradients=gradients, direction="TB")


def names_only(drawing: Drawing) -> Drawing:
    """The same graph with names and signs only, so that letters stay large in a small picture."""
    picture = drawing.picture
    boxes = (replace(box, rows=box.rows[:1], line="") for box in picture.boxes)
    arrows = (replace(arrow, slot=None) for arrow in picture.arrows)
    return Drawing(replace(picture, boxes=tuple(boxes), arrows=tuple(arrows)))


def code_10() -> Drawing:
    """Document 002, Code 10: a power has a gradient for its base and one for its exponent."""
    q = torch.tensor(3.0, requires_grad=True)
    x = torch.tensor(5.0, requires_grad=True)
    y = x**q
    z = torch.log(y)
    z.backward(retain_graph=True)
    return draw(z, gradients=True)


def code_13() -> Drawing:
    """Document 002, Code 13: x is broadcast, so its gradient is a sum over the elements."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x * torch.tensor([2.0, 3.0, 5.0])
    z = y @ torch.tensor([4.0, 7.0, 9.0])
    y.retain_grad()
    z.retain_grad()
    z.backward(retain_graph=True)
    return draw(z, gradients=True)


def code_18() -> Drawing:
    """Document 002, Code 18: a gradient that has a graph, and can be differentiated again."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    (slope,) = torch.autograd.grad(z, x, create_graph=True)
    return draw(z, slope)


def code_19() -> Drawing:
    """Document 002, Code 19: a hook doubles the gradient on its way; two others only read it."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)

    def double(gradient: torch.Tensor) -> torch.Tensor:
        return gradient * 2

    def look(*gradients: object) -> None: ...

    y.register_hook(double)
    x.register_post_accumulate_grad_hook(look)
    z.grad_fn.register_prehook(look)
    return draw(z, gradients=True)


def neuron(gradients: bool) -> Drawing:
    """Document 004, backpropagation: one neuron, its cost, and the factors of the chain rule."""
    a, target = torch.tensor(2.0), torch.tensor(1.0)
    w = torch.tensor(0.5, requires_grad=True)
    b = torch.tensor(-1.0, requires_grad=True)
    z = w * a + b
    out = torch.sigmoid(z)
    cost = (out - target) ** 2
    return draw(cost, gradients=gradients)


def engine() -> Drawing:
    """Document 004, example 1: the gradient on its way from ans to three leaves."""
    a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = torch.tensor([3.0, 3.0, 3.0], requires_grad=True)
    d = torch.tensor([4.0, 6.0, 10.0], requires_grad=True)
    c = a * b
    e = c * d
    ans = torch.sum(e)
    ans.backward(retain_graph=True)
    return draw(ans, gradients=True)


def engine_detach() -> Drawing:
    """Document 004, example 2: detach cuts the graph, and only d gets a gradient."""
    a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = torch.tensor([3.0, 3.0, 3.0], requires_grad=True)
    d = torch.tensor([4.0, 6.0, 10.0], requires_grad=True)
    c = a * b
    e = c.detach() * d
    ans = torch.sum(e)
    ans.backward(retain_graph=True)
    return draw(ans, c, gradients=[None, False])


def linear_models(joined: bool) -> Drawing:
    """Document 004, example 3: three layers, and which of them a backward pass reaches."""
    torch.manual_seed(0)
    modelA, modelB, modelC = (torch.nn.Linear(10, 10) for _ in range(3))  # noqa: N806
    x = torch.randn(1, 10)
    a = modelA(x)
    b = modelB(a.detach())
    first = b.mean()
    first.backward(retain_graph=True)
    if not joined:
        return draw(first, a, modules=[modelA, modelB], values=False)
    c = modelC(a)
    second = c.mean()
    second.backward(retain_graph=True)
    return draw(first, second, modules=[modelA, modelB, modelC], values=False)


def detach_and_clone() -> Drawing:
    """Document 004, appendix: detach shares memory, clone keeps history, both keep neither."""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    detached = x.detach()
    cloned = x.clone()
    both = x.clone().detach()
    detached[0] = 10.0
    return draw(x, detached, cloned, both, memory=True)


def edited_view() -> Drawing:
    """An edit through a view: z needs the old value of y, and notices that it is gone."""
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = (y**2).sum()
    view = y[:2]
    view.mul_(10)
    return draw(z, y, view, memory=True)


def network() -> Drawing:
    """A network of two layers as two boxes, with the gradients on their way to them."""
    torch.manual_seed(0)
    net = torch.nn.Sequential(
        torch.nn.Linear(64, 32),
        torch.nn.ReLU(),
        torch.nn.Linear(32, 10),
    )
    images, labels = torch.randn(16, 64), torch.zeros(16, dtype=torch.int64)
    scores = net(images)
    loss = torch.nn.functional.cross_entropy(scores, labels)
    return draw(loss, modules=net, gradients=True, values=False, saved=False)


FIGURES: dict[str, Callable[[], Drawing]] = {
    "dag": dag,
    "dynamic-graph-off": dynamic_graph_off,
    "dynamic-graph-on": dynamic_graph_on,
    "code-4": code_4,
    "holders": holders,
    "puzzle": lambda: names_only(code_9(gradients=False)),
    "code-9": partial(code_9, gradients=True),
    "code-10": code_10,
    "code-13": code_13,
    "code-18": code_18,
    "code-19": code_19,
    "neuron": partial(neuron, gradients=True),
    "engine": engine,
    "engine-detach": engine_detach,
    "linear-models-cut": partial(linear_models, joined=False),
    "linear-models-joined": partial(linear_models, joined=True),
    "detach-and-clone": detach_and_clone,
    "edited-view": edited_view,
    "network": network,
}


# --- a film ---------------------------------------------------------------------------------------


class Film:
    """A replay whose steps follow one another, in an SVG that plays without a script.

    Where nothing may move, only the last step is shown.
    """

    seconds = 2.5  # for each step

    def __init__(self, played: Replay) -> None:
        self.played = played

    def __repr__(self) -> str:
        return repr(self.played)

    @property
    def svg(self) -> str:
        """The steps on top of one another, each visible in its turn and the last one twice."""
        frames = [ET.fromstring(frame.svg) for frame in self.played.frames]
        last = len(frames) - 1
        film = ET.Element(frames[0].tag, frames[0].attrib)
        ET.SubElement(film, f"{{{SVG}}}desc").text = repr(self)
        style = ET.SubElement(film, f"{{{SVG}}}style")
        style.text = "\n".join(
            [
                *(style.text for style in frames[0].iter(f"{{{SVG}}}style")),
                ".step { visibility: hidden } .last { visibility: visible }",
                "@media (prefers-reduced-motion: no-preference) {",
                *(self._turn(number, last) for number in range(last + 1)),
                "}",
            ]
        )
        for number, frame in enumerate(frames):
            kind = "step last" if number == last else "step"
            step = ET.SubElement(film, f"{{{SVG}}}g", {"class": kind, "id": f"step{number}"})
            step.extend(child for child in frame if child.tag not in (f"{{{SVG}}}desc", style.tag))
        ET.register_namespace("", SVG)
        return ET.tostring(film, encoding="unicode") + "\n"

    def _turn(self, number: int, last: int) -> str:
        """The rules that show a step in its turn."""
        turns = last + 2
        begin, end = (100 * each / turns for each in (number, number + 1))
        hidden, visible = "visibility: hidden", "visibility: visible"
        before = "" if number == 0 else f"0% {{ {hidden} }} "
        after = "" if number == last else f" {end:.4g}% {{ {hidden} }}"
        whole = f"turn{number} {turns * self.seconds:g}s step-end infinite"
        return (
            f"@keyframes turn{number} {{ {before}{begin:.4g}% {{ {visible} }}{after} }} "
            f"#step{number} {{ animation: {whole} }}"
        )


def playing() -> Film:
    """Document 002, Code 9: its backward pass, node by node."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    return Film(replay(z))


FILMS: dict[str, Callable[[], Film]] = {"playing": playing}


# --- marks: no graph is behind them ---------------------------------------------------------------


def mark() -> str:
    """A leaf and an operation: data flows along one arc, and the gradient returns along the other.

    It has to be legible at 16 pixels, so it has no letters, and dark pages need its background.
    """
    return svg(
        64,
        64,
        "minigrad",
        f'''
        <rect width="64" height="64" rx="13" fill="{BLUE}"/>
        <g fill="none" stroke-width="5" stroke-linecap="round">
          <path d="M15 25 C 21 8, 43 8, 49 24" stroke="#FFFFFF"/>
          <path d="M49 40 C 44 56, 26 57, 18 46" stroke="{AMBER}"/>
        </g>
        <path d="M11 38 L 25.5 41.5 L 15.5 52.5 Z" fill="{AMBER}"/>
        <rect x="7" y="24" width="16" height="13" rx="1.5" fill="#FFFFFF"/>
        <circle cx="49" cy="32" r="9" fill="{AMBER}"/>
        ''',
    )


def button(words: str) -> str:
    """A button for README, as wide as its words, because GitHub does not style links."""
    width = round(44 + 8.2 * len(words))
    return svg(
        width,
        32,
        words,
        f'''
        <rect width="{width}" height="32" rx="6" fill="{BLUE}"/>
        <path d="M14 10 L 24 16 L 14 22 Z" fill="#FFFFFF"/>
        <text x="{(width + 20) / 2:g}" y="21" text-anchor="middle" font-size="14" font-weight="bold"
          fill="#FFFFFF">{escape(words)}</text>
        ''',
    )


def learning() -> list[tuple[int, float, list[str]]]:
    """What the GPT of chapter 17 invents as it learns: step, loss on held-out names, four names.

    They are read from the outputs of the notebook, because training takes a while.
    """
    found = re.findall(r"(before|\d+): (?:batch [\d.]+, )?held out (\d\.\d+): (.+)", printed())
    return [
        (0 if step == "before" else int(step), float(loss), names.strip().split(", "))
        for step, loss, names in found
    ]


def held_out() -> dict[str, tuple[float, float]]:
    """The losses of chapter 17's models on the validation set and on the test set."""
    lines = re.findall(r"^(bigram|GPT) +\S+ +(\d\.\d+) +(\d\.\d+)$", printed(), re.MULTILINE)
    return {model: (float(validation), float(test)) for model, validation, test in lines}


def printed() -> str:
    """The text that the cells of chapter 17 have printed."""
    cells = json.loads(TRAINING.read_text(encoding="utf-8"))["cells"]
    outputs = (output for cell in cells for output in cell.get("outputs", []))
    return "".join("".join(output.get("text", "")) for output in outputs)


def names() -> str:
    """A plot of the loss of chapter 17's GPT on held-out names, with names that it invents.

    A dashed line is the loss of the bigram on the same names.
    """
    width, height, left, column, top, low = 620, 310, 112, 198, 42, 138
    rows = learning()
    (_, first, _), (steps, last, _) = rows[0], rows[-1]
    across = {step: left + column * 2 * step / steps for step, _, _ in rows}
    scale = (low - top) / (first - last)
    points = [(across[step], top + scale * (first - loss)) for step, loss, _ in rows]
    line = " ".join(f"{x:g},{y:.1f}" for x, y in points)
    losses = held_out()
    bigram, gpt = losses["bigram"], losses["GPT"]
    level = top + scale * (first - bigram[0])
    test = f"kept for the test: GPT {gpt[1]:.2f}, bigram {bigram[1]:.2f}"
    parts = [
        f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8" fill="#FFFFFF" '
        'stroke="#D0D0D0"/>',
        f'<path d="M{left} {level:.1f} H {left + 2 * column}" stroke="{GREY}" stroke-width="1.5" '
        'stroke-dasharray="5 4"/>',
        f'<text x="{left + 2 * column}" y="{level - 7:.1f}" text-anchor="end" font-size="15" '
        f'fill="{GREY}">a bigram, {bigram[0]:.2f}</text>',
        f'<polyline points="{line}" fill="none" stroke="{ORANGE}" stroke-width="2.5"/>',
        f'<text x="{width / 2:g}" y="297" text-anchor="middle" font-size="15" fill="{GREY}">'
        f"500 names {test}</text>",
    ]
    for (step, loss, invented), (x, y) in list(zip(rows, points, strict=True))[::2]:
        final, beside = step == steps, y + (20 if step else -13)
        strong = f'font-weight="bold" fill="{BLUE}"' if final else f'fill="{INK}"'
        parts += [
            f'<circle cx="{x:g}" cy="{y:.1f}" r="5" fill="{ORANGE}"/>',
            f'<text x="{x:g}" y="{beside:.1f}" text-anchor="middle" font-size="15" '
            f'fill="{GRADIENT}">loss {loss:.2f}</text>',
            f'<text x="{x:g}" y="179" text-anchor="middle" font-size="15" fill="{GREY}">'
            f"{f'after {step} steps' if step else 'untrained'}</text>",
        ]
        parts += [
            f'<text x="{x:g}" y="{203 + 21 * place}" text-anchor="middle" font-size="18" {strong}>'
            f"{escape(name)}</text>"
            for place, name in enumerate(invented)
        ]
    title = "Names that the GPT of chapter 17 invents as it learns"
    return svg(width, height, title, "\n".join(parts))


def svg(width: int, height: int, title: str, body: str) -> str:
    """An SVG of that size, in points, with a title for screen readers."""
    lines = "\n".join(line.strip() for line in body.strip().split("\n"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{FONT}">\n'
        f"<title>{escape(title)}</title>\n{lines}\n</svg>\n"
    )


OTHERS: dict[str, Callable[[], str]] = {
    "mark": mark,
    "names": names,
    "read": partial(button, "Read the course"),
    "browser": partial(button, "Run in the browser"),
    "colab": partial(button, "Open in Colab"),
    "binder": partial(button, "Run on Binder"),
    "codespaces": partial(button, "Open in Codespaces"),
}


def main() -> int:
    """Write every figure beside this file, and the marks to their folder."""
    for name, make in [*FIGURES.items(), *FILMS.items()]:
        place = FOLDER / f"{name}.svg"
        place.write_text(make().svg, encoding="utf-8", newline="\n")
        print(place.relative_to(FOLDER.parent))
    for name, text in OTHERS.items():
        place = MARKS / f"{name}.svg"
        place.write_text(text(), encoding="utf-8", newline="\n")
        print(place.relative_to(FOLDER.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
