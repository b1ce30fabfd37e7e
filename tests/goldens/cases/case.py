"""What is compared of every operation: small programs on small tensors, written as text.

A case is Python whose last line is an expression, and a description of each input: ``float32 2x3``,
``float64 scalar``, ``int64 0x3``. Further words say more: ``transposed`` and ``strided``
change where the elements are in memory, ``positive`` and ``special`` (0, inf, nan, ties) choose
the values, and ``constant`` is a floating-point input that does not require grad.

The cases of a family differ in what makes implementations differ: broadcasting, 0-d and empty
tensors, memory layout, dtype, which inputs require grad.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

FLOAT_INPUTS = ["float32 2x3", "float64 2x3 transposed", "float32 scalar", "float64 0x3"]
OTHER_INPUTS = ["int64 3", "int32 scalar", "uint8 3", "bool 3", "float16 3 constant"]
UNARY = ["neg", "square", "abs", "sign", "exp", "sin", "cos", "tanh", "sigmoid", "relu"]
UNARY_POSITIVE = ["reciprocal", "log", "sqrt"]
ARITHMETIC = ["+", "-", "*", "/"]
F = "torch.nn.functional"
INPUTS = {
    "x": "float64 2x3", "y": "float64 3", "p": "float64 2x3 positive", "s": "float32 scalar",
    "i": "int64 3", "e": "float64 7 special", "z": "float64 0x3", "b": "bool 3",
    "k": "int64 3 positive", "h": "float32 2x3 transposed", "m": "float64 3x3", "v": "float64 3",
    "w": "float64 3x2", "c": "float64 2x3x4", "d": "float64 2x2x3x4", "u": "float64 scalar",
    "a": "float64 2x3 special", "n": "float64 4x3", "g": "float64 4",
}  # fmt: skip


class Case(NamedTuple):
    """A program, and name → description of its inputs."""

    code: str
    inputs: dict[str, str]

    @property
    def name(self) -> str:
        """Both in one line: the key under which the case is recorded."""
        inputs = ", ".join(f"{name}: {spec}" for name, spec in self.inputs.items())
        return f"{self.code}  # {inputs}" if inputs else self.code


def case(code: str, **inputs: str) -> Case:
    return Case(code, inputs)


def on(codes: list[str], **inputs: str) -> Iterator[Case]:
    """Each program with the inputs that it reads."""
    for code in codes:
        used = names_in(code)
        yield Case(code, {name: spec for name, spec in inputs.items() if name in used})


def names_in(code: str) -> set[str]:
    """The variables that a program reads or sets."""
    return {part.id for part in ast.walk(ast.parse(code)) if isinstance(part, ast.Name)}
