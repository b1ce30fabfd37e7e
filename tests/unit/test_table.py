"""The table of operations: what rows declare, what is written from them, what nodes keep."""

import ast
import builtins
import threading
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, float32, float64, int64, tensor
from minigrad.node import Node
from minigrad.ops import elementwise, reductions, runtime, shapes, table
from minigrad.ops.table import ROWS, op, row_of, source

ROOT = Path(__file__).resolve().parents[2]


def leaf(*values: float) -> Tensor:
    return tensor(values, requires_grad=True)


def node_of(result: Tensor) -> Any:
    assert isinstance(result.grad_fn, Node)
    return result.grad_fn


@pytest.fixture
def _scratch_rows() -> Any:
    """Rows that a test declares are gone afterwards."""
    before = {name: dict(names) for name, names in vars(table).items() if name in SCRATCH}
    yield
    for name, names in before.items():
        getattr(table, name).clear()
        getattr(table, name).update(names)


SCRATCH = ("ROWS", "ARRAYS", "TENSORS")


# Rows and what is written from them


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_row_compiles(name: str) -> None:
    row = ROWS[name]
    table.write(row)
    written = {d.name: d for d in ast.parse(row.source).body if isinstance(d, ast.FunctionDef)}
    assert set(written) == ({name, "backward", "backward_graph"} if row.rules else {name})
    parameters = [a.arg for a in [*written[name].args.args, *written[name].args.kwonlyargs]]
    first = "self" if "input" in row.params else "input"  # as PyTorch's functions name it
    assert parameters == [first if param == "self" else param for param in row.params]
    assert row.function.__code__.co_varnames[: len(row.params)] == tuple(parameters)
    if row.rules:
        node_class = table.ARRAYS[f"{row.name}_node"]
        assert issubclass(node_class, Node)
        assert node_class.__name__ == row.node.rpartition("::")[2]
        assert set(row.rules) <= set(row.params)


@pytest.mark.parametrize("name", sorted(name for name, row in ROWS.items() if row.rules))
def test_every_rule_names_operations_inputs_and_helpers_only(name: str) -> None:
    row = ROWS[name]
    for rule in row.rules.values():
        known = {*row.params, *row.saved, "grad", "result"}
        unknown = set(table.names_in(rule)) - known
        assert unknown <= set(table.TENSORS)
        assert unknown <= set(table.ARRAYS) | set(ROWS)


def test_source_shows_what_it_says() -> None:
    text = source(elementwise.exp)
    assert text == row_of(elementwise.exp).source
    assert "result = np.exp(self_data)" in text
    assert "node = exp_node()" in text
    assert "self_grad = grad * result" in text
    assert text.count("raise freed_graph()") == 2  # on arrays, and on tensors
    assert "result = in_graph(result, node.counter_result, node)" in text


@pytest.mark.usefixtures("_scratch_rows")
def test_arithmetic_with_numbers_has_one_edge_in_the_graph_of_a_gradient() -> None:
    curve = op("curve(self, n)", "self", self="n * grad + 2 - (1 - self / n) / (n + 1)")
    text = source(curve)
    assert "self_grad = n * grad + 2 - (1 - self / n) / (n + 1)" in text
    assert (
        "self_grad = add_number(mul_number(grad, n), 2)"
        " - div_number(sub(1, div_number(self, n)), n + 1)" in text
    )


def test_source_is_what_runs_and_what_tracebacks_show() -> None:
    import linecache

    minigrad.exp(tensor(0.0))
    code = elementwise.exp.__code__
    assert linecache.getline(code.co_filename, 1).startswith("def exp(input):")
    assert "".join(linecache.getlines(code.co_filename)) in source(elementwise.exp)


@pytest.mark.usefixtures("_scratch_rows")
def test_a_row_is_written_when_it_is_first_called() -> None:
    triple = op("triple(self)", "self * 3", self="grad * 3")
    held = triple  # whoever holds the stub holds the operation
    assert row_of(triple).source == ""
    x = leaf(2.0)
    y = held(x)
    assert (y.item(), node_of(y).name(), triple) == (6.0, "TripleBackward0", held)
    y.backward()
    assert x.grad is not None
    assert (x.grad.item(), row_of(triple).source != "") == (3.0, True)


