"""What autograd holds is freed with the last reference, without the garbage collector."""

import gc
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function, grad, gradcheck, gradgradcheck

pytestmark = pytest.mark.usefixtures("collector_off")


def leaf(*shape: int) -> Tensor:
    return minigrad.full(shape, 2.0, requires_grad=True)


class Watch:
    """Weak references to tensors and their nodes and arrays, which show what is still alive."""

    def __init__(self, **tensors: Tensor) -> None:
        self.references: dict[str, weakref.ref[Any]] = {}
        for name, one in tensors.items():
            self.references[name] = weakref.ref(one)
            self.references[f"array of {name}"] = weakref.ref(one._data)
            if one.grad_fn is not None:
                self.references[f"node of {name}"] = weakref.ref(one.grad_fn)

    def alive(self) -> list[str]:
        return [name for name, reference in self.references.items() if reference() is not None]


# Single objects


def test_an_intermediate_tensor_is_freed_while_its_node_stays() -> None:
    x = leaf(3)
    y = x * 3
    z = y + 1
    watch = Watch(y=y)
    del y
    assert watch.alive() == ["node of y"]
    del z
    assert watch.alive() == []


def test_saved_arrays_stay_as_long_as_backward_needs_them() -> None:
    x = leaf(3)
    y = x * 3
    exponential = y.exp()
    z = exponential.sum()
    watch, saved = Watch(y=y), weakref.ref(exponential._data)
    del y, exponential
    assert saved() is not None
    z.backward()
    assert saved() is None  # freed although the node is still alive
    assert watch.alive() == ["node of y"]
    del z
    assert watch.alive() == []


def test_retained_graphs_keep_what_they_saved() -> None:
    x = leaf(3)
    y = x.exp()
    z, saved = y.sum(), weakref.ref(y._data)
    del y
    z.backward(retain_graph=True)
    assert saved() is not None
    z.backward()
    assert saved() is None


def test_a_leaf_outlives_its_graph_only_if_somebody_holds_it() -> None:
    x = leaf(3)
    y = x * 2
    accumulator = weakref.ref(y.grad_fn.next_functions[0][0])  # type: ignore[union-attr]
    watch = Watch(x=x)
    del x
    assert watch.alive() == ["x", "array of x"]
    y.sum().backward()
    assert watch.alive() == ["x", "array of x"]
    del y
    assert (watch.alive(), accumulator()) == ([], None)


def test_gradients_in_flight_are_freed() -> None:
    seen: list[weakref.ref[Any]] = []
    x = leaf(3)
    y = x * 3
    y.register_hook(lambda g: seen.append(weakref.ref(g._data)))
    y.sum().backward()
    assert [reference() for reference in seen] == [None]


def test_retained_gradients_are_freed_with_their_tensor() -> None:
    x = leaf(3)
    y = x * 3
    y.retain_grad()
    z = y.sum()
    z.backward(retain_graph=True)
    gradient = weakref.ref(y.grad)
    watch = Watch(y=y)
    del y
    assert (gradient(), watch.alive()) == (None, ["node of y"])
    z.backward()  # there is no tensor left to retain it for


def test_a_tensor_changed_in_place_does_not_hold_itself() -> None:
    x = leaf(3)
    y = x * 3
    view = y[0:2]
    view.mul_(2)
    y.exp_()
    watch = Watch(y=y, view=view)
    y.sum().backward()
    assert len(watch.alive()) == 6
    del y, view
    assert watch.alive() == []


def test_an_error_in_backward_keeps_nothing() -> None:
    x = leaf(3)
    y = x.exp()
    z = y.sum()
    z.backward()
    with pytest.raises(RuntimeError) as caught:
        z.backward()
    watch = Watch(y=y)
    del caught, y, z  # the traceback holds the frames, which hold their variables
    assert watch.alive() == []


def test_a_removed_hook_is_freed() -> None:
    class Hook:
        def __call__(self, gradient: Tensor) -> None:
            return None

    x = leaf(3)
    hook = Hook()
    handle, reference = x.register_hook(hook), weakref.ref(hook)
    del hook
    assert reference() is not None
    handle.remove()
    assert reference() is None


# The user's functions


