"""What is compared of every operation: small programs on small tensors, written as text.

A case is Python whose last line is an expression, and a description of each input: ``float32 2x3``,
``float64 scalar``, ``int64 0x3``. Words behind that say more: ``transposed`` and ``strided`` lay
the elements out in memory in another way, ``positive`` and ``special`` (0, inf, nan, ties) choose
the values, and ``constant`` is a floating-point input that does not require grad.

The cases of a family differ in what makes implementations differ: broadcasting, 0-d and empty
tensors, memory layout, dtype, which of the inputs wants a gradient.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator
from typing import NamedTuple

FLOAT_INPUTS = ["float32 2x3", "float64 2x3 transposed", "float32 scalar", "float64 0x3"]
OTHER_INPUTS = ["int64 3", "int32 scalar", "uint8 3", "bool 3", "float16 3 constant"]

UNARY = ["neg", "square", "abs", "sign", "exp", "sin", "cos", "tanh", "sigmoid", "relu"]
UNARY_POSITIVE = ["reciprocal", "log", "sqrt"]
TESTS = ["logical_not", "isnan", "isinf", "isfinite"]
ARITHMETIC = ["+", "-", "*", "/"]
COMPARISONS = ["==", "!=", "<", "<=", ">", ">="]
BITWISE = ["&", "|", "^"]

BROADCASTS = [
    ("2x3", "2x3"), ("2x3", "3"), ("2x1", "1x3"), ("3", "scalar"), ("scalar", "2x3"),
    ("scalar", "scalar"), ("2x1x3", "4x1"), ("0x3", "3"), ("0x3", "scalar"), ("1x3", "0x1"),
]  # fmt: skip


class Case(NamedTuple):
    """A program, and name → description of its inputs."""

    code: str
    inputs: dict[str, str]

    @property
    def name(self) -> str:
        """Both in one line: the key under which the case is recorded."""
        inputs = ", ".join(f"{name}: {spec}" for name, spec in self.inputs.items())
        return f"{self.code}  # {inputs}" if inputs else self.code


def cases() -> list[Case]:
    """Every case, once."""
    families = [
        unary(), arithmetic(), powers(), logic(), reductions(), shapes(), indexing(), joining(),
        products(), in_place(), views_changed(), creation(), refused(),
        more_operation_cases.cases(), further_operation_cases.cases(), argument_cases.cases(),
        creation_cases.cases(), completing_operation_cases.cases(),
    ]  # fmt: skip
    return list(itertools.chain(*families))


def names_in(code: str) -> set[str]:
    """The variables that a program reads or sets."""
    return {part.id for part in ast.walk(ast.parse(code)) if isinstance(part, ast.Name)}


def case(code: str, **inputs: str) -> Case:
    return Case(code, inputs)


def on(codes: list[str], **inputs: str) -> Iterator[Case]:
    """Each of the programs on those of the inputs that it reads."""
    for code in codes:
        used = names_in(code)
        yield Case(code, {name: spec for name, spec in inputs.items() if name in used})


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


def shapes() -> Iterator[Case]:
    """Views and copies in other shapes; what shares memory is compared as well."""
    yield from on(
        [
            "x.reshape(3, 2)", "torch.reshape(x, (-1,))", "x.reshape(6)", "x.reshape(1, -1, 3)",
            "x.view(3, 2)", "x.view(-1)", "x.view((2, 1, 3))", "x.view_as(torch.zeros(3, 2))",
            "x.flatten()", "torch.flatten(x, 0, 1)", "x.flatten(1)", "x.t()", "torch.t(x)", "x.T",
            "x.mT", "torch.transpose(x, 0, 1)", "x.transpose(-1, 0)", "x.transpose(1, 1)",
            "x.permute(1, 0)", "torch.permute(x, (0, 1))", "x.permute(-1, 0)", "x.unsqueeze(0)",
            "torch.unsqueeze(x, -1)", "x.unsqueeze(1).squeeze()", "x.unsqueeze(0).squeeze(0)",
            "torch.squeeze(x, 1)", "x.unsqueeze(2).squeeze((0, 2))", "x.expand(4, 2, 3)",
            "x.unsqueeze(0).expand(2, -1, -1)", "x.expand(2, 3)",
            "x.expand_as(torch.zeros(5, 2, 3))", "x.expand((2, 2, 3)).reshape(12)",
            "x.contiguous()", "x.t().contiguous()", "x.clone()", "torch.clone(x)",
            "x.t().reshape(6)", "x.t().reshape(3, 2)", "x.t().view(3, 2)", "x.t().view(6)",
            "x.detach()", "x.data", "x.double()", "x.float()", "x.half()", "x.long()", "x.int()",
            "x.bool()", "x.to(torch.float64)", "x.to(torch.int64)", "x.to('cpu')",
            "x.to(torch.zeros(1, dtype=torch.float64))", "x.to(x.dtype, copy=True)",
        ],
        x="float32 2x3",
    )  # fmt: skip
    yield from on(["x.reshape(6)", "x.view(6)", "x.t().view(6)", "x.flatten()", "x.contiguous()",
                   "x.clone()", "x.double()"], x="float32 2x3 transposed")  # fmt: skip
    yield from on(["x.reshape(6)", "x.view(2, 3, 1)", "x.view(6)"], x="float64 2x3 strided")
    yield from on(
        [
            "x.reshape(1)", "x.reshape(())", "x.view(1, 1)", "x.flatten()", "x.t()", "x.T",
            "x.unsqueeze(0)", "x.unsqueeze(-1)", "x.squeeze()", "x.squeeze(0)", "x.squeeze(-1)",
            "x.transpose(0, -1)", "x.expand(2, 3)", "x.expand(())", "x.clone()", "x.expand(0)",
            "x.contiguous()",
        ],
        x="float32 scalar",
    )  # fmt: skip
    yield from on(["x.reshape(0)", "x.reshape(3, 0)", "x.view(-1, 3)", "x.t()", "x.expand(2, 0, 3)",
                   "x.flatten()", "x.clone()", "x.squeeze()"], x="float32 0x3")  # fmt: skip
    yield from on(["x.squeeze()", "x.squeeze(0)", "x.squeeze(-1)", "x.squeeze((0, 2))", "x.mT",
                   "x.permute(2, 0, 1)", "x.transpose(0, 2)", "x.flatten(1)", "x.expand(4, 3, 1)",
                   "x.reshape(-1)"], x="float64 1x3x1")  # fmt: skip
    yield from on(["x.t()", "x.T", "x.t().t()"], x="float32 3")
    for spec in ["int64 2x3", "bool 2x3", "uint8 3"]:
        yield from on(["x.float()", "x.double()", "x.bool()", "x.long()", "x.reshape(-1)",
                       "x.to(torch.uint8)"], x=spec)  # fmt: skip


def indexing() -> Iterator[Case]:
    """Indices of every kind, read and (in `in_place`) written."""
    yield from on(
        [
            "x[0]", "x[-1]", "x[1, 2]", "x[0][1]", "x[:]", "x[...]", "x[None]", "x[:, None]",
            "x[0:1]", "x[1:]", "x[:, ::2]", "x[5:]", "x[-2:]", "x[..., 0]", "x[..., 1:, None]",
            "x[0, ...]", "x[:, 1]", "x[:, -2:]", "x[()]", "x[None, ..., None]", "x[0, None]",
            "x[[0, 1]]", "x[[0, 0, 1]]", "x[[1], [2]]", "x[:, [2, 0]]", "x[[0, 1], [1, 1]]",
            "x[torch.tensor([1, 0])]", "x[torch.tensor([[0, 1], [1, 1]])]", "x[torch.tensor(1)]",
            "x[torch.tensor([0]), 1:]", "x[x > 0]", "x[x > 100]", "x[torch.tensor([True, False])]",
            "x[:, torch.tensor([True, False, True])]", "x[True]", "x[False]", "x[[True, False]]",
            "x[[-1]]", "x[[[0, 1]], [[1], [2]]]", "x[None, [0, 1]]", "x[0, [1, 2]]",
            "x[[0, 1], None]", "x[range(2)]", "x[[]]", "x[1:, [0, 0]]", "x.select(0, 1)",
            "torch.select(x, -1, -1)", "x.unbind()", "torch.unbind(x, 1)", "x.unbind(-1)[1]",
            "a, b = x; a * b", "[r for r in x][1]", "len(x)",
        ],
        x="float64 2x3",
    )  # fmt: skip
    yield from on(["x[0]", "x[:, 1]", "x[1:, ::2]", "x[[1, 0]]"], x="float32 2x3 transposed")
    yield from on(["x[...]", "x[None]", "x[()]", "x[True]", "x[None, None]", "x[x > -100]"],
                  x="float32 scalar")  # fmt: skip
    yield from on(["x[:, 0]", "x[:0]", "x[:, 1:]", "x[[]]", "x[:, [0, 1]]", "x.unbind(1)",
                   "x.unbind(0)"], x="float32 0x3")  # fmt: skip
    yield from on(
        [
            "x[0]", "x[..., 0]", "x[:, 0]", "x[[0, 1], :, [1, 0]]", "x[:, [0], [2]]", "x[0, :, 1]",
            "x[:, :, [0, 1]]", "x[[0, 1], 0]", "x[0, [0, 0], 1:]", "x[x > 0]", "x.select(1, 0)",
            "x[torch.tensor([[True], [False]])]", "x[1:, 0, None]", "x[[0], None, [0]]",
            "x[:, None, [0]]", "x[[1, 0], :1, 2]",
        ],
        x="float32 2x1x3",
    )  # fmt: skip
    yield from on(["x[1]", "x[x > 0]", "x[[0, 2]]"], x="int64 3")


def joining() -> Iterator[Case]:
    """stack and cat."""
    yield from on(
        ["torch.stack([x, y])", "torch.stack((x, y), 1)", "torch.stack([x, y, x], dim=-1)",
         "torch.cat([x, y])", "torch.cat((x, y), 1)", "torch.cat([x, y, x], dim=-1)",
         "torch.cat([x])", "torch.stack([y])"],
        x="float64 2x3", y="float64 2x3 transposed",
    )  # fmt: skip
    yield from on(["torch.cat([x, y])", "torch.cat([y, x, y])"], x="float32 2x3", y="float32 1x3")
    yield from on(["torch.cat([x, y])", "torch.stack([x, y])"], x="float32 3", y="float64 3")
    yield from on(["torch.cat([x, y])", "torch.stack([x, y])"], x="float32 3", y="int64 3")
    yield from on(
        ["torch.cat([x, y])", "torch.stack([y, x])"], x="float32 3 constant", y="float32 3"
    )
    yield from on(["torch.cat([x, y])", "torch.cat([y, x])"], x="float32 2x3", y="float32 0")
    yield from on(["torch.cat([x, y])"], x="float32 2x3", y="float32 0x3")
    yield from on(["torch.stack([x, y])", "torch.stack([x, x], -1)"], x="float32 scalar",
                  y="float32 scalar")  # fmt: skip
    yield from on(
        ["torch.stack([x, y], 1)", "torch.cat([x, y], 1)"], x="float32 0x3", y="float32 0x3"
    )


def products() -> Iterator[Case]:
    """matmul of all numbers of dimensions, and the products it is made of."""
    left = ["3", "2x3", "1x2x3", "4x2x3", "5x1x2x3"]
    right = ["3", "3x2", "1x3x2", "4x3x2", "5x4x3x2"]
    for a, b in itertools.product(left, right):
        yield case("x @ y", x=f"float64 {a}", y=f"float64 {b}")
        yield case("x @ y", x=f"float32 {a}", y=f"float32 {b} constant")
        yield case("torch.matmul(x, y)", x=f"float32 {a} constant", y=f"float32 {b}")
    for a, b in [("0", "0"), ("0x3", "3"), ("2x0", "0x3"), ("0x3", "3x2"), ("2x0x3", "3x1")]:
        yield case("x.matmul(y)", x=f"float64 {a}", y=f"float64 {b}")
    for layout in ["transposed", "strided"]:
        yield case("x @ y", x=f"float64 2x3 {layout}", y=f"float64 3x2 {layout}")
        yield case("x @ y", x=f"float64 4x2x3 {layout}", y=f"float64 3x2 {layout}")
        yield case("x @ y", x=f"float64 4x2x3 {layout} constant", y="float64 3 constant")
    yield case("x @ x.t()", x="float64 2x3")
    yield case("x @ y", x="int64 2x3", y="int64 3x2")
    yield from on(["torch.dot(x, y)", "x.dot(x)", "x.dot(y)"], x="float32 3", y="float32 3")
    yield from on(["torch.mv(x, y)", "x.mv(y)"], x="float32 2x3", y="float32 3")
    yield from on(["torch.mm(x, y)", "x.mm(y)"], x="float32 2x3", y="float32 3x2 transposed")
    yield from on(["torch.bmm(x, y)", "x.bmm(y)"], x="float64 4x2x3", y="float64 4x3x2")
    yield from on(
        ["torch.addmm(b, x, y)", "b.addmm(x, y)"], b="float64 2", x="float64 4x3", y="float64 3x2"
    )
    linear = "torch.nn.functional.linear"
    for shape in ["4x3", "3", "2x4x3"]:
        yield case(f"{linear}(x, w)", x=f"float64 {shape}", w="float64 2x3")
        yield case(f"{linear}(x, w, b)", x=f"float64 {shape}", w="float64 2x3", b="float64 2")
        yield case(
            f"{linear}(x, w, b)", x=f"float64 {shape} constant", w="float64 2x3", b="float64 2"
        )


def in_place() -> Iterator[Case]:
    """Every in-place form, on a result of an operation and on a plain tensor."""
    for name in [*UNARY, *UNARY_POSITIVE]:
        words = " positive" if name in UNARY_POSITIVE else ""
        yield case(f"y = x * 2; z = y.{name}_(); y", x="float64 2x3" + words)
        yield case(f"y = x * 2; y.{name}_()", x="float32 scalar" + words)
        yield case(f"y = x + 0; z = y * y; y.{name}_(); z + y", x="float64 3" + words)
        yield case(f"x.{name}_()", x="float32 2x3 constant" + words)
        yield case(f"x.{name}_()", x="int64 3")
    for name in ["add", "sub", "mul", "div", "pow"]:
        words = " positive" if name == "pow" else ""
        for spec in ["float64 2x3", "float64 3", "float64 scalar"]:
            yield case(f"z = x * 1; z.{name}_(y); z", x="float64 2x3" + words, y=spec)
        yield case(f"z = x * 1; z.{name}_(y)", x="float32 2x3" + words, y="float64 3")
        yield case(f"z = x * 1; z.{name}_(y)", x="float32 2x3 constant" + words, y="float32 3")
        yield case(f"z = x * 1; z.{name}_(2)", x="float32 scalar" + words)
        yield case(f"z = x * 1; z.{name}_(z)", x="float64 3" + words)
        yield case(f"z = x * 1; z.{name}_(2)", x="int64 3" + words)
        yield case(f"z = x * 1; z.{name}_(2.5)", x="int64 3" + words)
    for operator in [*ARITHMETIC, "**"]:
        words = " positive" if operator == "**" else ""
        yield case(f"z = x + 1; z {operator}= 2; z", x="float64 2x3" + words)
        yield case(f"z = x + 1; w = z; z {operator}= y; w", x="float64 2x3" + words, y="float64 3")
        yield case(f"z = x + 1; z {operator}= z; z", x="float64 scalar" + words)
    yield from on(
        ["z = x + 0; z.add_(y, alpha=2); z", "z = x + 0; z.copy_(y); z", "z = x + 0; z.zero_(); z",
         "z = x + 0; z.fill_(2.5); z", "z = x + 0; z.fill_(y[0]); z",
         "z = torch.zeros(2, 3); z.copy_(y); z", "z = torch.zeros(2, 3); z += y; z",
         "z = x + 0; z.copy_(torch.arange(3)); z", "z = torch.zeros(3); z[0] = y[1]; z * y",
         "z = x + 0; z.mul_(y).add_(1).sin_(); z._version"],
        x="float32 2x3", y="float32 3",
    )  # fmt: skip
    for name in ["normal", "uniform"]:
        yield case(f"torch.manual_seed(1); z = x * 2; z.{name}_(); z * 1", x="float64 2x3")
        yield case(f"torch.manual_seed(1); x.{name}_() * 1", x="float32 3 constant")
    yield from on([f"z = x * 2; z[{index}] = 5; z" for index in [
        "0", "...", ":", "1, 2", ":, 1", "1:", "[0, 1]", "[0, 1], [2, 0]", "z > 0", "None", "0, 1:",
        ":, [0, 2]", "torch.tensor([True, False])", "-1, -1", ":, ::2", "[0, 0]", "True", "()",
    ]], x="float64 2x3")  # fmt: skip
    yield from on([f"z = x * 2; z[{index}] = y; z" for index in [
        "0", "...", ":", ":, :", "1:", "[0, 1]", "[1]", "None", "0:1", "..., :",
    ]], x="float64 2x3", y="float64 3")  # fmt: skip
    yield from on([f"z = x * 2; z[{index}] = y; z" for index in ["0", "1, 2", "z > 0",
    "[0, 1], [1, 1]",
                   "..., 0"]], x="float64 2x3", y="float64 scalar")  # fmt: skip
    yield from on(["z = torch.zeros(3); z[1] = x; z", "z = torch.zeros(()); z[...] = x; z",
                   "z = x * 2; z[()] = 3; z",
                   "z = x * 2; z.copy_(x * x); z"], x="float32 scalar")  # fmt: skip


def views_changed() -> Iterator[Case]:
    """In-place edits through views, of bases with views, and of what was saved for backward."""
    yield from on(
        [
            "b = x * 2; v = b[0]; v.mul_(3); b", "b = x * 2; v = b[0]; v.mul_(3); v",
            "b = x * 2; v = b[0]; b.mul_(3); v", "b = x * 2; v = b.t(); v[1] = 0; b * b",
            "b = x * 2; v, w = b[0], b[1]; v.mul_(w); b",
            "b = x * 2; v = b.view(-1); v[::2] = 1; b", "b = x * 2; v = b[1:].t()[0]; v.sin_(); b",
            "b = x * 2; v = b[0]; w = v[1:]; w.exp_(); v",
            "b = x * 2; v = b[0]; w = v[1:]; w.exp_(); b",
            "b = x * 1; b[0].mul_(2); b[1].add_(b[0]); b", "b = torch.zeros(2, 3); b[0] = x[1]; b",
            "b = torch.zeros(2, 3); v = b[0]; v.add_(x[0]); v",
            "b = torch.zeros(2, 3); v = b.t(); w = b[0]; w.add_(x[0]); v",
            "b = torch.zeros(2, 3); b.t().mul_(2).add_(x.t()); b",
            "b = x * 2; v = b.expand(2, 2, 3); b.mul_(2); v",
            "b = x * 2; b.t().copy_(x.t() * x.t()); b",
            "b = x * 2; v = b.unsqueeze(0); v.squeeze(0)[0].zero_(); b + v",
            "b = x * 2; d = b.detach(); d.mul_(3); b", "b = x * 2; b.data.mul_(3); b * b",
            "y = x.exp(); y.mul_(2); y", "y = x.sin(); y.mul_(2); y",
            "y = x * 2; z = y * y; y.add_(1); z", "y = x * 2; z = y + y; y.add_(1); z",
            "y = x.tanh(); y.detach().zero_(); y", "y = x * 2; z = y.exp(); z[0] = 0; z",
            "y = x * 2; z = y * x; y[0] = 0; z", "y = x * 2; z = y[0] * 3; y[1] = 0; z * y",
            "y = x.sigmoid(); y += 1; y", "y = x * 2; z = y ** 2; y.zero_(); z",
            "y = x * 2; z = x ** 2; y.zero_(); z + y", "y = x.t(); y.add_(1)", "x.add_(1)",
            "x[0] = 1", "x[0].zero_()", "x.zero_()", "a, b = (x * 2).unbind(); a.add_(1)",
            "b = x * 2; v = b.unbind()[0]; b.mul_(2); v",
            "b = x * 2; v = b[0]; b.detach().mul_(2); torch.stack([v, v])",
            "b = x * 2; v = b.unbind()[0]; v.add_(1); b", "z = x.detach(); z.add_(1); x * x",
            "y = x * 2; y.detach_(); y * x", "y = x * 2; y.requires_grad_(); y",
            "b = torch.zeros(2, 3); v = b[0]; v.requires_grad_(); v * 2",
            "b = x * 2; v = b[0]; v += 1; v *= 2; b[0] += v; b, v",
            "b = x * 2; v = b[0]; b.zero_(); v.add_(x[0]); b, v",
            "b = x * 2; v = b[:, :2]; w = b[:, 1:]; v.mul_(w.detach()); w.mul_(2); b, v, w",
        ],
        x="float64 2x3",
    )  # fmt: skip


def creation() -> Iterator[Case]:
    """Tensors from nothing, from numbers and from other tensors."""
    yield from on(
        [
            "torch.tensor(2.5)", "torch.tensor([1, 2])", "torch.tensor([[1, 2.5], [True, 0]])",
            "torch.tensor([])", "torch.tensor([[], []])", "torch.tensor(True)",
            "torch.tensor([False])", "torch.tensor([1.5], dtype=torch.int64)",
            "torch.tensor([0, 2], dtype=torch.bool)", "torch.tensor([1.0], requires_grad=True)",
            "torch.tensor((1, 2), dtype=torch.float64)", "torch.tensor(range(3))",
            "torch.tensor([torch.tensor(1.5), 2])", "torch.tensor(x.tolist())",
            "torch.as_tensor([1, 2])", "torch.as_tensor(x)",
            "torch.as_tensor(x, dtype=torch.float64)", "torch.as_tensor(x.detach().numpy())",
            "torch.from_numpy(x.detach().numpy())", "torch.zeros(2, 3)", "torch.zeros((2, 3))",
            "torch.zeros([0])", "torch.zeros(())", "torch.ones(2, dtype=torch.int64)",
            "torch.ones(2, requires_grad=True)", "torch.ones(x.shape)", "torch.full((2,), 1.5)",
            "torch.full((2, 1), 3)", "torch.full((), True)",
            "torch.full([2], 1, dtype=torch.float64)", "torch.empty(2, 3).shape", "torch.empty(0)",
            "torch.zeros_like(x)", "torch.ones_like(x)", "torch.full_like(x, 2)",
            "torch.empty_like(x).shape", "torch.zeros_like(x, dtype=torch.bool)",
            "torch.ones_like(x, requires_grad=True)", "torch.eye(2)", "torch.eye(2, 3)",
            "torch.eye(3, dtype=torch.int64)", "torch.arange(4)", "torch.arange(1, 3)",
            "torch.arange(1, 2, 0.25)", "torch.arange(3.0)", "torch.arange(5, 0, -2)",
            "torch.arange(0)", "torch.arange(3, dtype=torch.float64)",
            "torch.arange(1.5, requires_grad=True)", "torch.linspace(0, 1, 5)",
            "torch.linspace(-1, 1, 1)", "torch.linspace(0, 3, 4, dtype=torch.float64)",
            "torch.linspace(0, 1, 0)", "torch.rand(2, 3).shape",
            "torch.randn(2, dtype=torch.float64).dtype", "torch.rand_like(x).shape",
            "torch.randn_like(x).dtype", "torch.randint(5, (3,)).dtype",
            "torch.randint(2, 3, (2,))", "torch.randperm(1)",
            "torch.randn(2, requires_grad=True).is_leaf", "torch.rand(()).shape",
            "torch.FloatTensor([1, 2])", "torch.DoubleTensor([1])", "torch.LongTensor([1, 2])",
            "torch.IntTensor([3])", "torch.BoolTensor([True])", "torch.FloatTensor(2, 3).shape",
            "torch.get_default_dtype()", "torch.is_tensor(x)", "torch.is_tensor(1.0)",
        ],
        x="float32 2x3",
    )  # fmt: skip


def refused() -> Iterator[Case]:
    """What is not possible: the errors."""
    yield from on(
        [
            "x + y", "x - y", "x * y", "x / y", "x ** y", "x < y", "torch.where(x > 0, x, y)",
            "torch.where(y > 0, x, x)", "x.add_(y)", "x[0] + y", "y + x[0]", "torch.dot(x, y)",
            "torch.dot(x[0], y)", "torch.mv(x, y)", "torch.mv(y, x)", "torch.mm(x, x)",
            "torch.mm(x, y)", "torch.bmm(x, x)", "x @ x", "x @ y", "y @ x", "x @ 2",
            "torch.matmul(x, 2)", "x @ x[0, 0]", "torch.addmm(y, x, x)",
            "torch.bmm(x[None], x[None])",
            "x[None] @ x.t()[None, None].expand(2, 1, 3, 2).reshape(2, 3, 2)[:, :2]",
            "x.reshape(4)", "x.reshape(-1, 4)", "x.reshape(-1, -1)", "x.reshape(-2, 3)",
            "x.view(4)", "x.view(-1, 5)", "x.expand(3, 3)", "x.expand(3)",
            "x.expand(-1, 2, 3)", "x.transpose(0, 2)", "x.permute(0)", "x.permute(0, 0)",
            "x.permute(0, 2)", "x.squeeze(2)", "x.unsqueeze(3)", "x[None].t()", "x.flatten(1, 0)",
            "x.flatten(0, 2)", "x.sum(2)", "x.sum((0, 0))", "x.mean(-3)", "x.argmax(2)", "x.all(2)",
            "x[2]", "x[0, 3]", "x[0, 0, 0]", "x[[2]]", "x[:, [3]]", "x[0, [-4]]", "x[1.5]",
            "x[::-1]", "x[y > 0]", "x[torch.tensor([True])]", "x[torch.tensor(1.5)]",
            "x[[0, 1], [0, 1, 2]]", "x[[0, 1], x[0] > 0]", "x[0, 0][0]", "x.select(0, 2)",
            "x.select(2, 0)", "x.unbind(2)", "x[0, 0].unbind()", "torch.stack([x, y])",
            "torch.stack([])", "torch.cat([])", "torch.cat([x, y])", "torch.cat([x, x[:, :2]])",
            "torch.cat([x[0, 0], x[0, 1]])", "torch.stack(x)", "torch.cat(x)", "torch.cat([x, 1])",
            "torch.stack([x, None])", "torch.stack([x, x], 3)", "torch.cat([x, x], 2)", "x + 'a'",
            "'a' + x", "x * None", "x + [1]", "x < None", "x & x", "torch.exp(2)", "torch.exp('a')",
            "torch.exp([1.0])", "torch.add(x, 'a')", "torch.add(1, x)", "torch.where(x, x, x)",
            "torch.exp(None)", "~x", "x | True", "bool(x)", "len(x[0, 0])", "iter(x[0, 0])",
            "x.item()", "int(x)", "if_x = 1 if x else 0; if_x", "x[0] = y", "x[x > 9] = y",
            "x.allclose(x.double())", "z = x * 1; z[2] = 0", "z = x * 1; z[0] = y",
            "z = x * 1; z[[0, 5]] = 0", "z = x * 1; z[0, 0, 0] = 1", "z = x * 1; z[[0]] = y",
            "z = x * 1; z += y", "z = x * 1; z.copy_(y)", "z = y * 1; z.add_(x[:, :1])",
            "z = x[0, 0] * 1; z += y", "z = (x * 1).expand(2, 2, 3); z.add_(1)",
            "z = x * 1; z.add_('a')", "z = x * 1; z[0] = 'a'", "z = x * 1; z[0] = [1, 2]",
            "z = x * 1; z.fill_(y)", "z = x * 1; z.copy_(2)", "x.numpy()", "x.nothing()",
            "x.nothing",
        ],
        x="float32 2x3", y="float32 4",
    )  # fmt: skip
    yield from on(
        [
            "i - b", "b - i", "b - b", "-b", "1 - b", "b - 1", "i.mean()", "b.mean()", "i ** -1",
            "i / 0", "i ** i", "i & f", "~f", "i.requires_grad_()", "b * b", "b + b", "b / b",
            "b.sign()", "b.sum(0)", "i.sqrt_()", "i.div_(2)", "i.add_(1.5)", "i.mul_(f)",
            "b.add_(1)", "b.mul_(True)", "i.exp_()", "i @ f", "torch.dot(i, f)", "b.add_(i)",
            "i *= 2.0", "torch.tensor([1, 2], requires_grad=True)",
            "torch.zeros(2, dtype=torch.int64, requires_grad=True)",
            "torch.ones(2, dtype=torch.bool, requires_grad=True)",
            "torch.arange(3, requires_grad=True)", "torch.full((2,), 3, requires_grad=True)",
            "i.float().requires_grad_()", "i[f]", "f[i.float()]", "i.sum(dtype=torch.int32)",
            "torch.eye(2, dtype=torch.bool)", "b.square()", "i.square()", "i.reciprocal_()",
            "i == 'a'", "i < 'a'", "b & 1.5", "i | f", "b &= i > 1; b", "i |= 2; i", "b ^= True; b",
            "b |= i", "f &= f", "i[0] &= 1; i",
        ],
        i="int64 3 positive", b="bool 3", f="float32 3",
    )  # fmt: skip
    yield from on(["x.argmax()", "x.argmin(0)", "x.argmax(1)", "x.mean()", "x.mean(0)", "x.sum()",
                   "x.item()", "bool(x)", "x.reshape(-1, 0)", "x.view(0, -1)",
                   "x[0]"], x="float32 0x3")  # fmt: skip
    yield from on(
        [
            "torch.tensor([[1, 2], [3]])", "torch.tensor([1, [2]])", "torch.tensor([[1], 2])",
            "torch.tensor('a')", "torch.tensor(['a'])", "torch.tensor(None)",
            "torch.tensor([None])", "torch.tensor({})", "torch.tensor(2**63)",
            "torch.tensor(300, dtype=torch.uint8)", "torch.tensor([1, 2], torch.float32)",
            "torch.zeros(-1)", "torch.arange(0, 1, 0)", "torch.arange(1, 0)",
            "torch.from_numpy([1])", "torch.randperm(-1)", "torch.as_tensor('a')", "torch.rand(-1)",
        ]
    )  # fmt: skip


# The other cases are described in the words of this module.
from tests.goldens import (  # noqa: E402
    argument_cases,
    completing_operation_cases,
    creation_cases,
    further_operation_cases,
    more_operation_cases,
)
