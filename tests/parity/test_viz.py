"""The same program gives the same picture, whether its tensors are minigrad's or PyTorch's."""

import re
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


def hooked(lib: Any, **options: Any) -> Drawing:
    def clip(gradient: Any) -> Any:
        return gradient.clamp(-1.0, 1.0)

    def look(*gradients: Any) -> None: ...

    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y**2
    x.register_hook(clip)
    x.register_hook(lambda gradient: None)
    x.register_post_accumulate_grad_hook(look)
    y.register_hook(clip)
    y.retain_grad()
    z.grad_fn.register_prehook(look)
    z.grad_fn.register_hook(look)
    y.grad_fn.next_functions[0][0].register_hook(look)
    return draw(z, **options)


def removed_hooks(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    x.register_hook(lambda gradient: None).remove()
    y.register_hook(lambda gradient: None).remove()
    y.add_(1)
    return draw(y, **options)


def hook_of_an_old_node(lib: Any) -> Drawing:
    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    y.register_hook(lambda gradient: None)
    y.add_(1)  # the hook stays with the node that y had
    return draw(y)


def failing_hook(lib: Any, **options: Any) -> Drawing:
    def fail(gradient: Any) -> Any:
        raise ValueError("no")

    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    y.register_hook(fail)
    return draw(y, **options)


def edited_view(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 2
    z = (y**2).sum()
    view = y[:2]
    view.mul_(10)
    return draw(z, y, view, memory=True, **options)


def memories(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    detached, cloned, both, data = x.detach(), x.clone(), x.clone().detach(), x.data
    detached[0] = 7.0
    return draw(x, detached, cloned, both, data, memory=True, **options)


def two_outputs(lib: Any, **options: Any) -> Drawing:
    class Both(lib.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            ctx.save_for_backward(value)
            return value * 2, value * 3

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            return first * 2 + second * 3

    x = lib.tensor([1.0, 2.0], requires_grad=True)
    a, b = Both.apply(x)
    one, _, three = lib.unbind(lib.stack([a, b, a]))
    return draw((one * three * b).sum(), **options)


def orders(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(0.5, requires_grad=True)
    y = lib.sin(x)
    z = y.exp()
    (slope,) = lib.autograd.grad(z, x, create_graph=True)
    return draw(z, slope, **options)


def gradient_with_a_graph(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(0.5, requires_grad=True)
    x.grad = x.exp()
    return draw(x.grad, **options)


def infinite(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor([0.0, 4.0], requires_grad=True)
    big = lib.tensor(1e30, requires_grad=True)
    z = (x.log() * x.sqrt()).sum() + big * 1e20 * 1e30
    return draw(z, **options)


def rules(lib: Any, **options: Any) -> Drawing:
    x = lib.tensor(5.0, requires_grad=True)
    v = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    moved = x + v * x
    total = (moved.relu() / v - v.cumsum(0)) @ lib.tensor([4.0, -7.0, 9.0])
    return draw(total, **options)


def convolution(lib: Any, **options: Any) -> Drawing:
    conv = fill(lib.nn.Conv2d(1, 2, 2), lib)
    image, target = lib.ones(1, 1, 3, 3), lib.zeros(1, 2, 2, 2)
    loss = lib.nn.functional.mse_loss(conv(image), target)
    return draw(loss, saved=False, **options)  # minigrad saves no weight that nothing asks for


def fill(module: Any, lib: Any) -> Any:
    """Give every parameter the same numbers in both libraries."""
    for owner in module.modules():
        for name, parameter in list(owner.named_parameters(recurse=False)):
            numbers = lib.arange(parameter.numel(), dtype=lib.float32).reshape(parameter.shape)
            setattr(owner, name, lib.nn.Parameter(numbers / 10 + 0.1))
    return module


def network(lib: Any, **options: Any) -> Drawing:
    nn = lib.nn
    net = fill(nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1)), lib)
    x, target = lib.ones(4, 2), lib.zeros(4, 1)
    out = net(x)
    loss = nn.functional.mse_loss(out, target)
    return draw(loss, modules=net, **options)


def layers_cut(lib: Any, **options: Any) -> Drawing:
    first, second = (fill(lib.nn.Linear(2, 2), lib) for _ in range(2))
    a = first(lib.ones(1, 2))
    b = second(a.detach())
    loss = b.mean()
    loss.backward()
    return draw(loss, a, modules=[first, second], values=False, **options)


def long_chain(lib: Any, **options: Any) -> Drawing:
    y = x = lib.tensor(1.0, requires_grad=True)
    for _ in range(100):
        y = lib.sin(y)
    return draw(y, x, max_nodes=5, **options)


def dimensions(lib: Any, **options: Any) -> Drawing:
    results = [
        lib.ones(*shape, requires_grad=True).exp()
        for shape in [(1,), (2, 2), (2, 1, 2), (1, 2, 1, 2), (0,), (2, 3, 4, 5)]
    ]
    scalar = lib.tensor(1.0, requires_grad=True).exp()
    return draw(scalar, *results, **options)


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
    hooked,
    removed_hooks,
    failing_hook,
    edited_view,
    memories,
    two_outputs,
    orders,
    gradient_with_a_graph,
    infinite,
    rules,
    convolution,
    network,
    layers_cut,
    long_chain,
    dimensions,
]


def test_minigrad_alone_shows_the_hook_of_an_old_node() -> None:
    """PyTorch keeps it as well, but tells nobody."""
    ours, theirs = (repr(hook_of_an_old_node(lib)) for lib in (minigrad, torch))
    assert ours.count(" | tensor hook: lambda") == 1
    assert ours.replace(" | tensor hook: lambda", "") == theirs


def shared(text: str) -> str:
    """`text` without the operation that wrote: PyTorch's CopySlices keeps it to itself."""
    return re.sub(r'(CopySlices)(?: \| |\\n)[^"\n]*', r"\1", text)


@pytest.mark.parametrize("gradients", [False, True], ids=["graph", "gradients"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_picture(program: Callable[..., Drawing], gradients: bool) -> None:
    ours = program(minigrad, gradients=gradients)
    theirs = program(torch, gradients=gradients)
    assert shared(repr(ours)) == repr(theirs)
    assert shared(ours.dot) == theirs.dot
