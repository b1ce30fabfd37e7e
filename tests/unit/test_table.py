"""The table of operations: what rows declare, nodes save, and operations return."""

import builtins
import dis
import importlib
import inspect
import re
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, float32, float64, int64, ops, tensor
from minigrad.core.operation import Operation, OperationNode, op
from minigrad.ops import shapes
from minigrad.rows.operands import parameters, signature
from minigrad.support.shapes import broadcastable
from tests.table import OPERATIONS
from tests.tensors import leaf, node_of

ROOT = Path(__file__).resolve().parents[2]
ROWS: dict[str, Operation] = {name: each.row for name, each in OPERATIONS.items()}
WITH_RULES = sorted(name for name, row in ROWS.items() if row.rules)


# Rows


def test_no_row_is_missing_from_the_table() -> None:
    public = {each.row for each in ops.FUNCTIONS.values() if hasattr(each, "row")}
    assert public
    assert public <= {*ROWS.values()}
    assert len({*ROWS.values()}) == len(ROWS) > 200


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_says_which_parameters_it_has(name: str) -> None:
    row = ROWS[name]
    assert row.inputs
    assert set(row.rules) <= set(row.inputs)
    assert row.tensors
    assert set(row.freed) <= {*row.inputs, "result"}
    if isinstance(row.kernel, np.ufunc):
        assert len(row.inputs) == row.kernel.nin
    elif parameters(row.kernel):
        given = list(inspect.signature(row.kernel).parameters.values())
        assert [each.name for each in given] == row.inputs
        assert {each.kind for each in given} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    function = vars(importlib.import_module(f"minigrad.ops.{name.partition('.')[0]}"))
    assert function[name.partition(".")[2]].row is row
    names = list(signature(row).parameters)
    first = "self" if "input" in row.inputs else "input"  # the name that PyTorch's functions use
    assert names == [first if each == "self" else each for each in row.inputs]


@pytest.mark.parametrize("name", WITH_RULES)
def test_the_node_of_a_row_has_its_name(name: str) -> None:
    row = ROWS[name]
    assert issubclass(row.node_class, OperationNode)
    assert row.node_class.__name__ == row.node_name.rpartition("::")[2]
    assert row.node_class.__module__ == "builtins"
    assert "Backward" in row.node_name or row.node_name == "torch::autograd::NotImplemented"


@pytest.mark.parametrize("name", WITH_RULES)
def test_a_rule_uses_only_inputs_their_metadata_and_the_result(name: str) -> None:
    row = ROWS[name]
    facts = {f"{each}_{fact}" for each in row.tensors for fact in Operation.facts}
    for rule in row.rules.values():
        first, *needs = inspect.signature(rule).parameters
        assert first == "grad"
        assert set(needs) <= {*row.inputs, *facts, "result"}


@pytest.mark.parametrize("name", WITH_RULES)
def test_a_rule_has_no_closure_and_no_defaults(name: str) -> None:
    """No closure and no defaults, so the same code can run on arrays with other globals."""
    for rule in ROWS[name].rules.values():
        assert isinstance(rule, types.FunctionType)
        assert (rule.__closure__, rule.__defaults__, rule.__kwdefaults__) == (None, None, None)
        assert not any(isinstance(each, types.CodeType) for each in rule.__code__.co_consts)
        for instruction in dis.get_instructions(rule):
            if instruction.opname == "LOAD_GLOBAL":
                used = rule.__globals__.get(instruction.argval)
                known = getattr(builtins, instruction.argval, used)
                assert known is not None, instruction.argval
                assert not isinstance(known, types.ModuleType), instruction.argval


def test_a_rule_calls_only_rows_and_helpers_of_minigrad() -> None:
    for name in WITH_RULES:
        for rule in ROWS[name].rules.values():
            for instruction in dis.get_instructions(rule):
                if instruction.opname == "LOAD_GLOBAL" and instruction.argval in rule.__globals__:
                    used = rule.__globals__[instruction.argval]
                    assert hasattr(used, "row") or used.__module__.startswith("minigrad.")


