"""What is written from the rows of the table, and that it declines what it is not written for."""

import ast
import gc
import importlib
import inspect
import itertools
import pkgutil
import threading
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, fast, ops, tensor
from minigrad.core.inplace import in_place
from minigrad.core.node import Node
from minigrad.core.operation import Operation, OperationNode, op
from minigrad.core.tensor import new_tensor
from minigrad.fast import sources
from minigrad.fast.nodes import WrittenNode
from minigrad.ops import elementwise
from minigrad.support import observers

MODULES = [
    importlib.import_module(f"minigrad.ops.{m.name}") for m in pkgutil.iter_modules(ops.__path__)
]
ROWS: dict[str, Any] = {
    f"{module.__name__.rpartition('.')[2]}.{name}": value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(getattr(value, "row", None), Operation)
    and f"\n{name} = op(" in inspect.getsource(module)
}


def leaf(*values: float) -> Tensor:
    return tensor(values, requires_grad=True)


def node_of(result: Tensor) -> Any:
    assert isinstance(result.grad_fn, Node)
    return result.grad_fn


# The text


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_row_is_written(name: str) -> None:
    function = ROWS[name]
    row = function.row
    parts = ast.parse(fast.source(function)).body
    written = {each.name: each for each in parts if isinstance(each, ast.FunctionDef)}
    assert set(written) == ({row.name, "run", "run_graph"} if row.rules else {row.name})
    first = "self" if "input" in row.inputs else "input"  # as PyTorch's functions name it
    parameters = [each.arg for each in written[row.name].args.args]
    assert parameters == [first if each == "self" else each for each in row.inputs]


def rules_on_tensors() -> list[str]:
    """The rows with a rule that has to go through tensors, by the text written for them."""
    return sorted(name for name, each in ROWS.items() if "on_tensors(" in fast.source(each))


def test_rules_compute_with_arrays_but_for_a_few() -> None:
    assert rules_on_tensors() == [
        "layouts.repeat_", "statistics.amax", "statistics.amin",
        "statistics.cumprod_dim", "statistics.max_all", "statistics.median_all",
        "statistics.min_all", "statistics.norm_p", "statistics.prod_all", "statistics.prod_dim",
    ]  # fmt: skip


def test_every_lambda_is_found_in_its_file() -> None:
    rows = [each.row for each in ROWS.values()]
    lambdas = [f for row in rows for f in [row.kernel, *row.rules.values()] if is_lambda(f)]
    assert len(lambdas) > 200
    assert [each for each in lambdas if sources.expression(each) is None] == []


def is_lambda(function: Any) -> bool:
    return getattr(function, "__name__", "") == "<lambda>"


# fmt: off
LAMBDAS: list[Callable[..., Any]] = [
    lambda grad, x: (grad + x) * 2 if x else (grad), lambda grad, x: (grad * x),
    lambda grad: grad, lambda x: x or None, lambda x: "é" + x, lambda grad: [x for x in grad if x],
]
# fmt: on


@pytest.mark.parametrize("number", range(len(LAMBDAS)))
def test_the_text_of_a_lambda(number: int) -> None:
    expected = ["(grad + x) * 2 if x else grad", "grad * x", "grad", "x or None", "'é' + x"]
    expected += ["[x for x in grad if x]"]
    body = sources.expression(LAMBDAS[number])
    assert body is not None
    assert ast.unparse(body) == expected[number]


def test_no_text_where_there_is_none_or_another() -> None:
    assert sources.expression(np.exp) is None
    assert sources.expression(is_lambda) is None
    assert sources.expression(eval("lambda x: x + 1")) is None
    other = (lambda grad, y: grad * y).__code__.replace(co_filename=np.__file__)
    assert sources.expression(type(is_lambda)(other, globals())) is None


def test_source_shows_what_it_says() -> None:
    text = fast.source(elementwise.exp)
    assert "result = exp(self_data)" in text or "result = kernel(self_data)" in text
    assert "node = node_class()" in text
    assert "self_grad = grad * result" in text
    assert text.count("raise freed_graph()") == 2  # on arrays, and on tensors
    assert "result = result_of(node)" in text


def test_source_of_what_is_no_row() -> None:
    with pytest.raises(TypeError, match=r"softmax.* is no row of the table"):
        fast.source(minigrad.softmax)


def test_texts_keep_their_names_when_the_cache_of_lines_is_cleared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import linecache

    monkeypatch.setattr(linecache, "cache", {})
    written: list[Any] = []
    for name in ("one_more", "and_another"):
        written.append(op(name, lambda self: self + 1, self=lambda grad: grad))
        written[-1](leaf(1.0)).backward()
        linecache.clearcache()
    files = {each.row.function.__code__.co_filename.split()[-1] for each in written}
    assert len(files) == 2


def test_source_is_what_runs_and_what_tracebacks_show() -> None:
    import linecache

    minigrad.exp(tensor(0.0))
    code = elementwise.exp.__code__
    assert linecache.getline(code.co_filename, 1).startswith("def exp(input, *, out=None):")
    assert "".join(linecache.getlines(code.co_filename)) in fast.source(elementwise.exp)


def test_a_row_is_written_when_it_is_first_called() -> None:
    triple: Any = op("triple", lambda self: self * 3, self=lambda grad: grad * 3)
    held = triple  # whoever holds the stub holds the operation
    assert triple.row.source == ""
    x = leaf(2.0)
    y = held(x)
    assert (y.tolist(), node_of(y).name(), triple is held) == ([6.0], "TripleBackward0", True)
    y.sum().backward()
    assert x.grad is not None
    assert (x.grad.tolist(), triple.row.source != "") == ([3.0], True)


