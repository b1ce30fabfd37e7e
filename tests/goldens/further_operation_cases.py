"""Cases for the operations that were added last: see `operation_cases`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.operation_cases import Case, on


def cases() -> Iterator[Case]:
    """Every case of this module."""
    return itertools.chain(further_functions(), further_layouts(), matrices(), further_layers())


def further_functions() -> Iterator[Case]:
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


def further_layouts() -> Iterator[Case]:
    """Running products, medians, joined and split shapes, and products."""
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

            "x.ravel()", "t.ravel()", "torch.ravel(x)", "s.ravel()",
            "y.ravel()", "x.tile(2)", "x.tile((2, 1))", "x.tile(2, 1, 2)", "torch.tile(x, (2,))",
            "torch.tile(y, (2, 2))", "s.tile(3)", "x.tile(dims=(2, 2))",
            "torch.meshgrid(y, q, indexing='ij')", "torch.meshgrid(y, y * 2, indexing='xy')",
            "torch.meshgrid([y, y], indexing='ij')", "torch.meshgrid(y, y)",
            "torch.meshgrid(y, y, i, indexing='xy')",
            "torch.meshgrid(y, s.double(), indexing='ij')", "torch.meshgrid(y, y, indexing='a')",
            "torch.meshgrid(y, indexing='xy')", "torch.hstack([y, y])", "torch.concat((x, p))",
            "torch.concatenate([x, p], axis=1)", "torch.hstack((x, x))", "torch.hstack([s, s])",
            "torch.vstack([y, y])", "torch.vstack((x, y[None]))", "torch.vstack([x, y])",
            "torch.vstack([s, s])", "torch.hstack([x, y])", "torch.hstack([])",
            "x.index_add(0, torch.tensor([1, 1]), x * 2)",
            "torch.index_add(x, 1, torch.tensor([0, 2]), p[:, :2])",
            "x.index_add(1, torch.tensor([0]), p[:, :1], alpha=2)",
            "x.index_add(0, torch.tensor([0, 5]), x)", "x.index_add(0, torch.tensor([0]), x)",
            "x.index_add(0, torch.tensor([0.0]), x[:1])",
            "x.index_add(dim=0, index=torch.tensor([0]), source=x[:1])",





            "torch.addmm(x[:, :2], x, x.t(), beta=2)", "torch.addmm(x[:, :2], x, x.t(), alpha=0.5)",
            "torch.addmm(y[:2], x, p.t(), beta=0.5, alpha=2)",
            "torch.addmm(input=y[:2], mat1=x, mat2=p.t())", "y[:2].addmm(x, p.t(), alpha=3)",
        ],
        x="float64 2x3", y="float64 3", p="float64 2x3 positive", q="float32 3",
        s="float32 scalar", i="int64 3", e="float64 7 special", z="float64 0x3", b="bool 3",
        k="int64 2x3", m="float64 3x4", t="float32 3x2 transposed", c="float64 2x3x2",
        d="float64 2x2x3", w="float64 3x3", r="float64 4x2x3", l="float64 4x3x2",
        n="float64 4x2x2",
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


def further_layers() -> Iterator[Case]:
    """Functions of `nn.functional`."""
    yield from on(
        [
            "torch.nn.functional.gelu(x)", "torch.nn.functional.gelu(h)",
            "torch.nn.functional.gelu(s)", "torch.nn.functional.gelu(z)",
            "torch.nn.functional.gelu(e)", "torch.nn.functional.gelu(x, approximate='tanh')",
            "torch.nn.functional.gelu(h, approximate='tanh')", "torch.nn.functional.gelu(i)",
            "torch.nn.functional.gelu(x, approximate='a')", "torch.nn.functional.relu6(x * 8)",
            "torch.nn.functional.relu6(e)", "torch.nn.functional.relu6(x * 1, inplace=True)",
            "torch.nn.functional.embedding(j, w)",
            "torch.nn.functional.embedding(torch.tensor([1, 1, 0]), w)",
            "torch.nn.functional.embedding(torch.tensor([1, 1, 0]), w, padding_idx=1)",
            "torch.nn.functional.embedding(torch.tensor([1, 4, 0]), w, padding_idx=-1)",
            "torch.nn.functional.embedding(torch.tensor(2), w)",
            "torch.nn.functional.embedding(torch.tensor([5]), w)",
            "torch.nn.functional.embedding(torch.tensor([-1]), w)",
            "torch.nn.functional.embedding(torch.tensor([1.0]), w)",
            "torch.nn.functional.embedding(torch.tensor([[1], [2]]), w * w)",
            "torch.nn.functional.normalize(x)", "torch.nn.functional.normalize(x, dim=0)",
            "torch.nn.functional.normalize(x * 0)", "torch.nn.functional.normalize(y, dim=0)",
            "torch.nn.functional.normalize(x, p=1.0)", "torch.nn.functional.normalize(y)",
            "torch.nn.functional.layer_norm(x, (3,))",
            "torch.nn.functional.layer_norm(x, [3], y, y * 2)",
            "torch.nn.functional.layer_norm(x, (3,), weight=y)",
            "torch.nn.functional.layer_norm(x, (2, 3))",
            "torch.nn.functional.layer_norm(x, (2, 3), m, m + 1)",
            "torch.nn.functional.layer_norm(c, (2, 3), m, m + 1, 1e-3)",
            "torch.nn.functional.layer_norm(c, (3,), y, eps=0.1)",
            "torch.nn.functional.layer_norm(h, (3,))", "torch.nn.functional.layer_norm(x, (2,))",
            "torch.nn.functional.layer_norm(x, (3,), x)",
            "torch.nn.functional.layer_norm(x, (3,), y, x)", "torch.nn.functional.pad(x, (1, 2))",
            "torch.nn.functional.pad(x, (1, 0, 2, 1))",
            "torch.nn.functional.pad(x, (1, 1), value=2.5)", "torch.nn.functional.pad(x, (-1, 1))",
            "torch.nn.functional.pad(x, [0, 0, 1, 0])",
            "torch.nn.functional.pad(x, (1, 1), mode='constant', value=1)",
            "torch.nn.functional.pad(y, (2, 0))", "torch.nn.functional.pad(c, (0, 1, 1, 0, 1, 1))",
            "torch.nn.functional.pad(x, (1,))", "torch.nn.functional.pad(y, (1, 1, 1, 1))",
            "torch.nn.functional.pad(i, (1, 1), value=3)", "torch.nn.functional.huber_loss(x, m)",
            "torch.nn.functional.huber_loss(x, m, reduction='sum')",
            "torch.nn.functional.huber_loss(x, m, reduction='none', delta=0.5)",
            "torch.nn.functional.huber_loss(x, m, delta=2.0)",
            "torch.nn.functional.huber_loss(x, x - 1)",
            "torch.nn.functional.huber_loss(x, m, delta=-1)",
            "torch.nn.functional.huber_loss(x, y)", "torch.nn.functional.huber_loss(z, z)",
            "torch.nn.functional.huber_loss(x, m, reduction='a')",
            "torch.nn.functional.huber_loss(s, s * 3)",
        ],
        x="float64 2x3", y="float64 3", h="float32 2x3 transposed", s="float32 scalar",
        z="float64 0x3", e="float64 7 special", i="int64 3", w="float64 5x2",
        j="int64 2x3 positive", c="float64 2x2x3", m="float64 2x3",
    )  # fmt: skip
