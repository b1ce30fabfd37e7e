"""Modules and losses under both libraries: same weights and inputs, same results and gradients."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch

import minigrad

LIBRARIES = (torch, minigrad)
Made = Callable[[Any], Any]


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


def outcome(library: Any, make: Made, *inputs: np.ndarray) -> Iterator[tuple[str, Any]]:
    """The module's output, and the gradients of its parameters and floating point inputs."""
    module = fill(make(library.nn))
    tensors = [library.from_numpy(each.copy()) for each in inputs]
    for tensor in tensors:
        if tensor.is_floating_point():
            tensor.requires_grad_()
    output = module(*tensors)
    (output * library.from_numpy(numbers(*output.shape, seed=7))).sum().backward()
    yield "output", output
    yield from ((name, parameter.grad) for name, parameter in module.named_parameters())
    yield from ((f"input {i}", each.grad) for i, each in enumerate(tensors) if each.requires_grad)


def compare(make: Made, *inputs: np.ndarray) -> None:
    """Compare under both libraries all of `outcome`, the graph's first node and the repr."""
    expected, actual = (dict(outcome(library, make, *inputs)) for library in LIBRARIES)
    assert expected.keys() == actual.keys()
    assert type(expected["output"].grad_fn).__name__ == type(actual["output"].grad_fn).__name__
    for name, value in expected.items():
        if value is None:
            assert actual[name] is None, name
        else:
            assert_close(value, actual[name])
    assert repr(make(torch.nn)) == repr(make(minigrad.nn))


ACTIVATIONS: list[Made] = [
    lambda nn: nn.ReLU(),
    lambda nn: nn.Tanh(),
    lambda nn: nn.Sigmoid(),
    lambda nn: nn.LogSigmoid(),
    lambda nn: nn.SiLU(),
    lambda nn: nn.LeakyReLU(0.2),
    lambda nn: nn.ELU(1.5),
    lambda nn: nn.Hardtanh(-0.5, 0.7),
    lambda nn: nn.Softplus(2.0, 1.0),
    lambda nn: nn.Softmax(dim=-1),
    lambda nn: nn.LogSoftmax(dim=0),
    lambda nn: nn.Identity(),
    lambda nn: nn.Dropout(0.0),
    lambda nn: nn.Dropout(0.5).eval(),
]


@pytest.mark.parametrize("make", ACTIVATIONS, ids=lambda make: repr(make(torch.nn)))
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 3, 2)], ids=str)
def test_activation(make: Made, shape: tuple[int, ...]) -> None:
    # Times 1, for a result that is the input itself has no node.
    compare(lambda nn: Scaled(nn, make(nn)), numbers(*shape))


def Scaled(nn: Any, inner: Any) -> Any:  # noqa: N802
    """`inner` of the input times 1, so that `inplace` has no leaf to change."""

    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = inner

        def forward(self, input: Any) -> Any:
            return self.inner(input * 1)

    return Scaled()


@pytest.mark.parametrize("name", ["ReLU", "SiLU", "LeakyReLU", "ELU", "Hardtanh"])
def test_activation_in_place(name: str) -> None:
    compare(lambda nn: Scaled(nn, getattr(nn, name)(inplace=True)), numbers(4, 3))


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 2, 3), (0, 3)], ids=str)
def test_linear(bias: bool, shape: tuple[int, ...]) -> None:
    compare(lambda nn: nn.Linear(3, 2, bias=bias), numbers(*shape))


@pytest.mark.parametrize(
    "make",
    [
        lambda nn: nn.Conv2d(4, 6, 3),
        lambda nn: nn.Conv2d(4, 6, (2, 3), stride=(2, 1), padding=(1, 0), bias=False),
        lambda nn: nn.Conv2d(4, 6, 3, padding=2, dilation=2, groups=2),
        lambda nn: nn.Conv2d(4, 6, 3, padding="same"),
        lambda nn: nn.Conv2d(4, 6, 3, padding="valid"),
        lambda nn: nn.MaxPool2d(2),
        lambda nn: nn.MaxPool2d((2, 3), stride=1, padding=1),
        lambda nn: nn.MaxPool2d(3, stride=2, ceil_mode=True),
        lambda nn: nn.Flatten(),
        lambda nn: nn.Flatten(0, 2),
    ],
    ids=lambda make: repr(make(torch.nn)),
)
@pytest.mark.parametrize("shape", [(2, 4, 7, 8), (4, 7, 8)], ids=str)
def test_images(make: Made, shape: tuple[int, ...]) -> None:
    compare(make, numbers(*shape))


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


def test_convolutional_network() -> None:
    def make(nn: Any) -> Any:
        return nn.Sequential(
            nn.Conv2d(1, 3, 3, padding=1),
            nn.ReLU(),
            nn.MaxPool2d(2),
            nn.Conv2d(3, 2, 3),
            nn.LeakyReLU(0.1, inplace=True),
            nn.Flatten(),
            nn.Linear(8, 4),
            nn.LogSoftmax(dim=1),
        )

    compare(make, numbers(5, 1, 8, 8))


