"""The code generated from the rows of the table, and when it falls back to plain code."""

import ast
import gc
import itertools
import threading
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, fast, tensor
from minigrad.core.inplace import in_place
from minigrad.core.operation import OperationNode, op
from minigrad.core.tensor import new_tensor
from minigrad.fast import sources
from minigrad.fast.nodes import GeneratedNode
from minigrad.ops import elementwise
from minigrad.support import observers
from tests.table import OPERATIONS
from tests.tensors import leaf, node_of

# The text


@pytest.mark.parametrize("name", sorted(OPERATIONS))
def test_every_row_is_written(name: str) -> None:
    written = ast.parse(fast.source(OPERATIONS[name])).body
    names = [each.name for each in written if isinstance(each, ast.FunctionDef)]
    assert OPERATIONS[name].row.name in names


def test_every_lambda_is_found_in_its_file() -> None:
    rows = [each.row for each in OPERATIONS.values()]
    lambdas = [f for row in rows for f in [row.kernel, *row.rules.values()] if is_lambda(f)]
    assert lambdas
    assert [each for each in lambdas if sources.lambda_body(each) is None] == []


def is_lambda(function: Any) -> bool:
    return getattr(function, "__name__", "") == "<lambda>"


# fmt: off
LAMBDAS: list[Callable[..., Any]] = [
    lambda grad, x: (grad + x) * 2 if x else (grad), lambda grad, x: (grad * x),
    lambda grad: grad, lambda x: x or None, lambda x: "é" + x, lambda grad: [x for x in grad if x],
]
# fmt: on


@pytest.mark.parametrize("number", range(len(LAMBDAS)))
def test_source_of_a_lambda(number: int) -> None:
    expected = ["(grad + x) * 2 if x else grad", "grad * x", "grad", "x or None", "'é' + x"]
    expected += ["[x for x in grad if x]"]
    body = sources.lambda_body(LAMBDAS[number])
    assert body is not None
    assert ast.unparse(body) == expected[number]


def test_a_lambda_without_its_source_has_no_text() -> None:
    assert sources.lambda_body(np.exp) is None
    assert sources.lambda_body(is_lambda) is None
    assert sources.lambda_body(eval("lambda x: x + 1")) is None
    other = (lambda grad, y: grad * y).__code__.replace(co_filename=np.__file__)
    assert sources.lambda_body(type(is_lambda)(other, globals())) is None


def test_only_a_row_has_a_source() -> None:
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
        written[-1](leaf([1.0])).backward()
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
    alias = triple  # an alias of the stub runs the operation as well
    assert triple.row.source == ""
    x = leaf([2.0])
    y = alias(x)
    assert (y.tolist(), node_of(y).name(), triple is alias) == ([6.0], "TripleBackward0", True)
    y.sum().backward()
    assert x.grad is not None
    assert (x.grad.tolist(), triple.row.source != "") == ([3.0], True)


def test_threads_may_call_a_row_for_the_first_time_together() -> None:
    twice: Any = op("twice", lambda self: self * 2, self=lambda grad: grad * 2)
    together, results = threading.Barrier(4), []

    def work() -> None:
        together.wait()
        results.append(twice(leaf([1.0])).tolist())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert results == [[2.0]] * 4


# Rules that compute with arrays, and those that need tensors


def helper(grad: Tensor) -> Tensor:
    return grad.sum(0, keepdim=True)  # arrays call it `keepdims`


def test_a_rule_that_means_something_else_for_arrays_runs_on_tensors() -> None:
    spread: Any = op(
        "spread", lambda self: self + 0, self=lambda grad: grad.sum(0, keepdim=True) + 0 * grad
    )
    x = leaf([1.0, 2.0])
    spread(x).backward(tensor([1.0, 3.0]))
    assert x.grad is not None
    assert x.grad.tolist() == [4.0, 4.0]


# Nodes


def test_written_nodes_look_like_others() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    usual = node_of(x * y)
    with fast.off():
        plain = node_of(x * y)
    assert (type(usual).__mro__[1], type(plain).__mro__[1]) == (GeneratedNode, OperationNode)
    assert type(usual).__name__ == type(plain).__name__
    assert usual.next_functions == plain.next_functions
    assert usual._meta == plain._meta
    assert list(usual._saved) == list(plain._saved)
    assert usual.name() == plain.name()
    assert {n for n in dir(plain) if "_saved_" in n} <= set(dir(usual))
    assert usual._saved_self is x
    assert plain._saved_self is x
    assert usual._retaining == plain._retaining == {}


def test_saved_values_of_a_node_can_be_replaced() -> None:
    x = leaf([1.0, 2.0])
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


def test_bytes_per_node() -> None:
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
    return isinstance(result.grad_fn, GeneratedNode)


def test_off_can_be_nested() -> None:
    x = leaf([2.0])
    before = [*observers.active]
    with fast.off():
        with fast.off():
            assert not is_written(x * x)
        assert not is_written(x * x)
    assert is_written(x * x)
    assert observers.active == before


def test_no_source_is_written_inside_off() -> None:
    half: Any = op("half", lambda self: self / 2, self=lambda grad: grad / 2)
    with fast.off():
        assert half(leaf([4.0])).tolist() == [2.0]
        assert half.row.source == ""
    assert is_written(half(leaf([4.0])))


def test_off_is_for_all_threads() -> None:
    found = []
    with fast.off():
        thread = threading.Thread(target=lambda: found.append(is_written(leaf([1.0]) * 2)))
        thread.start()
        thread.join()
    assert found == [False]


def test_inference_mode_runs_written_operations() -> None:
    x = leaf([2.0])
    with minigrad.inference_mode():
        assert (x * x).is_inference()
        with minigrad.enable_grad():
            assert (x * x).requires_grad is False
            assert x.view(1).is_inference() is False  # allocated before the mode began
    assert is_written(x * x)


def test_observers_of_another_thread_do_not_count() -> None:
    hooks = minigrad.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    inside, done = threading.Event(), threading.Event()

    def work() -> None:
        with hooks:
            inside.set()
            done.wait()

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait()
    assert is_written(leaf([1.0]) * 2)
    done.set()
    thread.join()
    with hooks:
        assert not is_written(leaf([1.0]) * 2)


def test_off_ends_with_an_error() -> None:
    with pytest.raises(ZeroDivisionError), fast.off():
        raise ZeroDivisionError
    assert is_written(leaf([1.0]) * 2)


def test_a_graph_can_have_written_and_plain_nodes() -> None:
    x = leaf([2.0])
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


def test_a_second_derivative_through_written_and_plain_nodes() -> None:
    x = leaf([2.0])
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
            x = leaf([1.0, 2.0])
            node_of(x.exp() * x)._saved["self"]
            (x.exp() * x).sum().backward()
        del x
        assert gc.collect() == 0
    finally:
        gc.enable()


# In place


def test_without_history_an_in_place_operation_keeps_its_array() -> None:
    x, y = new_tensor(np.ones(3, np.float32)), new_tensor(np.full(3, 2, np.float32))
    memory = x._data
    x.mul_(y)
    x += 1
    assert x._data is memory
    assert (x.tolist(), x._version) == ([3.0] * 3, 2)


def test_in_place_operations_on_numbers_are_seen_by_aliases() -> None:
    x = tensor(2.0)
    x.mul_(3)
    assert (x.item(), x._version) == (6.0, 1)
    alias = x.detach()
    x.add_(1)
    assert alias.item() == 7.0


def test_an_in_place_form_without_a_ufunc_keeps_its_name() -> None:
    assert in_place(elementwise.exp, "exp_").__qualname__ == "exp_"
