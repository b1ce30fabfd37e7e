"""Bad input: the call raises PyTorch's exception with its first sentence, and no tensor changes."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import tensor
from minigrad.autograd import Function, backward, grad

STATE = ("_version", "requires_grad", "is_leaf", "grad_fn", "dtype", "shape")


class Tensors:
    """The tensors that the bad calls get, and their observable state."""

    def __init__(self) -> None:
        self.a = tensor([1.0, 2.0, 3.0], requires_grad=True)
        self.b = tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
        self.a.grad = tensor([7.0, 7.0, 7.0])
        self.y = self.a * self.a
        self.s = self.y.sum()
        self.freed = (self.a * self.a).sum()
        self.freed.backward()
        self.a.grad = tensor([7.0, 7.0, 7.0])
        self.constant = tensor([1.0, 2.0, 3.0])
        self.integer = tensor([1, 2, 3])
        self.flag = tensor([True, False, True])

    def state(self) -> dict[str, Any]:
        seen = {}
        for name, one in vars(self).items():
            seen[name] = [getattr(one, attribute) for attribute in STATE]
            seen[name] += [
                one.tolist(),
                one._grad,
                None if one._grad is None else one._grad.tolist(),
            ]
        return seen


@pytest.fixture
def t() -> Tensors:
    return Tensors()


@pytest.fixture(autouse=True)
def _tensors_unchanged(t: Tensors) -> Iterator[None]:
    """After each error, tensors are untouched, recording is on, and the graph still runs."""
    before = t.state()
    yield
    assert t.state() == before
    assert minigrad.is_grad_enabled()
    t.a.grad = None
    t.s.backward()
    assert t.a.grad is not None
    assert t.a.grad.tolist() == [2.0, 4.0, 6.0]


Call = Callable[[Tensors], Any]


def refuses(call: Call, t: Tensors, kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        call(t)
    assert type(caught.value) is kind
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    ("data", "kind", "sentence"),
    [
        ([[1.0, 2.0], [3.0]], ValueError, "expected sequence of length 2 at dim 1 (got 1)"),
        ([[1.0], [2.0, 3.0]], ValueError, "expected sequence of length 1 at dim 1 (got 2)"),
        ([[[1], [2]], [[3]]], ValueError, "expected sequence of length 2 at dim 1 (got 1)"),
        ([[1.0], 2.0], TypeError, "not a sequence"),
        ([1.0, [2.0]], TypeError, "must be real number, not list"),
        ([1, [2]], TypeError, "'list' object cannot be interpreted as an integer"),
        ([1, [2.0]], TypeError, "must be real number, not list"),
        ([1, (2,)], TypeError, "'tuple' object cannot be interpreted as an integer"),
        ("text", TypeError, "new(): invalid data type 'str'"),
        (["text"], ValueError, "too many dimensions 'str'"),
        ([None], RuntimeError, "Could not infer dtype of NoneType"),
        (None, RuntimeError, "Could not infer dtype of NoneType"),
        ({1: 2}, RuntimeError, "Could not infer dtype of dict"),
        (2**80, ValueError, "Overflow when unpacking long long"),
    ],
    ids=repr,
)
def test_data_that_cannot_become_a_tensor(
    t: Tensors, data: Any, kind: type[Exception], sentence: str
) -> None:
    refuses(lambda t: tensor(data), t, kind, sentence)


@pytest.mark.parametrize("name", ["U3", "datetime64[s]", "object"])
def test_dtypes_that_do_not_exist(t: Tensors, name: str) -> None:
    array = np.zeros(2, np.dtype(name))
    sentence = f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}."
    refuses(lambda t: tensor(array), t, TypeError, sentence)
    refuses(lambda t: minigrad.from_numpy(array), t, TypeError, sentence)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda t: tensor([1, 2], requires_grad=True),
            "Only Tensors of floating point and complex dtype can require gradients",
        ),
        (
            lambda t: setattr(t.integer, "requires_grad", True),
            "only Tensors of floating point and complex dtype can require gradients",
        ),
        (
            lambda t: t.integer.requires_grad_(),
            "only Tensors of floating point dtype can require gradients",
        ),
        (
            lambda t: t.flag.requires_grad_(),
            "only Tensors of floating point dtype can require gradients",
        ),
        (
            lambda t: setattr(t.y, "requires_grad", False),
            "you can only change requires_grad flags of leaf variables. If you want to use a",
        ),
        (
            lambda t: setattr(t.y, "requires_grad", True),
            "you can only change requires_grad flags of leaf variables.",
        ),
        (lambda t: t.integer.mean(), "mean(): could not infer output dtype."),
        (lambda t: -t.flag, "Negation, the `-` operator, on a bool tensor is not supported."),
        (lambda t: t.flag - t.flag, "Subtraction, the `-` operator, with two bool tensors is not"),
        (lambda t: t.flag - 1, "Subtraction, the `-` operator, with a bool tensor is not"),
        (lambda t: t.integer**-1, "Integers to negative integer powers are not allowed."),
        (
            lambda t: t.constant @ t.constant.double(),
            "dot : expected both vectors to have same dtype, but found Float and Double",
        ),
        (
            lambda t: t.integer.mul_(1.5),
            "result type Float can't be cast to the desired output type Long",
        ),
    ],
)
def test_operations_that_a_dtype_does_not_support(t: Tensors, call: Call, sentence: str) -> None:
    refuses(call, t, RuntimeError, sentence)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda t: t.a + t.b,
            "The size of tensor a (3) must match the size of tensor b (2) "
            "at non-singleton dimension 1",
        ),
        (
            lambda t: t.b * t.a,
            "The size of tensor a (2) must match the size of tensor b (3) "
            "at non-singleton dimension 1",
        ),
        (lambda t: t.b @ t.a, "size mismatch, got input (2), mat (2x2), vec (3)"),
        (
            lambda t: t.a.dot(tensor([1.0])),
            "inconsistent tensor size, expected tensor [3] and src [1] to have the same number of",
        ),
        (
            lambda t: t.b @ minigrad.ones(3, 2),
            "mat1 and mat2 shapes cannot be multiplied (2x2 and 3x2)",
        ),
        (
            lambda t: t.s @ t.a,
            "both arguments to matmul need to be at least 1D, but they are 0D and 1D",
        ),
        (lambda t: t.a.view(2), "shape '[2]' is invalid for input of size 3"),
        (lambda t: t.a.reshape(2, -1), "shape '[2, -1]' is invalid for input of size 3"),
        (
            lambda t: t.b.t().view(4),
            "view size is not compatible with input tensor's size and stride",
        ),
        (
            lambda t: t.a.expand(2),
            "The expanded size of the tensor (2) must match the existing size (3)",
        ),
        (
            lambda t: minigrad.stack([t.a, t.b]),
            "stack expects each tensor to be equal size, but got [3] at entry 0 and [2, 2] at",
        ),
        (
            lambda t: minigrad.cat([t.a, t.b]),
            "Tensors must have same number of dimensions: got 1 and 2",
        ),
        (
            lambda t: t.constant.add_(minigrad.ones(2, 3)),
            "output with shape [3] doesn't match the broadcast shape [2, 3]",
        ),
        (
            lambda t: t.constant.__setitem__(slice(0, 2), minigrad.ones(3)),
            "The expanded size of the tensor (2) must match the existing size (3)",
        ),
    ],
)
def test_shapes_that_do_not_match(t: Tensors, call: Call, sentence: str) -> None:
    refuses(call, t, RuntimeError, sentence)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda t: t.a.sum(2),
            "Dimension out of range (expected to be in range of [-1, 0], but got 2)",
        ),
        (
            lambda t: t.b.transpose(0, 2),
            "Dimension out of range (expected to be in range of [-2, 1]",
        ),
        (lambda t: t.a[0, 0], "too many indices for tensor of dimension 1"),
        (lambda t: t.a[[0, 5]], "index 5 is out of bounds for dimension 0 with size 3"),
        (lambda t: t.s[0], "invalid index of a 0-dim tensor."),
        (
            lambda t: t.a[1.5],
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte",
        ),
        (
            lambda t: t.a[tensor([True, False])],
            "The shape of the mask [2] at index 0 does not match the shape of the indexed tensor",
        ),
    ],
)
def test_dimensions_and_indices_out_of_range(t: Tensors, call: Call, sentence: str) -> None:
    refuses(call, t, IndexError, sentence)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (
            lambda t: t.y.backward(),
            RuntimeError,
            "grad can be implicitly created only for scalar outputs",
        ),
        (
            lambda t: t.y.backward(minigrad.ones(2)),
            RuntimeError,
            "Mismatch in shape: grad_output[0] has a shape of torch.Size([2]) and output[0] has a",
        ),
        (
            lambda t: t.s.backward(minigrad.ones(1)),
            RuntimeError,
            "Mismatch in shape: grad_output[0] has a shape of torch.Size([1]) and output[0] has a",
        ),
        (
            lambda t: backward([t.y, t.s], [minigrad.ones(3, 1), None]),
            RuntimeError,
            "Mismatch in shape: grad_output[0] has a shape of torch.Size([3, 1]) and output[0]",
        ),
        (
            lambda t: t.y.backward([1.0, 1.0, 1.0]),  # type: ignore[arg-type]
            TypeError,
            "gradients can be either Tensors or None, but got float",
        ),
        (
            lambda t: backward([t.s, t.s], [tensor(1.0)]),
            RuntimeError,
            "got 2 tensors and 1 gradients",
        ),
        (
            lambda t: grad(t.y, t.a),
            RuntimeError,
            "grad can be implicitly created only for scalar outputs",
        ),
        (
            lambda t: grad(t.y, t.a, minigrad.ones(3, 3)),
            RuntimeError,
            "Mismatch in shape: grad_output[0] has a shape of torch.Size([3, 3]) and output[0]",
        ),
    ],
)
def test_cotangents_that_do_not_match(
    t: Tensors, call: Call, kind: type[Exception], sentence: str
) -> None:
    refuses(call, t, kind, sentence)


NO_GRAPH = "element 0 of tensors does not require grad and does not have a grad_fn"


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda t: t.constant.sum().backward(), RuntimeError, NO_GRAPH),
        (lambda t: t.constant.backward(), RuntimeError, NO_GRAPH),
        (lambda t: t.s.detach().backward(), RuntimeError, NO_GRAPH),
        (lambda t: grad(t.constant.sum(), t.a), RuntimeError, NO_GRAPH),
        (
            lambda t: backward([t.s, t.constant.sum()]),
            RuntimeError,
            "element 1 of tensors does not require grad and does not have a grad_fn",
        ),
        (
            lambda t: t.freed.backward(),
            RuntimeError,
            "Trying to backward through the graph a second",
        ),
        (
            lambda t: grad(t.freed, t.a),
            RuntimeError,
            "Trying to backward through the graph a second",
        ),
        (
            lambda t: t.freed.grad_fn.next_functions[0][0]._saved_self,  # type: ignore[union-attr]
            RuntimeError,
            "Trying to backward through the graph a second",
        ),
        (
            lambda t: t.s.backward(inputs=[]),
            RuntimeError,
            "`inputs` argument to `backward()` cannot be empty.",
        ),
        (
            lambda t: t.s.backward(inputs=[t.constant]),
            RuntimeError,
            "can't retain_grad on Tensor that has requires_grad=False",
        ),
        (
            lambda t: grad(t.s, []),
            RuntimeError,
            "`inputs` argument to `grad()` cannot be empty.",
        ),
        (
            lambda t: grad(t.s, t.constant),
            RuntimeError,
            "One of the differentiated Tensors does not require grad",
        ),
        (
            lambda t: grad(t.s, t.a, allow_unused=False, materialize_grads=True),
            ValueError,
            "Expected allow_unused to be True or not passed when materialize_grads=True",
        ),
        (lambda t: backward([3.0]), AssertionError, "Expected output to be a torch.Tensor"),
    ],
)
def test_backward_without_a_graph(
    t: Tensors, call: Call, kind: type[Exception], sentence: str
) -> None:
    refuses(call, t, kind, sentence)


def test_an_unused_input_is_found_after_the_pass(t: Tensors) -> None:
    """As in PyTorch the graph is freed by then, but no gradient of any tensor is touched."""
    refuses(
        lambda t: grad((t.a * t.a).sum(), [t.a, t.b]),
        t,
        RuntimeError,
        "The differentiated Tensor at index 1 appears to not have been used in the graph.",
    )


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (
            lambda t: t.a.numpy(),
            RuntimeError,
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
        ),
        (
            lambda t: np.asarray(t.y),
            RuntimeError,
            "Can't call numpy() on Tensor that requires grad.",
        ),
        (
            lambda t: t.a.item(),
            RuntimeError,
            "a Tensor with 3 elements cannot be converted to Scalar",
        ),
        (
            lambda t: int(t.a),
            ValueError,
            "only one element tensors can be converted to Python scalars",
        ),
        (
            lambda t: bool(t.a),
            RuntimeError,
            "Boolean value of Tensor with more than one value is ambiguous",
        ),
        (lambda t: len(t.s), TypeError, "len() of a 0-d tensor"),
        (
            lambda t: t.a + "text",
            TypeError,
            "unsupported operand type(s) for +: 'Tensor' and 'str'",
        ),
        (lambda t: t.a.nonsense, AttributeError, "'Tensor' object has no attribute 'nonsense'"),
    ],
)
def test_conversions_that_would_lose_information(
    t: Tensors, call: Call, kind: type[Exception], sentence: str
) -> None:
    refuses(call, t, kind, sentence)


class Mean(Function):
    """Its gradient is one number; the input has three."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.mean()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad / 3


def test_an_error_that_a_learner_meets_says_what_to_do(t: Tensors) -> None:
    for call, chapter in (
        (lambda: t.freed.backward(), "06_lifetime"),
        (lambda: t.y.backward(), "13_jacobians"),
        (lambda: t.constant.sum().backward(), "10_switching_off"),
        (lambda: t.a.add_(1), "11_in_place"),
        (lambda: Mean.apply(t.a).backward(), "12_broadcasting"),
        (lambda: t.a.numpy(), "10_switching_off"),
        (lambda: tensor([1], requires_grad=True), "02_tensors"),
    ):
        with pytest.raises(RuntimeError) as caught:
            call()
        (note,) = caught.value.__notes__
        assert note.startswith("minigrad: ")
        assert note.endswith(f"(chapter {chapter})")
        assert note not in str(caught.value)
