"""Cases about arguments: how they may be given, and the errors for those that do not fit."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import Case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(misused(), misused_by_name(), by_name(), empty_or_none())


def misused() -> Iterator[Case]:
    """Arguments that are missing, too many or of the wrong type."""
    yield from on(
        [
            "torch.exp(x, y)", "torch.exp(x, foo=1)", "torch.exp([1., 2.])", "torch.exp(1.0)",
            'torch.exp("a")', "torch.exp(x.detach().numpy())", "torch.sum()",
            "torch.sum(x, foo=1)", "torch.sum(x, 'a')", "torch.sum([1., 2.])",
            "torch.sum(x.detach().numpy())", "torch.sum(2.0)", "torch.mean([1., 2.])",
            "torch.mean(x.detach().numpy())", "x.sum('a')", "x.sum(1.5)", "x.sum(None)",
            "x.sum(torch.tensor(0))", "x.sum((torch.tensor(0), 1))", "x.mean(1.0)",
            "torch.add(x, None)", "torch.add(x, [1, 2, 3])", "torch.add([1], x)",
            "torch.add(1, 2)", "torch.mul(2, x)", "torch.mul(x, x.detach().numpy())",
            "torch.sub(2, x)", "torch.div(2, x)", "torch.add(x, y, 2)", "torch.matmul(x)",
            "torch.matmul(x, 'a')", "torch.matmul([1], x)", "torch.mm(x, 2)", "torch.mm([1], x)",
            "torch.dot(v, 2)", "torch.dot(v, [1, 2, 3])", "torch.mv(x, 2)", "torch.bmm(x, 2)",
            "torch.reshape(x)", "torch.reshape([1], (1,))", "torch.reshape(x, 'a')",
            "torch.reshape(x, (6.0,))", "x.reshape(6.0)", "x.reshape()", "x.reshape('a')",
            "x.reshape(None)", "x.view()", "x.view(6.0)", "x.view('a')", "x.expand()",
            "x.expand('a')", "x.permute()", "x.permute('a')", "torch.squeeze([1])",
            "x.squeeze('a')", "x.squeeze(1.0)", "x.unsqueeze()", "x.unsqueeze('a')",
            "x.unsqueeze(1.0)", "torch.unsqueeze([1], 0)", "torch.flatten([1])", "x.flatten('a')",
            "torch.cat()", "torch.cat([x, y], 'a')", "torch.cat(1)", "torch.cat(x, y)",
            "torch.stack([1, 2])", "torch.stack(1)", "torch.max([1, 2])", "torch.max(x, 'a')",
            "torch.max(x, 1.0)", "torch.max(1, 2)", "torch.argmax([1])", "x.argmax('a')",
            "torch.softmax(x)", "torch.softmax([1], 0)", "x.softmax()", "x.softmax('a')",
            "torch.where()", "torch.where(x)", "torch.where(b, x)", "torch.where(True, x, y)",
            "torch.where(b, 'a', x)", "torch.where(b, [1], x)", "torch.clamp([1], 0)",
            "torch.clamp(x, 'a')", "x.clamp('a', 1)", "torch.pow(x, 'a')", "torch.pow(x, None)",
            "torch.pow([1], 2)", "x ** 'a'", "x ** None", "x ** [1]", "'a' ** x", "[1, 2, 3] * v",
            "v * [1, 2, 3]", "v + [1, 2, 3]", "[1, 2, 3] + v", "v - (1, 2, 3)", "(1, 2, 3) - v",
            "v / [1, 2, 3]", "v == [1, 2, 3]", "v > [1, 2, 3]", "v @ [1, 2, 3]", "[1, 2, 3] @ v",
            "v + None", "v + 'a'", "v * {}", "v & 1", "v // 'a'", "v % 'a'", "'a' % v", "v % [1]",
            "torch.std(x, 'a')", "x.var('a')", "x.prod('a')", "x.cumsum()", "x.cumsum('a')",
            "torch.cumsum([1], 0)", "torch.einsum('ij', [x])", "torch.outer(v, 2)",
            "torch.outer([1], v)", "torch.tril([1])", "torch.diag([1])", "torch.trace([1])",
            "torch.chunk([1], 2)", "x.chunk('a')", "x.chunk(1.5)", "x.flip('a')", "x.roll('a')",
            "x.repeat('a')", "x.repeat(1.5)", "x.gather(0, 1)", "x.gather(0)", "x.gather('a', i)",
            "x.gather(0, [0])", "x.index_select(0, [0])", "x.index_select(0, 0)",
            "x.scatter(0, 1, y)", "x.masked_fill(b)", "x.masked_fill(b, 'a')",
            "x.masked_fill(b, None)", "x.masked_fill([True], 0)", "x.sort('a')", "x.topk('a')",
            "x.topk()", "x.topk(1.0)", "torch.atan2(1, x)", "torch.maximum(x, 1)",
            "torch.maximum(1, x)", "torch.equal(x, 1)", "torch.allclose(x, 1)",
            "torch.allclose(1, x)", "torch.numel(1)", "torch.is_floating_point(1)",
            "torch.isnan(1.0)", "torch.isfinite([1.0])", "torch.sigmoid(1.0)", "torch.relu([1.0])",
            "torch.tanh(None)", "torch.sqrt(4)", "torch.sqrt(4.0)", "torch.abs(-1)",
            "torch.neg(1)", "torch.round(1.5)", "torch.floor(1.5)", "torch.t([1])",
            "torch.unbind([1])", "torch.select(x, 0)", "torch.select([1], 0, 0)",
            "torch.clone([1])", "x.detach().add_([1])", "x.detach().mul_('a')",
            "x.detach().copy_(None)", "x.expand_as(1)", "x.view_as(1)", "x.to()", "x.to(None)",
            "x.type('a')", "x.size(5)", "x.softmax(dim=None)", "torch.nn.functional.relu([1.0])",
            "torch.nn.functional.relu(1.0)", "torch.nn.functional.mse_loss(x, 1)",
            "torch.nn.functional.mse_loss(1, x)", "torch.nn.functional.cross_entropy(x, [1, 2])",
            "torch.nn.functional.cross_entropy([1], i)", "torch.nn.functional.linear(x, 1)",
            "torch.nn.functional.linear([1], x)", "torch.nn.functional.nll_loss(x, 1)",
            "torch.nn.functional.one_hot([1])", "torch.nn.functional.one_hot(1)",
            "torch.nn.functional.max_pool2d([1], 2)", "torch.nn.functional.dropout([1.0])",
            "torch.nn.functional.softplus([1.0])", "torch.nn.functional.leaky_relu(1)",
            "torch.nn.functional.elu(1)", "torch.nn.functional.silu(1)",
            "torch.nn.functional.l1_loss(x, 1)", "torch.nn.functional.smooth_l1_loss(x, 1)",
            "torch.nn.functional.binary_cross_entropy(x, 1)",
        ],
        x="float32 2x3", y="float32 2x3", i="int64 2x3", b="bool 2x3", v="float32 3",
    )  # fmt: skip


def misused_by_name() -> Iterator[Case]:
    """The same for more functions, and for arguments given by name."""
    yield from on(
        [
            "x.sum(0, True, False, 5)", "x.max(0, 1, 2)", "x.squeeze(foo=1)", "x.cumsum(0, 0)",
            "x.cumsum(0, foo=1)", "x.cumsum(dim='a')", "torch.cumsum(x, dim='a')",
            "x.flatten(0, 1, 2)", "torch.flatten(x, 0, 1, 2)", "torch.tril(x, foo=1)", "x.roll()",
            "x.narrow(0)", "x.softmax(0, dtype='a')", "x.reshape((1, 'a'))", "x.reshape(1, 'a')",
            "x.expand(2, 'a')", "x.repeat(2, 'a')", "x.permute(1, 'a')", "x.flip((0, 'a'))",
            "x.amax('a')", "x.amax((0, 'a'))", "x.logsumexp()", "x.logsumexp('a')",
            "x.gather(0, index='a')", "x.all('a')", "x.any(foo=1)", "x.var(foo=1)",
            "x.std(0, 1, 2, 3)", "x.clamp(foo=1)", "x.masked_fill(1, 2)", "x.sort(foo=1)",
            "x.topk(1, foo=1)", "x.argsort('a')", "x.argsort(foo=1)", "x.chunk()",
            "torch.chunk(x)", "x.unbind('a')", "torch.trace(x, 1)", "x.outer()", "x.view(foo=1)",
            "x.expand(foo=1)", "x.reshape(foo=1)", "x.permute(foo=1)", "x.repeat(foo=1)",
            "x.movedim('a', 0)", "x.movedim(0)", "x.scatter(0)",
            "x.matmul()", "x.matmul(1, 2)", "torch.matmul(x, x, x)", "torch.matmul(x, x, foo=1)",
            "torch.addmm(x, x)", "torch.diag(x, 'a')", "x.equal()", "x.equal(1)",
            "x.allclose('a')", "torch.flatten(foo=1)", "torch.flatten(x, foo=1)",
            "torch.stack([x, x], foo=1)", "torch.stack(foo=1)", "torch.cat([x, x], 0, 0)",
            "torch.cat(torch.ones(3))", "torch.stack([x, x], dim='a')", "torch.unbind()",
        ],
        x="float32 2x3",
    )  # fmt: skip


def by_name() -> Iterator[Case]:
    """Arguments by PyTorch's names and by NumPy's."""
    yield from on(
        [
            "x.sum(keepdim=True)", "x.mean(keepdim=True)", "x.sum(dim=None, keepdim=True)",
            "x.mean(dim=None)", "x.mean(None)", "x.mean(None, True)", "x.all(keepdim=True)",
            "x.any(dim=None)", "x.argmax(keepdim=True)", "x.argmax(dim=None, keepdim=True)",
            "x.max(keepdim=True)", "x.max(dim=None)", "x.prod(keepdim=True)", "x.prod(dim=None)",
            "x.norm(keepdim=True)", "x.var(keepdim=True)", "x.var(dim=None, keepdim=True)",
            "x.std(axis=0)", "x.amax(axis=0, keepdims=True)", "x.logsumexp(axis=0)",
            "x.softmax(axis=0)", "x.cumsum(axis=0)", "x.unsqueeze(axis=0)", "x.squeeze(axis=0)",
            "x.sort(axis=0)", "x.topk(1, axis=0)", "torch.cat([x, y], axis=1)",
            "torch.stack([x, y], axis=1)", "x.chunk(2, axis=1)", "x.unbind(axis=1)",
            "x.flip(axis=1)", "x.argmax(axis=1, keepdims=True)", "x.max(axis=1)", "x.all(axis=1)",
            "x.index_select(axis=0, index=torch.tensor([0]))",
            "x.gather(axis=0, index=torch.tensor([[0]]))", "x.select(axis=0, index=0)",
            "torch.sum(input=x, dim=0)", "x.add(other=y)",
            "torch.nn.functional.softmax(x, axis=0)",
        ],
        x="float32 2x3", y="float32 2x3",
    )  # fmt: skip


def empty_or_none() -> Iterator[Case]:
    """No dimension, an empty list of dimensions, and None, which all differ."""
    yield from on(
        [
            "x.squeeze(None)", "x.squeeze(dim=None)", "x.squeeze(())", "x.squeeze([])",
            "y.all(None)", "y.argmax(None)", "y.unbind(None)", "x.sum(())", "x.sum(dim=())",
            "x.amax(None)", "x.amax(())", "x.amax(dim=None)", "x.var(None)", "x.mean(())",
            "x.prod(())", "x.norm(dim=())", "x.norm(2, ())", "x.norm(2, [])", "x.flip(())",
            "x.flip([])", "x.roll(1, ())", "x.reshape([])", "x[0, 0].reshape([])",
            "x[0, 0].permute(())", "x[0, 0].permute([])", "x[0, 0].permute(dims=())",
            "x.permute(())", "x[0, 0].expand([])", "x[0, 0].view([])", "x[0, 0].view(size=())",
            "x[0, 0].repeat(())", "x[0, 0].repeat([])",
        ],
        x="float32 1x3", y="float32 2x3",
    )  # fmt: skip
