"""Cases of operations that compute each element by itself."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import (
    ARITHMETIC,
    FLOAT_INPUTS,
    INPUTS,
    OTHER_INPUTS,
    UNARY,
    UNARY_POSITIVE,
    Case,
    case,
    on,
)

TESTS = ["logical_not", "isnan", "isinf", "isfinite"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
BITWISE = ["&", "|", "^"]
BROADCASTS = [
    ("2x3", "2x3"), ("2x3", "3"), ("2x1", "1x3"), ("3", "scalar"), ("scalar", "2x3"),
    ("scalar", "scalar"), ("2x1x3", "4x1"), ("0x3", "3"), ("0x3", "scalar"), ("1x3", "0x1"),
]  # fmt: skip
FUNCTIONS = ["expm1", "tan", "sinh", "cosh", "floor", "ceil", "trunc", "round"]
FUNCTIONS_POSITIVE = ["log1p", "log2", "log10", "rsqrt"]
PAIRS = ["atan2", "hypot", "maximum", "minimum"]


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        unary(), arithmetic(), powers(), logic(), functions(), division(), bounds(),
        bounds_of_tensors(), functions_of_several(), other_names(),
    )  # fmt: skip


def unary() -> Iterator[Case]:
    """Functions of one tensor: everywhere, at their edges, and of integers."""
    for name in [*UNARY, *UNARY_POSITIVE]:
        words = " positive" if name in UNARY_POSITIVE else ""
        for spec in FLOAT_INPUTS:
            yield case(f"torch.{name}(x)", x=spec + words)
        yield case(f"x.{name}()", x="float64 7 special")
        yield case(f"x.{name}()", x="float32 2x3 positive strided")
        for spec in OTHER_INPUTS:
            if not (spec == "bool 3" and name in ["abs", "relu"]):  # refused by PyTorch
                yield case(f"x.{name}()", x=spec)
    for name in TESTS:
        yield case(f"torch.{name}(x)", x="float32 7 special")
        yield from (case(f"x.{name}()", x=spec) for spec in OTHER_INPUTS)
    for code in ["-x", "abs(x)", "+x"]:
        yield case(code, x="float32 2x3")
    yield case("+x", x="bool 3")
    for spec in ["bool 3", "int64 3", "uint8 3", "float32 3"]:
        yield case("~x", x=spec)


def arithmetic() -> Iterator[Case]:
    """+ − × ÷ and where: of tensors that broadcast, of numbers on both sides, of mixed dtypes."""
    for operator, (a, b) in itertools.product(ARITHMETIC, BROADCASTS):
        yield case(f"x {operator} y", x=f"float64 {a}", y=f"float64 {b}")
    for operator in ARITHMETIC:
        yield case(f"x {operator} y", x="float32 2x3 transposed", y="float32 2x3 transposed")
        yield case(f"x {operator} y", x="float32 2x3 strided", y="float32 2x3")
        yield case(f"x {operator} y", x="float32 2x3", y="float64 3")
        yield case(f"x {operator} y", x="float32 2x3", y="float64 scalar")
        yield case(f"x {operator} y", x="float32 2x3", y="int64 3")
        yield case(f"x {operator} y", x="float32 3", y="float32 3 constant")
        yield case(f"x {operator} y", x="float32 3 constant", y="float32 3")
        yield case(f"x {operator} y", x="float64 7 special", y="float64 7x1 special")
        yield case(f"x {operator} x", x="float32 3")
        for number in ["2", "2.5", "True"]:
            for spec in ["float32 2x3", "float64 scalar", "int64 3", "bool 3", "float32 0x3"]:
                yield case(f"x {operator} {number}", x=spec)
                yield case(f"{number} {operator} x", x=spec)
    for name in ["add", "sub", "mul", "div"]:
        yield case(f"torch.{name}(x, y)", x="float32 2x3", y="float32 3")
        yield case(f"x.{name}(2)", x="float32 2x3")
    for code in ["x.add(y, alpha=2)", "torch.sub(x, y, alpha=0.5)", "x.add(1, alpha=3)"]:
        yield case(code, x="float32 2x3", y="float32 3")
    for a, b in BROADCASTS:
        yield case("torch.where(c, x, y)", c="bool 3", x=f"float32 {a}", y=f"float32 {b}")
    yield from on(
        ["torch.where(c, x, 1.5)", "torch.where(c, 2, x)", "torch.where(x > 0, x, -x)"],
        c="bool 2x3", x="float32 2x3",
    )  # fmt: skip
    yield case("torch.where(c, x, y)", c="bool 3", x="float32 3", y="float64 3")
    yield case("torch.where(c, x, y)", c="bool 3", x="int64 3", y="float32 3 constant")
    yield case("torch.where(c, 1, 2)", c="bool 3")
    yield case("torch.where(c, 1.0, 2)", c="bool 3")


def powers() -> Iterator[Case]:
    """Powers: which side is a tensor decides the node, and 0 is special on both sides."""
    for exponent in ["0", "1", "2", "3", "-1", "-2", "0.5", "-0.5", "2.5", "0.0", "True"]:
        for spec in ["float64 2x3 positive", "float32 scalar positive", "float64 7 special"]:
            yield case(f"x ** {exponent}", x=spec)
        yield case(f"x ** {exponent}", x="int64 3 positive")
    for base in ["2", "0", "1", "2.5", "0.0", "-2"]:
        for spec in ["float64 2x3", "float32 scalar", "float64 7 special", "int64 3 positive"]:
            yield case(f"{base} ** x", x=spec)
    for a, b in BROADCASTS:
        yield case("x ** y", x=f"float64 {a} positive", y=f"float64 {b}")
    yield case("x ** y", x="float64 7 special", y="float64 7x1 special")
    yield case("x ** y", x="float32 3", y="int64 3 positive")
    yield case("x ** y", x="int64 3", y="int64 3 positive")
    yield case("x ** y", x="float32 3 positive", y="float32 3 constant")
    yield case("x ** y", x="float32 3 positive constant", y="float32 3")
    yield from on(
        ["torch.pow(x, 2)", "x.pow(y)", "torch.pow(2, x)", "x.pow(2.0)"],
        x="float32 2x3 positive", y="float32 3",
    )  # fmt: skip


def logic() -> Iterator[Case]:
    """Comparisons and bitwise operations: nothing flows through them."""
    for operator in COMPARISONS:
        yield case(f"x {operator} y", x="float32 2x3", y="float32 3")
        yield case(f"x {operator} y", x="int64 3", y="float64 scalar")
        yield case(f"x {operator} y", x="float64 7 special", y="float64 7x1 special")
        yield case(f"x {operator} 1", x="int64 2x3")
        yield case(f"0.5 {operator} x", x="float32 scalar")
    for name in ["eq", "ne", "lt", "le", "gt", "ge"]:
        yield case(f"torch.{name}(x, y)", x="float32 3", y="float32 3")
        yield case(f"x.{name}(1.5)", x="float32 3")
    for operator in BITWISE:
        yield case(f"x {operator} y", x="bool 2x3", y="bool 3")
        yield case(f"x {operator} y", x="int32 3", y="int64 3")
        yield case(f"x {operator} 3", x="int64 3")
        yield case(f"3 {operator} x", x="int32 3")
        yield case(f"x {operator} True", x="bool 3")
    for a, b in [("float32 2x3", "float32 2x3"), ("float32 2x3", "float32 3"), ("int64 3",) * 2]:
        yield from on(["x.equal(y)", "torch.allclose(x, y, atol=100)"], x=a, y=b)
    for spec in ["float32 2x3", "int64 3"]:
        yield from on(["torch.equal(x, x + 0)", "x.allclose(x + 1e-9)"], x=spec)
    yield from on(["x == None", "x != 'text'", "2.5 in x", "0.0 in x"], x="float64 7 special")


def functions() -> Iterator[Case]:
    """Functions of one and of two tensors."""
    for name in [*FUNCTIONS, *FUNCTIONS_POSITIVE]:
        words = " positive" if name in FUNCTIONS_POSITIVE else ""
        for spec in FLOAT_INPUTS:
            yield case(f"torch.{name}(x)", x=spec + words)
        yield case(f"x.{name}()", x="float64 7 special")
        yield case(f"x.{name}()", x="int64 3")
    yield from on(["x.round(decimals=1)", "x.floor()"], x="bool 3")
    yield case("torch.round(x, decimals=1)", x="float64 2x3")
    for name, (a, b) in itertools.product(PAIRS, BROADCASTS):
        yield case(f"torch.{name}(x, y)", x=f"float64 {a}", y=f"float64 {b}")
    for name in PAIRS:
        yield case(f"x.{name}(y)", x="float64 7 special", y="float64 7x1 special")
        yield case(f"x.{name}(y)", x="float32 3 constant", y="float64 3")
        yield case(f"x.{name}(y)", x="int64 3", y="int32 3")
        yield case(f"torch.{name}(x, 2)", x="float32 3")


def division() -> Iterator[Case]:
    """Division with remainder: floor_divide has no derivative, remainder has one."""
    for operator in ["//", "%"]:
        for a, b in BROADCASTS:
            yield case(f"x {operator} y", x=f"float64 {a}", y=f"float64 {b} positive constant")
        for number in ["2", "0.75", "-3"]:
            for spec in ["float32 2x3 constant", "int64 3", "float64 7 special constant"]:
                yield case(f"x {operator} {number}", x=spec)
        yield case(f"x {operator} y", x="int64 3", y="int64 3 positive")
        yield case(f"7 {operator} x", x="float32 3 constant")
        yield case(f"x {operator} 'a'", x="float32 3")
    yield from on(["x % 2", "x % y", "x.remainder(-0.75)", "torch.remainder(y, x)"],
                  x="float64 2x3", y="float64 3")  # fmt: skip
    yield from on(["x // 2", "2 // x", "2 % x", "torch.floor_divide(x, y)", "x.floor_divide(2)"],
                  x="float64 2x3", y="float64 3")  # fmt: skip


def bounds() -> Iterator[Case]:
    """clamp, with numbers and with tensors, and at its bounds."""
    for spec in [*FLOAT_INPUTS, "float64 7 special"]:
        yield from on(["x.clamp(-1, 1)", "torch.clamp(x, 0.0625)", "x.clamp(max=0)",
                       "x.clamp(min=-0.5, max=0.5)", "x.clamp(1, -1)", "x.clamp(-1)"],
                      x=spec)  # fmt: skip
    yield from on(["x.clamp(0)", "x.clamp(0.5)", "x.clamp(max=1)"], x="int64 3")
    for a, b in BROADCASTS:
        yield case("x.clamp(y, y + 1)", x=f"float64 {a}", y=f"float64 {b}")
    yield from on(["x.clamp(y)", "x.clamp(max=y)", "x.clamp(min=y, max=y)", "x.clamp(y + 1, y)"],
                  x="float64 7 special", y="float64 7x1")  # fmt: skip
    yield case("x.clamp(y)", x="int64 3", y="int64 3")


def bounds_of_tensors() -> Iterator[Case]:
    """Bounds that are tensors, and of other dtypes."""
    yield from on(
        [
            "torch.clamp_min(x, y)", "torch.clamp_max(x, y)", "torch.clamp_min(x, u)",
            "torch.clamp_max(y, x)", "x.clamp_min(y.detach())", "x.clamp_max(y.detach())",
            "x.detach().clamp_min(y)", "torch.clamp(x, y)", "torch.clamp(x, max=y)",
            "torch.clamp(x, y, p)", "torch.clamp(x, p, y)", "torch.clamp(x, min=u, max=y)",
            "torch.clamp(x, y, 2.0)", "torch.clamp(x, 0.0, y)", "torch.clamp_min(a, x)",
            "torch.clamp_min(x, x)", "torch.clamp_max(x, x)", "torch.clamp(x, x, x)",
            "torch.clamp(x, x)", "torch.clamp(a, x, p)", "torch.clamp(x, a, p)",
            "torch.clamp_min(x, i)", "torch.clamp_min(i, y)", "torch.clamp_min(i, k)",
            "torch.clamp_max(i, k)", "torch.clamp_min(s, u)", "torch.clamp_min(h, y)",
            "torch.clamp_min(z, y)", "torch.clamp_max(z, u)", "torch.clamp_min(u, u)",
            "torch.clamp_min(x, w)", "torch.clamp_min(x, 'a')", "torch.clamp_min(x, None)",
            "torch.clamp_min(x, min=y)", "torch.clamp_max(input=x, max=y)",
            "q = x * 1; q.clamp_min_(y); q", "q = x * 1; q.clamp_max_(y); q",
            "q = x * 1; q.clamp_(y, p); q", "q = y * 1; q.clamp_min_(x)", "torch.clamp(x)",
            "torch.clamp(z, y, y)", "torch.clamp(u, u)", "torch.clip(x, 0, 1)", "x.clip(y)",
            "torch.clamp(i, k)", "torch.clamp(i, y)",
            "torch.clamp(x, i)", "torch.clamp(x, y.float())", "torch.clamp(x, min=y, max=None)",
            "torch.clamp(b, b)", "torch.clamp(x, float('nan'))", "torch.clamp(x, max=float('nan'))",
            "torch.clamp(x, 1, 0)",
        ],
        **INPUTS,
    )  # fmt: skip


def functions_of_several() -> Iterator[Case]:
    """Functions of one, two and three tensors."""
    yield from on(
        [
            "torch.asin(x / 4)", "torch.asin(e)", "torch.asin(i)", "x.asin()", "torch.acos(x / 4)",
            "torch.acos(e)", "x.atan()", "torch.atan(e)", "torch.atan(i)", "torch.atan(z)",
            "x.erf()", "torch.erf(e)", "torch.erf(i)", "torch.erf(s)", "torch.erf(h)",
            "e.nan_to_num()", "torch.nan_to_num(e, 1.0, 2.0, -2.0)",
            "torch.nan_to_num(e, nan=5.0)", "torch.nan_to_num(i)", "x.clamp_min(0)",
            "torch.clamp_min(x, 0.5)", "torch.clamp_max(x, 0)", "x.clamp_max(-0.5)",
            "e.clamp_min(0)", "y = x * 1; y.clamp_min_(0); y",
            "y = x * 1; y.clamp_max_(0); y", "i.clamp_min(1)",
            "i.clamp_min(0.5)",
            "torch.logical_and(x, y)", "torch.logical_or(b, b)", "b.logical_xor(i)",
            "torch.logical_and(b, True)", "torch.lerp(x, y, 0.25)", "torch.lerp(x, y, 0.75)",
            "x.lerp(x, y)", "torch.lerp(x, x + 1, x / 4)", "torch.lerp(i, i, 0.5)",
            "torch.addcmul(x, y, y)", "torch.addcmul(x, y, x, value=0.5)",
            "x.addcmul(x, y, value=2)", "torch.addcdiv(x, y, p)",
            "torch.addcdiv(x, y, p, value=0.5)", "torch.addcmul(i, i, i)",
            "i.div(2, rounding_mode='floor')", "i.div(2, rounding_mode='trunc')",
            "i.div(k, rounding_mode='trunc')", "x.div(2, rounding_mode='a')", "torch.div(x, 'a')",
            "torch.div(2, x)", "x.__div__(y)", "i.__div__(2)", "x.__rsub__(y)", "x.__rdiv__(y)",
            "p.__rpow__(y)", "x.__radd__(y)", "x.__rmul__(y)", "y.__rmatmul__(x)",
            "x.__rmatmul__(x)", "i.__rmatmul__(k)", "z.__rsub__(y)", "s.__rdiv__(x)",
            "x.detach().__idiv__(p.detach())",
        ],
        x="float64 2x3", y="float64 3", p="float64 2x3 positive", s="float32 scalar", i="int64 3",
        e="float64 7 special", f="float64 7x1 special", z="float64 0x3", b="bool 3",
        k="int64 3 positive", h="float32 2x3 transposed",
    )  # fmt: skip


def other_names() -> Iterator[Case]:
    """Other names of operations, conversions, and tensors made like a given one."""
    for name in ["divide", "multiply", "subtract", "true_divide"]:
        yield case(f"torch.{name}(x, y)", x="float64 2x3", y="float64 3")
        yield case(f"x.{name}(2)", x="float32 3")
    codes = [
        "torch.absolute(x)", "x.negative()", "x * torch.numel(x)", "torch.is_floating_point(x) * x",
        "x.cpu() * 2", "x.to('cpu') * 2", "x.to(dtype=torch.float64)", "x.to('cpu', torch.float64)",
        "x.to(torch.float32, copy=True)", "x.type(torch.float64)", "x.type('torch.LongTensor')",
        "x.new_zeros(2)", "x.new_ones((2, 1), dtype=torch.int64)", "x.new_empty(0)",
        "x.new_tensor([1, 2])", "x.sum(axis=0)", "x.mean(axis=0)",
    ]  # fmt: skip
    yield from on(codes, x="float32 2x3")
    yield case("x.mT", x="float32 3")
