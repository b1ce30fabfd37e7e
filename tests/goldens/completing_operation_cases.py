"""Cases for what completes the operations: see `operation_cases`."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.operation_cases import Case, on

INPUTS = {
    "x": "float64 2x3", "y": "float64 3", "p": "float64 2x3 positive", "s": "float32 scalar",
    "i": "int64 3", "e": "float64 7 special", "z": "float64 0x3", "b": "bool 3",
    "k": "int64 3 positive", "h": "float32 2x3 transposed", "m": "float64 3x3", "v": "float64 3",
    "w": "float64 3x2", "c": "float64 2x3x4", "d": "float64 2x2x3x4", "u": "float64 scalar",
    "a": "float64 2x3 special", "n": "float64 4x3", "g": "float64 4",
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Every case of this module."""
    return itertools.chain(
        parts_and_turns(), spread_and_middle(), products_and_sums(),
        bounds(), empty_products(), convolutions(), batches_normalized(),
        conveniences(),
    )  # fmt: skip


def parts_and_turns() -> Iterator[Case]:
    """Parts of given lengths, tensors brought to one shape, turned, put on a diagonal."""
    yield from on(
        [


            "torch.diag(y)",






            "torch.diag(y, 1)", "torch.diag(y, -2)",
        ],
        **INPUTS,
    )  # fmt: skip


def spread_and_middle() -> Iterator[Case]:
    """Spread, extremes and the middle of what is a number."""
    yield from on(
        [





            "u.var()", "u.std()", "u.std(0)",
            "torch.median(b)",
        ],
        **INPUTS,
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


def bounds() -> Iterator[Case]:
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


def convolutions() -> Iterator[Case]:
    """Convolutions of sequences, and what all of them refuse."""
    codes = [
        "F.conv1d(c * c, c[:, :, :2].detach())", "F.conv1d(x, c[:, :2, :2])",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], stride=2, padding=1)",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], stride=(2,), padding=(1,), dilation=(2,))",
        "F.conv1d(c, c[:, :, :2], stride=[1, 2])",
        "F.conv1d(c, c[:, :, :3], (y * y)[:2], padding='same')",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], padding='same')",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], padding='valid')",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], padding='same', stride=2)",
        "F.conv1d(c, c[:, :, :2], (y * y)[:2], padding='a')",
        "F.conv1d(c, d[0, :, :1, :2].reshape(2, 1, 2), groups=3)",
        "F.conv1d(c, w[:, None], groups=3)",
        "F.conv1d(c, w[:, None], y * y, groups=3, padding=2, stride=3)", "F.conv1d(c, d)",
        "F.conv1d(d, c)", "F.conv1d(y, c)", "F.conv1d(c, w)", "F.conv1d(c, c.transpose(1, 2))",
        "F.conv1d(c[:, :, :3], c)", "F.conv1d(c, c.float())", "F.conv1d(c, c, y)",
        "F.conv1d(c, c, y[:2].float())", "F.conv1d(c, c, stride=0)", "F.conv1d(c, c, padding=-1)",
        "F.conv1d(c, c, groups=0)", "F.conv1d(c[:0], c[:, :, :2]).detach()",
        "torch.conv1d(c, c[:, :, :2])", "torch.conv2d(d, d[:, :, :2, :2])",
        "F.conv1d(i[None, None], i[None, None, :2])",
        "F.conv1d(c.half().detach(), c.half().detach())", "F.conv2d(d.long(), d.long())",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.int32))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.int16))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.int8))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.uint8))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.bool))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.float16))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.float32))",
        "F.conv2d(d, d, torch.ones(2, dtype=torch.int64))",
        "F.conv2d(d.float(), d.float(), torch.ones(2, dtype=torch.float64))",
        "F.conv2d(d.half().detach(), d.half().detach(), y[:2])",
    ]  # fmt: skip
    yield from on([code.replace("F.", "torch.nn.functional.") for code in codes], **INPUTS)


def batches_normalized() -> Iterator[Case]:
    """batch_norm: by the batch and by running statistics."""
    codes = [
        "F.batch_norm(x, None, None, training=True)",
        "F.batch_norm(x, y.detach(), p[0].detach(), y, v * v)",
        "F.batch_norm(c, None, None, y, v * v, True)", "F.batch_norm(x, None, None)",
        "F.batch_norm(y[None], None, None, training=True)",
        "F.batch_norm(y, None, None, training=True)",
        "F.batch_norm(x, None, None, y * y, v * v, True)",
        "F.batch_norm(d, None, None, y[:2] * 1, (v * v)[:2], True)",
        "F.batch_norm(h * h, y.detach().float(), p[0].detach().float())",
        "F.batch_norm(c * c, y.detach(), p[0].detach(), eps=0.5)",
        "r, q = torch.zeros(2, 3); F.batch_norm(h, r, q, training=True), r, q, r._version",
        "r, q = p.detach() * 1; F.batch_norm(c, r, q, training=True, momentum=0.5), r, q",
        "r = torch.zeros(3).double(); F.batch_norm(c, r, None, training=True), r",
        "F.batch_norm(x, y[:2], p[0])", "F.batch_norm(x, y.detach(), p[0, :2].detach())",
        "F.batch_norm(x, y.detach(), None)", "F.batch_norm(x, None, None, y[:2], training=True)",
        "F.batch_norm(x, None, None, y, y[:1], training=True)",
        "F.batch_norm(z, None, None, training=True)", "F.batch_norm(z, y.detach(), p[0].detach())",
        "F.batch_norm(i[None], None, None, training=True)",
        "F.batch_norm(i.view(3, 1), None, None, training=True)",
        "F.batch_norm(x, None, None, y.float(), training=True)",
        "F.batch_norm(u, None, None, training=True)",
        "F.batch_norm(c[:1, :, :1], None, None, training=True)",
        "F.batch_norm(x * 0, None, None, training=True)", "F.batch_norm(x, y, y)",
        "F.batch_norm(x, y.detach(), y)",
        "F.batch_norm(c.transpose(0, 1), None, None, training=True)",
        "F.batch_norm(d.float(), y[:2].detach(), p[0, :2].detach())",
        "F.batch_norm(d, y[:2].detach().float(), p[0, :2].detach().float())",
        "F.batch_norm(d.half().detach(), torch.ones(2), torch.ones(2))",
        "F.batch_norm(z, None, None, y, v, True)",
        "F.batch_norm(c, y.detach(), p[0].detach(), y, bias=v * v, momentum=0.5)",
    ]  # fmt: skip
    yield from on([code.replace("F.", "torch.nn.functional.") for code in codes], **INPUTS)


def conveniences() -> Iterator[Case]:
    """Short names for what a longer expression says as well."""
    codes = [
        "torch.isclose(x, x + 1e-9)", "x.isclose(y, atol=2)", "torch.isclose(e, e, equal_nan=True)",
        "torch.isclose(x, y.float())", "torch.is_complex(x)", "x.is_complex()",

        "x.nbytes, x.itemsize", "F.pad(c, (1, 1), 'a')",
    ]  # fmt: skip
    yield from on([code.replace("F.", "torch.nn.functional.") for code in codes], **INPUTS)
