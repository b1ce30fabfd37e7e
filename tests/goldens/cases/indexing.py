"""Cases of reading, picking and sorting elements."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import Case, case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        indexing(), indexed(), index_add(), masked(), sorted_out(), counted(), repeated()
    )


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


def indexed() -> Iterator[Case]:
    """Reading and writing by tensors of indices."""
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
        yield from on(
            [
                "x.take_along_dim(x.argsort(1), 1)", "x.take_along_dim(torch.tensor([4, 0]))",
                "torch.take_along_dim(x, torch.tensor([[1, 0, 1]]), dim=0)",
                "x.take_along_dim(torch.tensor([[1], [-1]]), 1)",
                "x.take_along_dim(torch.tensor([[7, 0, 1]]), 0)",
                "x.take_along_dim(torch.tensor([9]))", "x.take_along_dim(torch.tensor([1]), 0)",
                "x.take_along_dim(torch.tensor([[1.0]]), 0)",
                "x.take_along_dim(torch.zeros(3, 1, dtype=torch.int64), 1)",
                "x.take_along_dim(torch.tensor([[1]]), 2)",
            ],
            x=spec,
        )  # fmt: skip
    zero = "torch.tensor(0)"
    yield from on([f"x.gather(0, {zero})", "x.gather(0, torch.tensor([0, 0]))",
                   f"x.scatter(0, {zero}, y)", f"x.scatter_add(0, {zero}, y)",
                   f"x.scatter(0, {zero}, 2.5)", "x.index_select(0, torch.tensor([0]))"],
                  x="float32 scalar", y="float32 scalar")  # fmt: skip
    yield from on(["x.index_select(1, torch.tensor([1, 1]))", "x.gather(0, x[:, :2].long())"],
                  x="float32 0x3")  # fmt: skip


def index_add() -> Iterator[Case]:
    """Adding at indices."""
    yield from on(
        [
            "x.index_add(0, torch.tensor([1, 1]), x * 2)",
            "torch.index_add(x, 1, torch.tensor([0, 2]), p[:, :2])",
            "x.index_add(1, torch.tensor([0]), p[:, :1], alpha=2)",
            "x.index_add(0, torch.tensor([0, 5]), x)", "x.index_add(0, torch.tensor([0]), x)",
            "x.index_add(0, torch.tensor([0.0]), x[:1])",
            "x.index_add(dim=0, index=torch.tensor([0]), source=x[:1])",
        ],
        x="float64 2x3", p="float64 2x3 positive",
    )  # fmt: skip


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


def counted() -> Iterator[Case]:
    """unique and bincount."""
    for spec in ["int64 2x3", "float32 7 special constant", "bool 3", "int32 scalar", "int64 0x3"]:
        yield from on(
            ["torch.unique(x)", "x.unique(return_inverse=True, return_counts=True)",
             "x.unique(sorted=False, return_counts=True)"],
            x=spec,
        )  # fmt: skip
    yield from on(["x.unique(dim=0)", "torch.unique(x[[0, 1, 0]], return_counts=True, dim=0)",
                   "torch.unique(x, return_inverse=True, dim=-1)", "x.unique(dim=2)"],
                  x="int64 2x3")  # fmt: skip
    yield from on(
        ["torch.bincount(x)", "x.bincount(minlength=5)", "torch.bincount(x, w)",
         "torch.bincount(x, w.half())", "torch.bincount(x, x)", "x.bincount(w[:2])",
         "x.bincount(minlength=-1)", "torch.bincount(-x)", "torch.bincount(x[None])",
         "torch.bincount(x[:0])", "torch.bincount(x[:0], minlength=2)", "torch.bincount(x > 0)",
         "torch.bincount(w)", "torch.bincount(x.byte())"],
        x="int64 3 positive", w="float32 3 constant",
    )  # fmt: skip


def repeated() -> Iterator[Case]:
    """repeat_interleave, and edits at indices that overlap what is read."""
    for spec in ["float64 2x3", "float32 2x3 transposed", "float64 0x3", "int64 2x3"]:
        yield from on(
            ["x.repeat_interleave(2)", "torch.repeat_interleave(x, 3, dim=1)",
             "x.repeat_interleave(torch.tensor([2, 0, 1]), 1)", "x.repeat_interleave(0, -1)",
             "torch.repeat_interleave(x, torch.tensor([2]), 0)", "x.repeat_interleave(-1)",
             "x.repeat_interleave(2, 1, output_size=6)", "x.repeat_interleave(2, 1, output_size=5)",
             "x.repeat_interleave(torch.tensor([1, 2]), 1)", "x.repeat_interleave(2, 2)",
             "x.repeat_interleave(torch.tensor([-1, 2, 1]), 1)",
             "x.repeat_interleave(torch.tensor([[1]]), 1)",
             "x.repeat_interleave(torch.tensor([1.0, 2.0, 1.0]), 1)"],
            x=spec,
        )  # fmt: skip
    yield from on(["torch.repeat_interleave(i)", "i.repeat_interleave(torch.tensor(2))"],
                  i="int64 3 positive")  # fmt: skip
    yield from on(["x.repeat_interleave(3)"], x="float32 scalar")
    yield from on(
        ["i[i] = i.clone(); i", "i[i.clone()] = i; i", "i[i] = 5; i", "i[i > 0] = i[i > 0]; i",
         "i.scatter_(0, i, 5)", "i.scatter_(0, i.clone(), i)", "i.scatter_add_(0, i, i.clone())",
         "i[1:].scatter_(0, i[:1], i[:1])", "b = i > 0; b[b] = False; b",
         "i[:2].scatter_(0, i[2:] * 0, i[2:].clone()); i",
         "m = i > 0; m.masked_fill_(m, False)",
         "z = y * 1; z.index_add_(0, i * 0, y)", "z = y * 1; z.index_add_(0, i * 0, y, alpha=2)"],
        i="int64 3 positive", y="float64 3",
    )  # fmt: skip