def test_derivatives_of_a_row_have_derivatives() -> None:
    cube = op("cube", lambda self: self**3, self=lambda grad, self: grad * 3 * self * self)
    x = leaf([2.0])
    (first,) = minigrad.autograd.grad(cube(x), x, create_graph=True)
    assert first is not None
    assert node_of(cube(x)).name() == "CubeBackward0"
    (second,) = minigrad.autograd.grad(first, x)
    assert (first.item(), second.item() if second is not None else None) == (12.0, 12.0)


def test_arithmetic_with_numbers_has_one_edge_in_the_graph_of_a_gradient() -> None:
    curve = op(
        "curve",
        lambda self, n: self * n,
        self=lambda grad, self, n: n * grad + 2 - (1 - self / n) / (n + 1),
    )
    x = leaf([2.0])
    (first,) = minigrad.autograd.grad(curve(x, 3), x, create_graph=True)
    assert first is not None
    names = []
    waiting = [first.grad_fn]
    while waiting:
        node = waiting.pop(0)
        names.append(f"{node.name()} {len(node.next_functions)}")  # type: ignore[union-attr]
        waiting += [each for each, _ in node.next_functions if each]  # type: ignore[union-attr]
    assert names == [
        "SubBackward0 2",
        "DivBackward1 1",  # (1 - self / n) / (n + 1)
        "SubBackward0 2",  # 1 - …: a number cannot be swapped with a tensor
        "DivBackward1 1",
        "torch::autograd::AccumulateGrad 0",
    ]


def test_a_rule_sees_python_numbers_as_tensors() -> None:
    x = leaf([2.0])
    (first,) = minigrad.autograd.grad(x * x * 5, x, create_graph=True)
    names = [node_of(first).name()]
    names += [each.name() for each, _ in node_of(first).next_functions if each]
    assert "MulBackward1" not in names


# What a node saves


@pytest.mark.parametrize(
    ("wanted", "saved_self", "saved_other"),
    [("self", False, True), ("other", True, False), ("both", True, True)],
)
def test_mul_saves_only_the_operands_that_gradients_need(
    wanted: str, saved_self: bool, saved_other: bool
) -> None:
    a = tensor([2.0], requires_grad=wanted != "other")
    b = tensor([3.0], requires_grad=wanted != "self")
    node = node_of(a * b)
    assert (node._saved_self is not None) == saved_self
    assert (node._saved_other is not None) == saved_other


def test_saved_values_are_the_tensors_they_were() -> None:
    x = leaf([2.0, 3.0])
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
    x = leaf([2.0, 3.0])
    for result in (x + x, x - 1, -x, x.clone(), 1 - x, x.sum(), x.mean(), x[0], x.unsqueeze(0)):
        assert not [name for name in dir(node_of(result)) if name.startswith("_raw_saved_")]
    assert [name for name in dir(node_of(x.exp())) if name.startswith("_raw_saved_")]


def test_nothing_is_saved_when_nothing_is_recorded() -> None:
    for result in (tensor([1.0]).exp(), leaf([1.0]).detach() * 2):
        assert (result.grad_fn, result.requires_grad, result._counter) == (None, False, None)
    with minigrad.no_grad():
        assert (leaf([1.0]) * 2).grad_fn is None


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
    x = leaf([1.0, 2.0])
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
    x = leaf([0.0, -1.0, 1e30])
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


