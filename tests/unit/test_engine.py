"""The engine: what the recorded programs cannot show, such as threads, depth and memory."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.core.node import Node, gradient_edge
from minigrad.support import locks
from minigrad.support.observers import current_pass
from tests.tensors import leaf


def value(x: Tensor | None) -> Any:
    """The gradient as numbers, or None."""
    return None if x is None else x.tolist()


def test_accumulating_into_a_gradient_that_the_graph_uses_is_noticed() -> None:
    x, w = leaf([1.0, 2.0]), leaf([5.0, 6.0])
    (x * 3).sum().backward()
    assert x.grad is not None
    product = w * x.grad  # saves x.grad, which the backward pass below changes in place
    with pytest.raises(RuntimeError, match=r"^one of the variables needed for gradient comp"):
        (product + x * 2).sum().backward()
    assert (value(x.grad), value(w.grad)) == ([5.0, 5.0], None)


def test_leaves_do_not_share_a_gradients_memory() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    cotangent = tensor([1.0, 1.0])
    (x + y).backward(cotangent)
    assert x.grad is not None
    x.grad.mul_(100)
    assert (value(y.grad), value(cotangent)) == ([1.0, 1.0], [1.0, 1.0])


def test_a_gradient_that_is_a_view_of_the_callers_is_copied() -> None:
    x = leaf([1.0, 2.0])
    cotangent = tensor([[1.0], [1.0]])
    x.reshape(2, 1).backward(cotangent)
    assert x.grad is not None
    x.grad.mul_(100)
    assert value(cotangent) == [[1.0], [1.0]]


class Stop(Function):
    """Returns a copy of its input in forward, and no gradient in backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> None:
        return None


class Sees(Function):
    """Records the gradient that it passes on."""

    seen: list[Any] = []  # noqa: RUF012 - emptied by each test

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        Sees.seen.append(value(grad))
        return grad


@pytest.mark.parametrize("forks", [False, True])
def test_functions_get_zeros_where_no_gradient_arrives(forks: bool) -> None:
    Sees.seen.clear()
    x, w = leaf(), leaf()
    y = Stop.apply(Sees.apply(x) * 3)
    (y + w if forks else y).backward()
    assert Sees.seen == [0.0]
    assert value(x.grad) == 0.0


def run_threads(count: int, work: Callable[[int], None]) -> None:
    """Run `work(0)` … `work(count - 1)` in threads; reraise an error from any of them."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


class Turns:
    """A lock that counts how often it was taken."""

    def __init__(self) -> None:
        self.lock, self.taken = threading.Lock(), 0

    def __enter__(self) -> None:
        self.lock.acquire()
        self.taken += 1
        time.sleep(0.01)  # gives other threads a chance to break in

    def __exit__(self, *error: object) -> None:
        self.lock.release()


@pytest.mark.parametrize("held", [None, [0.0, 0.0]])
def test_threads_that_share_a_leaf_take_turns(
    held: list[float] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = leaf([1.0, 2.0])
    x.grad = None if held is None else tensor(held)
    together = threading.Barrier(4)

    def work(number: int) -> None:
        y = (x * 1).sum()
        together.wait()
        y.backward()

    lock = Turns()
    monkeypatch.setattr(locks, "one_at_a_time", lock)
    run_threads(4, work)
    assert (value(x.grad), lock.taken) == ([4.0, 4.0], 4)


def nodes_behind(x: Tensor) -> int:
    """The number of nodes from a tensor's grad_fn along first inputs."""
    node, count = x.grad_fn, 0
    while node is not None:
        node, count = (node.next_functions[0][0] if node.next_functions else None), count + 1
    return count


@pytest.mark.parametrize(
    ("length", "forks"),
    [(10**5, False), (10**5, True), pytest.param(10**6, True, marks=pytest.mark.thorough)],
)
def test_a_chain_of_a_million_operations(length: int, forks: bool) -> None:
    x = leaf(0.0)
    y = x * 1
    side = y if forks else tensor(0.0)
    for _ in itertools.repeat(None, length - 1):
        y = y + 1
    y = y + side  # because of the forks, the engine has to sort the whole graph
    assert nodes_behind(y) == length + 2
    y.backward()
    assert value(x.grad) == (2.0 if forks else 1.0)
    del y, side  # freed without recursion, so the interpreter survives
    assert isinstance(gradient_edge(x)[0], Node)


def test_a_deep_graph_of_functions_and_hooks() -> None:
    Sees.seen.clear()
    x = leaf(1.0)
    y = x * 1
    for _ in range(5_000):
        y = Sees.apply(y)
        y.register_hook(lambda g: None)
    y.backward()
    assert (value(x.grad), len(Sees.seen)) == (1.0, 5_000)


def test_a_deep_chain_of_in_place_edits_and_views() -> None:
    x = leaf([1.0, 1.0])
    y = x * 1
    for _ in range(5_000):
        y.mul_(1.0)
    y = y.view(1, 2)
    for _ in range(5_000):
        y = y.view(1, 2)
    y.add_(1.0)
    y.sum().backward()
    assert value(x.grad) == [1.0, 1.0]


def test_an_error_in_a_nested_backward_propagates_and_the_next_one_starts_clean() -> None:
    class Falls(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.level = int(x.item())
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            if ctx.level == 0:
                raise ValueError("at the bottom")
            inner = tensor(float(ctx.level - 1), requires_grad=True)
            with minigrad.enable_grad():
                Falls.apply(inner).backward()
            return grad

    with pytest.raises(ValueError, match="at the bottom"):
        Falls.apply(tensor(20.0, requires_grad=True)).backward()
    assert current_pass() is None
    assert minigrad.is_grad_enabled()
