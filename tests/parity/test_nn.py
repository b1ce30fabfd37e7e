"""Modules and losses under both libraries: same weights and inputs, same results and gradients.

What they compute with, `tests/goldens` compares in detail; here it is what a module passes to it.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import minigrad

LIBRARIES = (torch, minigrad)


def numbers(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def array(tensor: Any) -> np.ndarray:
    return np.asarray(tensor.detach().numpy())


def assert_close(expected: Any, actual: Any) -> None:
    assert str(expected.dtype) == str(actual.dtype)
    np.testing.assert_allclose(array(actual), array(expected), rtol=1e-5, atol=1e-5)


def fill(module: Any) -> Any:
    """Give every parameter the same numbers under both libraries."""
    library = torch if isinstance(module, torch.nn.Module) else minigrad
    for seed, parameter in enumerate(module.parameters()):
        values = library.from_numpy(numbers(*parameter.shape, seed=seed))
        with library.no_grad():
            parameter.copy_(values.to(parameter.dtype))
    return module


def made(library: Any, code: str) -> Any:
    weight = library.from_numpy(np.abs(numbers(3, seed=5)))
    return fill(eval(f"nn.{code}", {"nn": library.nn, "weight": weight}))


def outcome(library: Any, code: str, *inputs: np.ndarray) -> Iterator[tuple[str, Any]]:
    """A module's output, and the gradients of its parameters and its first input."""
    module = made(library, code)
    first, *others = (library.from_numpy(each.copy()) for each in inputs)
    first.requires_grad_()
    output = module(first * 1, *others)  # times 1, so that `inplace` has no leaf to change
    (output * library.from_numpy(numbers(*output.shape, seed=7))).sum().backward()
    yield "output", output
    yield from ((name, parameter.grad) for name, parameter in module.named_parameters())
    yield "input", first.grad


ROWS, IMAGES = numbers(4, 3), numbers(2, 4, 7, 8)
CLASSES, OTHERS = np.array([0, 2, 1, 2]), numbers(4, 3, seed=1)
SHARES = np.exp(OTHERS) / np.exp(OTHERS).sum(1, keepdims=True)  # each row adds up to 1
ACTIVATIONS = [
    "ReLU()", "Tanh()", "Sigmoid()", "LogSigmoid()", "SiLU()", "LeakyReLU(0.2)", "ELU(1.5)",
    "Hardtanh(-0.5, 0.7)", "Softplus(2.0, 1.0)", "Softmax(dim=-1)", "LogSoftmax(dim=0)",
    "Identity()", "Dropout(0.0)", "Dropout(0.5).eval()", "ReLU(True)", "SiLU(True)",
    "LeakyReLU(0.1, True)", "ELU(2.0, True)", "Hardtanh(-1, 1, True)",
]  # fmt: skip
OF_IMAGES = [
    "Conv2d(4, 6, 3)", "Conv2d(4, 6, (2, 3), stride=(2, 1), padding=(1, 0), bias=False)",
    "Conv2d(4, 6, 3, padding=2, dilation=2, groups=2)", "Conv2d(4, 6, 3, padding='same')",
    "Conv2d(4, 6, 3, padding='valid')", "MaxPool2d(2)", "MaxPool2d((2, 3), stride=1, padding=1)",
    "MaxPool2d(3, stride=2, ceil_mode=True)", "Flatten()", "Flatten(0, 2)",
    "Sequential(nn.Conv2d(4, 3, 3), nn.LeakyReLU(0.1, inplace=True), nn.MaxPool2d(2),"
    " nn.Flatten(), nn.Linear(18, 4), nn.LogSoftmax(dim=1))",
]  # fmt: skip
LOSSES = [
    ("MSELoss()", OTHERS), ("L1Loss()", OTHERS), ("SmoothL1Loss(beta=0.3)", OTHERS),
    ("NLLLoss(weight)", CLASSES), ("NLLLoss(ignore_index=2)", CLASSES),
    ("CrossEntropyLoss(weight)", CLASSES), ("CrossEntropyLoss(ignore_index=2)", CLASSES),
    ("CrossEntropyLoss(label_smoothing=0.1)", CLASSES), ("CrossEntropyLoss()", SHARES),
    ("BCEWithLogitsLoss(weight)", SHARES), ("BCEWithLogitsLoss(pos_weight=weight)", SHARES),
    ("BCELoss(weight)", SHARES),
]  # fmt: skip
CASES = [(code, ROWS) for code in [*ACTIVATIONS, "Linear(3, 2)", "Linear(3, 2, bias=False)"]]
CASES += [(code, IMAGES) for code in OF_IMAGES]
for loss, target in LOSSES:
    scores = SHARES if loss.startswith("BCELoss") else ROWS
    arguments = "" if loss.endswith("()") else ", "
    for reduction in ("mean", "sum", "none"):
        CASES.append((f"{loss[:-1]}{arguments}reduction='{reduction}')", scores, target))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_module_computes_the_same(case: tuple[str, Any]) -> None:
    code, *inputs = case
    expected, actual = (dict(outcome(library, code, *inputs)) for library in LIBRARIES)
    assert expected.keys() == actual.keys()
    assert type(expected["output"].grad_fn).__name__ == type(actual["output"].grad_fn).__name__
    for name, value in expected.items():
        assert_close(value, actual[name])
    assert repr(made(torch, code)) == repr(made(minigrad, code))