def weight(nn: Any, length: int) -> Any:
    library = torch if nn is torch.nn else minigrad
    return library.from_numpy(np.abs(numbers(length, seed=5)))


REDUCTIONS = ("mean", "sum", "none")


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("shape", [(), (4,), (3, 2)], ids=str)
def test_losses_of_differences(reduction: str, shape: tuple[int, ...]) -> None:
    for name, options in (
        ("MSELoss", {}),
        ("L1Loss", {}),
        ("SmoothL1Loss", {}),
        ("SmoothL1Loss", {"beta": 0.3}),
    ):
        compare(
            lambda nn, name=name, options=options: getattr(nn, name)(
                reduction=reduction, **options
            ),
            numbers(*shape),
            numbers(*shape, seed=1),
        )


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_of_classes(reduction: str, weighted: bool) -> None:
    classes = np.array([0, 2, 1, 2])

    def make(name: str, **options: Any) -> Made:
        return lambda nn: getattr(nn, name)(
            weight=weight(nn, 3) if weighted else None, reduction=reduction, **options
        )

    for options in ({}, {"ignore_index": 2}):
        compare(make("NLLLoss", **options), numbers(4, 3), classes)
        compare(make("CrossEntropyLoss", **options), numbers(4, 3), classes)
    compare(make("CrossEntropyLoss", label_smoothing=0.1), numbers(4, 3), classes)
    compare(make("CrossEntropyLoss"), numbers(4, 3, 2), np.array([[0, 1]] * 4))
    compare(make("CrossEntropyLoss"), numbers(3), np.array(1))
    shares = np.abs(numbers(4, 3, seed=2))
    compare(make("CrossEntropyLoss"), numbers(4, 3), shares / shares.sum(1, keepdims=True))


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_losses_of_probabilities(reduction: str, weighted: bool) -> None:
    target = np.array([[0.0, 1.0], [1.0, 0.25]], np.float32)
    probability = 1 / (1 + np.exp(-numbers(2, 2)))

    def make(name: str, **options: Any) -> Made:
        return lambda nn: getattr(nn, name)(
            weight=weight(nn, 2) if weighted else None, reduction=reduction, **options
        )

    compare(make("BCEWithLogitsLoss"), numbers(2, 2) * 10, target)
    compare(
        lambda nn: nn.BCEWithLogitsLoss(reduction=reduction, pos_weight=weight(nn, 2)),
        numbers(2, 2),
        target,
    )
    compare(frozen_target(make("BCELoss")), probability, target)


def frozen_target(make: Made) -> Made:
    """The loss of input and a target that asks for no gradient."""

    def made(nn: Any) -> Any:
        class Frozen(nn.Module):
            def __init__(self) -> None:
                super().__init__()
                self.loss = make(nn)

            def forward(self, input: Any, target: Any) -> Any:
                return self.loss(input, target.detach())

        return Frozen()

    return made


@pytest.mark.parametrize("norm_type", [1, 2, 3.5, float("inf")])
@pytest.mark.parametrize("max_norm", [0.1, 100])
def test_clipping(norm_type: float, max_norm: float) -> None:
    results = []
    for library in LIBRARIES:
        parameters = []
        for seed, shape in enumerate([(3, 2), (), (4,)]):
            parameter = library.nn.Parameter(library.zeros(shape))
            parameter.grad = library.from_numpy(np.asarray(numbers(*shape, seed=seed)))
            parameters.append(parameter)
        norm = library.nn.utils.clip_grad_norm_(parameters, max_norm, norm_type)
        grads = [parameter.grad for parameter in parameters]
        kept = [library.nn.Parameter(grad) for grad in grads]
        for parameter, grad in zip(kept, grads, strict=True):
            parameter.grad = grad.clone()
        library.nn.utils.clip_grad_value_(kept, max_norm / 5)
        results.append([norm, *grads, *(parameter.grad for parameter in kept)])
    for expected, actual in zip(*results, strict=True):
        assert_close(expected, actual)


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


def test_dropout_keeps_the_mean() -> None:
    """The mask differs; how many elements remain, and how large, does not."""
    for library in LIBRARIES:
        library.manual_seed(0)
        ones = library.ones(20_000, requires_grad=True)
        output = library.nn.Dropout(0.2)(ones)
        output.sum().backward()
        assert set(np.unique(array(output)).tolist()) == {0.0, 1.25}
        assert abs((array(output) > 0).mean() - 0.8) < 0.02
        np.testing.assert_array_equal(array(output), array(ones.grad))


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
def test_an_argument_error_names_the_layer(call: Made) -> None:
    with pytest.raises(TypeError) as theirs:
        call(torch.nn)
    with pytest.raises(TypeError) as ours:
        call(minigrad.nn)
    assert str(ours.value) == str(theirs.value)
