"""In-place edits: versions, histories, views, and what is refused."""

from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import grad

STALE = "^one of the variables needed for gradient computation has been modified by an inplace"


def leaf(value: Any = (1.0, 2.0, 3.0)) -> Tensor:
    return tensor(value, requires_grad=True)


def name(x: Tensor) -> str | None:
    return None if x.grad_fn is None else x.grad_fn.name()


def value(x: Tensor | None) -> Any:
    return None if x is None else x.tolist()


# Versions


def test_every_edit_raises_the_version_by_one() -> None:
    x = tensor([1.0, 2.0])
    edits: list[Callable[[], Any]] = [
        lambda: x.add_(1),
        lambda: x.mul_(2),
        lambda: x.zero_(),
        lambda: x.fill_(3),
        lambda: x.copy_(tensor([1.0, 1.0])),
        lambda: x.__setitem__(0, 5.0),
        lambda: x.__setitem__([0, 1], 5.0),
        lambda: x.exp_(),
        lambda: x.__isub__(1),
    ]
    for count, edit in enumerate(edits, 1):
        edit()
        assert x._version == count


def test_an_edit_returns_the_tensor_and_keeps_memory_and_dtype() -> None:
    for x in (tensor([1.0, 2.0]), tensor(1.0)):
        address = x.data_ptr()
        assert x.add_(tensor(1.0, dtype=minigrad.float64)) is x
        assert (x.data_ptr(), x.dtype) == (address, minigrad.float32)


def test_operators_edit_in_place() -> None:
    x = y = tensor([4.0])
    x += 2
    x -= 1
    x *= 3
    x /= 5
    x **= 2
    assert x is y
    assert (value(x), x._version) == ([9.0], 5)


def test_views_and_detached_tensors_share_the_counter() -> None:
    x = tensor([1.0, 2.0])
    view, detached, data = x.view(2, 1), x.detach(), x.data
    view.add_(1)
    detached.add_(1)
    data.add_(1)
    assert [each._version for each in (x, view, detached, data)] == [2, 2, 2, 1]
    assert value(x) == [4.0, 5.0]


def test_results_of_operations_start_at_zero() -> None:
    x = tensor([1.0]).add_(1)
    assert (x._version, (x * 1)._version, x.clone()._version) == (1, 0, 0)


# The history


def test_an_edit_becomes_the_history() -> None:
    x = leaf()
    y = x * 2
    before = y.grad_fn
    y.mul_(3)
    assert name(y) == "MulBackward0"
    assert y.grad_fn is not before
    assert y.grad_fn is not None
    assert y.grad_fn.next_functions[0][0] is before
    y.sum().backward()
    assert value(x.grad) == [6.0] * 3


def test_a_constant_that_receives_a_gradient_becomes_part_of_the_graph() -> None:
    x, total = leaf(), minigrad.zeros(3)
    assert total.is_leaf
    total += x * 2
    assert (total.requires_grad, total.is_leaf, name(total)) == (True, False, "AddBackward0")
    total.sum().backward()
    assert value(x.grad) == [2.0] * 3


def test_an_edit_without_recording_keeps_the_history() -> None:
    x = leaf()
    y = x * 2
    before = y.grad_fn
    with minigrad.no_grad():
        y.mul_(100)
    assert y.grad_fn is before
    y.sum().backward()
    assert value(x.grad) == [2.0] * 3


def test_overwriting_cuts_the_gradient() -> None:
    for overwrite, expected in (
        (lambda y: y.zero_(), 0.0),
        (lambda y: y.fill_(5.0), 0.0),
        (lambda y: y.copy_(tensor([7.0, 7.0, 7.0])), 0.0),
        (lambda y: y.mul_(1.0), 2.0),
    ):
        x = leaf()
        y = x * 2
        overwrite(y)
        y.sum().backward()
        assert value(x.grad) == [expected] * 3


def test_copying_passes_the_gradient_to_the_source() -> None:
    x, source = leaf(), leaf(2.0)
    y = x * 1
    y.copy_(source)
    y.sum().backward()
    assert (value(x.grad), value(source.grad)) == ([0.0] * 3, 3.0)