def test_threads_may_call_a_row_for_the_first_time_together() -> None:
    twice: Any = op("twice", lambda self: self * 2, self=lambda grad: grad * 2)
    together, results = threading.Barrier(4), []

    def work() -> None:
        together.wait()
        results.append(twice(leaf(1.0)).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert results == [[2.0]] * 4


# What a rule computes with arrays for, and what through tensors


def helper(grad: Tensor) -> Tensor:
    return grad.sum(0, keepdim=True)  # which arrays have, but with other words


def test_a_rule_that_arrays_would_read_otherwise_runs_on_tensors() -> None:
    spread: Any = op(
        "spread", lambda self: self + 0, self=lambda grad: grad.sum(0, keepdim=True) + 0 * grad
    )
    x = leaf(1.0, 2.0)
    spread(x).backward(tensor([1.0, 3.0]))
    assert "on_tensors(" in fast.source(spread)
    assert x.grad is not None
    assert x.grad.tolist() == [4.0, 4.0]


# Nodes


def test_written_nodes_look_like_others() -> None:
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    usual = node_of(x * y)
    with fast.off():
        plain = node_of(x * y)
    assert (type(usual).__mro__[1], type(plain).__mro__[1]) == (WrittenNode, OperationNode)
    assert type(usual).__name__ == type(plain).__name__
    assert usual.next_functions == plain.next_functions
    assert usual._meta == plain._meta
    assert list(usual._saved) == list(plain._saved)
    assert usual.name() == plain.name()
    assert {n for n in dir(plain) if "_saved_" in n} <= set(dir(usual))
    assert usual._saved_self is x
    assert plain._saved_self is x
    assert usual._retaining == plain._retaining == {}


def test_what_a_node_keeps_can_be_replaced() -> None:
    x = leaf(1.0, 2.0)
    y = x * x
    node = node_of(y)
    with pytest.raises(KeyError):
        node._saved["nothing"]
    assert len(node._saved) == 2
    node._saved["other"] = 5.0
    assert (node._saved["other"], type(node).__name__) == (5.0, "MulBackward0")
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [6.0, 7.0]


def test_bytes_a_node() -> None:
    count = 20_000
    x = tensor(1.0, requires_grad=True)
    y = x * 1
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in itertools.repeat(None, count):
        y = y + 1
    used = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert used / count <= 200


# Off


def is_written(result: Tensor) -> bool:
    return isinstance(result.grad_fn, WrittenNode)


def test_off() -> None:
    x = leaf(2.0)
    before = observers.active
    with fast.off():
        with fast.off():
            assert not is_written(x * x)
        assert not is_written(x * x)
    assert is_written(x * x)
    assert observers.active == before


def test_nothing_is_written_in_off() -> None:
    half: Any = op("half", lambda self: self / 2, self=lambda grad: grad / 2)
    with fast.off():
        assert half(leaf(4.0)).tolist() == [2.0]
        assert half.row.source == ""
    assert is_written(half(leaf(4.0)))


def test_off_is_for_all_threads() -> None:
    found = []
    with fast.off():
        thread = threading.Thread(target=lambda: found.append(is_written(leaf(1.0) * 2)))
        thread.start()
        thread.join()
    assert found == [False]


def test_inference_mode_is_no_reason_to_be_slow() -> None:
    x = leaf(2.0)
    with minigrad.inference_mode():
        assert (x * x).is_inference()
        with minigrad.enable_grad():
            assert (x * x).requires_grad is False
            assert x.view(1).is_inference() is False  # it shows memory that is none of the mode's
    assert is_written(x * x)


def test_another_threads_watchers_are_none_of_ours() -> None:
    hooks = minigrad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    inside, done = threading.Event(), threading.Event()

    def work() -> None:
        with hooks:
            inside.set()
            done.wait()

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    assert is_written(leaf(1.0) * 2)
    done.set()
    thread.join()
    with hooks:
        assert not is_written(leaf(1.0) * 2)


def test_off_ends_with_an_error() -> None:
    with pytest.raises(ZeroDivisionError), fast.off():
        raise ZeroDivisionError
    assert is_written(leaf(1.0) * 2)


def test_graphs_go_on_from_one_to_the_other() -> None:
    x = leaf(2.0)
    y = x * x
    with fast.off():
        z = y * x
    (z * y).backward(retain_graph=True)
    usual, x.grad = x.grad, None
    with fast.off():
        (z * y).backward()
    assert usual is not None
    assert x.grad is not None
    assert usual.tolist() == x.grad.tolist() == [80.0]


def test_a_second_derivative_from_one_to_the_other() -> None:
    x = leaf(2.0)
    y = (x**3).sum()
    with fast.off():
        (first,) = minigrad.autograd.grad(y, x, create_graph=True)
    (second,) = minigrad.autograd.grad(first.sum(), x)
    assert second is not None
    assert second.tolist() == [12.0]


# Cycles


def test_nothing_is_left_to_the_garbage_collector() -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            x = leaf(1.0, 2.0)
            node_of(x.exp() * x)._saved["self"]
            (x.exp() * x).sum().backward()
        del x
        assert gc.collect() == 0
    finally:
        gc.enable()


# In place


def test_without_history_it_computes_where_the_memory_is() -> None:
    x, y = new_tensor(np.ones(3, np.float32)), new_tensor(np.full(3, 2, np.float32))
    memory = x._data
    x.mul_(y)
    x += 1
    assert x._data is memory
    assert (x.tolist(), x._version) == ([3.0] * 3, 2)


def test_numbers_are_replaced() -> None:
    x = tensor(2.0)
    x.mul_(3)
    assert (x.item(), x._version) == (6.0, 1)
    alias = x.detach()
    x.add_(1)
    assert alias.item() == 7.0


def test_what_is_no_ufunc_keeps_its_form() -> None:
    assert in_place(elementwise.exp, "exp_").__qualname__ == "exp_"
