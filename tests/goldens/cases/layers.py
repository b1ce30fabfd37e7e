"""Cases of `nn.functional` except for losses."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from tests.goldens.cases.case import FLOAT_INPUTS, INPUTS, Case, F, case, on

ACTIVATIONS = {
    "softplus": ["", "beta=2.0", "threshold=0.5"],
    "leaky_relu": ["", "0.5"],
    "elu": ["", "alpha=2.0"],
    "silu": [""],
    "hardtanh": ["", "-0.5, 0.25", "min_val=1, max_val=-1"],
    "logsigmoid": [""],
    "relu": [""],
    "sigmoid": [""],
    "tanh": [""],
}


def cases() -> Iterator[Case]:
    """Every case of this family."""
    return itertools.chain(
        activations(), activations_and_norms(), encodings(), images(), convolutions(),
        batches_normalized(), averages(), mixed_dtypes(),
    )  # fmt: skip


def activations() -> Iterator[Case]:
    """The activation functions, anywhere, at their kinks, and in place."""
    for name, forms in ACTIVATIONS.items():
        for form, spec in itertools.product(forms, [*FLOAT_INPUTS, "float64 7 special"]):
            yield case(f"{F}.{name}(x{', ' * bool(form)}{form})", x=spec)
        yield case(f"{F}.{name}(x)", x="int64 3")
    for name in ["relu", "leaky_relu", "elu", "hardtanh", "silu"]:
        yield case(f"{F}.{name}(x * 1, inplace=True)", x="float64 7 special")
        yield case(f"{F}.{name}(x, inplace=True)", x="float32 3")
    yield case("x.relu() * y", x="float64 7", y="float64 7 special constant")
    yield from on([f"{F}.relu_(x * 1)", f"{F}.leaky_relu_(x * 1, 0.5)", f"{F}.elu_(x * 1)"],
                  x="float32 2x3")  # fmt: skip
    for code in ["torch.softmax(x, {})", "x.log_softmax({})", f"{F}.softmax(x, dim={{}})"]:
        for dim, spec in itertools.product(["0", "-1"], [*FLOAT_INPUTS, "float64 7 special"]):
            yield case(code.format(dim), x=spec)
    yield from on([f"{F}.softmax(x)", f"{F}.log_softmax(x)", "x.softmax(1, dtype=torch.float64)",
                   "x.softmax(2)", "x.log_softmax(0, torch.float64)"], x="float32 2x3")  # fmt: skip
    yield from on(["x.softmax(0)", "x.log_softmax(-1)"], x="int64 2x3")


def activations_and_norms() -> Iterator[Case]:
    """Activations, embedding, normalize, layer_norm and pad."""
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
            "torch.nn.functional.pad(i, (1, 1), value=3)",
        ],
        x="float64 2x3", y="float64 3", h="float32 2x3 transposed", s="float32 scalar",
        z="float64 0x3", e="float64 7 special", i="int64 3", w="float64 5x2",
        j="int64 2x3 positive", c="float64 2x2x3", m="float64 2x3",
    )  # fmt: skip


def encodings() -> Iterator[Case]:
    """one_hot, and dropout where nothing is random."""
    for form in ["x", "x, 9", "x, 1", "x * 0", "-x", "x.float()", "x[None]", "x[0]", "x[:0]",
                 "x[:0], 3"]:  # fmt: skip
        yield case(f"{F}.one_hot({form}).clone()", x="int64 3 positive")
    yield from on([f"{F}.dropout(x, 0.0)", f"{F}.dropout(x, training=False)",
                   f"{F}.dropout(x, 1.0)",
                   f"{F}.dropout(x, 1.5)", f"{F}.dropout(x, -0.5)", f"{F}.dropout(x.long(), 0.5)",
                   f"{F}.dropout(x * 1, 1.0, inplace=True)", f"{F}.dropout(x, inplace=True)"],
                  x="float32 2x3")  # fmt: skip


def images() -> Iterator[Case]:
    """conv2d and max_pool2d."""
    for how in ["stride=1", "stride=2", "padding=1", "stride=(2, 1), padding=(0, 2)",
                "dilation=2, padding=2",
                "padding='valid'", "padding='same'"]:  # fmt: skip
        code = f"{F}.conv2d(x, w, b * b, {how})"
        yield case(code, x="float64 2x2x5x6", w="float64 3x2x3x3", b="float64 3")
        yield case(code, x="float32 2x5x4", w="float32 1x2x3x1", b="float32 1")
    yield case(f"{F}.conv2d(x, w)", x="float32 1x1x4x5", w="float32 1x1x2x2")
    yield case(f"{F}.conv2d(x, w * w)", x="float64 1x1x4x5 constant", w="float64 1x1x2x2")
    yield case(f"{F}.conv2d(x * x, w)", x="float64 1x1x4x5", w="float64 1x1x2x2 constant")
    yield case(f"{F}.conv2d(x, w, groups=2)", x="float64 2x4x3x3", w="float64 6x2x2x2")
    yield case(f"{F}.conv2d(x, w, groups=4, padding=1)", x="float64 1x4x3x3", w="float64 4x1x3x3")
    yield case(f"{F}.conv2d(x, w).detach()", x="float64 0x2x4x4", w="float64 3x2x2x2")
    yield case(f"{F}.conv2d(x, w, padding='same')", x="float64 1x1x4x5", w="float64 1x1x2x3")
    for how in ["2", "(2, 3)", "2, 1", "3, 2, 1", "2, padding=1", "2, ceil_mode=True",
                "3, stride=2, padding=1, ceil_mode=True", "2, dilation=2",
                "2, return_indices=True"]:  # fmt: skip
        for spec in ["float64 2x2x5x6", "float32 2x5x7 strided", "int64 1x5x5"]:
            yield case(f"{F}.max_pool2d(x, {how})", x=spec)
    for how in ["stride=3, padding=2", "stride=(3, 4)", "padding=4, dilation=(1, 3)"]:
        code = f"{F}.conv2d(x, w, b * b, {how})"
        yield case(code, x="float64 2x2x5x6 strided", w="float64 2x2x2x2", b="float64 2")
    yield case(f"{F}.conv2d(x, w).relu()", x="float32 2x1x4x5 transposed", w="float32 3x1x2x2")
    for how in ["2", "2, 1, 1", "3, 2, 1", "(1, 3), (2, 1), (0, 1), (1, 2)", "2, 3", "2, 1, 0, 2",
                "3, 2, 1, 1, True"]:  # fmt: skip
        for code in ["x", "x - float('inf')", "x * 0"]:  # nan and ties in the windows, on the edges
            yield case(f"{F}.max_pool2d({code}, {how}, return_indices=True)",
                       x="float64 2x5x7 special")  # fmt: skip
            yield case(f"{F}.max_pool2d({code}, {how}).relu()", x="float32 2x5x7 special")
    yield case(f"{F}.max_pool2d(x, 17, return_indices=True)", x="float32 1x20x18")
    yield case(f"{F}.max_pool2d(x * 0, 2, 1)", x="float64 1x3x3")
    yield case(f"{F}.max_pool2d(x, 2)", x="float64 0x1x4x4")
    yield from on(
        [
            f"{F}.conv2d(x, y)", f"{F}.conv2d(y, y[:, :1])",
            f"{F}.conv2d(y, y, y[0, 0, 0])", f"{F}.conv2d(y, y, stride=0)",
            f"{F}.conv2d(y, y, padding=-1)", f"{F}.conv2d(y, y, dilation=0)",
            f"{F}.conv2d(y, y, groups=0)", f"{F}.conv2d(y, y, groups=2)",
            f"{F}.conv2d(y, y, padding='some')", f"{F}.conv2d(y, y, padding='same', stride=2)",
            f"{F}.conv2d(y[:, :, :1], y)", f"{F}.conv2d(y, y.double())",
            f"{F}.conv2d(y, y[:2], groups=3)", f"{F}.max_pool2d(x, 2)", f"{F}.max_pool2d(y, 5)",
            f"{F}.max_pool2d(y, 2, padding=2)", f"{F}.max_pool2d(y, 2, 0)",
            f"{F}.max_pool2d(y, (2, 3), padding=(0, 2), dilation=2)",
            f"{F}.max_pool2d(y, 4, 1, 0, 2, True)", f"{F}.max_pool2d(y > 0, 2)",
            f"{F}.conv2d(y, y, x.double()[:, 0])", f"{F}.conv2d(y, y, x.long()[:, 0])",
        ],
        x="float32 2x3", y="float32 2x2x3x3",
    )  # fmt: skip


def convolutions() -> Iterator[Case]:
    """Convolutions of sequences, and the errors of all convolutions."""
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


def averages() -> Iterator[Case]:
    """Average pooling: windows that overlap, padding, batches, dtypes, and what is refused."""
    pool = f"{F}.avg_pool2d"
    for spec in ["float32 2x2x4x5", "float64 2x4x5 transposed", "float64 0x2x4x5"]:
        yield from on(
            [f"{pool}(x, 2)", f"{pool}(x, (3, 2), stride=1)", f"{pool}(x, 3, 2, 1)",
             f"{pool}(x, [2])", f"{pool}(x, 5)", f"{pool}(x, 2, padding=2)", f"{pool}(x, 2, 0)",
             f"{pool}(x, (1, 2, 3))", f"{pool}(x, 1, (1, 2, 3))"],
            x=spec,
        )  # fmt: skip
    yield from on([f"{pool}(x, 2)"], x="int64 1x4x4")
    yield from on([f"{pool}(x, 2)"], x="bool 1x4x4")
    yield from on([f"{pool}(x, 3, 1, 1)"], x="float16 1x4x4")
    yield from on([f"{pool}(x, 2)"], x="float32 1x0x4x4")
    yield from on(["torch.nn.AvgPool2d(2)(x)", "torch.nn.AvgPool2d(3, 1)", "torch.nn.Dropout2d()",
                   f"{F}.max_pool2d(x, (1, 2, 3))", f"{F}.max_pool2d(x, 1, (1, 2, 3))",
                   f"torch.manual_seed(0); {F}.dropout2d(x, 0.4)", f"{F}.dropout2d(x, 1.5)",
                   f"torch.manual_seed(0); {F}.dropout2d(x[0])", f"{F}.dropout2d(x, 1.0)",
                   f"torch.manual_seed(0); {F}.dropout2d(x * 1, 0.4, True, True)",
                   f"{F}.dropout2d(x, training=False)"], x="float32 3x4x2x2")  # fmt: skip


def mixed_dtypes() -> Iterator[Case]:
    """Inputs and parameters of different dtypes, which convolutions and norms refuse or mix."""
    for kind in ["double", "half", "long", "bool"]:
        yield from on(
            [f"torch.nn.functional.conv2d(x.{kind}(), w)",
             f"torch.nn.functional.conv2d(x.{kind}(), w, w[:, 0, 0, 0])",
             f"torch.nn.functional.conv2d(x.{kind}(), w[:, :, :1], w[:, 0, 0, 0])",
             f"torch.nn.functional.conv2d(x[:, :1].{kind}(), w, w[:, 0, 0, 0])",
             f"torch.nn.functional.conv2d(x[0, 0].{kind}(), w, w[:, 0, 0, 0])",
             f"torch.nn.functional.conv1d(x[:, 0].{kind}(), w[0])",
             f"torch.nn.functional.conv1d(x[0].{kind}(), w[0])",
             f"torch.nn.functional.conv2d(x, w.{kind}())"],
            x="float32 1x2x4x4", w="float32 2x2x3x3",
        )  # fmt: skip
    for kind in ["double", "half", "float", "long", "bool"]:
        for parameters in ["w, w", "None, w", "w", "w.double(), w", "w, w.double()", "w.half(), w",
                           "w.half(), w.half()", "None, None"]:  # fmt: skip
            yield case(
                f"torch.nn.functional.layer_norm(x.{kind}(), (3,), {parameters})",
                x="float32 2x3 constant", w="float32 3 constant",
            )  # fmt: skip
    yield from on([f"{F}.layer_norm(x, (3,), w, w)", f"{F}.layer_norm(x, (3,))"],
                  x="float16 2x3", w="float16 3")  # fmt: skip
    for spec in ["float32 6", "float64 6", "float16 6"]:
        large = "x * torch.tensor([1000.0, 89, 20, -20, -89, -1000])"
        yield from on([f"{F}.logsigmoid({large})", f"{F}.softplus({large})"], x=f"{spec} positive")