# Values that backward needs


@pytest.mark.parametrize(
    ("operation", "minds"),
    [
        (lambda y: y * y, True),
        (lambda y: y**2, True),
        (lambda y: y.log(), True),
        (lambda y: y + 1, False),
        (lambda y: y * 3, False),
        (lambda y: y.sum(), False),
        (lambda y: y.exp(), False),
        (lambda y: y.relu(), False),
    ],
)
def test_changing_an_input_matters_only_if_it_was_saved(operation: Any, minds: bool) -> None:
    x = leaf()
    y = x * 1
    z = operation(y)
    y.add_(1)
    if minds:
        with pytest.raises(RuntimeError, match=STALE):
            z.sum().backward()
        assert x.grad is None
    else:
        z.sum().backward()
        assert x.grad is not None


@pytest.mark.parametrize(
    ("operation", "minds"),
    [(lambda y: y.exp(), True), (lambda y: y.tanh(), True), (lambda y: y * y, False)],
)
def test_changing_an_output_matters_only_if_it_was_saved(operation: Any, minds: bool) -> None:
    x = leaf()
    z = operation(x * 1)
    z.add_(1)
    if minds:
        with pytest.raises(RuntimeError, match=STALE):
            z.sum().backward()
    else:
        z.sum().backward()
        assert value(x.grad) == [2.0, 4.0, 6.0]


def test_the_message_names_tensor_versions_and_operation() -> None:
    y = leaf() * 1
    z = y**2
    y.add_(1).add_(1)
    with pytest.raises(RuntimeError, match=STALE) as caught:
        z.sum().backward()
    assert (
        "[torch.FloatTensor [3]], which is output 0 of Add, is at version 2; expected version 0"
        in str(caught.value)
    )


@pytest.mark.parametrize("graph", [False, True])
@pytest.mark.parametrize("edited", [0, 1])
@pytest.mark.parametrize("use", ["read", "write", "write into a constant"])
def test_the_tensors_of_an_index_count_as_saved(use: str, edited: int, graph: bool) -> None:
    x = leaf()
    index = (tensor([0, 2, 0]), tensor([True]))
    y = (x * 1)[:, None] if use != "write into a constant" else minigrad.zeros(3, 1)
    if use == "read":
        y = y[index]
    else:
        y[index] = x * 2
    index[edited].zero_()
    with pytest.raises(RuntimeError, match=STALE):
        grad(y.sum(), x, create_graph=graph)


def test_expanding_makes_only_repeated_elements_read_only() -> None:
    x = minigrad.zeros(1, 3)
    rows = x.expand(2, 3)
    rows[0] = 1.0
    x.expand(1, 3).add_(1)
    assert x.tolist() == [[2.0, 2.0, 2.0]]
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        rows.add_(1)


@pytest.mark.parametrize("through", ["view", "base", "detached"])
def test_changes_through_shared_memory_are_noticed(through: str) -> None:
    base = leaf() * 1
    view = base.view(3, 1)
    z = (base if through != "base" else view) ** 2
    with minigrad.no_grad():
        {"view": view, "base": base, "detached": base.detach()}[through].add_(1)
    with pytest.raises(RuntimeError, match=STALE):
        z.sum().backward()


def test_changes_through_data_are_not_noticed() -> None:
    x = leaf()
    y = x * 1
    z = y**2
    y.data.mul_(10)
    z.sum().backward()
    assert value(x.grad) == [20.0, 40.0, 60.0]  # wrong, as in PyTorch: data hides edits


def test_values_that_the_edit_itself_needs_are_rescued() -> None:
    x = leaf()
    y = x * 1
    y.pow_(3)
    y.log_()
    y.sum().backward()
    assert value(x.grad) == pytest.approx([3.0, 1.5, 1.0])


def test_results_that_the_edit_itself_needs_are_the_new_values() -> None:
    x = leaf([0.0, 1.0])
    y = x * 1
    y.exp_()
    (z,) = grad(y.sum(), x)
    assert value(z) == value(y)


