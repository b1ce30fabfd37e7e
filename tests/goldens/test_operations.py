"""Every operation of minigrad computes what PyTorch 2.13 was recorded to compute."""

import ast
import copy
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from minigrad import ops
from tests.differences import parts, require
from tests.goldens.cases import by_operation, cases
from tests.goldens.record_operations import differences, load, outcome

CASES = cases()
BY_OPERATION = by_operation()
RECORDED = load()

BINARY = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.Pow: "pow",
    ast.MatMult: "matmul", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor",
}  # fmt: skip
OTHERS = {
    ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert", ast.Eq: "eq", ast.NotEq: "ne",
    ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge",
}  # fmt: skip


@pytest.mark.parametrize("operation", BY_OPERATION)
def test_operation(operation: str) -> None:
    wrong = []
    for case in BY_OPERATION[operation]:
        found = differences(case, RECORDED[case.name], outcome(case, "minigrad"))
        try:
            require("operation", case.name, parts(found), found)
        except AssertionError as error:
            wrong.append(str(error))
    assert not wrong, "\n".join(wrong)


def test_every_case_is_recorded() -> None:
    assert list(RECORDED) == [case.name for case in CASES]


def test_every_operation_has_cases() -> None:
    exercised = {name for case in CASES for name in operations_in(case.code)}
    operators = re.findall(r"Tensor\.(__\w+__)", Path(ops.operators.__file__).read_text("utf-8"))
    assert {*ops.FUNCTIONS, *ops.METHODS, *operators} - {"__array_priority__"} - exercised == set()


def operations_in(code: str) -> Iterator[str]:
    """The functions, methods and operators that a program uses, by the names of their methods."""
    for part in ast.walk(ast.parse(code)):
        if isinstance(part, ast.Attribute):
            yield part.attr
        elif isinstance(part, ast.BinOp):
            reflected = "r" * isinstance(part.left, ast.Constant)
            yield f"__{reflected}{BINARY[type(part.op)]}__"
        elif isinstance(part, ast.AugAssign):
            yield f"__i{BINARY[type(part.op)]}__"
        elif isinstance(part, ast.Subscript):
            yield "__setitem__" if isinstance(part.ctx, ast.Store) else "__getitem__"
        elif isinstance(part, ast.Name) and part.id == "abs":
            yield "__abs__"
        elif type(part) in OTHERS:
            yield f"__{OTHERS[type(part)]}__"


def test_a_difference_is_seen() -> None:
    case = next(case for case in CASES if case.code == "x * y" and "float64 3" in case.name)
    expected = outcome(case, "minigrad")
    assert differences(case, expected, expected) == []
    changed = copy.deepcopy(expected)
    changed["first"][0][2][0] += 1e-12
    assert len(differences(case, expected, changed)) == 1
    changed["results"][0][4][0] = "MulBackward1 1 2"
    changed["results"][0][3].pop("leaf")
    assert len(differences(case, expected, changed)) == 3
    changed["first"][0][2][0] = "nan"
    changed.pop("second")
    assert len(differences(case, expected, changed)) == 4
