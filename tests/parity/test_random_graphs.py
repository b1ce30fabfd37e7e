"""Random programs show the same under both libraries, see `tests.parity.traces`.

A program makes a few leaves and then computes, takes views, edits in place, registers hooks, runs
backward from one root or several, and differentiates gradients. Lines may fail, because then the
error has to be the same, and so do the tensors afterwards. A seed always gives the same program.
"""

import random

import pytest
import torch

from tests import differences
from tests.parity import traces

SHAPES = [(), (3,), (2, 3), (2, 1), (1, 3)]
LARGEST = 36  # elements
SEEDS = range(1500)
STEP_OF_SEEDS = 50  # how many programs a test runs
STEP = 1e-9  # relative; two libraries round differently, and errors grow along a graph

# x and y are names of tensors; {n} is the number of the line.
RESULTS = [
    *["{x} + {y}", "{x} * {y}", "{x} - {y}", "{x} / ({y} * {y} + 1)", "{x} @ {y}", "{x} * {x}"] * 2,
    *["{x} * 2", "1 - {x}", "{x} / 4", "{x} ** 2", "2 ** {x}.tanh()", "1 / ({x} * {x} + 1)"],
    *["{x}.sin()", "{x}.tanh()", "{x}.sigmoid()", "{x}.relu()", "-{x}", "{x}.abs()"],
    *["({x} * {x} + 1).sqrt()", "({x} * {x} + 1).log()", "{x}.tanh().exp()", "{x}.cos() ** 3"],
    *["torch.where({x} > 0, {x}, {y})", "torch.where({x} > 0, 0.5, {x})"],
    *["{x}.sum()", "{x}.mean()", "{x}.sum(0)", "{x}.mean(-1, keepdim=True)", "{x}.sum((0, -1))"],
    *["{x}[[0, -1]]", "{x}[{x} > 0]", "{x}[..., [0, 0]]", "torch.stack([{x}, {x}])"],
    *["torch.cat([{x}.reshape(-1), {y}.reshape(-1)])", "torch.stack([{x}.sum(), {y}.mean()])"],
    *["{x}.clone()", "{x}.detach()", "{x}.data", "{x}.detach().clone().requires_grad_()"],
    *["torch.zeros_like({x})", "torch.ones(2, 3, dtype=torch.float64)"],
]
VIEWS = [
    *["{x}[0]", "{x}[-1:]", "{x}[..., ::2]", "{x}[None]", "{x}.unbind()[0] * 1", "{x}[1, 1:]"] * 2,
    *["{x}.reshape(-1)", "{x}.transpose(0, -1)", "{x}.unsqueeze(0)", "{x}.squeeze()", "{x}[...]"],
    *[
        "{x}.expand(2, *{x}.shape) * 1",
        "{x}.t()",
        "{x}.flatten().view(-1, 1)",
        "{x}.t().reshape(-1)",
    ],
]
CHANGES = [
    *["{x}.mul_({y})", "{x}.add_({y})", "{x} *= 2", "{x} -= {y}", "{x}.div_(2)", "{x}.copy_({y})"],
    *["{x}.sin_()", "{x}.tanh_()", "{x}.relu_()", "{x}.zero_()", "{x}.pow_(2)", "{x}.fill_(0.5)"],
    *["{x}[0] = {y}", "{x}[..., 0] = 2", "{x}[...] = {y}", "{x}[0] *= 2", "{x}[{x} > 0] = 0.5"],
    *["{x}[[0, -1]] = {y} * 1", "{x}[1:] += {y}", "{x}.t()[0].neg_()", "{x}.detach().mul_(2)"],
    *["{x}.detach()[..., 0] = 1"],
    *["{x}.grad = None", "{x}.grad = torch.zeros_like({x})", "{x}.grad.mul_(2)"],
]
HOOKS = [  # reading grad_fn first: PyTorch crashes where a view's is out of date
    *["{x}.retain_grad()"] * 3,
    "{x}.grad_fn; {x}.register_hook(lambda grad: log('{n} {x}', grad))",
    "{x}.grad_fn; {x}.register_hook(lambda grad: grad * 2)",
    "{x}.retain_grad(); {x}.mul_(2)",
    "{x}.grad_fn; {x}.register_hook(lambda grad: log('{n} {x}', grad)); {x}[..., 0] *= 2",
    "{x}.grad_fn; {x}.register_hook(lambda grad: log('{n} {x}', grad)).remove()",
    "{x}.grad_fn.register_prehook(lambda outputs: log('{n} pre', *outputs))",
    "{x}.grad_fn.register_hook(lambda inputs, outputs: log('{n} post', *outputs))",
    "{x}.grad_fn.register_hook(lambda inputs, _: tuple(g if g is None else g * 2 for g in inputs))",
    "{x}.register_post_accumulate_grad_hook(lambda leaf: log('{n} {x} has', leaf.grad))",
]
BACKWARDS = [
    "{x}.sum().backward()",
    "{x}.sum().backward(retain_graph=True)",
    "({x} * {y}).sum().backward(retain_graph=True)",
    "{x}.backward(torch.ones_like({x}), retain_graph=True)",
    "{x}.mean().backward(inputs=[{y}], retain_graph=True)",
    "{x}.backward()",
    "torch.autograd.backward([{x}.sum(), {y}.mean()], retain_graph=True)",
    "torch.autograd.backward([{x}, {y}], [torch.ones_like({x}), {y}.detach()])",
    "log('{n}', *torch.autograd.grad({x}.sum(), [{y}, a], retain_graph=True, allow_unused=True))",
    "log('{n}', *torch.autograd.grad([{x}.sum(), {y}.sum()], [{x}, {y}], retain_graph=True))",
    "log('{n}', *torch.autograd.grad(({x} * {x}).sum(), a, allow_unused=True))",
    "log('{n}', *torch.autograd.grad(({x} * {x}).sum(), {y}, create_graph=True))",
    "torch.autograd.grad(({x} * {x}).sum(), {y}, create_graph=True)[0].square().sum().backward()",
    "({x} * {x}).sum().backward(create_graph=True)",
    "{y}.grad.square().sum().backward(retain_graph=True)",
]


