"""Cases that raise: shapes, indices, dtypes and values that do not fit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import Case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(refused(), refused_values())


def refused() -> Iterator[Case]:
    """Shapes, indices and operands that do not fit, and the messages."""
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


def refused_values() -> Iterator[Case]:
    """Values and dtypes that are refused, and the messages."""
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
