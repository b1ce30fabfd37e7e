"""Hooks: when they run, what they see and replace, and how they are removed."""

from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import grad
from tests.tensors import leaf, node_of


def value(x: Tensor | None) -> Any:
    return None if x is None else x.tolist()


def test_the_order_of_all_kinds() -> None:
    log: list[str] = []
    x = leaf()
    y = x * 3
    accumulator = node_of(y).next_functions[0][0]
    assert accumulator is not None
    node_of(y).register_hook(lambda inputs, outputs: log.append("node post"))
    node_of(y).register_prehook(lambda outputs: log.append("node pre"))
    y.retain_grad()
    y.register_hook(lambda g: log.append(f"tensor 1, retained {value(y.grad)}"))
    y.register_hook(lambda g: log.append("tensor 2"))
    x.register_hook(lambda g: log.append(f"leaf {value(x.grad)}"))
    x.register_post_accumulate_grad_hook(lambda p: log.append(f"accumulated {value(p.grad)}"))
    accumulator.register_hook(lambda inputs, outputs: log.append("leaf node post"))
    accumulator.register_prehook(lambda outputs: log.append("leaf node pre"))
    y.backward()
    assert log == [
        "tensor 1, retained None",
        "tensor 2",
        "node pre",
        "node post",
        "leaf None",
        "leaf node pre",
        "accumulated 3.0",
        "leaf node post",
    ]


def test_a_tensor_hook_sees_the_sum_and_may_replace_it() -> None:
    seen: list[float] = []
    x = leaf()
    y = x * 1
    y.register_hook(lambda g: seen.append(g.item()))
    y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: seen.append(g.item()))
    (y * 3 + y * 4).backward()
    assert (seen, value(x.grad)) == ([7.0, 70.0], 70.0)


def test_retain_grad_keeps_the_result_of_hooks_registered_later() -> None:
    y = leaf() * 1
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.backward(retain_graph=True)
    assert value(y.grad) == 10.0
    y.backward()
    assert value(y.grad) == 20.0


def test_node_hooks_replace_incoming_and_outgoing_gradients() -> None:
    x, w = leaf(2.0), leaf(3.0)
    y = x * w
    node_of(y).register_prehook(lambda outputs: (outputs[0] * 10,))
    node_of(y).register_hook(lambda inputs, outputs: (inputs[0] + 1, None))
    y.backward()
    assert (value(x.grad), value(w.grad)) == (31.0, None)


def test_node_hooks_see_gradients_in_the_shape_of_their_tensors() -> None:
    seen: list[Any] = []
    x, w = leaf([1.0, 2.0]), leaf(3.0)
    y = x * w
    node_of(y).register_hook(lambda inputs, outputs: seen.append((inputs, outputs)))
    y.sum().backward()
    ((inputs, outputs),) = seen
    assert [each.shape for each in inputs] == [(2,), ()]
    assert [value(each) for each in outputs] == [[1.0, 1.0]]


def test_hooks_of_several_outputs_are_separate() -> None:
    seen: list[Any] = []
    x = leaf([1.0, 2.0])
    a, b = (x * 1).unbind(0)
    a.register_hook(lambda g: seen.append(("a", g.item())))
    b.register_hook(lambda g: g * 10)
    b.retain_grad()
    (a * 2 + b * 3).backward()
    assert (seen, value(b.grad), value(x.grad)) == ([("a", 2.0)], 30.0, [2.0, 30.0])


def test_removed_hooks_do_not_run() -> None:
    calls: list[str] = []
    x = leaf()
    y = x * 1
    handles = [
        x.register_hook(lambda g: calls.append("leaf")),
        x.register_post_accumulate_grad_hook(lambda p: calls.append("accumulated")),
        y.register_hook(lambda g: calls.append("tensor")),
        node_of(y).register_prehook(lambda outputs: calls.append("pre")),
        node_of(y).register_hook(lambda inputs, outputs: calls.append("post")),
    ]
    for handle in handles:
        handle.remove()
        handle.remove()  # a second time does no harm
    with y.register_hook(lambda g: calls.append("within")):
        y.backward(retain_graph=True)
    y.backward()
    assert calls == ["within"]


