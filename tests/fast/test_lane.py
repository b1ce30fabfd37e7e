"""The lane ends before it would run user code, and only there."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import minigrad as torch
from minigrad.core.engine import BackwardPass
from minigrad.core.node import gradient_edge

Watch = Callable[[torch.Tensor, torch.Tensor], Any]  # a leaf, and a result computed from it

WATCHES: dict[str, Watch] = {
    "a hook of a result": lambda x, y: y.register_hook(print),
    "a pre-hook of its node": lambda x, y: y.grad_fn.register_prehook(print),
    "a hook of its node": lambda x, y: y.grad_fn.register_hook(print),
    "a hook of a leaf": lambda x, y: x.register_hook(print),
    "a hook of a leaf, when it has its gradient": (
        lambda x, y: x.register_post_accumulate_grad_hook(print)
    ),
    "a pre-hook of a leaf's node": (
        lambda x, y: y.grad_fn.next_functions[0][0].register_prehook(print)
    ),
}


def counts(start: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a pass counts edges, which it does only if the lane left it work."""
    executed: list[Any] = []
    execute = BackwardPass.execute

    def noted(self: Any, edges: Any, grads: Any) -> None:
        executed.append(edges)
        execute(self, edges, grads)

    with monkeypatch.context() as patch:
        patch.setattr(BackwardPass, "execute", noted)
        start()
    return bool(executed)


def graph() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2.0
    return x, y, y.exp()


@pytest.mark.parametrize("watch", WATCHES.values(), ids=WATCHES)
def test_the_lane_ends_before_a_hook_but_not_before_a_removed_one(
    watch: Watch, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x, y, z = graph()
    assert not counts(lambda: z.backward(retain_graph=True), monkeypatch)
    handle = watch(x, y)
    assert counts(lambda: z.backward(retain_graph=True), monkeypatch)
    assert capsys.readouterr().out
    handle.remove()
    assert not counts(z.backward, monkeypatch)
    assert not capsys.readouterr().out
    assert x.grad.item() == pytest.approx(6 * math.exp(6.0))  # of three passes


def test_the_lane_ends_before_a_target_that_is_not_a_leaf(monkeypatch: pytest.MonkeyPatch) -> None:
    _, y, z = graph()
    assert counts(lambda: torch.autograd.grad(z, y), monkeypatch)


def test_the_lane_ends_where_a_gradient_is_retained(monkeypatch: pytest.MonkeyPatch) -> None:
    _, y, z = graph()
    y.retain_grad()
    assert counts(z.backward, monkeypatch)
    assert y.grad is not None


def test_the_lane_ends_before_a_node_from_code_without_a_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: dict[str, Any] = {}
    exec(
        "from minigrad.core.node import Node\n"
        "class Double(Node):\n"
        "    def backward(self, grad):\n"
        "        return (grad * 2,)\n",
        names,
    )
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2)
    names["Double"]().record([gradient_edge(x)], [y])
    assert counts(y.sum().backward, monkeypatch)
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 2.0]
