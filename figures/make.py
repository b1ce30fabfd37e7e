"""Make every figure from a live graph: `python figures/make.py` writes figures/*.svg.

Each figure is a function that runs a program of the documents and returns the drawing. The text
twin of a drawing is the `<desc>` of its SVG; tests/course/test_figures.py makes the drawings anew
and fails when a committed figure says something else.
"""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import minigrad as torch
from minigrad.viz import Drawing, draw, draw_holders

FOLDER = Path(__file__).parent


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
    """Document 002, Code 9: two ways lead back to x, and what they bring is added."""
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = torch.log(y) + torch.sqrt(w)
    if gradients:
        z.backward(retain_graph=True)
    return draw(z, gradients=gradients, direction="TB")


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
    """Document 002, Code 19: a hook doubles the gradient that passes; two others only look."""
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


def neuron() -> Drawing:
    """Document 004, backpropagation: one neuron, its cost, and the factors of the chain rule."""
    a, target = torch.tensor(2.0), torch.tensor(1.0)
    w = torch.tensor(0.5, requires_grad=True)
    b = torch.tensor(-1.0, requires_grad=True)
    z = w * a + b
    out = torch.sigmoid(z)
    cost = (out - target) ** 2
    return draw(cost, gradients=True)


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
    """An edit through a view: z still needs the value that y had, and can tell that it is gone."""
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
    "puzzle": partial(code_9, gradients=False),
    "code-9": partial(code_9, gradients=True),
    "code-10": code_10,
    "code-13": code_13,
    "code-18": code_18,
    "code-19": code_19,
    "neuron": neuron,
    "engine": engine,
    "engine-detach": engine_detach,
    "linear-models-cut": partial(linear_models, joined=False),
    "linear-models-joined": partial(linear_models, joined=True),
    "detach-and-clone": detach_and_clone,
    "edited-view": edited_view,
    "network": network,
}


def main() -> int:
    """Write every figure beside this file."""
    for name, make in FIGURES.items():
        print(make().save(FOLDER / f"{name}.svg").relative_to(FOLDER.parent))
    return 0


if __name__ == "__main__":
    sys.exit(main())
