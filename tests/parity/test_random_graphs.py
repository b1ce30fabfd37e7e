"""Random programs, run under both libraries, line by line, until nothing can be told apart.

A program makes a few leaves and then computes, takes views, edits in place, registers hooks, goes
backward from one root or several, and differentiates gradients. Lines that fail are part of the
game: the error has to be the same, and what the tensors are afterwards. Compared are values, flags,
version counters, graphs with all their edges, gradients, what hooks saw and in which order, reprs.

A seed always gives the same program, and the programs are frozen, see `tests.frozen`.
"""

import contextlib
import importlib
import random
import re
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from tests import differences, frozen
from tests.goldens.record_operations import compare, error_line, graph, tell
from tests.parity.wider import hunt

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


def program(seed: int) -> str:
    """The program of a seed, a line a step."""
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
    return "\n".join(lines)


def shape_of(expression: str, shapes: dict[str, tuple[int, ...]]) -> tuple[int, ...] | None:
    """The shape of a result; None if PyTorch refuses, or if it has too many elements."""
    zeros = {name: torch.zeros(shape, dtype=torch.float64) for name, shape in shapes.items()}
    try:
        shape = tuple(eval(expression, {"torch": torch, **zeros}).shape)
    except (RuntimeError, IndexError, TypeError):
        return None
    return shape if torch.Size(shape).numel() <= LARGEST else None


def trace(program: str, library: str) -> list[Any]:
    """Run a program, line by line, under "torch" or "minigrad"; return all that can be seen."""
    torch = importlib.import_module(library)
    seen: list[Any] = []

    def leaf(shape: tuple[int, ...], requires_grad: bool) -> Any:
        numbers = torch.arange(torch.zeros(shape).numel(), dtype=torch.float64)
        values = ((numbers * 3 - 4) / 4).reshape(shape).clone()
        return values.requires_grad_(requires_grad)

    def log(text: str, *grads: Any) -> None:
        seen.append([text, *(None if grad is None else tell(grad) for grad in grads)])

    names = {"torch": torch, "leaf": leaf, "log": log}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        for line in program.split("\n"):
            with errors_in(seen):
                exec(line, names)
        tensors = {name: each for name, each in names.items() if torch.is_tensor(each)}
        for name, tensor in tensors.items():
            with errors_in(seen):
                seen.append([name, look(tensor, tensors)])
    return seen


@contextlib.contextmanager
def errors_in(seen: list[Any]) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        # The stale-value error names the operation that made the value. minigrad does not know it
        # of a constant that an in-place edit has made part of a graph since.
        seen.append(re.sub(", which is output .*?,", "", error_line(error).split(". ")[0]))


def look(tensor: Any, tensors: dict[str, Any]) -> dict[str, Any]:
    """Everything that a program can see of a tensor."""
    grad, base = tensor.grad, tensor._base
    return {
        "values": tell(tensor),
        "flags": [tensor.requires_grad, tensor.is_leaf, tensor.retains_grad, tensor.output_nr],
        "version": tensor._version,
        "graph": graph(tensor, tensors),
        "grad": grad if grad is None else [*tell(grad), grad.requires_grad],
        "base": [name for name, each in tensors.items() if each is base],
        "repr": repr(tensor),
    }


def without_reprs(part: Any) -> Any:
    """A copy of a trace in which reprs are left out."""
    if isinstance(part, dict):
        return {key: without_reprs(value) for key, value in part.items() if key != "repr"}
    return [without_reprs(each) for each in part] if isinstance(part, list) else part


def difference(expected: list[Any], actual: list[Any]) -> list[str]:
    """Where two traces differ; reprs count if all values are equal to the last bit."""
    bare = without_reprs(expected), without_reprs(actual)
    if str(bare[0]) != str(bare[1]):
        expected, actual = bare
    return list(compare(expected, actual, STEP, ""))


def test_the_programs_are_frozen() -> None:
    frozen.require("graphs", frozen_lines())


@pytest.mark.parametrize("first", SEEDS[::STEP_OF_SEEDS])
def test_random_programs(first: int) -> None:
    for seed in range(first, first + STEP_OF_SEEDS):
        text = program(seed)
        found = differing(text.split("\n"))
        shown = found and "\n".join(hunt.shrunk(text.split("\n"), differing))
        differences.require("graphs", str(seed), differences.parts(found), shown)


def differing(lines: list[str]) -> list[str]:
    """Where a program shows something else under the two libraries."""
    text = "\n".join(lines)
    return difference(trace(text, "torch"), trace(text, "minigrad"))


def frozen_lines() -> list[str]:
    """The lines of `frozen.txt` for the programs, one for all of a test."""
    return [
        frozen.line(
            "graphs",
            f"{first}:{first + STEP_OF_SEEDS}",
            [program(seed) for seed in range(first, first + STEP_OF_SEEDS)],
        )
        for first in SEEDS[::STEP_OF_SEEDS]
    ]


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
    ],
)  # fmt: skip
def test_a_difference_is_seen(line: str, other: str) -> None:
    start = "a = leaf((3,), requires_grad=True)\n"
    expected = trace(start + line, "minigrad")
    assert difference(expected, expected) == []
    assert difference(expected, trace(start + other, "minigrad")) != []
