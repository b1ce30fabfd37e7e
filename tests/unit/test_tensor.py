"""The tensor itself: its description, shared memory, conversions, and copies."""

import copy
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, tensor


class Named(Tensor):
    """A subclass such as users write."""


def non_leaf() -> Tensor:
    return tensor([1.0, 2.0], requires_grad=True) * 2


# What it says about itself


def test_a_tensor_describes_its_shape_and_dtype() -> None:
    x = minigrad.zeros(2, 3, dtype=minigrad.float64)
    assert (x.shape, x.ndim, x.dim(), x.numel(), x.nelement()) == ((2, 3), 2, 2, 6, 6)
    assert (x.size(), x.size(0), x.size(-1)) == ((2, 3), 2, 3)
    assert (repr(x.shape), repr(x.dtype)) == ("torch.Size([2, 3])", "torch.float64")
    assert (x.element_size(), x.stride(), x.T.stride()) == (8, (3, 1), (1, 3))
    assert x.is_floating_point()
    assert not tensor([1]).is_floating_point()


def test_a_tensor_knows_whether_it_is_contiguous() -> None:
    x = minigrad.zeros(2, 3)
    assert x.is_contiguous()
    assert not x.T.is_contiguous()
    assert tensor(1.0).is_contiguous()


@pytest.mark.parametrize("dim", [2, -3])
def test_size_of_a_missing_dimension(dim: int) -> None:
    with pytest.raises(IndexError, match=r"^Dimension out of range \(expected to be in range of"):
        minigrad.zeros(2, 3).size(dim)


def test_leaves_and_non_leaves() -> None:
    constant, leaf = tensor(1.0), tensor(1.0, requires_grad=True)
    result = leaf * constant
    assert (constant.is_leaf, constant.requires_grad, constant.grad_fn) == (True, False, None)
    assert (leaf.is_leaf, leaf.requires_grad, leaf.grad_fn) == (True, True, None)
    assert (result.is_leaf, result.requires_grad, result.output_nr) == (False, True, 0)
    assert result.grad_fn is not None
    assert result.grad_fn.name() == "MulBackward0"
    assert (constant * constant).is_leaf


def test_output_number_of_an_operation_with_several_outputs() -> None:
    parts = (tensor([1.0, 2.0, 3.0], requires_grad=True) * 1).unbind(0)
    assert [part.output_nr for part in parts] == [0, 1, 2]


def test_repr_says_what_autograd_knows() -> None:
    leaf = tensor([1.0], requires_grad=True)
    assert repr(leaf) == "tensor([1.], requires_grad=True)"
    assert repr(leaf * 2) == "tensor([2.], grad_fn=<MulBackward0>)"
    assert repr(leaf.detach()) == "tensor([1.])"


def test_switching_requires_grad() -> None:
    x = tensor([1.0])
    assert x.requires_grad_() is x
    assert x.requires_grad
    x.requires_grad = False
    assert not x.requires_grad
    y = non_leaf()
    assert y.requires_grad_() is y  # it already requires grad
    for value in (True, False):
        with pytest.raises(RuntimeError, match=r"^you can only change requires_grad flags of leaf"):
            y.requires_grad = value
    assert y.requires_grad


def test_reading_the_gradient_of_a_non_leaf_warns_the_reader() -> None:
    y = non_leaf()
    with pytest.warns(
        UserWarning, match=r"^The \.grad attribute of a Tensor that is not a leaf"
    ) as w:
        assert y.grad is None
    assert w[0].filename == __file__
    y.retain_grad()
    assert y.grad is None  # without a warning: warnings are errors here


def test_retaining_shows_and_follows_the_tensor() -> None:
    y = non_leaf()
    assert not y.retains_grad
    y.retain_grad()
    assert y.retains_grad
    leaf = tensor([1.0], requires_grad=True)
    leaf.retain_grad()  # no effect and no error
    assert not leaf.retains_grad


# .grad as an attribute


