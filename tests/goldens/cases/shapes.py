"""Cases of views and copies in other shapes, joined, split and rearranged."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import INPUTS, Case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        shapes(), joining(), layouts(), views(), parts(), parts_and_turns(), repeated_and_stacked(),
    )  # fmt: skip


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


def parts_and_turns() -> Iterator[Case]:
    """Parts of given lengths, broadcast_tensors, and diagonals."""
    yield from on(
        [
            "torch.diag(y)",
            "torch.diag(y, 1)", "torch.diag(y, -2)",
        ],
        **INPUTS,
    )  # fmt: skip


def repeated_and_stacked() -> Iterator[Case]:
    """Flattened, tiled, spread over a grid and stacked."""
    yield from on(
        [
            "x.ravel()", "t.ravel()", "torch.ravel(x)", "s.ravel()", "y.ravel()", "x.tile(2)",
            "x.tile((2, 1))", "x.tile(2, 1, 2)", "torch.tile(x, (2,))", "torch.tile(y, (2, 2))",
            "s.tile(3)", "x.tile(dims=(2, 2))", "torch.meshgrid(y, q, indexing='ij')",
            "torch.meshgrid(y, y * 2, indexing='xy')", "torch.meshgrid([y, y], indexing='ij')",
            "torch.meshgrid(y, y)", "torch.meshgrid(y, y, i, indexing='xy')",
            "torch.meshgrid(y, s.double(), indexing='ij')", "torch.meshgrid(y, y, indexing='a')",
            "torch.meshgrid(y, indexing='xy')", "torch.hstack([y, y])", "torch.concat((x, p))",
            "torch.concatenate([x, p], axis=1)", "torch.hstack((x, x))", "torch.hstack([s, s])",
            "torch.vstack([y, y])", "torch.vstack((x, y[None]))", "torch.vstack([x, y])",
            "torch.vstack([s, s])", "torch.hstack([x, y])", "torch.hstack([])",
        ],
        x="float64 2x3", y="float64 3", p="float64 2x3 positive", q="float32 3", s="float32 scalar",
        i="int64 3", t="float32 3x2 transposed",
    )  # fmt: skip
