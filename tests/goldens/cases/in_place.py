"""Cases of changes in place."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import ARITHMETIC, UNARY, UNARY_POSITIVE, Case, case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(in_place(), views_changed(), in_place_with_history())


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
    yield from on(
        ["torch.manual_seed(1); z = x * 2; z.bernoulli_(0.3); z * 1",
         "torch.manual_seed(1); z = x * 2; z.bernoulli_(p); z * 1", "x.bernoulli_()",
         "torch.manual_seed(1); i.bernoulli_()", "torch.manual_seed(1); i.bernoulli_(p[0])",
         "z = x * 2; z.bernoulli_(1.5)", "z = x * 2; z.bernoulli_(p * 9)",
         "z = x * 2; z.bernoulli_(p[:, :2])", "torch.bernoulli(p * 9)"],
        x="float64 2x3", p="float32 2x3 positive constant", i="int64 3",
    )  # fmt: skip
    one, mask = "torch.tensor([1, 1])", "torch.tensor([True, False])"
    yield from on(
        [f"z = x * 2; z.index_put_(({one},), y); z",
         f"z = x * 2; z.index_put_(({one}, {one}), y[0])",
         f"z = x * 2; z.index_put_([{one}], y, accumulate=True); z",
         f"x.index_put(({one}, torch.tensor([0, 2])), y[:2])",
         f"torch.index_put(x, (torch.tensor([0, 2]), {one}), y)",
         f"x.index_put(({one},), y[:2])", f"x.index_put(({mask},), y, True)",
         f"z = x * 2; z.index_put_(({mask},), torch.tensor(1.0, dtype=torch.float64)); z",
         f"x.index_put(({one},), torch.tensor(1))", f"x.index_put_(({one},), y)",
         f"x.index_put(({one}, {one}, {one}), y)", f"x.index_put({one}, y)",
         f"x.index_put(({one},), 1.0)", "x.index_put((y,), y)",
         "x.index_put((torch.tensor(1),), y)"],
        x="float64 2x3", y="float64 3",
    )  # fmt: skip
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


def in_place_with_history() -> Iterator[Case]:
    """In-place forms of tensors with a history, of leaves, and with numbers that do not fit."""
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