def test_grad_can_be_set_and_deleted() -> None:
    x, g = tensor([1.0, 2.0], requires_grad=True), tensor([3.0, 4.0])
    x.grad = g
    assert x.grad is g
    x.grad = None
    assert x.grad is None
    x.grad = g
    del x.grad
    assert x.grad is None


@pytest.mark.parametrize(
    ("value", "kind", "message"),
    [
        (
            3.0,
            TypeError,
            "assigned grad expected to be a Tensor or None but got grad of type float",
        ),
        (
            tensor([1.0]),
            RuntimeError,
            r"attempting to assign a gradient of size '\[1\]' to a tensor",
        ),
        (
            tensor([1.0, 2.0], dtype=minigrad.float64),
            RuntimeError,
            "attempting to assign a gradient with dtype 'double' to a tensor with grad_dtype",
        ),
        (
            tensor([1, 2]),
            RuntimeError,
            "attempting to assign a gradient with dtype 'long int' to a tensor with grad_dtype",
        ),
    ],
)
def test_grad_refuses_anything_else(value: Any, kind: type[Exception], message: str) -> None:
    x, before = tensor([1.0, 2.0]), tensor([5.0, 6.0])
    x.grad = before
    with pytest.raises(kind, match=f"^{message}"):
        x.grad = value
    assert x.grad is before


def test_grad_refuses_the_tensor_itself() -> None:
    x = tensor([1.0])
    with pytest.raises(RuntimeError, match=r"^can't assign Variable as its own grad"):
        x.grad = x


# Sharing memory


@pytest.mark.parametrize("values", [[1.0, 2.0], 1.0])
def test_detach_shares_memory_and_version(values: Any) -> None:
    x = tensor(values)
    y = x.detach()
    y.fill_(7.0)
    assert x.tolist() == y.tolist()
    assert (x._version, y._version) == (1, 1)
    assert x.data_ptr() == y.data_ptr()


@pytest.mark.parametrize("values", [[1.0, 2.0], 1.0])
def test_data_shares_memory_alone(values: Any) -> None:
    x = tensor(values)
    x.data.fill_(7.0)
    assert x.tolist() in (7.0, [7.0, 7.0])
    assert x._version == 0


def test_detach_leaves_the_graph() -> None:
    y = non_leaf()
    assert (y.detach().is_leaf, y.detach().requires_grad) == (True, False)
    assert y.grad_fn is not None


def test_detach_in_place_makes_a_leaf() -> None:
    y = non_leaf()
    assert y.detach_() is y
    assert (y.is_leaf, y.requires_grad) == (True, False)
    with pytest.raises(RuntimeError, match=r"^Can't detach views in-place"):
        minigrad.zeros(2).view(1, 2).detach_()


def test_setting_data_swaps_the_memory_and_keeps_the_flags() -> None:
    x = tensor([1.0, 2.0], requires_grad=True)
    x.data = tensor([3.0, 4.0, 5.0])
    assert (x.tolist(), x.requires_grad, x._version) == ([3.0, 4.0, 5.0], True, 0)
    with pytest.raises(RuntimeError, match=r"^data set to a tensor that requires gradients must"):
        x.data = tensor([1])
    with pytest.raises(TypeError, match=r"^Variable data has to be a tensor, but got list"):
        x.data = [1.0]  # type: ignore[assignment]
    assert x.tolist() == [3.0, 4.0, 5.0]


def test_numpy_shares_memory() -> None:
    for x in (tensor([1.0, 2.0]), tensor(1.0)):
        x.numpy()[...] = 9.0
        assert x.tolist() in (9.0, [9.0, 9.0])


def test_numpy_of_a_tensor_in_a_graph() -> None:
    x = tensor([1.0], requires_grad=True)
    with pytest.raises(RuntimeError, match=r"^Can't call numpy\(\) on Tensor that requires grad\."):
        x.numpy()
    with pytest.raises(RuntimeError, match=r"^Can't call numpy\(\) on Tensor that requires grad\."):
        np.asarray(x)
    assert x.numpy(force=True).tolist() == [1.0]
    with minigrad.no_grad():
        assert x.numpy().tolist() == [1.0]


