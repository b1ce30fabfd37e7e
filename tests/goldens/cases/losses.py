"""Cases of losses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import Case, F, case, on


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(losses_of_differences(), huber(), losses_of_classes(), losses_of_two())


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


def huber() -> Iterator[Case]:
    """huber_loss, which is quadratic near 0 and linear elsewhere."""
    yield from on(
        [
            "torch.nn.functional.huber_loss(x, m)",
            "torch.nn.functional.huber_loss(x, m, reduction='sum')",
            "torch.nn.functional.huber_loss(x, m, reduction='none', delta=0.5)",
            "torch.nn.functional.huber_loss(x, m, delta=2.0)",
            "torch.nn.functional.huber_loss(x, x - 1)",
            "torch.nn.functional.huber_loss(x, m, delta=-1)",
            "torch.nn.functional.huber_loss(x, y)", "torch.nn.functional.huber_loss(z, z)",
            "torch.nn.functional.huber_loss(x, m, reduction='a')",
            "torch.nn.functional.huber_loss(s, s * 3)",
        ],
        x="float64 2x3", y="float64 3", s="float32 scalar", z="float64 0x3", m="float64 2x3",
    )  # fmt: skip


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
