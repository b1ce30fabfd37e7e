"""The engine: order, sums, roots, targets, lifetimes, errors, reentrance, threads, depth."""

import itertools
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function, backward, grad
from minigrad.core.engine import count_dependencies
from minigrad.core.node import AccumulateGrad, Node, gradient_edge
from minigrad.support import locks
from minigrad.support.observers import current_pass
from tests.tensors import Stop, leaf

FREED = "^Trying to backward through the graph a second time"


def value(x: Tensor | None) -> Any:
    """The gradient as numbers, or None."""
    return None if x is None else x.tolist()


def logged(log: list[str], name: str, x: Tensor) -> Tensor:
    """`x`; its node writes `name` to the log when it runs."""
    node = x.grad_fn
    assert node is not None
    node.register_prehook(lambda grads: log.append(name))
    return x


class Once(Function):
    """Multiplies by one; its backward raises as long as `armed`."""

    armed = True

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        if Once.armed:
            raise ZeroDivisionError("mine")
        return grad


@pytest.fixture
def once() -> Any:
    Once.armed = True
    return Once


# Order and sums


def test_nodes_run_newest_first() -> None:
    log: list[str] = []
    x = leaf()
    a = logged(log, "a", x * 2)
    b = logged(log, "b", x * 3)
    c = logged(log, "c", a * 4)
    d = logged(log, "d", b * 5)
    logged(log, "sum", c + d).backward()
    assert log == ["sum", "d", "c", "b", "a"]


def test_a_node_waits_for_all_its_contributions() -> None:
    log: list[Any] = []
    x = leaf(3.0)
    y = x * 1
    y.register_hook(lambda g: log.append(g.item()))
    z = ((y * y) * y) + y  # three paths of different lengths
    z.backward()
    assert (log, value(x.grad)) == ([28.0], 28.0)