@pytest.mark.usefixtures("_scratch_rows")
def test_derivatives_of_a_row_have_derivatives() -> None:
    cube = op("cube(self)", "self * self * self", self="grad * 3 * self * self")
    x = leaf(2.0)
    (first,) = minigrad.autograd.grad(cube(x), x, create_graph=True)
    assert first is not None
    (second,) = minigrad.autograd.grad(first, x)
    assert (first.item(), second.item() if second is not None else None) == (12.0, 12.0)


@pytest.mark.usefixtures("_scratch_rows")
def test_threads_may_call_an_operation_for_the_first_time_together() -> None:
    errors: list[BaseException] = []
    for number in range(30):
        fresh = op(f"fresh_{number}(self, *, alpha=1)", "self * alpha", self="grad * alpha")
        start = threading.Barrier(3)

        def call(fresh: Any = fresh, start: threading.Barrier = start) -> None:
            start.wait()
            try:
                assert fresh(leaf(2.0), alpha=3).item() == 6.0
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=call) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


@pytest.mark.usefixtures("_scratch_rows")
def test_a_thread_that_still_runs_the_stub_gets_the_operation() -> None:
    late = op("late(self, *, alpha=1)", "self * alpha")
    stub = types.FunctionType(late.__code__, table.ARRAYS)
    assert late(tensor([1.0])).item() == 1.0
    stub.__kwdefaults__ = late.__kwdefaults__  # as the first call has left them
    assert stub(tensor([2.0]), alpha=2).item() == 4.0


# What a node saves


@pytest.mark.parametrize(
    ("wanted", "saved_self", "saved_other"),
    [("self", False, True), ("other", True, False), ("both", True, True)],
)
def test_mul_saves_what_wanted_gradients_need(
    wanted: str, saved_self: bool, saved_other: bool
) -> None:
    a = tensor([2.0], requires_grad=wanted != "other")
    b = tensor([3.0], requires_grad=wanted != "self")
    node = node_of(a * b)
    assert hasattr(node, "saved_self") == saved_self
    assert hasattr(node, "saved_other") == saved_other
    assert (node._saved_self is not None) == saved_self
    assert (node._saved_other is not None) == saved_other


def test_saved_values_are_the_tensors_they_were() -> None:
    x = leaf(2.0, 3.0)
    y = x * 1
    z = y.exp()
    assert node_of(x * x)._saved_self is x
    assert node_of(z)._saved_result.tolist() == z.tolist()
    assert node_of(z)._saved_result.grad_fn is z.grad_fn
    saved = node_of(y * y)._saved_self
    assert (saved.grad_fn is y.grad_fn, np.shares_memory(saved._data, y._data)) == (True, True)
    assert node_of(x**2)._saved_exponent == 2
    assert node_of(x * 5)._saved_other.item() == 5


def test_operations_that_need_nothing_save_nothing() -> None:
    x = leaf(2.0, 3.0)
    for result in (x + x, x - 1, -x, x.clone(), 1 - x):
        assert not any(hasattr(node_of(result), f"saved_{name}") for name in ("self", "other"))
    for result in (x.sum(), x.mean(), x[0], x.unsqueeze(0)):
        assert not any(
            isinstance(getattr(node_of(result), slot, None), np.ndarray)
            for slot in type(node_of(result)).__slots__
        )


def test_nothing_is_kept_where_nothing_is_recorded() -> None:
    for result in (tensor([1.0]).exp(), leaf(1.0).detach() * 2):
        assert (result.grad_fn, result.requires_grad, result._counter) == (None, False, None)
    with minigrad.no_grad():
        assert (leaf(1.0) * 2).grad_fn is None


# Dtypes


@pytest.mark.parametrize("kind", [float32, float64, minigrad.float16])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_numbers_do_not_widen(kind: Any, shape: tuple[int, ...]) -> None:
    x = minigrad.ones(shape, dtype=kind)
    for result in (
        x + 1,
        1 + x,
        x * 2.5,
        2.5 * x,
        x - 1,
        2 - x,
        x + True,
        x / 3,
        3 / x,
        x**2,
        x**0.5,
        2**x,
    ):
        assert result.dtype is kind
        assert result._data.dtype == kind.numpy
    assert (x > 0.5).dtype is minigrad.bool