@pytest.mark.parametrize(("name", "arity"), [("mul", 2), ("sub", 2), ("exp", 1), ("neg", 1)])
def test_a_debugger_meets_the_operation_by_its_name(name: str, arity: int) -> None:
    function: Any = getattr(ops.elementwise, name)
    call, arguments = getattr(function.row, "plain", function), [leaf([1.0, 2.0])] * arity
    call(*arguments)  # the first call decides how arguments become arrays
    frames: list[types.CodeType] = []
    sys.setprofile(lambda frame, event, _: frames.append(frame.f_code) if event == "call" else None)
    try:
        call(*arguments)
    finally:
        sys.setprofile(None)
    names = [code.co_name for code in frames]
    until_numpy = frames[: names.index("new_tensor")]  # takes what NumPy computed
    assert names[:4] == [name, "__call__", "compute", f"arrays_of_{name}"]
    assert {*names[4 : len(until_numpy)]} <= {"to_float"}
    assert len({code.co_filename for code in until_numpy}) == 3


def test_special_methods_are_found_by_their_names() -> None:
    text = Path(ops.operators.__file__).read_text(encoding="utf-8")
    written = set(re.findall(r"\bTensor\.(__\w+__)", text)) - {"__array_priority__"}
    assert len(written) > 40
    for name in written:
        assert callable(vars(Tensor)[name])
    assert vars(Tensor)["__mul__"] is ops.elementwise.mul


def test_operators_return_not_implemented_for_unknown_types() -> None:
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


def test_arguments_are_bound_by_their_names_and_defaults() -> None:
    x = tensor([[1.0, 2.0], [3.0, 4.0]])
    assert minigrad.transpose(x, dim1=0, dim0=1).tolist() == [[1.0, 3.0], [2.0, 4.0]]
    assert minigrad.tril(diagonal=-1, input=x).tolist() == [[0.0, 0.0], [3.0, 0.0]]
    assert minigrad.tril(input=x).tolist() == [[1.0, 0.0], [3.0, 4.0]]
    for call, message in [
        (lambda: minigrad.exp(), r"^exp\(\) missing (1|a) required .*argument: 'input'$"),
        (lambda: minigrad.mul(x), r"^mul\(\) missing (1|a) required .*argument: 'other'$"),
        (lambda: minigrad.exp(x, x), r"^exp\(\) takes 1 positional argument"),
        (lambda: minigrad.exp(x, foo=1), r"^exp\(\) got an unexpected keyword argument 'foo'"),
        (lambda: minigrad.exp(x, input=x), r"^exp\(\) .*multiple values for argument 'input'$"),
    ]:
        with pytest.raises(TypeError, match=message):
            call()


def test_two_python_numbers_make_a_tensor() -> None:
    for result in (minigrad.add(1, 2), minigrad.mul(True, 2.0), minigrad.div(1, 2)):
        assert (result.shape, result.stride(), result.is_contiguous()) == ((), (), True)
        assert result.numpy().dtype == result.dtype.numpy


def test_helpers_of_reductions_and_shapes() -> None:
    assert shapes.axes(None, 3) == shapes.axes([], 3) == (0, 1, 2)
    assert shapes.axes((-1, 0), 3) == (2, 0)
    assert shapes.count((2, 3, 4), (0, -1)) == 8
    assert shapes.resolve((2, -1), 6) == (2, 3)
    assert shapes.inverse((2, 0, 1)) == [1, 2, 0]
    assert broadcastable((2, 1), (3,))
    assert not broadcastable((2,), (3,))
    with pytest.raises(RuntimeError, match=r"^dim 1 appears multiple times in the list of dims"):
        shapes.axes((1, -1), 2)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"self": lambda grad, slf: grad * slf}, "the rule for 'self' of double asks for 'slf'"),
        ({"self": lambda grad, self_size: grad}, "the rule for 'self' of double asks for"),
        ({"slf": lambda grad: grad}, "double has no input 'slf' for a rule: its inputs are self"),
    ],
)
def test_a_rule_with_a_wrong_name_is_refused_where_it_is_declared(
    rules: dict[str, Any], message: str
) -> None:
    with pytest.raises(TypeError, match=message):
        op("double", lambda self: self * 2, **rules)
