"""Making tensors: values, dtypes, what is copied and what is shared, and what is refused."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, float32, float64, int64, tensor
from minigrad.core import tensor as core
from minigrad.support import errors
from minigrad.support.dtypes import bool_, dtype

SLOW = "Creating a tensor from a list of numpy.ndarrays is extremely slow"


@pytest.mark.filterwarnings(f"ignore:{SLOW}")
@pytest.mark.parametrize(
    ("data", "kind", "values"),
    [
        (1, int64, 1),
        (1.0, float32, 1.0),
        (True, bool_, True),
        ([], float32, []),
        ([[], []], float32, [[], []]),
        ([1, 2], int64, [1, 2]),
        ([1, 2.5], float32, [1.0, 2.5]),
        ([True, 2], int64, [1, 2]),
        ((1.0, 2.0), float32, [1.0, 2.0]),
        (range(3), int64, [0, 1, 2]),
        ([[1, 2], (3, 4)], int64, [[1, 2], [3, 4]]),
        (np.float64(1.5), float64, 1.5),
        (np.array([1.0, 2.0]), float64, [1.0, 2.0]),
        ([np.float64(1.0), 2.0], float64, [1.0, 2.0]),
        ([np.array([1, 2]), np.array([3, 4])], int64, [[1, 2], [3, 4]]),
        ([tensor(1.0), tensor(2.0)], float32, [1.0, 2.0]),
    ],
    ids=repr,
)
def test_tensor_takes_values_and_finds_their_dtype(data: Any, kind: dtype, values: Any) -> None:
    x = tensor(data)
    assert x.dtype is kind
    assert x.tolist() == values
    assert (x.is_leaf, x.requires_grad, x._version) == (True, False, 0)


def test_a_list_of_arrays_warns_once_in_a_process() -> None:
    errors.warn_slow_arrays.cache_clear()
    tensor([np.zeros(0), [1.0, 2.0][:0]])  # nothing to copy, so nothing is slow
    with pytest.warns(UserWarning, match=SLOW) as caught:
        [tensor(rows) for rows in ([np.zeros(2), np.ones(2)], [[0.0, 0.0], np.ones(2)])]
    assert [each.filename for each in caught] == [__file__]


@pytest.mark.parametrize("data", [1, [1, 0], np.array([1, 0]), np.int32(1)], ids=repr)
@pytest.mark.parametrize("kind", [float32, float64, int64, bool_], ids=str)
def test_dtype_is_the_requested_one(data: Any, kind: dtype) -> None:
    x = tensor(data, dtype=kind)
    assert x.dtype is kind
    assert x.numpy().dtype == kind.numpy


def test_tensor_copies() -> None:
    array = np.array([1.0, 2.0])
    x = tensor(array)
    array[0] = 9.0
    assert x.tolist() == [1.0, 2.0]
    with pytest.warns(UserWarning, match=r"^To copy construct from a tensor, it is recommended"):
        y = tensor(x)
    x[0] = 7.0
    assert y.tolist() == [1.0, 2.0]


def test_as_tensor_and_from_numpy_share() -> None:
    array = np.array([1.0, 2.0])
    x, y = minigrad.as_tensor(array), minigrad.from_numpy(array)
    array[0] = 9.0
    assert x.tolist() == y.tolist() == [9.0, 2.0]
    assert minigrad.as_tensor(x) is x
    assert minigrad.as_tensor(array, dtype=float32).dtype is float32
    assert minigrad.as_tensor([1, 2]).tolist() == [1, 2]
    with pytest.raises(TypeError, match=r"^expected np\.ndarray \(got list\)"):
        minigrad.from_numpy([1.0])  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0, 2)])
def test_constants(shape: tuple[int, ...]) -> None:
    for make, value in ((minigrad.zeros, 0.0), (minigrad.ones, 1.0), (minigrad.empty, 0.0)):
        for x in (make(*(shape or [()])), make(shape), make(list(shape)), make(size=shape)):
            assert (x.shape, x.dtype) == (shape, float32)
            assert x.tolist() == np.full(shape, value).tolist()
    assert minigrad.full(shape, 7).dtype is int64
    assert minigrad.full(shape, 7.0).tolist() == np.full(shape, 7.0).tolist()
    assert minigrad.zeros(shape, requires_grad=True).requires_grad


def test_constants_like_another_tensor() -> None:
    x = minigrad.zeros(2, 3, dtype=float64, requires_grad=True)
    for y, value in (
        (minigrad.zeros_like(x), 0.0),
        (minigrad.ones_like(x), 1.0),
        (minigrad.full_like(x, 5), 5.0),
        (minigrad.empty_like(x), 0.0),
    ):
        assert (y.shape, y.dtype, y.requires_grad) == ((2, 3), float64, False)
        assert y.tolist() == [[value] * 3] * 2
    assert minigrad.ones_like(x, dtype=int64).dtype is int64


def test_ranges() -> None:
    assert minigrad.arange(3).tolist() == [0, 1, 2]
    assert minigrad.arange(1, 4).dtype is int64
    assert minigrad.arange(0, 1, 0.25).tolist() == [0.0, 0.25, 0.5, 0.75]
    assert minigrad.arange(3, 0, -1).tolist() == [3, 2, 1]
    assert minigrad.arange(3.0, requires_grad=True).requires_grad
    assert minigrad.linspace(0, 1, 5).tolist() == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert minigrad.eye(2).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert minigrad.eye(1, 2).tolist() == [[1.0, 0.0]]
    with pytest.raises(RuntimeError, match=r"^step must be nonzero"):
        minigrad.arange(0, 3, 0)
    with pytest.raises(
        RuntimeError, match=r"^upper bound and lower bound inconsistent with step sign"
    ):
        minigrad.arange(3, 0)


def test_random_numbers_start_again_from_a_seed() -> None:
    def draw() -> list[Any]:
        return [
            minigrad.randn(3).tolist(),
            minigrad.rand(2, 2).tolist(),
            minigrad.randint(10, (5,)).tolist(),
            minigrad.randperm(6).tolist(),
        ]

    minigrad.manual_seed(1)
    first, second = draw(), draw()
    minigrad.manual_seed(1)
    assert draw() == first
    assert first != second


def test_random_numbers_have_their_distribution() -> None:
    minigrad.manual_seed(0)
    normal, even = minigrad.randn(10_000), minigrad.rand(10_000)
    assert normal.dtype is even.dtype is float32
    assert abs(normal.mean().item()) < 0.05
    assert abs((normal * normal).mean().item() - 1) < 0.1
    assert ((even >= 0) & (even < 1)).all()
    assert abs(even.mean().item() - 0.5) < 0.02
    whole = minigrad.randint(3, 6, (1000,))
    assert (whole.dtype, set(whole.tolist())) == (int64, {3, 4, 5})
    assert sorted(minigrad.randperm(5).tolist()) == [0, 1, 2, 3, 4]
    assert minigrad.randn_like(normal).shape == minigrad.rand_like(normal).shape == (10_000,)
    assert minigrad.randn(2, dtype=float64, requires_grad=True).requires_grad


def test_legacy_constructors() -> None:
    assert minigrad.FloatTensor([1, 2]).dtype is float32
    assert minigrad.LongTensor([1, 2]).tolist() == [1, 2]
    assert minigrad.DoubleTensor(2, 3).shape == (2, 3)
    assert minigrad.BoolTensor([1, 0]).tolist() == [True, False]
    assert Tensor([1, 2]).dtype is float32
    with pytest.raises(TypeError, match=r"^new\(\): data must be a sequence \(got float\)"):
        minigrad.FloatTensor(1.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda **kw: tensor([1, 2], **kw),
        lambda **kw: minigrad.zeros(2, dtype=int64, **kw),
        lambda **kw: minigrad.ones(2, dtype=bool_, **kw),
        lambda **kw: minigrad.full((2,), 3, **kw),
        lambda **kw: minigrad.zeros_like(tensor([1]), **kw),
        lambda **kw: minigrad.arange(3, **kw),
        lambda **kw: minigrad.linspace(0, 1, 2, dtype=int64, **kw),
        lambda **kw: minigrad.eye(2, dtype=int64, **kw),
    ],
)
def test_integers_cannot_require_gradients(make: Callable[..., Tensor]) -> None:
    with pytest.raises(RuntimeError, match=r"^Only Tensors of floating point and complex dtype"):
        make(requires_grad=True)
    assert not make(requires_grad=False).requires_grad


@pytest.mark.parametrize("make", [tensor, core.tensor])
@pytest.mark.parametrize(("flag", "kind"), [("maybe", "str"), (1, "int"), (None, "NoneType")])
def test_a_flag_that_is_not_a_bool_is_refused(
    make: Callable[..., Tensor], flag: Any, kind: str
) -> None:
    words = rf"^tensor\(\): argument 'requires_grad' must be bool, not {kind}$"
    for data in ([1.0], [1]):
        with pytest.raises(TypeError, match=words):
            make(data, requires_grad=flag)


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: minigrad.zeros(-1), RuntimeError, "zeros: Dimension size must be non-negative"),
        (lambda: minigrad.ones(2, -1), RuntimeError, "Trying to create tensor with negative dim"),
        (lambda: minigrad.randn(-1), RuntimeError, r"Trying to create .* dimension -1: \[-1\]"),
        (
            lambda: minigrad.randn(2, dtype=int64),
            NotImplementedError,
            "\"normal_kernel_cpu\" not implemented for 'Long'",
        ),
        (
            lambda: minigrad.rand(2, dtype=bool_),
            NotImplementedError,
            "\"check_uniform_bounds\" not implemented for 'Bool'",
        ),
    ],
)
def test_impossible_shapes_and_dtypes_are_refused(
    make: Callable[[], Tensor], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^{message}"):
        make()


def test_what_the_package_lacks_says_so() -> None:
    with pytest.raises(AttributeError, match=r"^module 'minigrad' has no attribute 'compile'"):
        minigrad.compile  # noqa: B018
