"""Cases for the operations beside those that the course shows: see `operation_cases`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.operation_cases import BROADCASTS, FLOAT_INPUTS, Case, case, on

F = "torch.nn.functional"

FUNCTIONS = ["expm1", "tan", "sinh", "cosh", "floor", "ceil", "trunc", "round"]
FUNCTIONS_POSITIVE = ["log1p", "log2", "log10", "rsqrt"]
PAIRS = ["atan2", "hypot", "maximum", "minimum"]
ACTIVATIONS = {
    "softplus": ["", "beta=2.0", "threshold=0.5"],
    "leaky_relu": ["", "0.5"],
    "elu": ["", "alpha=2.0"],
    "silu": [""],
    "hardtanh": ["", "-0.5, 0.25", "min_val=1, max_val=-1"],
    "logsigmoid": [""],
    "relu": [""],
    "sigmoid": [""],
    "tanh": [""],
}


def cases() -> Iterator[Case]:
    """Every case of this module."""
    return itertools.chain(
        functions(), division(), bounds(), activations(), spread(), extremes(), norms(),
        running(), layouts(), views(), parts(), indexed(), masked(), sorted_out(), contractions(),
        losses_of_differences(), losses_of_classes(), losses_of_two(), images(), encodings(),
        in_place(), refused(), other_names(),
    )  # fmt: skip


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


def activations() -> Iterator[Case]:
    """The activation functions, anywhere, at their kinks, and in place."""
    for name, forms in ACTIVATIONS.items():
        for form, spec in itertools.product(forms, [*FLOAT_INPUTS, "float64 7 special"]):
            yield case(f"{F}.{name}(x{', ' * bool(form)}{form})", x=spec)
        yield case(f"{F}.{name}(x)", x="int64 3")
    for name in ["relu", "leaky_relu", "elu", "hardtanh", "silu"]:
        yield case(f"{F}.{name}(x * 1, inplace=True)", x="float64 7 special")
        yield case(f"{F}.{name}(x, inplace=True)", x="float32 3")
    yield case("x.relu() * y", x="float64 7", y="float64 7 special constant")
    yield from on([f"{F}.relu_(x * 1)", f"{F}.leaky_relu_(x * 1, 0.5)", f"{F}.elu_(x * 1)"],
                  x="float32 2x3")  # fmt: skip
    for code in ["torch.softmax(x, {})", "x.log_softmax({})", f"{F}.softmax(x, dim={{}})"]:
        for dim, spec in itertools.product(["0", "-1"], [*FLOAT_INPUTS, "float64 7 special"]):
            yield case(code.format(dim), x=spec)
    yield from on([f"{F}.softmax(x)", f"{F}.log_softmax(x)", "x.softmax(1, dtype=torch.float64)",
                   "x.softmax(2)", "x.log_softmax(0, torch.float64)"], x="float32 2x3")  # fmt: skip
    yield from on(["x.softmax(0)", "x.log_softmax(-1)"], x="int64 2x3")


def spread() -> Iterator[Case]:
    """Variance and its like, and products with and without zeros."""
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


def layouts() -> Iterator[Case]:
    """Copies in another arrangement."""
    for spec in ["float64 2x3", "float32 2x3 transposed", "float64 0x3", "int64 2x3"]:
        yield from on(
            [
                "x.repeat(2, 1)", "x.repeat(1, 2, 3)", "x.detach().repeat((0, 1))",
                "x.repeat(2, 2)",
                "x.flip(0)", "torch.flip(x, (0, 1))", "x.flip(dims=[-1])", "x.flip(1, 0)",
                "x.roll(1)", "torch.roll(x, 2, 1)", "x.roll((1, -1), (0, 1))", "x.roll(-4, dims=0)",
                "x.tril()", "x.triu()", "torch.tril(x, 1)", "x.triu(diagonal=-1)", "x.diag()",
                "torch.diag(x, 1)", "x.diag(-1)", "x.diag(5)", "x[:2, :2].trace()",
                "torch.trace(x)",
            ],
            x=spec,
        )  # fmt: skip
    yield from on(["x.diag()", "x.diag(1)", "x.diag(-2)", "x.repeat(2)", "x.flip(0)", "x.roll(5)"],
                  x="float32 3")  # fmt: skip
    yield from on(["x.repeat(2)", "x.repeat()", "x.repeat(2, 3)", "x.flip(0)", "x.roll(1)"],
                  x="float32 scalar")  # fmt: skip
    yield from on(["x.tril()", "x.triu(1)", "x.flip(0, 2)"], x="float64 2x3x3")


def views() -> Iterator[Case]:
    """Diagonals, stretches and dimensions moved about; in-place edits through them."""
    for spec in ["float64 2x3", "float32 3x3 transposed", "float64 0x3"]:
        yield from on(
            [
                "x.diagonal()", "torch.diagonal(x, 1)", "x.diagonal(-1, 0, 1)",
                "x.diagonal(0, 1, 0)", "x.diagonal(offset=9)", "x.narrow(0, 0, 1)",
                "torch.narrow(x, 1, 1, 2)", "x.narrow(-1, -2, 1)", "x.movedim(0, 1)",
                "torch.movedim(x, (0, 1), (1, 0))", "x.moveaxis(-1, 0)",
                "x.broadcast_to((4, *x.shape))",
                "torch.broadcast_to(x, x.shape)",
            ],
            x=spec,
        )  # fmt: skip
    yield from on(["x.diagonal(0, 1, 2)", "x.movedim(0, -1)", "x.movedim((2, 0), (0, 1))",
                   "x.diagonal(0, 0, -1)",
                   "torch.moveaxis(x, 1, 2)"], x="float64 2x3x4")  # fmt: skip
    yield from on(["x.movedim(0, 0)", "x.broadcast_to((2, 3))"],
                  x="float32 scalar")  # fmt: skip
    yield from on(["y = x * 1; y.diagonal().mul_(2); y", "y = x * 1; y.diagonal(1).zero_(); y",
                   "y = x * 1; z = y.narrow(1, 1, 2); z.add_(1); y * z",
                   "y = x * 1; y.movedim(0, 1)[0].exp_(); y"], x="float64 3x3")  # fmt: skip


def parts() -> Iterator[Case]:
    """Several views of one call: together, alone, and edited."""
    for spec in ["float64 5x3", "float32 5x4 transposed", "float64 0x3"]:
        yield from on(
            [
                "x.split(2)", "torch.split(x, 3, 1)", "x.split(9)", "x.split(2, dim=-1)[0]",
                "x.chunk(2)", "torch.chunk(x, 3, 1)", "x.chunk(9)", "x.chunk(2)[-1]",
                "a, *b = x.chunk(2); a.sum() * 2",
            ],
            x=spec,
        )  # fmt: skip
    yield from on(["x.split([2, 3])", "x.split((0, 5))", "torch.split(x, [1, 1, 1], -1)[1]",
                   "x.split([5])", "x.split(0)", "x.split(-1)", "x.split([2, 2])",
                   "x.split([6, -1])", "x.chunk(0)"], x="float64 5x3")  # fmt: skip
    yield from on(["y = x * 1; y.split(2)[0].mul_(2)", "y = x * 1; y.chunk(1)[0].mul_(2)",
                   "y = x * 1; a, b, c = y.split(2); y.mul_(2); a + 1",
                   "y = x.detach() * 1; y.split(2)[0].zero_(); y"], x="float64 5x3")  # fmt: skip


def indexed() -> Iterator[Case]:
    """Picking and putting back by tensors of indices."""
    i = "torch.tensor([[0, 1, 1], [1, 0, 1]])"
    one = "torch.tensor([[1, 1]])"
    for spec in ["float64 2x3", "float32 2x3 transposed", "int64 2x3"]:
        other = spec.replace("transposed", "strided")
        yield from on(
            [
                f"x.gather(0, {i})", f"torch.gather(x, 1, {i})", f"x.gather(-1, {one})",
                f"x.scatter(0, {one}, y[:1, :2])",
                "torch.scatter(x, 1, torch.tensor([[2], [0]]), y[:, :1])",
                f"x.scatter(1, {one}, 7)",
                f"x.scatter_add(0, {i}, y)", f"torch.scatter_add(x, 1, {i}, y)",
                f"x.scatter_add(1, {one}, y[:1, :2])",
                "x.index_select(0, torch.tensor([1, 1, 0]))",
                "torch.index_select(x, 1, torch.tensor([2]))",
                "x.index_select(-1, torch.tensor(1))",



                "x.gather(0, torch.zeros(0, dtype=torch.int64))",
                "x.index_select(0, torch.zeros(0, dtype=torch.int64))",
            ],
            x=spec, y=other,
        )  # fmt: skip
    zero = "torch.tensor(0)"
    yield from on([f"x.gather(0, {zero})", "x.gather(0, torch.tensor([0, 0]))",
                   f"x.scatter(0, {zero}, y)", f"x.scatter_add(0, {zero}, y)",
                   f"x.scatter(0, {zero}, 2.5)", "x.index_select(0, torch.tensor([0]))"],
                  x="float32 scalar", y="float32 scalar")  # fmt: skip
    yield from on(["x.index_select(1, torch.tensor([1, 1]))", "x.gather(0, x[:, :2].long())"],
                  x="float32 0x3")  # fmt: skip


def masked() -> Iterator[Case]:
    """Filling and picking by masks."""
    for (a, b), code in itertools.product(
        [("2x3", "2x3"), ("2x3", "3"), ("3", "2x3"), ("2x3", "scalar"), ("scalar", "3"),
         ("scalar", "scalar"), ("0x3", "3")],
        ["x.masked_fill(m, 2.5)", "torch.masked_fill(x, m, y)", "x.masked_select(m)",
         "torch.masked_select(x, ~m)"],
    ):  # fmt: skip
        inputs = {"x": f"float64 {a}", "m": f"bool {b}"}
        yield case(code, **inputs, **({"y": "float64 scalar"} if "y" in code else {}))
    yield from on(["x.masked_fill(m, 2.5)", "x.masked_select(m)"], x="int64 3", m="bool 3")
    yield case("x.masked_fill(m, y)", x="float32 2x3", m="bool 2x3", y="float64 scalar")


def sorted_out() -> Iterator[Case]:
    """sort, argsort and topk."""
    for spec in ["float64 2x3", "float32 3x3 transposed", "float32 7 special", "int64 2x3"]:
        yield from on(
            [
                "x.sort()", "torch.sort(x, 0)", "x.sort(descending=True)", "x.sort(0, True)",
                "x.sort().values", "x.argsort()", "torch.argsort(x, 0, descending=True)",
                "x.sort(dim=0, stable=True)",
            ],
            x=spec,
        )  # fmt: skip
    yield from on(["x.topk(2)", "torch.topk(x, 1, 0)", "x.topk(2, largest=False)",
                   "x.topk(3).values",
                   "x.topk(2, -1, False, True)", "x.topk(0)",
                   "x.topk(4)"], x="float64 2x3")  # fmt: skip
    yield from on(["x.sort()", "x.argsort()", "x.topk(1)", "x.topk(2)"], x="float32 scalar")
    yield from on(["x.sort()", "x.sort(0)", "x.topk(2)", "x.argsort(0)"], x="float32 0x3")
    yield from on(["str(x.sort())", "str(x.topk(1))"], x="float32 2x3")


def contractions() -> Iterator[Case]:
    """outer, and einsum over every way that dimensions can go."""
    yield from on(["torch.outer(x, y)", "x.outer(y)"], x="float64 3", y="float64 2")
    yield from on(["torch.outer(x, y)"], x="float32 3", y="float32 0")
    for equation in ["ij,jk->ik", "ij,kj", "ij,jk->ki", "ij,jk->", "ij,jk->ikj", "i...,jk->...k",
                     "ij,jk->kji"]:  # fmt: skip
        yield case(f"torch.einsum('{equation}', x, y)", x="float64 2x3", y=(
            "float64 2x3" if equation == "ij,kj" else "float64 3x2"))  # fmt: skip
    for equation in [
        "ij->ji",
        "ij->",
        "ij->i",
        "ij",
        "ji",
        "i j -> j",
        "...",
        "...j->...",
        "ij->ij",
    ]:
        yield case(f"torch.einsum('{equation}', x)", x="float32 2x3")
    for equation in ["ii", "ii->i", "ij,ij->", "ij,ij->i", "ij,ij->ij", "ii,ii->"]:
        operands = ", x" * (1 + ("," in equation))
        yield case(f"torch.einsum('{equation}'{operands})", x="float64 3x3 transposed")
    yield from on(
        [
            "torch.einsum('bij,bjk->bik', x, y)", "torch.einsum('...ij,...jk', x, y)",
            "torch.einsum('bij,bjk->b', x, y)", "torch.einsum('bij,cjk->bcik', x, y)",
            "torch.einsum('abc->cab', x)", "torch.einsum('abc->b', x)",
            "torch.einsum('...ij->...ji', x)", "torch.einsum('b...,b...->...', x, x)",
            "torch.einsum('bij,bjk->kib', x, y)",
            "torch.einsum('bij,cjk->kbic', x, y)",
            "torch.einsum('bij,jkc->bck', x, y.transpose(0, 1))",
        ],
        x="float64 2x3x4", y="float64 2x4x3",
    )  # fmt: skip
    yield from on(["torch.einsum('i,j->ij', x, y)", "torch.einsum('i,i', x, x)",
                   "torch.einsum('i,j', [x, y])", "torch.einsum('i,j->', x, y)",
                   "torch.einsum('i,i,i->i', x, x, x)"], x="float64 3", y="float64 2")  # fmt: skip
    yield from on(["torch.einsum('', x)", "torch.einsum(',->', x, x)"], x="float64 scalar")
    yield from on(["torch.einsum('ij,jk->ik', x, y)", "torch.einsum('ij->j', x)"],
                  x="float32 0x3", y="float32 3x2")  # fmt: skip


def losses_of_differences() -> Iterator[Case]:
    """mse_loss, l1_loss and smooth_l1_loss, which warn where shapes differ."""
    for name in ["mse_loss", "l1_loss", "smooth_l1_loss"]:
        for reduction, (a, b) in itertools.product(
            ["mean", "sum", "none"],
            [("2x3", "2x3"), ("scalar", "scalar"), ("2x3", "3"), ("0x3", "0x3")],
        ):  # fmt: skip
            code = f"{F}.{name}(x, y, reduction='{reduction}')"
            yield case(code, x=f"float64 {a}", y=f"float64 {b}")
        yield case(f"{F}.{name}(x, y)", x="float32 2x3 transposed", y="float32 2x3 constant")
        yield case(f"{F}.{name}(x, y)", x="float32 2x3 constant", y="float64 2x3")
        yield case(f"{F}.{name}(x, x)", x="float64 3")
        yield case(f"{F}.{name}(x, y)", x="float32 3", y="int64 3")
        yield case(f"{F}.{name}(x, y)", x="int64 3", y="int64 3")
        yield case(f"{F}.{name}(x, y)", x="float32 3", y="float32 2")
        yield case(f"{F}.{name}(x, y, reduction='no')", x="float32 3", y="float32 3")
    for beta in ["0.125", "2", "0", "-1"]:
        yield case(f"{F}.smooth_l1_loss(x, y, beta={beta})", x="float64 2x3", y="float64 2x3")
    yield case(f"{F}.smooth_l1_loss(x, x - 1)", x="float64 3")


def losses_of_classes() -> Iterator[Case]:
    """nll_loss and cross_entropy: by class and by probabilities, weighted, ignored, smoothed."""
    classes = "torch.tensor([0, 2])"
    weight = "torch.tensor([1.0, 2.0, 0.5], dtype=x.dtype)"
    options = ["", f", weight={weight}", ", ignore_index=2", f", {weight}, ignore_index=0"]
    reductions = ["mean", "sum", "none"]
    for name, option, reduction in itertools.product(
        ["nll_loss", "cross_entropy"], options, reductions
    ):
        yield case(f"{F}.{name}(x, {classes}{option}, reduction='{reduction}')", x="float64 2x3")
    for smooth, option, reduction in itertools.product(["0.1", "1.0"], options, reductions):
        how = f"{option}, reduction='{reduction}', label_smoothing={smooth}"
        yield case(f"{F}.cross_entropy(x, {classes}{how})", x="float64 2x3")
    for smooth, option, reduction in itertools.product(["0.0", "0.1"], options[:2], reductions):
        how = f"{option}, reduction='{reduction}', label_smoothing={smooth}"
        yield case(f"{F}.cross_entropy(x, y.softmax(1){how})", x="float64 2x3", y="float64 2x3")
        yield case(f"{F}.cross_entropy(x, y{how})", x="float64 3", y="float64 3 constant")
    for name, reduction in itertools.product(["nll_loss", "cross_entropy"], reductions):
        how = f"reduction='{reduction}'"
        pixels = "torch.tensor([[0, 2, 1, 1], [2, 2, 0, -100]])"
        yield case(f"{F}.{name}(x, torch.tensor(1), {how})", x="float32 3")
        yield case(f"{F}.{name}(x, {pixels}, {how})", x="float64 2x3x4")
        yield case(f"{F}.{name}(x, {pixels}[:, :, None], {how})", x="float64 2x3x4x1")
        yield case(f"{F}.{name}(x, {pixels}[:, None, :, None], {how})", x="float64 2x3x1x4x1")
        yield case(f"{F}.{name}(x, y, {how})", x="float32 0x3", y="int64 0")
    for name in ["nll_loss", "cross_entropy"]:
        yield case(f"{F}.{name}(x, torch.tensor([-100, -100]))", x="float32 2x3")
        yield case(f"{F}.{name}(x, {classes})", x="float32 2x3 transposed")
        for target in ["[0]", "[0, 3]", "[0, -1]", "[0.0, 1.0]", "[[0, 1]]", "1", "[[0], [2]]"]:
            yield case(f"{F}.{name}(x, torch.tensor({target}))", x="float32 2x3")
        for target in ["[0, 2]", "[[1]]"]:
            yield case(f"{F}.{name}(x, torch.tensor({target}))", x="float32 3")
        yield from on(
            [
                f"{F}.{name}(x, {classes}, weight=torch.ones(2))",
                f"{F}.{name}(x.long(), {classes})",
                f"{F}.{name}(x, {classes}, reduction='no')",
                f"{F}.{name}(x[:, :, None], {classes})",
                f"{F}.{name}(x, {classes}.int())",
            ],
            x="float32 2x3",
        )  # fmt: skip
        images = [f"{pixels}, torch.ones(2)", f"{pixels}.byte()", f"{pixels}, ignore_index=2"]
        yield from on([f"{F}.{name}(x, {each})" for each in images], x="float32 2x3x4")
        yield case(f"{F}.{name}(x, {classes}, torch.ones(3).double())", x="float32 2x3")
        yield case(f"{F}.{name}(x, {classes}.byte(), ignore_index=2)", x="float32 2x3")
    for options in ["torch.tensor([0.0, 1, 1])", "torch.ones(3), ignore_index=0", "ignore_index=0"]:
        # an infinite score counts if its weight is 0, and does not if its class is ignored
        score = "x - torch.tensor([[float('inf'), 0, 0], [0, 0, 0]])"
        yield case(f"{F}.nll_loss({score}, {classes}, {options})", x="float32 2x3")
    yield from on([f"{F}.cross_entropy(x, x.long())", f"{F}.cross_entropy(x, x, ignore_index=1)",
                   f"{F}.cross_entropy(x, {classes}, label_smoothing=2)"],
                  x="float32 2x3")  # fmt: skip


def losses_of_two() -> Iterator[Case]:
    """binary_cross_entropy, of probabilities and of logits."""
    probabilities = f"{F}.binary_cross_entropy(x.sigmoid(), y.sigmoid(){{}})"
    logits = f"{F}.binary_cross_entropy_with_logits(x, y{{}})"
    weight = "torch.tensor([1.0, 2.0, 0.5], dtype=x.dtype)"
    forms = ["", ", reduction='sum'", ", reduction='none'", f", weight={weight}"]
    for spec, form in itertools.product(["float32 2x3", "float32 3 strided", "float32 0x3"], forms):
        # in float64 the 1e-12 with which PyTorch's second derivative avoids division by 0 shows
        yield case(probabilities.format(form), x=spec, y=spec)
    for spec, form in itertools.product(["float64 2x3", "float32 3 strided", "float64 0x3"], forms):
        yield case(logits.format(form), x=spec, y=spec)
        yield case(logits.format(f"{form}, pos_weight={weight}"), x=spec, y=spec)
    yield case(probabilities.format(""), x="float32 scalar", y="float32 scalar")
    yield case(logits.format(""), x="float32 scalar", y="float32 scalar")
    yield case(logits.format(""), x="float64 2x3", y="float64 2x3 constant")
    yield case(logits.format(""), x="float64 7 special", y="float64 7 constant")
    yield case(
        f"{F}.binary_cross_entropy((x > 0).double() + 0 * x, (x < 0).double())", x="float64 3"
    )
    for name in ["binary_cross_entropy", "binary_cross_entropy_with_logits"]:
        yield from on(
            [
                f"{F}.{name}(x, y)", f"{F}.{name}(x, x.long())", f"{F}.{name}(x, x)",
                f"{F}.{name}(x * 0, x * 0, weight=torch.ones(2))",
                f"{F}.{name}(x, x, reduction='no')",
            ],
            x="float32 2x3", y="float32 3",
        )  # fmt: skip


def images() -> Iterator[Case]:
    """conv2d and max_pool2d."""
    for how in ["stride=1", "stride=2", "padding=1", "stride=(2, 1), padding=(0, 2)",
                "dilation=2, padding=2",
                "padding='valid'", "padding='same'"]:  # fmt: skip
        code = f"{F}.conv2d(x, w, b * b, {how})"
        yield case(code, x="float64 2x2x5x6", w="float64 3x2x3x3", b="float64 3")
        yield case(code, x="float32 2x5x4", w="float32 1x2x3x1", b="float32 1")
    yield case(f"{F}.conv2d(x, w)", x="float32 1x1x4x5", w="float32 1x1x2x2")
    yield case(f"{F}.conv2d(x, w * w)", x="float64 1x1x4x5 constant", w="float64 1x1x2x2")
    yield case(f"{F}.conv2d(x * x, w)", x="float64 1x1x4x5", w="float64 1x1x2x2 constant")
    yield case(f"{F}.conv2d(x, w, groups=2)", x="float64 2x4x3x3", w="float64 6x2x2x2")
    yield case(f"{F}.conv2d(x, w, groups=4, padding=1)", x="float64 1x4x3x3", w="float64 4x1x3x3")
    yield case(f"{F}.conv2d(x, w).detach()", x="float64 0x2x4x4", w="float64 3x2x2x2")
    yield case(f"{F}.conv2d(x, w, padding='same')", x="float64 1x1x4x5", w="float64 1x1x2x3")
    for how in ["2", "(2, 3)", "2, 1", "3, 2, 1", "2, padding=1", "2, ceil_mode=True",
                "3, stride=2, padding=1, ceil_mode=True", "2, dilation=2",
                "2, return_indices=True"]:  # fmt: skip
        for spec in ["float64 2x2x5x6", "float32 2x5x7 strided", "int64 1x5x5"]:
            yield case(f"{F}.max_pool2d(x, {how})", x=spec)
    for how in ["stride=3, padding=2", "stride=(3, 4)", "padding=4, dilation=(1, 3)"]:
        code = f"{F}.conv2d(x, w, b * b, {how})"
        yield case(code, x="float64 2x2x5x6 strided", w="float64 2x2x2x2", b="float64 2")
    yield case(f"{F}.conv2d(x, w).relu()", x="float32 2x1x4x5 transposed", w="float32 3x1x2x2")
    for how in ["2", "2, 1, 1", "3, 2, 1", "(1, 3), (2, 1), (0, 1), (1, 2)", "2, 3", "2, 1, 0, 2",
                "3, 2, 1, 1, True"]:  # fmt: skip
        for code in ["x", "x - float('inf')", "x * 0"]:  # nan and ties in the windows, on the edges
            yield case(f"{F}.max_pool2d({code}, {how}, return_indices=True)",
                       x="float64 2x5x7 special")  # fmt: skip
            yield case(f"{F}.max_pool2d({code}, {how}).relu()", x="float32 2x5x7 special")
    yield case(f"{F}.max_pool2d(x, 17, return_indices=True)", x="float32 1x20x18")
    yield case(f"{F}.max_pool2d(x * 0, 2, 1)", x="float64 1x3x3")
    yield case(f"{F}.max_pool2d(x, 2)", x="float64 0x1x4x4")
    yield from on(
        [
            f"{F}.conv2d(x, y)", f"{F}.conv2d(y, y[:, :1])",
            f"{F}.conv2d(y, y, y[0, 0, 0])", f"{F}.conv2d(y, y, stride=0)",
            f"{F}.conv2d(y, y, padding=-1)", f"{F}.conv2d(y, y, dilation=0)",
            f"{F}.conv2d(y, y, groups=0)", f"{F}.conv2d(y, y, groups=2)",
            f"{F}.conv2d(y, y, padding='some')", f"{F}.conv2d(y, y, padding='same', stride=2)",
            f"{F}.conv2d(y[:, :, :1], y)", f"{F}.conv2d(y, y.double())",
            f"{F}.conv2d(y, y[:2], groups=3)", f"{F}.max_pool2d(x, 2)", f"{F}.max_pool2d(y, 5)",
            f"{F}.max_pool2d(y, 2, padding=2)", f"{F}.max_pool2d(y, 2, 0)",
            f"{F}.max_pool2d(y, (2, 3), padding=(0, 2), dilation=2)",
            f"{F}.max_pool2d(y, 4, 1, 0, 2, True)", f"{F}.max_pool2d(y > 0, 2)",
            f"{F}.conv2d(y, y, x.double()[:, 0])", f"{F}.conv2d(y, y, x.long()[:, 0])",
        ],
        x="float32 2x3", y="float32 2x2x3x3",
    )  # fmt: skip


def encodings() -> Iterator[Case]:
    """one_hot; and dropout as far as chance has no part in it."""
    for form in ["x", "x, 9", "x, 1", "x * 0", "-x", "x.float()", "x[None]", "x[0]", "x[:0]",
                 "x[:0], 3"]:  # fmt: skip
        yield case(f"{F}.one_hot({form}).clone()", x="int64 3 positive")
    yield from on([f"{F}.dropout(x, 0.0)", f"{F}.dropout(x, training=False)",
                   f"{F}.dropout(x, 1.0)",
                   f"{F}.dropout(x, 1.5)", f"{F}.dropout(x, -0.5)", f"{F}.dropout(x.long(), 0.5)",
                   f"{F}.dropout(x * 1, 1.0, inplace=True)", f"{F}.dropout(x, inplace=True)"],
                  x="float32 2x3")  # fmt: skip


def in_place() -> Iterator[Case]:
    """The in-place forms, on what has a history, on leaves and on numbers that do not fit."""
    unary = ["rsqrt", "floor", "ceil", "trunc", "round", "tril", "triu"]
    for name in unary:
        yield case(f"y = x * 1; y.{name}_()", x="float64 2x3 positive")
        yield case(f"y = x * 1; z = y.exp(); y.{name}_(); y * z", x="float64 2x3 positive")
    for form in ["clamp_(-1, 1)", "clamp_(y)", "remainder_(2)",
                 "remainder_(y)", "cumsum_(0)", "masked_fill_(x > 0, 2)",
                 "masked_fill_(x > 0, y.sum())",
                 "scatter_(0, torch.tensor([[1]]), y)", "scatter_(1, torch.tensor([[1]]), 7)",
                 "scatter_add_(0, torch.tensor([[1, 0]]), y)"]:  # fmt: skip
        yield case(f"z = x * 1; z.{form}; z", x="float64 2x3", y="float64 2x3")
        part = form.replace("(y", "(y[:1]").replace(", y", ", y[:1]").replace("x > 0", "x[0:1] > 0")
        yield case(f"z = x * 1; z[0:1].{part}; z", x="float64 2x3", y="float64 2x3")
    yield from on(["x.clamp_(0)", "x.floor_()", "x.masked_fill_(x > 0, 1)", "x.cumsum_(0)",
                   "y = x * 1; y //= 2", "y = x * 1; y %= 2; y", "y = x.detach(); y //= 2; y"],
                  x="float32 2x3")  # fmt: skip
    yield from on(["x.remainder_(2.5)", "x.clamp_(0, 1); x"], x="int64 3")


def refused() -> Iterator[Case]:
    """What is refused, and in which words."""
    yield from on(
        [
            "x.clamp()", "x.clamp(1, x)", "x.prod((0, 1))", "x.max(dim=(0, 1))", "x.max(5)",
            "x.repeat(2)", "x.repeat(2, -1)", "x.flip()", "x.flip(0, 0)", "x.flip(2)",
            "x.roll((1, 2))",
            "x.roll(1, (0, 1))", "x[0, 0].roll(1, 0)", "x[0].tril()", "x[0, 0].diag()",
            "x[None].diag()",
            "x.diagonal(0, 0, 0)", "x[0].diagonal()", "x[0, 0].split(1)", "x[0, 0].chunk(1)",
            "x.narrow(0, 0, 3)", "x.narrow(0, 5, 1)", "x.narrow(0, 0, -1)",
            "x[0, 0].narrow(0, 0, 1)",
            "x.movedim((0, 1), (1, 1))", "x.movedim((0, 1), (1,))", "x.broadcast_to((3, 3))",
            "x[0].trace()", "torch.outer(x, x)", "torch.outer(x[0], x)", "x.maximum(y)",
            "x.gather(0, i[0])", "x.gather(0, i + 5)", "x.gather(0, i - 1)", "x.gather(0, x)",
            "x.gather(1, torch.zeros(3, 1, dtype=torch.int64))", "x.scatter(0, i + 5, x)",
            "x.scatter(0, torch.zeros(3, 3, dtype=torch.int64), x)", "x.scatter(0, i, x.double())",
            "x.scatter(0, i[0], x)", "x.index_select(0, i)", "x.index_select(0, i[0] + 5)",
            "x.index_select(0, i[0] - 1)", "x.index_select(0, x[0])",
            "x[0, 0].index_select(0, i[0])",
            "x.masked_fill(x, 9)",
            "x.masked_fill(i, 9)", "x.masked_fill(x > 0, y)", "x.masked_fill(y > 0, 0)",
            "x.masked_select(x)", "x.masked_select(y > 0)", "x.sort(5)", "x.argsort(2)",
            "torch.einsum('ii', x)", "torch.einsum('ij,jk', x, x)", "torch.einsum('ij', x, x)",
            "torch.einsum('ij,ij', x)", "torch.einsum('ijk', x)", "torch.einsum('i', x)",
            "torch.einsum('ij->k', x)", "torch.einsum('ij->ii', x)", "torch.einsum('i1', x)",
            "torch.einsum('...ijk', x)", "i // 0", "i % 0", "x.clamp(y)",
        ],
        x="float32 2x3", y="float32 4", i="int64 2x3 positive",
    )  # fmt: skip