def test_a_tensor_times_itself_in_place_is_stale() -> None:
    y = leaf() * 1
    y.mul_(y)
    with pytest.raises(RuntimeError, match=STALE):
        y.sum().backward()


def test_scalars_behave_like_arrays() -> None:
    x = leaf(2.0)
    y = x * 1
    z = y**2
    y.mul_(3)
    assert (y.item(), y._version, name(y)) == (6.0, 1, "MulBackward0")
    with pytest.raises(RuntimeError, match=STALE):
        z.backward()
    y.backward()
    assert value(x.grad) == 3.0


# Views


def test_editing_a_view_rewrites_the_history_of_its_base() -> None:
    x = leaf()
    base = x * 2
    view = base[1:]
    view.mul_(10)
    assert (name(base), name(view)) == ("torch::autograd::CopySlices", "AsStridedBackward0")
    assert value(base) == [2.0, 40.0, 60.0]
    base.sum().backward()
    assert value(x.grad) == [2.0, 20.0, 20.0]


def test_editing_a_view_of_a_constant_puts_the_constant_in_the_graph() -> None:
    x, base = leaf(), minigrad.zeros(3, 2)
    before = base[0]
    base[:, 1].copy_(x)
    assert (base.requires_grad, before.requires_grad) == (True, True)
    (base.sum() + before.sum()).backward()
    assert value(x.grad) == [2.0, 1.0, 1.0]


def test_views_of_views_have_one_base() -> None:
    x = leaf([[1.0, 2.0], [3.0, 4.0]])
    base = x * 1
    view = base.t()[1].view(2, 1)[0]  # base[0, 1]
    assert view._base is base
    view.mul_(10)
    assert value(base) == [[1.0, 20.0], [3.0, 4.0]]
    (base * base).sum().backward()
    assert value(x.grad) == [[2.0, 400.0], [6.0, 8.0]]


def test_sibling_views_follow() -> None:
    x = leaf()
    base = x * 1
    one, other = base[:2], base.view(3, 1)
    one.mul_(5)
    assert name(other) == "AsStridedBackward0"
    other.sum().backward()
    assert value(x.grad) == [5.0, 5.0, 1.0]


def test_views_follow_an_edit_of_their_base() -> None:
    x = leaf()
    base = x * 1
    view = base[1]
    base.mul_(4)
    view.backward()  # used as the root, so nothing has read its history before
    assert value(x.grad) == [0.0, 4.0, 0.0]


@pytest.mark.parametrize(
    "use",
    [
        lambda view: view * 1,
        lambda view: minigrad.stack([view])[0],
        lambda view: minigrad.cat([view]),
        lambda view: minigrad.stack(view.unbind(0)),
        lambda view: grad(view.sum() * 1, view, minigrad.ones(()))[0] * view,
        lambda view: view.sum() + 0 * view,
    ],
)
def test_every_use_of_a_view_refreshes_its_history(use: Any) -> None:
    x, base = leaf(), minigrad.zeros(3)
    view = base[1:]
    base.copy_(x * 3)
    use(view).sum().backward()
    assert x.grad is not None
    assert value(x.grad[0]) == 0.0
    assert value(x.grad[1]) in (3.0, 6.0)


def test_a_view_whose_base_enters_a_graph_behaves_as_part_of_it() -> None:
    base = minigrad.zeros(3)
    views = [base[1:] for _ in range(4)]
    base.copy_(leaf())
    assert repr(views[0]) == "tensor([2., 3.], grad_fn=<AsStridedBackward0>)"
    with pytest.raises(RuntimeError, match=r"^Can't call numpy\(\) on Tensor that requires grad"):
        views[1].numpy()
    views[2].retain_grad()
    views[3].register_hook(lambda g: g * 2)
    (views[2] * views[3]).sum().backward()
    assert value(views[2].grad) == [2.0, 3.0]


def test_a_view_retains_its_gradient_when_its_history_is_rebuilt() -> None:
    base = leaf() * 1
    view = base[:2]
    view.retain_grad()
    base.mul_(2)
    assert view.retains_grad
    (view * 3).sum().backward()
    assert value(view.grad) == [3.0, 3.0]