def test_numpy_reads_tensors() -> None:
    x = tensor([[1.0, 2.0]])
    assert np.asarray(x).dtype == np.float32
    assert np.array(x, np.float64).dtype == np.float64
    copied = np.array(x)
    copied[0, 0] = 5.0
    assert x.tolist() == [[1.0, 2.0]]


def test_an_array_on_the_left_of_an_operator_is_refused() -> None:
    with pytest.raises(TypeError):
        np.array([1.0, 2.0]) * tensor([1.0, 2.0])


# Out of the tensor


def test_item_and_tolist() -> None:
    assert tensor([[1.5]]).item() == 1.5
    assert type(tensor(1).item()) is int
    assert tensor(True).item() is True
    assert tensor([[1, 2], [3, 4]]).tolist() == [[1, 2], [3, 4]]
    with pytest.raises(
        RuntimeError, match=r"^a Tensor with 2 elements cannot be converted to Scalar"
    ):
        tensor([1.0, 2.0]).item()


def test_python_numbers() -> None:
    assert (float(tensor([2.5])), int(tensor(2.5)), bool(tensor(0.0))) == (2.5, 2, False)
    assert [10, 20, 30][tensor(1)] == 20
    with pytest.raises(ValueError, match=r"^only one element tensors can be converted to Python"):
        float(tensor([1.0, 2.0]))
    with pytest.raises(RuntimeError, match=r"^Boolean value of Tensor with more than one value is"):
        bool(tensor([1.0, 2.0]))
    with pytest.raises(RuntimeError, match=r"^Boolean value of Tensor with no values is ambiguous"):
        bool(tensor([]))
    with pytest.warns(
        UserWarning, match=r"^Converting a tensor with requires_grad=True to a scalar"
    ):
        assert float(tensor(1.0, requires_grad=True)) == 1.0


def test_as_a_sequence() -> None:
    x = tensor([[1.0, 2.0], [3.0, 4.0]])
    assert len(x) == 2
    assert [row.tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    assert 3.0 in x
    assert 5.0 not in x
    with pytest.raises(TypeError, match=r"^len\(\) of a 0-d tensor"):
        len(tensor(1.0))
    with pytest.raises(TypeError, match=r"^iteration over a 0-d tensor"):
        iter(tensor(1.0))


def test_equality_is_elementwise_and_hash_is_identity() -> None:
    x, y = tensor([1.0]), tensor([1.0])
    assert (x == y).tolist() == [True]
    assert {x: "x", y: "y"}[x] == "x"
    assert len({x, y, x}) == 2


# Copies, pickles, weak references, subclasses


def test_deepcopy_of_a_leaf_is_independent() -> None:
    x = tensor([1.0, 2.0], requires_grad=True)
    x.sum().backward()
    x.note = ["mine"]  # type: ignore[attr-defined]
    y, again = copy.deepcopy([x, x])
    assert y is again
    assert (y.is_leaf, y.requires_grad, y.tolist(), y.note) == (True, True, [1.0, 2.0], ["mine"])
    assert y.grad.tolist() == [1.0, 1.0]
    with minigrad.no_grad():
        y.add_(1.0)
        y.grad.zero_()
    y.note.append("yours")
    assert (x.tolist(), x.note) == ([1.0, 2.0], ["mine"])  # type: ignore[attr-defined]
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 1.0]


def test_deepcopy_of_a_tensor_that_refers_to_itself() -> None:
    x = tensor([1.0])
    x.me = x  # type: ignore[attr-defined]
    y = copy.deepcopy(x)
    assert y is not x
    assert y.me is y  # type: ignore[attr-defined]
    del x.me, y.me  # type: ignore[attr-defined]


