"""Cases of products of matrices, and of linear algebra."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import INPUTS, Case, case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        products(), contractions(), scaled_sums(), products_and_sums(), empty_products(),
        matrices(), conveniences(),
    )  # fmt: skip


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


def contractions() -> Iterator[Case]:
    """outer, and einsum with every kind of subscripts."""
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


def scaled_sums() -> Iterator[Case]:
    """A product added to a tensor, both scaled."""
    yield from on(
        [
            "torch.addmm(x[:, :2], x, x.t(), beta=2)", "torch.addmm(x[:, :2], x, x.t(), alpha=0.5)",
            "torch.addmm(y[:2], x, p.t(), beta=0.5, alpha=2)",
            "torch.addmm(input=y[:2], mat1=x, mat2=p.t())", "y[:2].addmm(x, p.t(), alpha=3)",
        ],
        x="float64 2x3", y="float64 3", p="float64 2x3 positive",
    )  # fmt: skip


def products_and_sums() -> Iterator[Case]:
    """Products with something added, Kronecker's, and in place."""
    yield from on(
        [
            "q = x * 1; q.addcmul_(x, p, value=0.5); q",
            "q = x * 1; q.addcdiv_(x, p, value=-0.5); q", "q = x * 1; q.lerp_(p, 0.3); q",
            "q = x * 1; q.lerp_(p, p); q",
            "x.lerp_(p, 0.3)",
            "q = y * 1; q.addcmul_(x, x)",
        ],
        **INPUTS,
    )  # fmt: skip


def empty_products() -> Iterator[Case]:
    """Products over an inner dimension of length 0, of batches too."""
    yield from on(
        [
            "torch.zeros(2, 3, 0) @ torch.zeros(0, 3)", "c[:, :, :0] @ z[:, :]",
            "c[:, :, :0] @ y[:0]", "y[:0] @ c[:, :0, :]", "c[:, :, :0] @ d[:, 0, :0, :]",
            "c[:, :, :0] @ d[:1, 0, :0, :]", "d[:, :, :, :0] @ c[:, :0]",
            "c[:0] @ torch.ones(4, 2, dtype=torch.float64)", "c[:0] @ w.t()[:, :].new_zeros(4, 2)",
            "c[:, :0] @ n[:, :]", "torch.ones(2, 3, dtype=torch.float64) @ c[:0]",
            "c[:, :0].transpose(1, 2) @ z", "w[:, :0].detach() @ c[:, :0, :]",
            "c[:, :, :0].detach() @ z", "c[:, :, :0] @ z.detach()", "c[:, :0] @ g",
            "g @ c[:, :0].transpose(1, 2)", "g[:0] @ c[:, :0]",
            "torch.bmm(c[:, :, :0], c[:, :, :0].transpose(1, 2))", "w[:0] @ d[:, :, :2]",
            "torch.nn.functional.linear(c[:0], n[:, :].t(), y)",
            "torch.einsum('ijk,kl->ijl', c[:, :, :0], z)",
            "w[:, :0] @ z", "torch.nn.functional.linear(c[:, :, :0], w[:, :0].clone())",
            "torch.nn.functional.linear(c[:, :, :0], w[:, :0].clone(), y)",
            "w[:, :0].clone() @ c[:, :0, :]", "w[:, :0].clone() @ d[:, :, :0]",
        ],
        **INPUTS,
    )  # fmt: skip


def matrices() -> Iterator[Case]:
    """Inverse, determinant, linear equations and norms."""
    yield from on(
        [
            "torch.linalg.norm(y)",
            "torch.linalg.norm(w)", "torch.linalg.norm(w, 'fro')", "torch.linalg.norm(y, 1)",
            "torch.linalg.norm(y, float('inf'))", "torch.linalg.norm(w, dim=1)",
            "torch.linalg.norm(w, 1, dim=1)", "torch.linalg.norm(w, axis=0)",
            "torch.linalg.norm(w, dim=(0, 1))", "torch.linalg.norm(b)",
            "torch.linalg.vector_norm(w)", "torch.linalg.vector_norm(w, 3)",
            "torch.linalg.vector_norm(w, ord=1, dim=0, keepdim=True)",
             "torch.linalg.matmul(w, y)",
        ],
        w="float64 3x3", y="float64 3", x="float64 3x2", b="float64 2x3x3", c="float64 2x3x2",
        z="float64 2x3", f="float32 2x2", s="float64 scalar", i="int64 3x3", e="float64 0x0",
    )  # fmt: skip


def conveniences() -> Iterator[Case]:
    """Short names for longer expressions."""
    codes = [
        "torch.isclose(x, x + 1e-9)", "x.isclose(y, atol=2)", "torch.isclose(e, e, equal_nan=True)",
        "torch.isclose(x, y.float())", "torch.isclose(x > 0, x < 9)", "torch.isclose(i, i + 1)",
        "torch.allclose(x, c)", "torch.allclose(x > 0, x > 0)", "torch.is_complex(x)",
        "x.is_complex()", "x.nbytes, x.itemsize", "F.pad(c, (1, 1), 'a')",
        "torch.normal(torch.ones(4), y)",
    ]  # fmt: skip
    yield from on([code.replace("F.", "torch.nn.functional.") for code in codes], **INPUTS)
