"""Work counted in arrays and calls, because these are the same on every run.

`benchmarks/` measures speed itself, since a timed test would fail on a busy machine. The
counts here may go down, but they should not go up.
"""

import itertools
import sys
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor
from minigrad.autograd import grad
from minigrad.nn.functional import cross_entropy

ELEMENTS = 16_384
# 64 KiB: far more than objects take, and less than NumPy needs to reuse operands on its own.
ARRAY = 4 * ELEMENTS


pytestmark = pytest.mark.usefixtures("collector_off")


def leaf(*shape: int) -> Tensor:
    return minigrad.full(shape or (ELEMENTS,), 0.5, requires_grad=True)


def allocated(work: Callable[[], Any], size: int = ARRAY) -> int:
    """How many arrays of `size` bytes `work` allocates; larger ones count in proportion.

    We read the traced memory after every bytecode instruction. Its peak since the last reading is
    what that instruction allocated, even if the memory has been freed by then.
    """
    count, before = 0, 0

    def look(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count, before
        frame.f_trace_opcodes = True
        now, peak = tracemalloc.get_traced_memory()
        count += round((peak - before) / size)
        before = now
        tracemalloc.reset_peak()
        return look

    work()  # writes operations
    tracemalloc.start()
    outside = sys.gettrace()
    before = tracemalloc.get_traced_memory()[0]
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(outside)
        tracemalloc.stop()
    return count


def alive_after(work: Callable[[], Any]) -> int:
    """How many arrays stay alive in what `work` returns and in the gradients of leaves."""
    work()
    tracemalloc.start()
    kept = work()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return round(size / ARRAY)


def test_the_count_is_right() -> None:
    x = np.ones(ELEMENTS, np.float32)

    def work() -> None:
        y = x + 1
        y += x
        y = y * y - x  # the product is alive only for a moment

    assert allocated(work) == 3
    assert allocated(lambda: x[:100] + x[None, :100]) == 0


def elementwise(x: Tensor) -> Tensor:
    y = x
    for _ in range(5):
        y = minigrad.tanh(y * x + 0.5) * 0.9
    return y


def test_an_operation_allocates_its_result_and_keeps_what_backward_needs() -> None:
    x = leaf()
    assert allocated(lambda: elementwise(x)) <= 20
    # 5 results of tanh, 4 inputs of the products beside x, and the last result.
    assert alive_after(lambda: elementwise(x)) <= 10
    with minigrad.no_grad():
        assert alive_after(lambda: elementwise(x)) == 1


def test_backward_of_elementwise_operations() -> None:
    x = leaf()

    def work() -> None:
        x.grad = None
        elementwise(x).sum().backward()

    assert allocated(work) <= 20 + 35


def test_backward_frees_everything_but_the_gradient() -> None:
    x = leaf()

    def work() -> Tensor:
        x.grad = None
        y = elementwise(x).sum()
        y.backward()
        return y

    assert alive_after(work) == 1


@pytest.mark.parametrize(
    ("function", "most"),
    [
        (lambda x: x * 2.0, 2),  # the result and the gradient
        (lambda x: x + 1.0, 2),
        (lambda x: -x, 2),
        (lambda x: x.exp(), 2),
        (lambda x: x.reshape(128, 128), 1),
        (lambda x: x.sum(), 1),
        (lambda x: x.mean(), 1),
        (lambda x: x.expand(3, ELEMENTS).sum(), 1),
    ],
    ids=["mul", "add", "neg", "exp", "reshape", "sum", "mean", "expand"],
)
def test_one_operation_forward_and_backward(
    function: Callable[[Tensor], Tensor], most: int
) -> None:
    x = leaf()
    ones = minigrad.ones(function(x).shape)

    def work() -> None:
        x.grad = None
        function(x).backward(ones)

    assert allocated(work) <= most


def test_adding_to_a_gradient() -> None:
    x = leaf()
    y = x * 2.0
    y.backward(x.detach(), retain_graph=True)
    assert allocated(lambda: y.backward(x.detach(), retain_graph=True)) == 1  # the product


def test_a_training_step() -> None:
    """Counts arrays as large as the weight, so batches are too small to matter."""
    weight, bias = leaf(128, 128), leaf(128)
    x, target = minigrad.ones(4, 128), minigrad.tensor([0, 1, 2, 3])
    optimizer = minigrad.optim.SGD([weight, bias], lr=0.1)

    def work() -> None:
        optimizer.zero_grad()
        cross_entropy(x @ weight + bias, target).backward()
        optimizer.step()

    assert allocated(work) <= 2  # the gradient, and the learning rate times it


# Calls


def calls(work: Callable[[], Any]) -> int:
    """How many Python and C functions `work` calls."""
    count = 0

    def look(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    outside = sys.getprofile()
    sys.setprofile(look)
    try:
        work()
    finally:
        sys.setprofile(outside)
    return count


def chain(count: int) -> Tensor:
    y = minigrad.tensor(0.5, requires_grad=True)
    for _ in itertools.repeat(None, count):
        y = y * 0.9
    return y


def chain_of_forks(count: int) -> Tensor:
    y = minigrad.tensor(0.5, requires_grad=True)
    for _ in itertools.repeat(None, count):
        y = y * 0.4 + y
    return y


def fan_out(count: int) -> Tensor:
    y = minigrad.tensor(0.5, requires_grad=True) * 1.0
    total = y * 1.0
    for _ in itertools.repeat(None, count):
        total = total + y
    return total


def fan_in(count: int) -> Tensor:
    leaves = [minigrad.tensor(0.5, requires_grad=True) for _ in range(count)]
    return minigrad.stack(leaves).sum()


def leaf_of(y: Tensor) -> Tensor:
    """The leaf at the end of the path along first inputs."""
    node: Any = y.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    leaf: Tensor = node.variable
    return leaf


@pytest.mark.parametrize("graph", [chain, chain_of_forks, fan_out, fan_in])
@pytest.mark.parametrize("direction", ["forward", "backward", "grad"])
def test_calls_grow_by_the_same_number_for_each_operation(
    graph: Callable[[int], Tensor], direction: str
) -> None:
    def number(count: int) -> int:
        y = graph(count)
        if direction == "forward":
            return calls(lambda: graph(count))
        return calls(y.backward) if direction == "backward" else calls(lambda: grad(y, leaf_of(y)))

    number(2)  # writes operations
    first, second, third, last = (number(count) for count in (100, 200, 300, 1300))
    assert second - first == third - second > 0
    assert last - third == 10 * (third - second)