def test_deepcopy_of_a_non_leaf_is_refused() -> None:
    with pytest.raises(RuntimeError, match=r"^Only Tensors created explicitly by the user"):
        copy.deepcopy(non_leaf())


def test_shallow_copy_shares_memory() -> None:
    x = tensor([1.0, 2.0])
    y = copy.copy(x)
    y[0] = 5.0
    assert y is not x
    assert x.tolist() == [5.0, 2.0]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize(
    "x",
    [
        tensor([[1.0, 2.0]], requires_grad=True),
        tensor(3.0),
        tensor([1, 2]),
        tensor([True]),
        minigrad.zeros(0, 3, dtype=minigrad.float64),
        minigrad.arange(6.0).reshape(2, 3).T,
    ],
    ids=str,
)
def test_pickle_returns_an_equal_leaf(x: Tensor, protocol: int) -> None:
    y = pickle.loads(pickle.dumps(x, protocol))
    assert (y.dtype, y.shape, y.requires_grad) == (x.dtype, x.shape, x.requires_grad)
    assert y.tolist() == x.tolist()
    assert y.dtype is x.dtype


def test_pickle_keeps_attributes_and_leaves_graph_and_gradient_behind() -> None:
    x = tensor([1.0], requires_grad=True)
    x.sum().backward()
    x.note = "mine"  # type: ignore[attr-defined]
    loaded = pickle.loads(pickle.dumps(x))
    assert (loaded.note, loaded.grad) == ("mine", None)
    loaded = pickle.loads(pickle.dumps(x * 2))
    assert (loaded.is_leaf, loaded.requires_grad, loaded.tolist()) == (True, True, [2.0])


def test_weak_references_do_not_keep_a_tensor() -> None:
    x = tensor([1.0])
    reference = weakref.ref(x)
    assert reference() is x
    del x
    assert reference() is None


def test_constructor_of_a_subclass() -> None:
    x = Named([1.0, 2.0])
    assert type(x) is Named
    assert (x.dtype, x.is_leaf, x._is_view()) == (minigrad.float32, True, False)
    x.requires_grad_()
    (x * 3).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [3.0, 3.0]


def test_gradients_flow_through_as_subclass() -> None:
    x = tensor([1.0, 2.0], requires_grad=True)
    y = x.as_subclass(Named)
    assert type(y) is Named
    assert (y.is_leaf, y._base is x) == (False, True)
    assert y.grad_fn is not None
    assert y.grad_fn.name() == "AliasBackward0"
    (y * y).sum().backward()
    assert x.grad is not None
    assert x.grad.tolist() == [2.0, 4.0]


def test_subclasses_work_in_every_position() -> None:
    x, y = Named([2.0]), tensor([3.0], requires_grad=True)
    assert [(x + y).item(), (y - x).item(), (x @ y).item(), minigrad.exp(x * 0).item()] == [
        5,
        1,
        6,
        1,
    ]
    assert pickle.loads(pickle.dumps(x)).__class__ is Named
    assert copy.deepcopy(x).__class__ is Named
    grads = minigrad.autograd.grad((y * 1) * 2, y, Named([10.0]), create_graph=True)
    assert grads[0] is not None
    assert grads[0].tolist() == [20.0]


def test_users_can_set_attributes() -> None:
    x = tensor([1.0])
    x.note = "mine"  # type: ignore[attr-defined]
    assert x.note == "mine"
    with pytest.raises(AttributeError):
        _ = x.another


class Tagged(Tensor):
    """A subclass that declares an attribute."""

    tag: str


def test_dict_has_the_users_attributes_only_declared_or_not() -> None:
    x = tensor([1.0], requires_grad=True)
    x.sum().backward()
    assert vars(x) == {}
    tagged = Tagged([1.0])
    tagged.tag, tagged.note = "a", 5  # type: ignore[attr-defined]
    assert vars(tagged) == {"tag": "a", "note": 5}
    assert vars(copy.copy(tagged)) == vars(copy.deepcopy(tagged)) == {"tag": "a", "note": 5}
