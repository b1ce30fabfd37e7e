"""The same program gives the same picture, whether its tensors are minigrad's or PyTorch's."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

import minigrad
from minigrad.viz import Drawing, draw


def powers(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = lib.log(y) + lib.sqrt(w)
    y.retain_grad()
    z.backward(retain_graph=True)
    return draw(z, **options)


def powers_freed(lib: Any, **options: Any) -> Drawing:
    q = lib.tensor(3.0, requires_grad=True)
    x = lib.tensor(5.0, requires_grad=True)
    y = x**q
    z = lib.log(y)
    z.backward()
    return draw(z, **options)


def exponent(lib: Any, **options: Any) -> Drawing:
    q = lib.tensor(3.0, requires_grad=True)
    x = lib.tensor(5.0, requires_grad=True)
    y = x**q
    z = lib.log(y) + 2**q
    return draw(z, **options)


def broadcast(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(5.0, requires_grad=True)
    y = x * lib.tensor([2.0, 3.0, 5.0])
    z = y @ lib.tensor([4.0, 7.0, 9.0])
    return draw(z, **options)


def arithmetic(lib: Any, **options: Any) -> Drawing:
    a = lib.tensor([1.0, 2.0], requires_grad=True)
    c = lib.tensor([3.0, 4.0])
    total = ((a * 2 - c) / 3.0 + c / a - 5 + (1 - a) * c).sum()
    return draw(total, **options)


def detached(lib: Any, **options: Any) -> Drawing:
    a = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = lib.tensor([3.0, 3.0, 3.0], requires_grad=True)
    c = a * b
    w = c.detach()
    ans = lib.sum(w * b)
    return draw(ans, **options)


def detached_number(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    w = y.detach()
    z = w * x
    return draw(z, **options)


def matrices(lib: Any, **options: Any) -> Drawing:
    weight = lib.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=lib.float64, requires_grad=True)
    inputs = lib.tensor([[1.0, -1.0]], dtype=lib.float64)
    hidden = (inputs @ weight).tanh()
    loss = (hidden @ weight.T).mean()
    return draw(loss, **options)


def function(lib: Any, **options: Any) -> Drawing:
    class Cube(lib.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            ctx.save_for_backward(value)
            return value**3

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            (value,) = ctx.saved_tensors
            return grad * 3 * value**2

    x = lib.tensor(2.0, requires_grad=True)
    y = Cube.apply(x)
    z = y.exp()
    return draw(z, **options)


def edited(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = (y.exp() * y).sum()
    y.add_(1)
    return draw(z, y, **options)


def shapes(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    both = lib.stack([x, x[0].expand(3)])
    out = lib.cat([both, both.reshape(3, 2).transpose(0, 1)]).sum(0).mean()
    return draw(out, **options)


def several(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(2.0, requires_grad=True)
    shared = x.sigmoid()
    one, two = shared * 2, shared.relu()
    return draw(one, two, **options)


def plain(lib: Any, **options: Any) -> Drawing:
    x = lib.ones(2)
    return draw(x, **options)


PROGRAMS: list[Callable[..., Drawing]] = [
    powers,
    powers_freed,
    exponent,
    broadcast,
    arithmetic,
    detached,
    detached_number,
    matrices,
    function,
    edited,
    shapes,
    several,
    plain,
]


@pytest.mark.parametrize("gradients", [False, True], ids=["graph", "gradients"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_picture(program: Callable[..., Drawing], gradients: bool) -> None:
    ours = program(minigrad, gradients=gradients)
    theirs = program(torch, gradients=gradients)
    assert repr(ours) == repr(theirs)
    assert ours.dot == theirs.dot
