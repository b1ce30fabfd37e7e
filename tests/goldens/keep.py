"""What a recorder writes: the recorded number wherever the new one agrees with it.

Two processors may round the last digits of a sum or of a tanh differently. If a recorder wrote
whatever it computes, adding one case would also rewrite goldens that have nothing to do with it. So
it passes what PyTorch gives today through `keep`: a number that agrees with the recorded one keeps
the recorded digits, and anything else is written and shows up in `git diff`.

Numbers occur in two places, and each has its own rule:

- The values of a tensor, as `record_operations.tell` writes them, may differ by the tolerance of
  their dtype, relative to the largest number in the tensor or to 1, because what remains of a sum
  that cancels is rounding error of whatever size.
- A number in a text, such as a line that a program printed, may differ by the tolerance relative to
  itself, since nothing says which numbers of a text belong together. A text does not name dtypes
  either, so up to nine digits, or a value that float32 holds exactly, count as float32.

Everything else has to be equal: integers, bools, nan and inf, the sign of a zero, shapes, dtypes,
and how a number is written, so that `1.0000` instead of `1.` is a change.
"""

from __future__ import annotations

import difflib
import math
import re
from typing import Any

import numpy as np

# Recorded with vector instructions and without them (ATEN_CPU_CAPABILITY=default), 109 operations
# differ, by up to 1.5e-7 in float32 and 4.4e-16 in float64. float16 has room for two units.
TOLERANCE = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-12}
DIGITS_OF_FLOAT32 = 9  # enough to tell any two of them apart

_NUMBER = re.compile(r"(?<![\w.])([-+]?\d+(?:\.\d*(?:e[-+]?\d+)?|e[-+]?\d+))(?![\w.])")


def keep(recorded: Any, new: Any) -> Any:
    """Return `new` with the recorded values and texts wherever the two agree."""
    if isinstance(recorded, dict) and isinstance(new, dict):
        return {key: keep(recorded.get(key), value) for key, value in new.items()}
    if isinstance(recorded, str) and isinstance(new, str):
        return recorded if texts_agree(recorded, new) else new
    if not (isinstance(recorded, list) and isinstance(new, (list, tuple))):
        return new
    new = list(new)
    if is_tensor(recorded) and is_tensor(new) and recorded[:2] == new[:2]:
        values = keep_values(recorded[2], new[2], TOLERANCE[new[0]])
        return [*new[:2], values, *keep(recorded[3:], new[3:])]
    return [keep(old, each) for old, each in zip(aligned(recorded, new), new, strict=True)]


def is_tensor(found: list[Any]) -> bool:
    """Whether this is what `record_operations.tell` writes for a tensor of floats."""
    match found:
        case [str(dtype), list(), list(), *_]:
            return dtype in TOLERANCE
    return False


def keep_values(recorded: list[Any], new: list[Any], tolerance: float) -> list[Any]:
    """Return the values of a tensor, the recorded one wherever it agrees."""
    largest = max([1.0, *(abs(each) for each in recorded if isinstance(each, float))])
    pairs = zip(recorded, new, strict=True)
    return [old if agree(old, each, tolerance * largest) else each for old, each in pairs]


def agree(recorded: Any, new: Any, room: float) -> bool:
    """Whether two values differ by at most `room`. (nan and inf are recorded as texts.)"""
    if not (isinstance(recorded, float) and isinstance(new, float)):
        return type(recorded) is type(new) and bool(recorded == new)
    if recorded == new == 0:
        return math.copysign(1, recorded) == math.copysign(1, new)
    return abs(recorded - new) <= room


def texts_agree(recorded: str, new: str) -> bool:
    """Whether two texts are the same except for numbers that agree."""
    if recorded == new:
        return True
    parts, others = _NUMBER.split(recorded), _NUMBER.split(new)
    return parts[::2] == others[::2] and all(
        old == each or written_numbers_agree(old, each)
        for old, each in zip(parts[1::2], others[1::2], strict=True)
    )


def written_numbers_agree(recorded: str, new: str) -> bool:
    """Whether two numbers that are written differently differ by rounding, not by their format."""
    old, value = float(recorded), float(new)
    precision = min(tolerance_of(recorded), tolerance_of(new))
    return old != value and abs(old - value) <= precision * abs(old)


def tolerance_of(number: str) -> float:
    """The tolerance for a number of which only the digits are known."""
    digits = re.sub(r"e.*|\D", "", number).lstrip("0")
    with np.errstate(over="ignore"):
        is_float32 = float(np.float32(number)) == float(number)
    return TOLERANCE["float32" if is_float32 or len(digits) <= DIGITS_OF_FLOAT32 else "float64"]


def aligned(recorded: list[Any], new: list[Any]) -> list[Any]:
    """For each new item, the recorded one to compare it with, or None.

    Where lines were added or removed, lines that differ only in their numbers belong together.
    """
    if len(recorded) == len(new):
        return recorded
    found: list[Any] = [None] * len(new)
    before, after = ([_NUMBER.sub("#", str(each)) for each in items] for items in (recorded, new))
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for first, second, length in matcher.get_matching_blocks():
        found[second : second + length] = recorded[first : first + length]
    return found
