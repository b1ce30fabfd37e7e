"""The same program gives the same replay, whether its tensors are minigrad's or PyTorch's."""

from collections.abc import Callable
from typing import Any

import pytest
import torch

import minigrad
from minigrad.viz import Replay, replay


def code_4(lib: Any) -> Replay:
    x = lib.tensor(5.0, requires_grad=True)
    y = x**3
    z = lib.log(y)
    return replay(z)


def code_9(lib: Any) -> Replay:
    x = lib.tensor(5.0, requires_grad=True)
    y = x**3
    w = x**2
    z = lib.log(y) + lib.sqrt(w)
    return replay(z)


def engine(lib: Any) -> Replay:
    a = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = lib.tensor([3.0, 3.0, 3.0], requires_grad=True)
    d = lib.tensor([4.0, 6.0, 10.0], requires_grad=True)
    c = a * b
    e = c * d
    ans = lib.sum(e)
    return replay(ans)


def cut(lib: Any) -> Replay:
    a = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    d = lib.tensor([4.0, 6.0, 10.0], requires_grad=True)
    c = a * 2
    e = c.detach() * d
    ans = lib.sum(e)
    return replay(ans)


def fan_out(lib: Any) -> Replay:
    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y * y + y.exp() + y
    return replay(z, retain_graph=True)


def again(lib: Any) -> Replay:
    x = lib.tensor(2.0, requires_grad=True)
    z = (x * 3).exp()
    z.backward(retain_graph=True)
    return replay(z)


def freed(lib: Any) -> Replay:
    x = lib.tensor(2.0, requires_grad=True)
    z = (x * 3).exp() + x
    z.backward()
    return replay(z)


def matrices(lib: Any) -> Replay:
    weight = lib.full((3, 4), 0.5, requires_grad=True)
    bias = lib.zeros(3, requires_grad=True)
    out = lib.relu(lib.arange(8.0).reshape(2, 4) @ weight.T + bias)
    return replay(out, lib.ones(2, 3))


def outputs(lib: Any) -> Replay:
    x = lib.tensor([1.0, 2.0, 3.0], requires_grad=True)
    a, b, _ = (x * 2).unbind()
    z = a * b
    return replay(z)


def hooks(lib: Any) -> Replay:
    x = lib.tensor(2.0, requires_grad=True)
    y = x * 3
    y.register_hook(lambda grad: grad * 10)
    y.grad_fn.register_prehook(lambda grads: (grads[0] + 1,))
    x.register_hook(lambda grad: grad.clamp(max=1.0))
    z = y.sin() + x
    return replay(z)


def hook_that_raises(lib: Any) -> Replay:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("not today. Maybe tomorrow")

    x = lib.tensor(2.0, requires_grad=True)
    y = x.exp()
    y.grad_fn.register_hook(fail)
    z = y * 2 + x
    return replay(z)


def function(lib: Any) -> Replay:
    class Twice(lib.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            ctx.save_for_backward(value)
            return value * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    class Stop(Twice):
        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return None

    x = lib.tensor(2.0, requires_grad=True)
    k = lib.tensor(1.0, requires_grad=True)
    z = Stop.apply((k * 2).exp()) + Stop.apply(Twice.apply(x.exp())) + x
    return replay(z)


def function_that_raises(lib: Any) -> Replay:
    class Broken(lib.autograd.Function):  # type: ignore[name-defined, misc]
        @staticmethod
        def forward(ctx: Any, value: Any) -> Any:
            return value * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            raise ValueError("no derivative. None at all")

    x = lib.tensor(2.0, requires_grad=True)
    z = Broken.apply(x * 1) + x.sin()
    return replay(z)


def edited(lib: Any) -> Replay:
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    y.mul_(3)
    y[0] = 0.0
    z = y.sum()
    return replay(z)


def deep(lib: Any) -> Replay:
    x = lib.tensor(1.0, requires_grad=True)
    out = x
    for _ in range(12):
        out = out * 0.5 + out.sin()
    return replay(out)


PROGRAMS: list[Callable[[Any], Replay]] = [
    code_4, code_9, engine, cut, fan_out, again, freed, matrices, outputs, hooks, hook_that_raises,
    function, function_that_raises, edited, deep,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_same_replay(program: Callable[[Any], Replay]) -> None:
    ours, theirs = program(minigrad), program(torch)
    assert repr(ours) == repr(theirs)
    assert ours.scenes == theirs.scenes
    assert ours.error == theirs.error
    assert ours.stills.layout == theirs.stills.layout


def test_hooks_are_removed_from_nodes_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    z = (x * 3).exp()
    replay(z, retain_graph=True)
    monkeypatch.setattr("minigrad.viz.gradients.Gradient.of", lambda _: pytest.fail("still seen"))
    z.backward()
    assert x.grad is not None


def test_a_module_of_pytorch() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    loss = model(torch.ones(4, 2)).square().mean()
    shown = replay(loss)
    assert shown.error is None
    names = {line.partition(".grad")[0] for line in shown.scenes[-1].lines[:-1]}
    assert names == {"model.0.weight", "model.0.bias", "model.2.weight", "model.2.bias"}