def test_a_hook_may_remove_itself() -> None:
    calls: list[str] = []
    x = leaf()

    def once(g: Tensor) -> None:
        calls.append("once")
        handle.remove()

    handle = x.register_hook(once)
    x.register_hook(lambda g: calls.append("always"))
    (x * 1).backward()
    (x * 1).backward()
    assert calls == ["once", "always", "always"]


def test_a_handle_outlives_its_tensor() -> None:
    x = leaf()
    handle = x.register_hook(lambda g: None)
    del x
    handle.remove()
    assert handle.hooks_dict_ref() is None


def test_hooks_of_a_leaf_outlive_its_graphs() -> None:
    calls: list[float] = []
    x = leaf()
    x.register_hook(lambda g: calls.append(g.item()))
    for factor in (3, 4):
        (x * factor).backward()
    assert calls == [3.0, 4.0]


def test_hooks_stay_with_the_old_node_and_retaining_moves() -> None:
    calls: list[float] = []
    x = leaf([1.0])
    y = x * 2
    y.register_hook(lambda g: calls.append(g.item()))
    y.retain_grad()
    y.mul_(5)
    y.register_hook(lambda g: calls.append(-g.item()))
    (y * 3).sum().backward()
    assert calls == [-3.0, 15.0]
    assert value(y.grad) == [3.0]


def test_hooks_are_recorded_with_create_graph() -> None:
    x = leaf(3.0)
    x.register_hook(lambda g: g * g)
    (first,) = grad(x * x, x, create_graph=True)
    assert first is not None
    assert value(first) == 36.0
    seen: list[bool] = []
    y = x * x
    node_of(y).register_hook(lambda inputs, outputs: seen.append(inputs[0].requires_grad))
    grad(y, x, create_graph=True)
    assert seen == [True]


def test_metadata_is_the_users() -> None:
    node = node_of(leaf() * 1)
    node.metadata["note"] = "mine"
    assert node.metadata == {"note": "mine"}


def test_hooks_need_a_tensor_that_requires_grad() -> None:
    x = tensor(1.0)
    for register in (x.register_hook, x.register_post_accumulate_grad_hook):
        with pytest.raises(
            RuntimeError, match=r"^cannot register a hook on a tensor that doesn't req"
        ):
            register(print)
    with pytest.raises(
        RuntimeError, match=r"^can't retain_grad on Tensor that has requires_grad=False"
    ):
        x.retain_grad()
    with pytest.raises(
        RuntimeError, match=r"^post accumulate grad hooks cannot be registered on non-l"
    ):
        (leaf() * 1).register_post_accumulate_grad_hook(print)


@pytest.mark.parametrize("where", ["leaf", "non-leaf"])
@pytest.mark.parametrize(
    ("replacement", "kind", "message"),
    [
        (3.0, TypeError, "expected Variable, but hook returned 'float'"),
        (minigrad.ones(3), RuntimeError, "hook 'replace' has changed the size of value"),
        (
            minigrad.ones(2, dtype=minigrad.float64),
            RuntimeError,
            r"hook 'replace' has changed the type of value \(was torch\.FloatTensor got",
        ),
    ],
    ids=["number", "shape", "dtype"],
)
def test_what_cannot_replace_a_gradient(
    where: str, replacement: Any, kind: type[Exception], message: str
) -> None:
    def replace(g: Tensor) -> Any:
        return replacement

    x = leaf([1.0, 2.0])
    y = x * 1
    (x if where == "leaf" else y).register_hook(replace)
    with pytest.raises(kind, match=f"^{message}"):
        y.sum().backward()
    assert x.grad is None
    assert minigrad.is_grad_enabled()


@pytest.mark.parametrize("value_of_a", [2.0, [2.0], [[2.0]]])
def test_two_inputs_share_one_gradient_tensor(value_of_a: Any) -> None:
    """As in PyTorch 2.13, an edit by a hook of one input is visible to the other."""

    def edit(gradient: Tensor) -> None:
        gradient.mul_(10.0)

    a, b = leaf(value_of_a), leaf(value_of_a)
    a.register_hook(edit)
    (a + b).backward()
    assert a.grad is not None
    assert b.grad is not None
    assert (a.grad.item(), b.grad.item()) == (10.0, 10.0)
    (b + a).backward()  # b gets its gradient before the hook runs
    assert (a.grad.item(), b.grad.item()) == (20.0, 11.0)