@pytest.mark.parametrize(
    ("view", "edited"),
    [
        (lambda b: b[0], [[1, 1, 1], [0, 0, 0]]),
        (lambda b: b[:, 1:], [[0, 1, 1], [0, 1, 1]]),
        (lambda b: b.t()[2], [[0, 0, 1], [0, 0, 1]]),
        (lambda b: b.view(6)[::4], [[1, 0, 0], [0, 1, 0]]),
        (lambda b: b.reshape(3, 2)[2], [[0, 0, 0], [0, 1, 1]]),
        (lambda b: b.unsqueeze(1)[:, 0], [[1, 1, 1], [1, 1, 1]]),
        (lambda b: b.permute(1, 0)[0, 1], [[0, 0, 0], [1, 0, 0]]),
        (lambda b: b.squeeze()[..., None][1, 2], [[0, 0, 0], [0, 0, 1]]),
    ],
)
def test_edits_through_every_kind_of_view(view: Any, edited: Any) -> None:
    x = leaf([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    base = x * 1
    view(base).mul_(10)
    (base * base).sum().backward()
    factor = 1 + 9 * tensor(edited)
    assert value(base) == value(x * factor)
    assert value(x.grad) == value(2 * x * factor * factor)


def test_second_derivatives_through_an_edited_view() -> None:
    x = leaf()
    base = x * 1
    base[1:].pow_(3)
    (first,) = grad(base.sum(), x, create_graph=True)
    assert first is not None
    assert value(first) == [1.0, 12.0, 27.0]
    assert value(grad(first.sum(), x)[0]) == [0.0, 12.0, 18.0]


def test_setitem_in_all_its_forms() -> None:
    for index, expected in (
        (0, [0.0, 1.0, 1.0]),
        (slice(1, None), [1.0, 0.0, 0.0]),
        ([0, 2], [0.0, 1.0, 0.0]),
        (tensor([True, False, True]), [0.0, 1.0, 0.0]),
        (..., [0.0, 0.0, 0.0]),
        (None, [0.0, 0.0, 0.0]),
    ):
        x, w = leaf(), leaf(5.0)
        y = x * 1
        y[index] = w
        y.sum().backward()
        assert value(x.grad) == expected
        assert value(w.grad) == expected.count(0.0)
        assert [v == 5.0 for v in value(y)] == [e == 0.0 for e in expected]


# What is refused, and changes nothing


@pytest.mark.parametrize(
    "edit",
    [
        lambda x: x.add_(1),
        lambda x: x.__iadd__(1),
        lambda x: x.__setitem__(0, 1.0),
        lambda x: x.zero_(),
        lambda x: x.detach().requires_grad_().mul_(2),
    ],
)
def test_leaves_that_require_grad(edit: Any) -> None:
    x = leaf()
    with pytest.raises(
        RuntimeError, match=r"^a (view of a )?leaf Variable that requires grad is being u"
    ):
        edit(x)
    assert (value(x), x._version, x.is_leaf) == ([1.0, 2.0, 3.0], 0, True)


def test_views_of_leaves_that_require_grad() -> None:
    x = leaf()
    with pytest.raises(
        RuntimeError, match=r"^a view of a leaf Variable that requires grad is being used"
    ):
        x[0].mul_(2)
    assert (value(x), x._version) == ([1.0, 2.0, 3.0], 0)


def test_detached_views_of_leaves_may_be_edited() -> None:
    x = leaf()
    x.detach()[0] = 9.0
    assert (value(x), x._version, x.is_leaf) == ([9.0, 2.0, 3.0], 1, True)


def test_views_made_while_nothing_was_recorded() -> None:
    base = leaf() * 1
    with minigrad.no_grad():
        view = base[:1]
        view.add_(1)
    with pytest.raises(
        RuntimeError, match=r"^A view was created in no_grad mode and is being modified i"
    ):
        view.mul_(2)
    assert (value(base), base._version) == ([2.0, 2.0, 3.0], 1)
    base.mul_(2)
    with pytest.raises(
        RuntimeError, match=r"^A view was created in no_grad mode and its base or another"
    ):
        view * 1
    constant = tensor([1.0, 2.0])
    with minigrad.no_grad():
        part = constant[:1]
    part.mul_(2)  # nothing to record
    assert value(constant) == [2.0, 2.0]
    with pytest.raises(RuntimeError, match=r"^A view was created in no_grad mode and is being m"):
        part.mul_(leaf(2.0))  # the operand's gradient would have to be recorded
    with minigrad.no_grad():
        part.mul_(leaf(2.0))
    assert (value(constant), constant._version) == ([4.0, 2.0], 2)


def test_several_views_of_one_operation() -> None:
    base = leaf() * 1
    first = base.unbind(0)[0]
    with pytest.raises(
        RuntimeError, match=r"^Output 0 of Unbind is a view and is being modified inplace"
    ):
        first.mul_(2)
    assert (value(base), base._version) == ([1.0, 2.0, 3.0], 0)
    base.mul_(2)
    with pytest.raises(
        RuntimeError, match=r"^Output 0 of Unbind is a view and its base or another view"
    ):
        first * 1
    assert first.requires_grad
    constant = tensor([1.0, 2.0])
    constant.unbind(0)[0].mul_(3)
    assert value(constant) == [3.0, 2.0]


@pytest.mark.parametrize("length", [1, 2])
def test_gradients_pass_unbind_of_any_length(length: int) -> None:
    x = minigrad.ones(length, 2, requires_grad=True)
    total = tensor(0.0)
    for factor, row in enumerate(x, 1):
        total = total + (row * factor).sum()
    total.backward()
    assert value(x.grad) == [[float(n)] * 2 for n in range(1, length + 1)]
    (row, *_) = (x * x).unbind(0)
    (first,) = grad(row.sum(), x, create_graph=True)
    assert first is not None
    second = grad(first.sum(), x)[0]
    assert value(second) == [[2.0, 2.0]] + [[0.0, 0.0]] * (length - 1)


@pytest.mark.parametrize(
    ("target", "edit", "message"),
    [
        (
            lambda: minigrad.ones(3),
            lambda y: y.add_(minigrad.ones(2, 3)),
            r"output with shape \[3\] doesn't match the broadcast shape \[2, 3\]",
        ),
        (
            lambda: tensor([1, 2]),
            lambda y: y.mul_(1.5),
            "result type Float can't be cast to the desired output type Long",
        ),
        (
            lambda: minigrad.ones(1).expand(3),
            lambda y: y.add_(1),
            "unsupported operation: more than one element of the written-to tensor refers to a",
        ),
        (
            lambda: minigrad.ones(3),
            lambda y: y.copy_(minigrad.ones(2)),
            r"The size of tensor a \(3\) must match the size of tensor b \(2\) at non-singleton",
        ),
        (
            lambda: minigrad.ones(3),
            lambda y: y.add_(minigrad.ones(2)),
            r"The size of tensor a \(3\) must match the size of tensor b \(2\) at non-singleton",
        ),
    ],
)
def test_edits_that_are_refused(
    target: Callable[[], Tensor], edit: Callable[[Tensor], Any], message: str
) -> None:
    y = target()
    before, history = value(y), y.grad_fn
    with pytest.raises(RuntimeError, match=f"^{message}"):
        edit(y)
    assert (value(y), y._version, y.grad_fn) == (before, 0, history)


def test_a_view_with_new_data_has_offset_zero() -> None:
    x = tensor([1.0, 2.0, 3.0, 4.0], requires_grad=True)
    y = x * 1
    view = y[:2]
    view.data = tensor([7.0, 8.0])
    assert view.storage_offset() == 0
    view.mul_(2)
    y.sum().backward()
    assert value(x.grad) == [2.0, 2.0, 1.0, 1.0]  # PyTorch also goes by the geometry


def test_a_part_of_a_base_with_gaps_in_its_memory() -> None:
    w = tensor(2.0, requires_grad=True)
    base = minigrad.arange(24.0).reshape(3, 8)[:, ::2].detach()
    base[1].mul_(w)
    base.sum().backward()
    assert value(w.grad) == 8.0 + 10.0 + 12.0 + 14.0