SPECIAL = [0.0, -0.0, 1.0, 1.0, 2.0, -5.0, np.nan, np.inf, -np.inf]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_pooling_has_the_same_winners_bit_by_bit(kind: type) -> None:
    for seed in range(150):
        random = np.random.default_rng(seed)
        size, stride = random.integers(1, 4, 2), random.integers(1, 4, 2)
        how = [size, stride, [random.integers(n // 2 + 1) for n in size], random.integers(1, 3, 2)]
        window = [tuple(map(int, each)) for each in how]
        x = random.choice(SPECIAL[: 6 if seed % 2 else None], (2, 3, *random.integers(5, 9, 2)))
        outcomes = []
        for library in LIBRARIES:
            leaf = library.from_numpy(x.astype(kind)).requires_grad_()
            input = leaf.transpose(2, 3) if seed % 3 == 0 else leaf
            pooled, indices = library.nn.functional.max_pool2d(
                input, *window, ceil_mode=bool(seed % 5 == 0), return_indices=True
            )
            cotangent = np.random.default_rng(seed).choice(SPECIAL[1:], pooled.shape).astype(kind)
            pooled.backward(library.from_numpy(cotangent))
            outcomes.append([array(each) for each in (pooled, indices, leaf.grad)])
        for expected, actual in zip(*outcomes, strict=True):
            np.testing.assert_array_equal(actual, expected)
            numbers = ~np.isnan(expected)
            assert (np.signbit(actual) == np.signbit(expected))[numbers].all()


def test_gradient_of_relu_bit_by_bit() -> None:
    x, cotangent = (np.array(each).ravel() for each in np.meshgrid(SPECIAL, SPECIAL))
    for kind, shape in [(np.float32, (9, 9)), (np.float64, (81,)), (np.float16, (3, 27))]:
        grads = []
        for library in LIBRARIES:
            leaf = library.from_numpy(x.astype(kind).reshape(shape)).requires_grad_()
            given = library.from_numpy(cotangent.astype(kind).reshape(shape[::-1]).T)
            leaf.relu().backward(given)
            grads.append(array(leaf.grad))
        np.testing.assert_array_equal(*grads)
        assert (np.signbit(grads[0]) == np.signbit(grads[1]))[~np.isnan(grads[0])].all()


def test_state_moves_from_pytorch() -> None:
    """What PyTorch saved, as arrays, minigrad loads: names, order and shapes are the same."""

    def make(nn: Any) -> Any:
        return nn.Sequential(nn.Conv2d(1, 2, 3), nn.Flatten(), nn.Sequential(nn.Linear(8, 3)))

    theirs, ours = fill(make(torch.nn)), make(minigrad.nn)
    saved = {name: minigrad.from_numpy(array(t)) for name, t in theirs.state_dict().items()}
    assert list(saved) == list(ours.state_dict())
    assert repr(ours.load_state_dict(saved)) == "<All keys matched successfully>"
    x = numbers(2, 1, 4, 4)
    assert_close(theirs(torch.from_numpy(x)), ours(minigrad.from_numpy(x)))


@pytest.mark.parametrize(
    "call",
    [
        lambda nn: nn.ReLU(1, 2),
        lambda nn: nn.ReLU()(),
        lambda nn: nn.Tanh(1),
        lambda nn: nn.Conv2d(3),
        lambda nn: nn.Conv2d(1, 1, 1)(),
        lambda nn: nn.MaxPool2d(2)(),
        lambda nn: nn.MSELoss(1, 2, 3, 4),
        lambda nn: nn.MSELoss()(1),
        lambda nn: nn.CrossEntropyLoss()(1),
        lambda nn: type("Mine", (nn.ReLU,), {})()(),
    ],
)
def test_an_argument_error_names_the_layer(call: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError) as theirs:
        call(torch.nn)
    with pytest.raises(TypeError) as ours:
        call(minigrad.nn)
    assert str(ours.value) == str(theirs.value)
