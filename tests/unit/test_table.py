"""The table of operations: what rows declare, and under which names they are found."""

import builtins
import dis
import importlib
import inspect
import re
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, ops, tensor
from minigrad.core.operation import Operation, OperationNode, op
from minigrad.rows.operands import parameters, signature
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


# Names, and errors


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