def program(seed: int) -> list[str]:
    """The lines of the program of a seed."""
    rng = random.Random(seed)
    shapes: dict[str, tuple[int, ...]] = {}
    lines = []
    for name in "abc":
        shapes[name] = rng.choice(SHAPES)
        needs = rng.randrange(6) < 5
        lines.append(f"{name} = leaf({shapes[name]}, requires_grad={needs})")
    kinds = [RESULTS] * 6 + [VIEWS] * 2 + [CHANGES] * 3 + [HOOKS] * 2 + [BACKWARDS] * 2
    for number in range(rng.randint(3, 16)):
        kind = rng.choice(kinds)
        latest = [*shapes] if len(shapes) == 3 else [*shapes][3:]  # leaves get few hooks and edits
        x, y = rng.choice(latest[-6:]), rng.choice([*shapes])
        line = rng.choice(kind).format(x=x, y=y, n=number)
        if kind in (RESULTS, VIEWS):
            shape = shape_of(line, shapes)
            if shape is None:
                continue
            shapes[f"t{number:02}"] = shape
            line = f"t{number:02} = {line}"
        if kind in (RESULTS, CHANGES) and rng.randrange(16) == 0:
            line = f"with torch.no_grad(): {line}"
        lines.append(line)
    lines.append(f"sum(t.sum() for t in [{', '.join(shapes)}] if t.requires_grad).backward()")
    return lines


def shape_of(expression: str, shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape of a result; None if PyTorch refuses, or if it has too many elements."""
    zeros = {name: torch.zeros(shape, dtype=torch.float64) for name, shape in shapes.items()}
    try:
        shape = tuple(eval(expression, {"torch": torch, **zeros}).shape)
    except (RuntimeError, IndexError, TypeError):
        return None
    return shape if torch.Size(shape).numel() <= LARGEST else None


def test_each_listed_seed_is_one_that_runs() -> None:
    graphs = [each for each in differences.listed() if each.kind == "graphs"]
    assert {case for each in graphs for case in each.cases} <= {str(seed) for seed in SEEDS}


@pytest.mark.parametrize("first", SEEDS[::STEP_OF_SEEDS])
def test_random_programs(first: int) -> None:
    for seed in range(first, first + STEP_OF_SEEDS):
        lines = program(seed)
        found = traces.differences(lines, STEP)
        shown = found and "\n".join([*lines, *found])
        differences.require("graphs", str(seed), differences.parts(found), shown)


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("b = a * 2; b.sum().backward()", "b = a * 3; b.sum().backward()"),
        ("b = a * 2", "b = a + a"),
        ("b = a * 2; b.retain_grad()", "b = a * 2"),
        ("b = a.detach(); b.add_(0)", "b = a.detach().add(0)"),
        ("b = a * 1; b.register_hook(lambda g: log('x', g)); b.sum().backward()",
         "b = a * 1; b.sum().backward()"),
        ("b = a + None", "b = a + 'text'"),
        ("b = a[0]; b.mul_(2)", "b = a[0] * 2"),
        ("b = (a * 1)[0]; b.mul_(2)", "b = (a * 1)[0] * 2"),
        ("b = a.t()", "b = a.T"),
        ("import warnings; warnings.warn('careful')", "b = 1"),
    ],
)  # fmt: skip
def test_a_difference_is_seen(line: str, other: str) -> None:
    start = "a = leaf((3,), requires_grad=True)"
    expected, same, changed = (
        traces.trace([start, each], "minigrad") for each in (line, line, other)
    )
    assert traces.difference(expected, same, STEP) == []
    assert traces.difference(expected, changed, STEP) != []