def test_integers_meet_floats() -> None:
    x = tensor([1, 2])
    assert [(x * 2.5).dtype, (x + 1).dtype, (x / 2).dtype] == [float32, int64, float32]
    assert (x * tensor([1.0, 2.0])).dtype is float32
    assert (x * tensor(1.0, dtype=float64)).dtype is float64
    assert (tensor([1.0]) * tensor(2.0, dtype=float64)).dtype is float32
    assert [x.exp().dtype, x.sum().dtype, tensor([True]).sum().dtype] == [float32, int64, int64]


def test_gradients_have_the_dtype_of_their_input() -> None:
    x = leaf(1.0, 2.0)
    y = tensor([1.0, 2.0], dtype=float64, requires_grad=True)
    (x * y).sum().backward()
    assert x.grad is not None
    assert y.grad is not None
    assert (x.grad.dtype, y.grad.dtype) == (float32, float64)


@pytest.mark.parametrize(
    ("a", "b"), [((2, 3), (3,)), ((2, 1), (1, 3)), ((3,), ()), ((), (2, 3)), ((0, 3), (1, 3))]
)
def test_gradients_have_the_shape_of_their_input(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    x, y = minigrad.ones(a, requires_grad=True), minigrad.full(b, 2.0, requires_grad=True)
    result = x * y
    result.backward(minigrad.ones(result.shape))
    assert x.grad is not None
    assert y.grad is not None
    assert (x.grad.shape, y.grad.shape) == (a, b)
    assert x.grad.sum().item() == 2.0 * result.numel()
    assert y.grad.sum().item() == result.numel()


# Silence and errors


def test_numpys_warnings_do_not_leak() -> None:
    x = leaf(0.0, -1.0, 1e30)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"minigrad(\.|$)")
        results = [
            x.log(),
            x.sqrt(),
            1 / x,
            x * x * x,
            (x * 10).exp(),
            x / x,
            x**-1.5,
            (-x).sigmoid(),
        ]
        for result in results:
            result.sum().backward()
    assert [str(warning.message) for warning in caught] == []
    assert any(not bool(result.isfinite().all()) for result in results)


def test_the_filter_for_numpys_warnings_is_set_at_import() -> None:
    import subprocess
    import sys

    program = "import minigrad as m; m.tensor([0.], requires_grad=True).log().sum().backward()"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert run.stderr == ""


def test_operators_leave_strangers_to_python() -> None:
    class Stranger:
        def __radd__(self, other: Any) -> str:
            return "theirs"

    assert tensor([1.0]) + Stranger() == "theirs"
    with pytest.raises(TypeError, match=r"^unsupported operand type"):
        tensor([1.0]) + "text"  # type: ignore[operator]
    with pytest.raises(
        TypeError, match=r"^mul\(\): argument 'other' \(position 2\) must be Tensor"
    ):
        minigrad.mul(tensor([1.0]), "text")
    with pytest.raises(
        TypeError, match=r"^exp\(\): argument 'input' \(position 1\) must be Tensor"
    ):
        minigrad.exp(1.0)


def test_two_python_numbers_make_a_tensor() -> None:
    for result in (minigrad.add(1, 2), minigrad.mul(True, 2.0), minigrad.div(1, 2)):
        assert (result.shape, result.stride(), result.is_contiguous()) == ((), (), True)
        assert result.numpy().dtype == result.dtype.numpy


def test_helpers_of_reductions_and_shapes() -> None:
    assert reductions.axes(None, 3) == reductions.axes([], 3) == (0, 1, 2)
    assert reductions.axes((-1, 0), 3) == (2, 0)
    assert reductions.count((2, 3, 4), (0, -1)) == 8
    assert shapes.resolve((2, -1), 6) == (2, 3)
    assert shapes.inverse((2, 0, 1)) == [1, 2, 0]
    assert runtime.broadcastable((2, 1), (3,))
    assert not runtime.broadcastable((2,), (3,))
    with pytest.raises(RuntimeError, match=r"^dim 1 appears multiple times in the list of dims"):
        reductions.axes((1, -1), 2)


def test_names_in_written_code_hide_nothing_of_python() -> None:
    for row in ROWS.values():
        table.write(row)
    hidden = set(table.ARRAYS) & set(vars(builtins))
    assert hidden <= {"__name__", *ROWS}  # rows may be called `abs`, which rules then mean
