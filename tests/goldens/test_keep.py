"""Recording again keeps what agrees, and writes what changed."""

from __future__ import annotations

import copy
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.goldens import record, record_operations
from tests.goldens.keep import TOLERANCE, is_tensor, keep, texts_agree

NEXT = math.nextafter(0.1, 1)


def tensor(*values: Any, dtype: str = "float64") -> list[Any]:
    """A tensor as a recorder writes it."""
    return [dtype, [len(values)], [*values]]


def test_a_value_that_moved_in_the_last_bit_is_not_rewritten() -> None:
    assert keep(tensor(0.1, 2.5), tensor(NEXT, 2.5)) == tensor(0.1, 2.5)
    assert NEXT != 0.1


def test_a_wrong_value_is_written_and_its_neighbors_are_kept() -> None:
    assert keep(tensor(0.1, 2.5), tensor(NEXT, 2.5001)) == tensor(0.1, 2.5001)


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_each_dtype_has_room_for_two_last_bits_but_not_for_twice_its_tolerance(dtype: str) -> None:
    last_bit = float(np.finfo(dtype).eps)
    assert 2 * last_bit <= TOLERANCE[dtype]
    old = tensor(1.0, dtype=dtype)
    assert keep(old, tensor(1.0 + last_bit, dtype=dtype)) == old
    wrong = tensor(1.0 + 2 * TOLERANCE[dtype], dtype=dtype)
    assert keep(old, wrong) == wrong


def test_room_grows_with_the_largest_number_but_is_never_less_than_at_1() -> None:
    assert keep(tensor(1e3, 1.0), tensor(1e3, 1.0 + 1e-10)) == tensor(1e3, 1.0)
    assert keep(tensor(1.0, 1.0), tensor(1.0, 1.0 + 1e-10)) == tensor(1.0, 1.0 + 1e-10)
    assert keep(tensor(1e6, 1e-17), tensor(1e6, 0.0)) == tensor(1e6, 1e-17)
    assert keep(tensor(1.4e-17), tensor(0.0)) == tensor(1.4e-17)  # what remains of a sum
    assert keep(tensor(1e-11), tensor(0.0)) == tensor(0.0)


@pytest.mark.parametrize(
    ("recorded", "new"),
    [
        ("nan", 0.0), (0.0, "nan"), ("nan", "inf"), ("inf", "-inf"), (1e300, "inf"), (0.0, -0.0),
        (-0.0, 0.0),
    ],
)  # fmt: skip
def test_nan_inf_and_the_sign_of_zero_are_exact(recorded: Any, new: Any) -> None:
    assert str(keep(tensor(recorded), tensor(new))) == str(tensor(new))
    assert str(keep(tensor(recorded), tensor(recorded))) == str(tensor(recorded))


def test_another_shape_or_dtype_is_written_with_its_values() -> None:
    for other in (tensor(NEXT, dtype="float32"), ["float64", [1, 1], [NEXT]], tensor(NEXT, 1.0)):
        assert keep(tensor(0.1), other) == other
    assert keep(tensor(1, dtype="int64"), tensor(2, dtype="int64")) == tensor(2, dtype="int64")
    assert keep(["bool", [1], [True]], ["int64", [1], [1]])[2] == [1]


def test_flags_graphs_and_errors_are_exact() -> None:
    case = {"results": [[*tensor(0.1), {"leaf": False}, ["MulBackward0 1 -"]]], "again": "Error: 1"}
    assert keep(case, copy.deepcopy(case)) == case
    for place, value in [((0, 3, "leaf"), True), ((0, 4, 0), "MulBackward0 1 2")]:
        changed: Any = copy.deepcopy(case)
        inner = changed["results"]
        for step in place[:-1]:
            inner = inner[step]
        inner[place[-1]] = value
        assert keep(case, changed) == changed
    assert keep(case, {**case, "again": "Error: 2"})["again"] == "Error: 2"


def test_a_case_that_is_gone_is_dropped_and_one_that_is_new_is_written() -> None:
    recorded = {"a": tensor(0.1), "b": tensor(0.1)}
    assert keep(recorded, {"c": tensor(NEXT), "a": tensor(NEXT)}) == {
        "c": tensor(NEXT), "a": tensor(0.1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("recorded", "new"),
    [
        ("w 0.5024012923240662 b", "w 0.5024013519287109 b"),  # a float32 and the next but one
        ("0.15995646", "0.15995644"),
        ("[0.30000000000000004, 2]", "[0.3, 2]"),
        ("1.2345678901234e-10,", "1.2345678901235e-10,"),
    ],
)
def test_texts_agree_where_numbers_differ_by_rounding(recorded: str, new: str) -> None:
    assert keep([recorded], [new]) == [recorded]
    assert recorded != new


@pytest.mark.parametrize(
    ("recorded", "new"),
    [
        ("0.5024", "0.5025"), ("0.3000000000000000", "0.3000000000010000"),
        ("0.123456789012", "0.123456789112"), ("0.15995646", "0.15995746"), ("1e-07", "2e-07"),
        ("1000.", "1000.0"), ("tensor(1.)", "tensor(1.0000)"), ("-0.", "0."), ("3", "4"),
        ("0.1 nan", "0.1 inf"), ("v2.13.0", "v2.13.1"), ("0.1, 0.2", "0.1,  0.2"),
        ("AddBackward0", "AddBackward1"), ("0.1", "-0.1"), ("1.0 2.0", "1.0"),
        ("0.25", "0.25000010000000003"),
    ],
)  # fmt: skip
def test_texts_do_not_agree_where_anything_else_differs(recorded: str, new: str) -> None:
    assert keep([recorded], [new]) == [new]
    assert not texts_agree(recorded, new)


def test_lines_added_to_a_program_leave_the_others_as_they_were() -> None:
    recorded = ["float32", "a 0.1", "b 0.30000000000000004"]
    new = ["float32", "first", "a 0.1", "between 1.0", "b 0.3"]
    assert keep(recorded, new) == [*new[:4], "b 0.30000000000000004"]
    assert keep(recorded, [recorded[0], "b 0.3"]) == [recorded[0], recorded[2]]


def shaken(found: Any) -> Any:
    """A copy in which the values of tensors are the next ones that their dtype holds."""
    if isinstance(found, dict):
        return {key: shaken(value) for key, value in found.items()}
    if not isinstance(found, list):
        return found
    if not is_tensor(found):
        return [shaken(each) for each in found]
    kind = np.dtype(found[0]).type
    values = [
        float(str(np.nextafter(kind(each), kind(9)))) if isinstance(each, float) and each else each
        for each in found[2]
    ]
    return [*found[:2], values, *shaken(found[3:])]


def test_everything_recorded_of_the_operations_survives_other_last_bits() -> None:
    recorded = record_operations.load()
    moved = shaken(recorded)
    assert sum(moved[name] != found for name, found in recorded.items()) > 2000
    assert keep(recorded, moved) == recorded


@pytest.mark.parametrize("file", [record.GOLDENS, record_operations.GOLDENS], ids=lambda f: f.stem)
def test_a_file_is_written_as_it_was_read(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = record if file == record.GOLDENS else record_operations
    recorded = json.loads(file.read_text(encoding="utf-8"))
    monkeypatch.setattr(module, "GOLDENS", tmp_path / file.name)
    module.save(keep(recorded, copy.deepcopy(recorded)))
    assert (tmp_path / file.name).read_bytes() == file.read_bytes()