class SavesOutput(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * ctx.saved_tensors[0]


class SavesInputs(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor]:
        x, y = ctx.saved_tensors
        return grad * y, grad * x


class Doubles(Function):
    """Doubles its input in place."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        return x.mul_(2)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * 2


class Halves(Function):
    """Saves both of its outputs, one of which gets no gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        y, mask = x * 2, x > 0
        ctx.mark_non_differentiable(mask)
        ctx.save_for_backward(y, mask)
        return y, mask

    @staticmethod
    def backward(ctx: Any, grad: Tensor, _: Tensor) -> Tensor:
        y, mask = ctx.saved_tensors
        return grad * 2 * mask + y * 0


@pytest.mark.parametrize("runs_backward", [False, True])
def test_a_function_that_saves_its_output(runs_backward: bool) -> None:
    x = leaf(3)
    y = SavesOutput.apply(x * 1)
    watch = Watch(y=y)
    if runs_backward:
        y.sum().backward()
    del y
    assert watch.alive() == []


def test_a_function_in_place_and_one_with_two_outputs() -> None:
    x = leaf(3)
    y = Doubles.apply(x * 1)
    z, mask = Halves.apply(y)
    watch = Watch(y=y, z=z, mask=mask)
    del y, z, mask
    assert watch.alive() == []


def test_a_result_written_into_a_saved_input_makes_a_cycle() -> None:
    x, total = leaf(3), minigrad.zeros(3)
    total.add_(SavesInputs.apply(x, total))
    watch = Watch(total=total)
    del total
    assert watch.alive()  # a node holds its inputs, and this input is also its result
    gc.collect()
    assert watch.alive() == []


# Whole programs: a collection after them finds nothing


def forward_only() -> None:
    x = leaf(3)
    ((x * x).exp() / x).log().sum()


def forward_and_backward() -> None:
    x = leaf(3, 3)
    a, b, c = (x @ x).unbind(0)
    minigrad.cat(
        [minigrad.stack([a, b * c]), x[[0, 2]], x[:1, None].reshape(1, 3)]
    ).mean().backward()


def second_derivative() -> None:
    x = leaf(3)
    (g,) = grad((x**3).sum(), x, create_graph=True)
    assert g is not None
    (h,) = grad(g.sum(), x)
    assert h is not None


def error_in_backward() -> None:
    x = leaf(3)
    y = x.exp().sum()
    y.backward()
    try:
        y.backward()
    except RuntimeError:
        return
    raise AssertionError


def in_place() -> None:
    x = leaf(3)
    y = minigrad.zeros(3, 2)
    y[:, 0] = x
    y.T[1].copy_(y[:, 0] * 2)
    y.view(6)[2:4].mul_(y.sum().detach())
    y += 1
    y.sum().backward()


def hooked() -> None:
    x = leaf(3)
    x.register_hook(lambda g: g * 2)
    x.register_post_accumulate_grad_hook(lambda p: None)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 2)
    assert y.grad_fn is not None
    y.grad_fn.register_hook(lambda inputs, outputs: None)
    y.grad_fn.register_prehook(lambda outputs: None)
    y.grad_fn.metadata["note"] = "mine"
    y.sum().backward()


def functions() -> None:
    x = leaf(3)
    y = Doubles.apply(SavesOutput.apply(x) * 1)
    z, _ = Halves.apply(y)
    SavesInputs.apply(z, minigrad.ones(3)).sum().backward()


def checks() -> None:
    x = minigrad.ones(2, dtype=minigrad.float64, requires_grad=True)
    assert gradcheck(lambda x: x.exp() * x, (x,))
    assert gradgradcheck(lambda x: x.exp() * x, (x,))


def training() -> None:
    layer = minigrad.nn.Linear(2, 1)
    for _ in range(3):
        layer.zero_grad()
        layer(minigrad.ones(4, 2)).sum().backward()
        with minigrad.no_grad():
            for parameter in layer.parameters():
                assert parameter.grad is not None
                parameter -= 0.1 * parameter.grad


PROGRAMS: list[Callable[[], None]] = [
    forward_only,
    forward_and_backward,
    second_derivative,
    error_in_backward,
    in_place,
    hooked,
    functions,
    checks,
    training,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_collector_finds_nothing(program: Callable[[], None]) -> None:
    program()  # compiles operations, which creates code and classes
    gc.collect()
    program()
    assert gc.collect() == 0


# Amounts


def test_memory_of_a_training_loop_is_flat() -> None:
    x = leaf(1000)

    def steps(count: int) -> int:
        for _ in range(count):
            x.grad = None
            (x * x).exp().sum().backward()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    steps(500)  # until NumPy's caches of small blocks are full
    first, later = steps(10), steps(200)
    tracemalloc.stop()
    assert later - first < 4000  # less than one array needs


def test_expanding_a_gradient_costs_no_memory() -> None:
    x = minigrad.zeros(1, requires_grad=True)
    y = x.expand(10_000_000)
    tracemalloc.start()
    total = y.detach()
    assert total._data.strides == (0,)
    assert np.shares_memory(total._data, x._data)
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()


def test_the_loss_that_is_summed_up_keeps_every_graph() -> None:
    """The leak of `total += loss`, and how to avoid it."""
    x = leaf(3)
    nodes: list[weakref.ref[Any]] = []

    def loss() -> Tensor:
        result = (x * x).sum()
        nodes.append(weakref.ref(result.grad_fn))
        return result

    total = tensor(0.0)
    for _ in range(5):
        total = total + loss()
    assert sum(node() is not None for node in nodes) == 5
    total = tensor(0.0)
    for _ in range(5):
        total = total + loss().detach()
    assert sum(node() is not None for node in nodes) == 0


# Layouts


@pytest.mark.parametrize(
    ("made", "strides"),
    [
        (lambda: minigrad.zeros(6, 4).t(), (1, 4)),
        (lambda: minigrad.zeros(2, 3, 4).permute(2, 0, 1), (1, 12, 4)),
        # With gaps, or elements that share memory: in C order.
        (lambda: minigrad.zeros(6, 4)[:, ::2].t(), (6, 1)),
        (lambda: minigrad.zeros(1, 3).expand(2, 3), (3, 1)),
        (lambda: minigrad.zeros(2, 1, 4).expand(2, 3, 4).permute(2, 0, 1), (6, 3, 1)),
    ],
    ids=["transposed", "permuted", "gaps", "expanded", "both"],
)  # the strides are PyTorch's
def test_a_gradient_is_laid_out_as_its_leaf(
    made: Callable[[], Tensor], strides: tuple[int, ...]
) -> None:
    x = made().detach().requires_grad_()
    (x * 2).sum().backward()
    assert x.grad.stride() == strides
    x.grad = None
    (x + 0).backward(minigrad.ones(x.shape))
    assert x.grad.stride() == strides


@pytest.mark.filterwarnings("ignore:Using backward")
def test_a_gradient_with_a_graph_is_laid_out_as_its_leaf() -> None:
    x = minigrad.zeros(6, 4).t().requires_grad_()
    (x * 2).sum().backward(create_graph=True)
    assert x.grad.stride() == (1, 4)
