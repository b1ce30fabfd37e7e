"""Cases of sums, extremes, norms and other operations along dimensions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import FLOAT_INPUTS, INPUTS, OTHER_INPUTS, Case, case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        reductions(), spread(), extremes(), spread_and_middle(), norms(), running(),
        products_and_medians(),
    )  # fmt: skip


def reductions() -> Iterator[Case]:
    """Sums, means and their like: over all, some and no dimensions."""
    dims = ["", "0", "-1", "1, True", "(0, 1)", "(0,), keepdim=True", "[]", "dim=(0, -1)"]
    for name, dim in itertools.product(["sum", "mean"], dims):
        for spec in ["float64 2x3", "float32 2x3 transposed", "float64 0x3", "float32 2x1x3"]:
            yield case(f"x.{name}({dim})", x=spec)
    for name, dim in itertools.product(["sum", "mean"], ["", "0", "-1", "0, True", "()"]):
        yield case(f"torch.{name}(x{', ' * bool(dim)}{dim})", x="float32 scalar")
    for name in ["sum", "mean"]:
        yield case(f"x.{name}(dtype=torch.float64)", x="float32 2x3")
        yield case(f"x.{name}(0, dtype=torch.float32)", x="int64 2x3")
        yield from (case(f"x.{name}()", x=spec) for spec in OTHER_INPUTS)
    for spec in ["int32 2x3", "bool 2x3", "uint8 2x3"]:
        yield case("x.sum(1)", x=spec)
    for name, dim in itertools.product(["all", "any"], ["", "0", "-1, True", "dim=(0, 1)"]):
        for spec in ["bool 2x3", "float32 2x3", "int64 2x3", "bool 0x3", "uint8 2x3"]:
            yield case(f"x.{name}({dim})", x=spec)
    yield from on(["torch.all(x)", "torch.any(x)"], x="bool scalar")
    for name, dim in itertools.product(["argmax", "argmin"], ["", "0", "-1", "1, True", "dim=0"]):
        for spec in ["float32 2x3", "float64 3x2 transposed", "int64 2x3", "float32 3x3 special"]:
            yield case(f"x.{name}({dim})", x=spec)
    yield from on(["torch.argmax(x)", "torch.argmin(x, 0)"], x="float32 scalar")


def spread() -> Iterator[Case]:
    """Variances and standard deviations, and products with and without zeros."""
    dims = ["", "0", "-1", "(0, 1)", "1, keepdim=True", "0, False", "False", "unbiased=False",
            "(0,), correction=0", "1, True, True", "None"]  # fmt: skip
    for name, dim in itertools.product(["var", "std"], dims):
        code = f"torch.{name}(x{', ' * bool(dim)}{dim})"
        for spec in ["float64 2x3", "float32 3x3 transposed", "float64 4x1x3"]:
            yield case(code, x=spec)
    for name in ["var", "std"]:
        yield case(f"torch.{name}(x)", x="float32 scalar constant")
        yield case(f"torch.{name}(x, 0)", x="float64 0x3")
        yield case(f"torch.{name}(x, 1)", x="float64 0x3")
        yield case(f"torch.{name}(x)", x="int64 3")
        yield case(f"torch.{name}(x * 0)", x="float64 3")
    yield from on(["x.var(2)"], x="float64 2x3")
    dims = ["", "0", "(0, 1)", "1, True, True", "(0,), correction=0", "False"]
    for name, dim in itertools.product(["var_mean", "std_mean"], dims):
        for spec in ["float64 2x3", "float32 3x3 transposed"]:
            yield case(f"torch.{name}(x{', ' * bool(dim)}{dim})", x=spec)
    for name in ["var_mean", "std_mean"]:
        yield from on([f"torch.{name}(x, 0)[0]", f"torch.{name}(x, 1)[1]",
                       f"a, b = torch.{name}(x, 1); a * b", f"torch.{name}(x * 0, 1)",
                       f"torch.{name}(x, 2)", f"x.{name}()"], x="float64 2x3")  # fmt: skip
        yield case(f"torch.{name}(x)", x="float32 scalar constant")
        yield case(f"torch.{name}(x, 1)", x="float64 0x3")
        yield case(f"torch.{name}(x)", x="int64 3")
    for dim in ["", "0", "-1", "1, True", "dim=0, keepdim=True", "dtype=torch.float64"]:
        for spec in ["float64 2x3", "float32 3x3 transposed", "float64 0x3", "int32 2x3"]:
            yield case(f"x.prod({dim})", x=spec)
        for zeros in ["(x > 0)", "(x > 1)"]:
            yield case(f"(x * {zeros}).prod({dim})", x="float64 3x4")
    yield from on(["x.prod()", "x.prod(0)", "(x * 0).prod()", "(x * 0).prod(0)"],
                  x="float32 scalar")  # fmt: skip


def extremes() -> Iterator[Case]:
    """The largest and the smallest: shared among equals, or one picked."""
    inputs = ["float64 2x3", "float32 3x3 transposed", "float64 7 special", "float32 scalar",
              "int64 2x3"]  # fmt: skip
    for name, spec in itertools.product(["amax", "amin"], inputs):
        yield from on([f"x.{name}()", f"x.{name}(0)", f"torch.{name}(x, -1, True)",
                       f"(x * 0).{name}(0)"], x=spec)  # fmt: skip
    for name, spec in itertools.product(["max", "min"], inputs):
        yield from on([f"x.{name}()", f"x.{name}(0)", f"torch.{name}(x, -1, keepdim=True)",
                       f"x.{name}(dim=0).values", f"x.{name}(0)[1]", f"(x * 0).{name}()",
                       f"str(x.{name}(0).indices)", f"torch.{name}(x, x * 2)"], x=spec)  # fmt: skip
    yield from on(["(x * 0).max(0)", "(x * 0).min(0)"], x="float64 2x3")
    for name in ["amax", "amin", "max", "min"]:
        yield from on([f"x.{name}()", f"x.{name}(0)", f"x.{name}(1)", f"x.{name}(2)"],
                      x="float64 0x3")  # fmt: skip
    yield from on(["str(x.max(0))", "str(x.min(1, True))", "x.amax((0, 1))", "x.amin((0, -1))"],
                  x="float32 2x3")  # fmt: skip


def spread_and_middle() -> Iterator[Case]:
    """Variance of a single number, and the median of bools."""
    yield from on(
        [
            "u.var()", "u.std()", "u.std(0)",
            "torch.median(b)",
        ],
        **INPUTS,
    )  # fmt: skip


def norms() -> Iterator[Case]:
    """Norms of every order, and logsumexp."""
    orders = ["", "1", "3", "1.5", "0.5", "0", "float('inf')", "-float('inf')", "'fro'",
              "2, 0", "1, 1", "3, (0, 1)", "float('inf'), 1, True", "dim=1", "2, -1, keepdim=True",
              "dtype=torch.float64"]  # fmt: skip
    for order in orders:
        for spec in ["float64 2x3", "float32 3x3 transposed", "float64 0x3"]:
            yield case(f"x.norm({order})", x=spec)
    for order in ["", "1", "3", "float('inf')"]:
        yield case(f"torch.norm(x{', ' * bool(order)}{order})", x="float32 scalar")
        yield case(f"(x * 0).norm({order})", x="float64 2x3")
    for order in ["0.5", "1.5", "2", "3"]:
        yield case(f"(x * (x > 0)).norm({order}, 1)", x="float64 3x4")
    yield case("x.norm()", x="int64 3")
    for dim in ["0", "-1", "(0, 1)", "1, True", "dim=0, keepdim=True"]:
        for spec in ["float64 2x3", "float32 3x3 transposed", "float64 0x3", "float64 7x3 special"]:
            yield case(f"x.logsumexp({dim})", x=spec)
    yield from on(["x.logsumexp(0)", "torch.logsumexp(x, -1)"], x="float32 scalar")
    yield case("x.logsumexp(0)", x="int64 3")


def running() -> Iterator[Case]:
    """Running sums."""
    for spec in [*FLOAT_INPUTS, "int32 2x3", "bool 2x3"]:
        yield from on(["x.cumsum(0)", "torch.cumsum(x, -1)", "x.cumsum(dim=0)"], x=spec)
    yield from on(["x.cumsum(0, dtype=torch.float64)", "x.cumsum(2)"], x="float32 2x3")


def products_and_medians() -> Iterator[Case]:
    """Running products and medians."""
    yield from on(
        [
            "x.cumprod(0)", "x.cumprod(1)", "torch.cumprod(x, dim=-1)", "(x * (x > 0)).cumprod(1)",
            "(m * (m > 1)).cumprod(0)", "(m * (m > 0.5)).cumprod(1)", "s.cumprod(0)",
            "z.cumprod(0)", "z.cumprod(1)", "i.cumprod(0)", "b.cumprod(0)", "x.cumprod(2)",
            "t.cumprod(1)", "x.median()", "y.median()", "x.median(0)", "x.median(1)",
            "x.median(dim=1, keepdim=True)", "torch.median(x)", "torch.median(x, -1)", "e.median()",
            "e.median(0)", "i.median()", "k.median(1)", "s.median()", "s.median(0)", "z.median(1)",
            "(x * 0).median()", "x.median(2)", "m.median(1).values", "x.median('a')",
            "str(x.median(0))",
        ],
        x="float64 2x3", y="float64 3", s="float32 scalar", i="int64 3", e="float64 7 special",
        z="float64 0x3", b="bool 3", k="int64 2x3", m="float64 3x4", t="float32 3x2 transposed",
    )  # fmt: skip
