"""The user's own operations: apply, ctx, what forward may return and what backward must."""

import pickle
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function, grad
from minigrad.autograd.function import once_differentiable
from tests.tensors import leaf


def value(x: Tensor | None) -> Any:
    return None if x is None else x.tolist()


def make(forward: Any, backward: Any) -> type[Function]:
    """A Function with this forward and backward."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


class MyPow(Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, exponent: Any) -> Tensor:
        ctx.save_for_backward(x)
        ctx.exponent = exponent
        return x**exponent

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        (x,) = ctx.saved_tensors
        return grad * ctx.exponent * x ** (ctx.exponent - 1), None


# The node is ctx


def test_the_node_is_named_after_the_function_and_is_ctx() -> None:
    seen: list[Any] = []
    forward = make(
        lambda ctx, x: seen.append(ctx) or x * 2, lambda ctx, g: seen.append(ctx) or g * 2
    )
    y = forward.apply(leaf())
    assert y.grad_fn is not None
    assert (y.grad_fn.name(), type(y.grad_fn).__name__) == ("MadeBackward", "MadeBackward")
    assert type(y.grad_fn).__module__ == "torch.autograd.function"
    assert repr(y) == "tensor(4., grad_fn=<MadeBackward>)"
    y.backward()
    assert seen == [y.grad_fn, y.grad_fn]


def test_edges_are_those_of_the_tensor_arguments() -> None:
    x, y = leaf(), MyPow.apply(leaf(3.0) * 1, 2)
    three = make(lambda ctx, a, n, b, c: a * b, lambda ctx, g: (g, None, g, None))
    node = three.apply(x, 5, y, tensor(1.0)).grad_fn
    assert node is not None
    assert [edge[0] and edge[0].name() for edge in node.next_functions] == [
        "torch::autograd::AccumulateGrad",
        "MyPowBackward",
        None,
    ]


def test_forward_is_not_recorded_and_backward_only_if_asked() -> None:
    modes: list[bool] = []

    def forward(ctx: Any, x: Tensor) -> Tensor:
        modes.append(minigrad.is_grad_enabled())
        assert not (x * 2).requires_grad
        return x * 2

    def backward(ctx: Any, g: Tensor) -> Tensor:
        modes.append(minigrad.is_grad_enabled())
        return g * 2

    x = leaf()
    y = make(forward, backward).apply(x)
    y.backward()
    grad(y, x, create_graph=True)
    assert modes == [False, False, True]
    assert minigrad.is_grad_enabled()


def test_an_error_in_forward_restores_the_mode() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError):
        make(forward, None).apply(leaf())
    assert minigrad.is_grad_enabled()


def test_needs_input_grad() -> None:
    seen: list[Any] = []
    made = make(lambda ctx, *args: seen.append(ctx.needs_input_grad) or args[0] * 1, None)
    made.apply(leaf(), tensor(1.0), 3)
    made.apply(tensor(1.0), leaf() * 2, None)
    assert seen == [(True, False, False), (False, True, False)]


def test_nothing_is_recorded_without_need() -> None:
    assert MyPow.apply(tensor(2.0), 3).grad_fn is None
    with minigrad.no_grad():
        assert MyPow.apply(leaf(), 3).grad_fn is None


def test_first_and_second_derivative() -> None:
    x = leaf()
    y = MyPow.apply(x, 3)
    (first,) = grad(y, x, create_graph=True)
    assert first is not None
    assert (y.item(), first.item(), value(grad(first, x)[0])) == (8.0, 12.0, 12.0)


def test_setup_context_apart_from_forward() -> None:
    class Split(Function):
        @staticmethod
        def forward(x: Tensor, factor: float) -> Tensor:
            return x * factor

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Tensor) -> None:
            assert output.tolist() == [6.0]
            ctx.save_for_backward(inputs[0])
            ctx.factor = inputs[1]

        @staticmethod
        def backward(ctx: Any, g: Tensor) -> Any:
            assert ctx.saved_tensors[0].tolist() == [2.0]
            return g * ctx.factor, None

    x = leaf([2.0])
    Split.apply(x, 3.0).sum().backward()
    assert value(x.grad) == [3.0]


# Saving


def test_saved_inputs_are_themselves_and_outputs_belong_to_the_graph() -> None:
    def forward(ctx: Any, x: Tensor, y: Tensor) -> Tensor:
        result = x * y
        ctx.save_for_backward(x, y, result, None)
        return result

    x, y = leaf([2.0]), leaf([3.0]) * 1
    z = make(forward, lambda ctx, g: (g, g)).apply(x, y)
    saved = z.grad_fn.saved_tensors  # type: ignore[union-attr]
    assert saved[0] is x
    assert (saved[1].grad_fn, saved[2].grad_fn) == (y.grad_fn, z.grad_fn)
    assert [value(each) for each in saved] == [[2.0], [3.0], [6.0], None]


def test_a_saved_constant_is_the_same_object_while_alive_and_an_equal_one_after() -> None:
    def forward(ctx: Any, x: Tensor, constant: Tensor) -> Tensor:
        ctx.save_for_backward(constant)
        return x * constant

    constant = tensor([3.0])
    y = make(forward, None).apply(leaf([2.0]), constant)
    assert y.grad_fn is not None
    assert y.grad_fn.saved_tensors[0] is constant
    del constant
    assert value(y.grad_fn.saved_tensors[0]) == [3.0]


def test_saved_numbers_share_the_memory_of_the_tensors() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        result = x * x
        ctx.save_for_backward(x, result)
        return result

    x = leaf(3.0) * 1
    y = make(forward, None).apply(x)
    x.data.mul_(2)
    y.data.mul_(10)
    assert [value(each) for each in y.grad_fn.saved_tensors] == [6.0, 90.0]


def test_saved_values_are_freed_with_the_graph() -> None:
    y = MyPow.apply(leaf(), 2)
    y.backward(retain_graph=True)
    assert len(y.grad_fn.saved_tensors) == 1  # type: ignore[union-attr]
    y.backward()
    for use in (lambda: y.grad_fn.saved_tensors, y.backward):  # type: ignore[union-attr]
        with pytest.raises(
            RuntimeError, match=r"^Trying to backward through the graph a second time"
        ):
            use()


def test_saved_tensors_are_freed_even_if_there_were_none() -> None:
    for saved in ((), (None,)):
        y = make(lambda ctx, x, saved=saved: ctx.save_for_backward(*saved) or x * 1, None).apply(
            leaf()
        )
        assert y.grad_fn.saved_tensors == saved
        y.grad_fn.release_variables()
        with pytest.raises(RuntimeError, match=r"^Trying to backward through the graph a second"):
            _ = y.grad_fn.saved_tensors


def test_saved_values_that_were_changed_are_refused() -> None:
    x = leaf() * 1
    y = MyPow.apply(x, 2)
    x.add_(1)
    with pytest.raises(
        RuntimeError, match=r"modified by an inplace operation: .* is at version 1; exp"
    ):
        y.backward()


def test_only_tensors_are_saved() -> None:
    made = make(lambda ctx, x: ctx.save_for_backward(3) or x * 1, None)
    with pytest.raises(
        TypeError, match=r"^save_for_backward can only save variables, but argument 0 is"
    ):
        made.apply(leaf())


# What forward returns


def test_several_outputs_and_those_that_are_unused() -> None:
    seen: list[Any] = []

    def backward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        seen.append((value(a), value(b)))
        return a * 2 + b * 3

    made = make(lambda ctx, x: (x * 2, x * 3), backward)
    x = leaf([1.0])
    a, b = made.apply(x)
    assert (a.output_nr, b.output_nr, a.grad_fn is b.grad_fn) == (0, 1, True)
    (a + b).sum().backward(retain_graph=True)
    b.sum().backward()
    assert (seen, value(x.grad)) == ([([1.0], [1.0]), ([0.0], [1.0])], [8.0])


def test_missing_gradients_as_none() -> None:
    seen: list[Any] = []

    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx: Any, a: Tensor | None, b: Tensor | None) -> Tensor | None:
        seen.append((value(a), value(b)))
        return a

    make(forward, backward).apply(leaf())[0].backward()
    assert seen == [(1.0, None)]


def test_outputs_without_a_gradient() -> None:
    def forward(ctx: Any, x: Tensor) -> tuple[Any, ...]:
        order, mask = x * 1, x > 0
        ctx.mark_non_differentiable(order)
        return x * 2, order, mask, "text"

    y, order, mask, text = make(forward, lambda ctx, g, *others: g * 2).apply(leaf([1.0]))
    assert [each.requires_grad for each in (y, order, mask)] == [True, False, False]
    assert text == "text"


def test_one_output_in_a_tuple() -> None:
    x = leaf()
    result = make(lambda ctx, x: (x * 2,), lambda ctx, g: g * 2).apply(x)
    assert isinstance(result, tuple)
    result[0].backward()
    assert value(x.grad) == 2.0


def test_an_input_that_is_returned_is_an_alias() -> None:
    x = leaf([1.0]) * 1
    y = make(lambda ctx, x: x, lambda ctx, g: g * 5).apply(x)
    assert y is not x
    assert (y.data_ptr(), y._is_view()) == (x.data_ptr(), True)
    assert y.grad_fn is not None
    assert y.grad_fn.name() == "MadeBackward"
    assert value(grad(y.sum(), x)[0]) == [5.0]


@pytest.mark.parametrize(
    "forward", [lambda ctx, x: x, lambda ctx, x: x[:1]], ids=["itself", "view"]
)
def test_views_that_a_function_returns_refuse_in_place_edits(forward: Any) -> None:
    made = make(forward, lambda ctx, g: g * 5)
    x = leaf([1.0]) * 1
    y = made.apply(x)
    with pytest.raises(
        RuntimeError, match=r"^Output 0 of Made is a view and is being modified inplace"
    ):
        y.mul_(2)
    assert (y.tolist(), y._version) == ([1.0], 0)
    x.mul_(2)
    with pytest.raises(
        RuntimeError, match=r"^Output 0 of Made is a view and its base or another view"
    ):
        y * 2
    assert repr(y) == "tensor([2.], grad_fn=<Invalid>)"


def test_dirty_inputs_keep_their_identity_and_history() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        return x.mul_(3)

    made = make(forward, lambda ctx, g: g * 3)
    x = leaf([1.0])
    y = x * 1
    z = made.apply(y)
    assert z is y
    assert z.grad_fn is not None
    assert z.grad_fn.name() == "MadeBackward"
    z.sum().backward()
    assert value(x.grad) == [3.0]
    with pytest.raises(
        RuntimeError, match=r"^a leaf Variable that requires grad has been used in an"
    ):
        made.apply(leaf([1.0]))


@pytest.mark.parametrize("wanted", [True, False])
def test_a_changed_input_that_is_declared_constant(wanted: bool) -> None:
    """It stays the same tensor, unless it has a history to keep; then a new tensor is constant."""

    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        ctx.mark_non_differentiable(x)
        return x.mul_(2)

    x = tensor([1.0], requires_grad=wanted) * 1
    y = make(forward, None).apply(x)
    assert (y is x, y.requires_grad, x.requires_grad) == (not wanted, False, wanted)
    assert (y.data_ptr(), y.tolist(), y._is_view()) == (x.data_ptr(), [2.0], False)


def test_a_constant_that_forward_has_recorded_loses_its_history() -> None:
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        with minigrad.enable_grad():
            y, part = x * 2, x[:1]
        ctx.mark_non_differentiable(y, part)
        return y, part

    x = leaf([1.0, 2.0]) * 1
    y, part = make(forward, None).apply(x)
    assert (y.requires_grad, y.grad_fn, y.is_leaf) == (False, None, True)
    assert (part._base is x, part.grad_fn is not None) == (True, True)  # detach_ refuses views


def test_retained_gradients_follow_inputs_changed_in_place_to_their_outputs() -> None:
    def forward(ctx: Any, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        ctx.mark_dirty(x.mul_(2), y.mul_(3))
        return y, x

    x, y = leaf([1.0]) * 1, leaf([1.0]) * 1
    x.retain_grad()
    y.retain_grad()
    first, second = make(forward, lambda ctx, g, h: (h, g)).apply(x, y)
    (first * 5 + second * 7).sum().backward()
    assert (value(x.grad), value(y.grad)) == ([7.0], [5.0])  # PyTorch fails an assertion here


def test_a_dirty_input_has_to_be_returned() -> None:
    made = make(lambda ctx, x: ctx.mark_dirty(x) or x * 1, None)
    with pytest.raises(
        RuntimeError, match=r"^Some elements marked as dirty during the forward method"
    ):
        made.apply(tensor(1.0))


def test_a_dirty_view_changes_its_base() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.mark_dirty(x)
        return x.mul_(3)

    x = leaf([1.0, 1.0])
    base = x * 1
    make(forward, lambda ctx, g: g * 3).apply(base[:1])
    assert base.grad_fn is not None
    assert base.grad_fn.name() == "torch::autograd::CopySlices"
    base.sum().backward()
    assert value(x.grad) == [3.0, 1.0]


# What backward returns


@pytest.mark.parametrize(
    ("arguments", "result", "message"),
    [
        (
            2,
            1,
            r"function MadeBackward returned an incorrect number of gradients \(expected 2, got",
        ),
        (
            1,
            2,
            r"function MadeBackward returned an incorrect number of gradients \(expected 1, got",
        ),
        (1, "text", r"expected Variable or None \(got str\)"),
    ],
)
def test_results_that_are_not_gradients(arguments: int, result: Any, message: str) -> None:
    def backward(ctx: Any, g: Tensor) -> Any:
        return (g,) * result if isinstance(result, int) else result

    made = make(lambda ctx, *xs: xs[0] * 1, backward)
    leaves = [leaf() for _ in range(arguments)]
    with pytest.raises(RuntimeError, match=f"^{message}"):
        made.apply(*leaves).backward()
    assert [x.grad for x in leaves] == [None] * arguments


def test_a_gradient_for_an_argument_that_is_not_a_tensor() -> None:
    made = make(lambda ctx, x, n: x * n, lambda ctx, g: (g, g))
    with pytest.raises(
        RuntimeError, match=r"^function MadeBackward returned a gradient different than N"
    ):
        made.apply(leaf(), 3).backward()


def test_a_wrong_gradient_leaves_every_leaf_alone() -> None:
    x, y = leaf([1.0, 2.0]), leaf([3.0, 4.0])
    made = make(lambda ctx, a, b: a * b, lambda ctx, g: (g, minigrad.ones(5)))
    with pytest.raises(RuntimeError, match="returned an invalid gradient at index 1 - got"):
        made.apply(x, y).sum().backward()
    assert (x.grad, y.grad) == (None, None)


def test_surplus_nones_are_dropped() -> None:
    x = leaf()
    make(lambda ctx, x: x * 1, lambda ctx, g: (g, None, None)).apply(x).backward()
    assert value(x.grad) == 1.0


def test_gradients_are_converted_to_the_inputs_shape_and_dtype() -> None:
    x = leaf([1.0, 2.0])
    wide = make(lambda ctx, x: x * 1, lambda ctx, g: minigrad.ones(3, 2, dtype=minigrad.float64))
    wide.apply(x).sum().backward()
    assert x.grad is not None
    assert (value(x.grad), x.grad.dtype) == ([3.0, 3.0], minigrad.float32)


def test_a_gradient_that_is_a_leaf_of_a_subclass() -> None:
    weight = minigrad.nn.Parameter(tensor([4.0]))
    x = leaf([1.0])
    made = make(lambda ctx, x: x.double(), lambda ctx, g: weight)
    (g,) = grad(made.apply(x * 1).sum(), x, create_graph=True)
    assert g is not None
    assert (value(g), value(grad(g.sum(), weight)[0])) == ([4.0], [1.0])


# Misuse


def test_forward_and_backward_must_be_implemented() -> None:
    class Empty(Function):
        pass

    class Forward(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            return x * 1

    with pytest.raises(NotImplementedError, match=r"^You must implement the forward function"):
        Empty.apply(leaf())
    with pytest.raises(NotImplementedError, match=r"^You must implement either the backward or"):
        Forward.apply(leaf()).backward()


def test_instances_are_not_used() -> None:
    with pytest.warns(DeprecationWarning, match="should not be instantiated"):
        instance = MyPow()
    with pytest.raises(
        RuntimeError, match=r"^Legacy autograd function with non-static forward method"
    ):
        instance(leaf())


def test_once_differentiable() -> None:
    class Once(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor) -> Tensor:
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, g: Tensor) -> Tensor:
            assert not minigrad.is_grad_enabled()
            return g * 2 * ctx.saved_tensors[0]

    x = leaf(3.0)
    assert value(grad(Once.apply(x), x)[0]) == 6.0
    y = x * 1
    (first,) = grad(Once.apply(y) * y, y, create_graph=True)
    assert first is not None
    with pytest.raises(
        RuntimeError, match=r"^trying to differentiate twice a function that was marked"
    ):
        first.backward()


def test_results_pickle_as_leaves() -> None:
    loaded = pickle.loads(pickle.dumps(MyPow.apply(leaf(), 2)))
    assert (loaded.item(), loaded.is_leaf) == (4.0, True)


@pytest.mark.parametrize("changes", [False, True])
def test_an_input_that_is_returned_is_saved_with_its_own_history(changes: bool) -> None:
    """PyTorch checks if the node created the saved tensor, but its output is another one here."""
    seen = []

    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        if changes:
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
        ctx.save_for_backward(x)
        return x, x * 1

    def backward(ctx: Any, to_same: Tensor, to_copy: Tensor) -> Tensor:
        seen.append(ctx.saved_tensors[0].grad_fn.name())
        return to_copy

    _, copy = make(forward, backward).apply(leaf([1.0, 2.0]) * 1)
    copy.sum().backward()
    assert seen == ["MulBackward0"]
