"""Hooks on several tensors or one saved tensor, anomaly reports, and what they keep alive."""

import threading
import warnings
import weakref
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, autograd, tensor
from minigrad.autograd import anomaly_mode as anomaly
from minigrad.autograd import graph
from minigrad.support import observers
from tests.tensors import leaf, node_of

pytestmark = pytest.mark.usefixtures("collector_off")


# Several tensors


@pytest.mark.parametrize("mode", ["all", "any"])
def test_a_hook_on_several_tensors_keeps_none_of_them(mode: str) -> None:
    x = leaf()
    y, z = x * 2, x * 3
    graph.register_multi_grad_hook((x, y, z), lambda gradients: None, mode=mode)
    (y * z).backward()
    references = [weakref.ref(each) for each in (x, y, z, node_of(y))]
    del x, y, z
    assert [each() for each in references] == [None] * 4


def test_a_hook_on_leaves_works_for_every_new_graph() -> None:
    seen: list[Any] = []
    x, w = leaf(2.0), leaf(3.0)
    graph.register_multi_grad_hook((x, w), lambda gradients: seen.append(gradients))
    for factor in (1.0, 2.0):
        (x * w * factor).backward()
    assert [[each.item() for each in gradients] for gradients in seen] == [[3.0, 2.0], [6.0, 4.0]]


def test_a_failed_backward_leaves_no_pending_gradients() -> None:
    seen: list[Any] = []
    x, w = leaf(2.0), leaf(3.0)
    y, z = x * 1, w * 1
    failing = y.register_hook(lambda g: 1 / 0)  # after z has received its gradient
    graph.register_multi_grad_hook((y, z), lambda gradients: seen.append(gradients))
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            (y * z).backward(retain_graph=True)
    failing.remove()
    (y * z).backward()
    assert len(seen) == 1
    assert None not in seen[0]


def test_backwards_in_two_threads_do_not_share_their_calls() -> None:
    seen: list[Any] = []
    x, w = leaf(2.0), leaf(3.0)
    graph.register_multi_grad_hook((x, w), seen.append)
    both_have_come = threading.Barrier(2, timeout=10)

    def wait(grad: Tensor) -> None:
        both_have_come.wait()

    w.register_hook(wait)
    roots = [(x * 1) + (w * 1), (x * 2) + (w * 2)]
    threads = [threading.Thread(target=root.backward) for root in roots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = sorted([each.item() for each in gradients] for gradients in seen)
    assert found == [[1.0, 1.0], [2.0, 2.0]]


def test_a_handle_outlives_its_tensor() -> None:
    x = leaf()
    handle = x.register_hook(lambda g: None)
    del x
    handle.remove()
    assert handle.hooks_dict_ref() is None


# Versions, names


def test_variable_is_another_leaf_on_the_same_memory() -> None:
    x = tensor([1.0, 2.0])
    v = autograd.Variable(x, requires_grad=True)
    x.add_(1)
    assert (v.tolist(), v._version, v.is_leaf, v.requires_grad) == ([2.0, 3.0], 1, True, True)
    assert isinstance(x, autograd.Variable)
    assert not isinstance(1.0, autograd.Variable)
    with pytest.raises(TypeError, match=r"^Variable data has to be a tensor, but got float$"):
        autograd.Variable(1.0)


# Saved tensors


def test_hooks_of_one_saved_tensor_leave_the_others_alone() -> None:
    x, w = leaf(2.0), leaf(3.0)
    y = x * w
    node: Any = y.grad_fn
    node._raw_saved_self.register_hooks(lambda t: t.item(), lambda number: tensor(number * 10))
    assert (node._saved["self"].content, node._saved_other) == (2.0, tensor(3.0))
    node._raw_saved_other.register_hooks(lambda t: t.item(), lambda number: tensor(number * 100))
    y.backward()
    assert (x.grad, w.grad) == (tensor(300.0), tensor(20.0))


def test_a_pack_hook_that_raises_leaves_the_node_as_it_was() -> None:
    x, w = leaf(2.0), leaf(3.0)
    node: Any = (y := x * w).grad_fn
    with pytest.raises(ZeroDivisionError):
        node._raw_saved_self.register_hooks(lambda t: 1 / 0, lambda packed: packed)
    y.backward()
    assert w.grad == 2.0


def test_hooks_that_are_not_callable_are_refused_on_entering() -> None:
    hooks = graph.saved_tensors_hooks(lambda t: t, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^saved-tensor hooks are functions, not NoneType$"):
        hooks.__enter__()
    assert not observers.watchers()


def test_an_in_place_operation_keeps_what_the_hook_packed_of_its_result() -> None:
    x = leaf(1.0)
    with graph.saved_tensors_hooks(lambda t: t.item(), tensor):
        y = x * 1
        y.exp_()
        y.mul_(2)
    y.backward()
    assert x.grad is not None
    assert x.grad.item() == pytest.approx(2 * 2.7182818)


# Anomaly mode


def test_the_recorded_stack_ends_where_the_package_was_called() -> None:
    directory = anomaly.PACKAGE_FILES[0]
    code = compile("def call(x): return x.exp()", "/home/me/minigrad/examples.py", "exec")
    names: dict[str, Any] = {}
    exec(code, names)
    with autograd.set_detect_anomaly(True):
        trace = node_of(names["call"](leaf())).metadata["traceback_"]
    assert "/home/me/minigrad/examples.py" in trace[-1]
    assert directory not in "".join(trace)


def test_a_report_shows_the_line_that_recorded_the_failing_node() -> None:
    x = leaf(-1.0)
    with autograd.set_detect_anomaly(True):
        y = x**3
        (slope,) = autograd.grad(y, x, create_graph=True)
        slope.register_hook(lambda g: g * float("nan"))
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with pytest.raises(RuntimeError, match="returned nan values in its 1th output"):
                autograd.grad(slope, x)
    error, origin = (str(each.message) for each in caught)
    assert error.startswith("Error detected in MulBackward0. Traceback of forward call that")
    assert "autograd.grad(y, x, create_graph=True)" in error
    assert origin.startswith("\n\nPrevious calculation was induced by PowBackward0. Traceback of")
    assert "y = x**3" in origin
    assert anomaly.anomaly.node is None
    assert not minigrad.is_anomaly_enabled()


def test_anomaly_mode_ends_with_its_thread() -> None:
    thread = threading.Thread(target=autograd.set_detect_anomaly, args=(True,))
    thread.start()
    thread.join()
    assert not minigrad.is_anomaly_enabled()
    autograd.set_detect_anomaly(False)  # it was not switched on in this thread
    (leaf(0.0).sqrt() * 0).backward()  # nan, but nobody checks
