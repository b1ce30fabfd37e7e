"""Make every figure from a live graph: `python figures/make.py` writes figures/*.svg.

Each figure is a function that runs a program of the documents and returns the drawing. The text
twin of a drawing is the `<desc>` of its SVG; tests/course/test_figures.py makes the drawings anew
and fails when a committed figure says something else.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import minigrad as torch
from minigrad.viz import Drawing, draw

FOLDER = Path(__file__).parent


def code_4() -> Drawing:
    """Document 002, Code 4: a chain of two operations after backward, its buffers freed."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    z = torch.log(y)
    z.backward()
    return draw(z)


def code_9() -> Drawing:
    """Document 002, Code 9: two ways lead back to x, and what they bring is added."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    z.backward(retain_graph=True)
    return draw(z, gradients=True)


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
    return draw(ans, c)


FIGURES: dict[str, Callable[[], Drawing]] = {
    "code-4": code_4,
    "code-9": code_9,
    "code-10": code_10,
    "code-13": code_13,
    "engine": engine,
    "engine-detach": engine_detach,
}


def main() -> int:
    """Write every figure beside this file."""
    for name, make in FIGURES.items():
        print(make().save(FOLDER / f"{name}.svg").relative_to(FOLDER.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