def test_doubling_sixty_times() -> None:
    x = leaf(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    assert value(x.grad) == 2.0**60


def test_fan_out_of_a_hundred_thousand() -> None:
    x = leaf(1.0)
    y = x * 1
    total = y * 1
    for _ in range(99_999):
        total = total + y
    total.backward()
    assert value(x.grad) == 100_000.0


def test_a_leaf_is_added_to_once() -> None:
    x = leaf()
    calls: list[float] = []
    x.register_hook(lambda g: calls.append(g.item()))
    x.register_post_accumulate_grad_hook(lambda p: calls.append(value(p.grad)))
    (x * 3 + x * 4 + x).backward()
    assert calls == [8.0, 8.0]


def test_gradients_accumulate_into_the_same_object() -> None:
    x = leaf()
    (x * 3).backward()
    held = x.grad
    (x * 4).backward()
    assert x.grad is held
    assert value(held) == 7.0


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


def test_edges_are_counted() -> None:
    x = leaf()
    y = x * x
    z = y * x
    counts = count_dependencies([gradient_edge(z)])
    assert {node.name(): count for node, count in counts.items()} == {
        "MulBackward0": 1,
        "torch::autograd::AccumulateGrad": 3,
    }
    assert len(counts) == 3


# Several roots, cotangents


def test_several_roots_in_one_pass() -> None:
    log: list[str] = []
    x = leaf()
    shared = logged(log, "shared", x * 2)
    backward([shared * 3, shared * 4], [tensor(1.0), tensor(10.0)])
    assert (log, value(x.grad)) == (["shared"], 86.0)


def test_the_same_root_twice_and_a_leaf_as_root() -> None:
    x = leaf()
    y = x * x
    backward([y, y, x])
    assert value(x.grad) == 9.0
    x.grad = None
    x.backward()
    assert value(x.grad) == 1.0


def test_a_root_before_another_root() -> None:
    x = leaf()
    y = x * 3
    backward([y * y, y])
    assert value(x.grad) == 39.0


def test_the_default_cotangent_is_a_one_of_the_roots_shape() -> None:
    for shape in ((), (1,), (1, 1)):
        x = minigrad.full(shape, 2.0, requires_grad=True)
        (x * 3).backward()
        assert x.grad is not None
        assert (x.grad.shape, x.grad.item()) == (shape, 3.0)


def test_cotangents_are_cast_to_the_roots_dtype() -> None:
    x = leaf([1.0, 2.0])
    (x * 3).backward(tensor([1, 2]))
    assert x.grad is not None
    assert (x.grad.dtype, value(x.grad)) == (minigrad.float32, [3.0, 6.0])


# GradPass: inputs=, autograd.grad


def test_inputs_limits_which_gradients_are_filled() -> None:
    x, w = leaf(2.0), leaf(3.0)
    y = x * w
    z = y * y
    z.backward(inputs=[w, y])
    assert (value(x.grad), value(w.grad), value(y.grad)) == (None, 24.0, 12.0)
    assert y.retains_grad


def test_inputs_prunes_what_is_not_needed() -> None:
    log: list[str] = []
    x, w = leaf(), leaf()
    (logged(log, "x", x * 2) + logged(log, "w", w * 3)).backward(inputs=[w])
    assert (log, value(x.grad), value(w.grad)) == (["w"], None, 3.0)


def test_inputs_that_are_not_reached_stay_none() -> None:
    x, other = leaf(), leaf()
    (x * 2).backward(inputs=[other])
    assert (value(x.grad), value(other.grad)) == (None, None)


def test_a_leaf_root_outside_inputs_gets_nothing() -> None:
    x, w = leaf(), leaf()
    backward([x, w * 2], inputs=[w])
    assert (value(x.grad), value(w.grad)) == (None, 2.0)


def test_inputs_given_as_one_tensor() -> None:
    x = leaf()
    backward(x * 5, inputs=x)
    assert value(x.grad) == 5.0


def test_grad_touches_no_grad_attribute() -> None:
    x, w = leaf(2.0), leaf(3.0)
    y = x * w
    got = grad(y * y, [x, w, y])
    assert [value(g) for g in got] == [36.0, 24.0, 12.0]
    y.retain_grad()
    assert (x.grad, w.grad, y.grad) == (None, None, None)


def test_grad_of_an_input_that_is_an_output_or_is_given_twice() -> None:
    x = leaf()
    y = x * 3
    assert [value(g) for g in grad(y, [y, x, x])] == [1.0, 3.0, 3.0]
    assert value(grad(x, x)[0]) == 1.0


def test_grad_of_several_outputs_adds() -> None:
    x = leaf([1.0, 2.0])
    got = grad([x * 2, x * 3], x, [tensor([1.0, 0.0]), tensor([1.0, 1.0])])
    assert value(got[0]) == [5.0, 3.0]


def test_unused_inputs() -> None:
    x, other = leaf(), leaf([1.0, 2.0])
    y = x * 2
    with pytest.raises(RuntimeError, match=r"^The differentiated Tensor at index 1 appears to not"):
        grad(y, [x, other])
    y = x * 2
    assert [value(g) for g in grad(y, [x, other], allow_unused=True, retain_graph=True)] == [
        2.0,
        None,
    ]
    zeros = grad(y, [x, other], materialize_grads=True, retain_graph=True)
    assert [value(g) for g in zeros] == [2.0, [0.0, 0.0]]
    assert zeros[1] is not None
    assert not zeros[1].requires_grad
    recorded = grad(y, [x, other], materialize_grads=True, create_graph=True)[1]
    assert recorded is not None
    assert recorded.requires_grad


def test_grad_runs_the_tensor_hooks_on_its_path() -> None:
    x = leaf()
    x.register_hook(lambda g: g * 10)
    y = x * 3
    y.register_hook(lambda g: g * 100)
    z = y * y
    # Like PyTorch, the pass captures the gradient of a target before its hooks run.
    assert [value(g) for g in grad(z, [y, x], retain_graph=True)] == [12.0, 36000.0]
    assert [value(g) for g in grad(z, y)] == [1200.0]


def test_grad_does_not_run_the_accumulators_hooks() -> None:
    x = leaf()
    calls: list[str] = []
    x.register_post_accumulate_grad_hook(lambda p: calls.append("accumulated"))
    y = x * 3
    accumulator = y.grad_fn.next_functions[0][0]  # type: ignore[union-attr]
    assert isinstance(accumulator, AccumulateGrad)
    accumulator.register_prehook(lambda grads: calls.append("node"))
    assert value(grad(y, x, retain_graph=True)[0]) == 3.0
    assert calls == []
    y.backward()
    assert calls == ["node", "accumulated"]


# Lifetime of what is saved


@pytest.mark.parametrize("again", ["backward", "grad"])
def test_a_freed_graph_refuses_a_second_pass(again: str) -> None:
    x = leaf()
    y = x**2
    y.backward()
    with pytest.raises(RuntimeError, match=FREED):
        y.backward() if again == "backward" else grad(y, x)
    assert value(x.grad) == 4.0


def test_retained_graphs_run_any_number_of_times() -> None:
    x = leaf()
    y = x**2
    for times in (1, 2, 3):
        y.backward(retain_graph=True)
        assert value(x.grad) == 4.0 * times
    y.backward()
    with pytest.raises(RuntimeError, match=FREED):
        y.backward()


def test_a_graph_that_saves_nothing_is_never_freed() -> None:
    x = leaf()
    y = x + 1
    y.backward()
    y.backward()
    assert value(x.grad) == 2.0


def test_numeric_operands_and_index_arrays_are_freed() -> None:
    x = tensor([1.0, 2.0, 3.0], requires_grad=True)
    freed = [(2 * x).sum(), x[tensor([0, 2])].sum()]
    kept = [x[0], x[1:].sum()]
    for result in freed + kept:
        result.backward()
    for result in kept:
        result.backward()
    for result in freed:
        with pytest.raises(RuntimeError, match=FREED):
            result.backward()


def test_grad_frees_what_it_ran_through_and_nothing_else() -> None:
    x, w = leaf(), leaf()
    a, b = x**2, w**2
    grad(a + b, [x])
    b.backward()
    assert value(w.grad) == 4.0
    with pytest.raises(RuntimeError, match=FREED):
        a.backward()


# create_graph


def test_derivatives_of_any_order() -> None:
    x = leaf(2.0)
    y = x**5
    got = []
    for _ in range(6):
        (derivative,) = grad(y, x, create_graph=True)
        assert derivative is not None
        y = derivative
        got.append(y.item())
    assert got == [80.0, 160.0, 240.0, 240.0, 120.0, 0.0]


def test_create_graph_keeps_the_graph_and_makes_a_new_grad_object() -> None:
    x = leaf()
    y = x**3
    with pytest.warns(
        UserWarning, match=r"^Using backward\(\) with create_graph=True will create"
    ) as w:
        y.backward(create_graph=True)
    assert w[0].filename == __file__
    first = x.grad
    assert first is not None
    assert (first.requires_grad, first.item()) == (True, 12.0)
    with pytest.warns(UserWarning, match=r"^Using backward\(\)"):
        y.backward(create_graph=True)
    assert x.grad is not first
    assert x.grad is not None
    assert (x.grad.item(), first.item()) == (24.0, 12.0)
    assert value(grad(first, x)[0]) == 12.0
    x.grad = None


def test_without_create_graph_nothing_is_recorded() -> None:
    x = leaf()
    modes: list[bool] = []
    y = x * x
    y.register_hook(lambda g: modes.append(minigrad.is_grad_enabled()))
    y.backward(retain_graph=True)
    assert x.grad is not None
    assert (x.grad.requires_grad, modes) == (False, [False])
    (g,) = grad(y, x, create_graph=True)
    assert g is not None
    assert (g.requires_grad, modes) == (True, [False, True])


# Errors on the way


@pytest.mark.parametrize("mode", [True, False])
def test_an_error_restores_the_mode_and_keeps_its_type(once: Any, mode: bool) -> None:
    y = once.apply(leaf() * 2)
    with minigrad.set_grad_enabled(mode):
        with pytest.raises(ZeroDivisionError, match=r"^mine$"):
            y.backward()
        assert minigrad.is_grad_enabled() is mode
    assert minigrad.is_grad_enabled()


def test_after_an_error_a_retained_graph_gives_the_true_result(once: Any) -> None:
    x = leaf(3.0)
    y = (once.apply(x * x) * x) * x
    with pytest.raises(ZeroDivisionError):
        y.backward(retain_graph=True)
    once.armed = False
    x.grad = None
    y.backward()
    assert value(x.grad) == 4 * 27.0


def test_after_an_error_a_graph_that_was_not_retained_says_so(once: Any) -> None:
    x = leaf(3.0)
    inner = x * x
    y = once.apply(inner) ** 2
    with pytest.raises(ZeroDivisionError):
        y.backward()
    once.armed = False
    assert x.grad is None
    with pytest.raises(RuntimeError, match=FREED):  # ** had run and freed its values
        y.backward()
    assert x.grad is None
    inner.backward()  # what had not run still has its saved values
    assert value(x.grad) == 6.0


def test_an_error_in_a_hook_leaves_the_gradients_of_others_alone() -> None:
    x, w = leaf(), leaf()

    def refuse(g: Tensor) -> None:
        raise KeyError("hook")

    handle = x.register_hook(refuse)
    y = x * w
    with pytest.raises(KeyError):
        y.backward(retain_graph=True)
    assert x.grad is None
    handle.remove()
    w.grad = None
    y.backward()
    assert (value(x.grad), value(w.grad)) == (2.0, 2.0)


def test_a_wrong_gradient_shape_names_the_function_and_the_input() -> None:
    class Wrong(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            return minigrad.ones(5)

    x = leaf([1.0, 2.0])
    with pytest.raises(
        RuntimeError, match=r"^Function WrongBackward returned an invalid gradient at"
    ) as e:
        Wrong.apply(x).sum().backward()
    assert "index 0 - got [5] but expected shape compatible with [2]" in str(e.value)
    assert x.grad is None


# Missing gradients


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


def test_a_leaf_that_no_gradient_reaches_keeps_none() -> None:
    x = leaf()
    Stop.apply(x).backward()
    assert x.grad is None
    Stop.apply(x * x).backward()
    assert x.grad is None
    assert grad(Stop.apply(x), x, allow_unused=True) == (None,)


# Reentrance and threads


def test_backward_inside_a_hook() -> None:
    x, w = leaf(2.0), leaf(3.0)

    def hook(g: Tensor) -> Tensor:
        with minigrad.enable_grad():
            (w * w).backward()
        assert not minigrad.is_grad_enabled()
        return g * w.grad  # type: ignore[operator]

    y = x * x
    y.register_hook(hook)
    y.backward()
    assert (value(x.grad), value(w.grad), minigrad.is_grad_enabled()) == (24.0, 6.0, True)


def test_backward_inside_a_functions_backward() -> None:
    class Checkpoint(Function):
        """Recomputes its inside during backward."""

        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return (x * x).exp()

        @staticmethod
        def backward(ctx: Any, grad: Tensor) -> Tensor:
            x = ctx.saved_tensors[0].detach().requires_grad_()
            with minigrad.enable_grad():
                (x * x).exp().backward(grad)
            return x.grad

    x = leaf(0.5)
    y = leaf(0.5)
    (Checkpoint.apply(x * 2) * 3).backward()
    (((y * 2) * (y * 2)).exp() * 3).backward()
    assert value(x.grad) == value(y.grad)


def test_an_inner_backward_over_the_same_leaf_adds() -> None:
    x = leaf(2.0)
    y = x * 3

    def hook(g: Tensor) -> None:
        with minigrad.enable_grad():
            (x * 10).backward()

    y.register_hook(hook)
    y.backward()
    assert value(x.grad) == 13.0


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


def test_threads_with_graphs_of_their_own() -> None:
    results: dict[int, Any] = {}

    def work(number: int) -> None:
        x = leaf(float(number))
        for _ in range(50):
            x.grad = None
            with minigrad.set_grad_enabled(True):
                y = (x * x) * x
            with minigrad.no_grad():
                assert not (x * 2).requires_grad
            y.backward()
        results[number] = value(x.grad)

    run_threads(6, work)
    assert results == {n: 3.0 * n * n for n in range(6)}


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


def test_an_error_in_one_thread_does_not_reach_the_others(once: Any) -> None:
    results: dict[int, Any] = {}
    together = threading.Barrier(4)

    def work(number: int) -> None:
        x = leaf(float(number))
        together.wait()
        if number % 2:
            with pytest.raises(ZeroDivisionError):
                once.apply(x * x).backward()
        else:
            (x * x).backward()
        results[number] = (value(x.grad), minigrad.is_grad_enabled())

    run_threads(4, work)
    assert results == {0: (0.0, True), 1: (None, True), 2: (4.0, True), 3: (None, True)}


# Depth


def nodes_behind(x: Tensor) -> int:
    """The number of nodes from a tensor's grad_fn along first inputs."""
    node, count = x.grad_fn, 0
    while node is not None:
        node, count = (node.next_functions[0][0] if node.next_functions else None), count + 1
    return count


@pytest.mark.parametrize("length", [10**5, pytest.param(10**6, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("forks", [False, True])
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
    for _ in range(20_000):
        y = Sees.apply(y)
        y.register_hook(lambda g: None)
    y.backward()
    assert (value(x.grad), len(Sees.seen)) == (1.0, 20_000)


def test_a_deep_chain_of_in_place_edits_and_views() -> None:
    x = leaf([1.0, 1.0])
    y = x * 1
    for _ in range(20_000):
        y.mul_(1.0)
    y = y.view(1, 2)
    for _ in range(20_000):
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
