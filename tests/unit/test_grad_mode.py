"""Switching recording off and on: blocks, decorators, generators, coroutines, threads."""

import asyncio
import threading
from collections.abc import Generator
from typing import Any

import pytest

import minigrad
from minigrad import enable_grad, is_grad_enabled, no_grad, set_grad_enabled, tensor


@pytest.fixture(autouse=True)
def _mode_is_on_again() -> Any:
    assert is_grad_enabled()
    yield
    assert is_grad_enabled()


def test_no_grad_records_nothing() -> None:
    x = tensor(2.0, requires_grad=True)
    with no_grad():
        y = x * 3
        assert not is_grad_enabled()
    assert (y.requires_grad, y.grad_fn, y.is_leaf) == (False, None, True)
    assert (x * 3).requires_grad


def test_a_leaf_made_inside_keeps_its_flag() -> None:
    with no_grad():
        x = tensor(2.0, requires_grad=True)
    assert x.requires_grad


def test_blocks_nest() -> None:
    seen = []
    with no_grad():
        seen.append(is_grad_enabled())
        with enable_grad():
            seen.append(is_grad_enabled())
            with set_grad_enabled(False):
                seen.append(is_grad_enabled())
            seen.append(is_grad_enabled())
        seen.append(is_grad_enabled())
    assert seen == [False, True, False, True, False]


def test_an_error_ends_the_block() -> None:
    with pytest.raises(KeyError), no_grad():
        raise KeyError
    assert is_grad_enabled()


def test_set_grad_enabled_acts_at_once() -> None:
    set_grad_enabled(False)
    assert not is_grad_enabled()
    set_grad_enabled(True)
    assert is_grad_enabled()
    with set_grad_enabled(False):
        assert not is_grad_enabled()


def test_a_manager_can_be_used_again() -> None:
    manager = no_grad()
    for _ in range(2):
        with manager:
            assert not is_grad_enabled()
        assert is_grad_enabled()


@pytest.mark.parametrize(
    "decorator", [lambda: no_grad, lambda: no_grad(), lambda: set_grad_enabled(False)]
)
def test_decorated_functions(decorator: Any) -> None:
    @decorator()
    def work(a: int, *, b: int) -> tuple[int, bool]:
        """What it does."""
        return a + b, is_grad_enabled()

    assert is_grad_enabled()
    assert work(1, b=2) == (3, False)
    assert is_grad_enabled()
    assert (work.__name__, work.__doc__) == ("work", "What it does.")


def test_decorating_with_set_grad_enabled_does_not_act() -> None:
    @set_grad_enabled(False)
    def work() -> bool:
        return is_grad_enabled()

    assert is_grad_enabled()
    assert work() is False


def test_recursion_through_a_decorated_function() -> None:
    @enable_grad
    def down(n: int) -> list[bool]:
        with no_grad():
            inner = down(n - 1) if n else []
        return [*inner, is_grad_enabled()]

    with no_grad():
        assert down(3) == [True] * 4
        assert not is_grad_enabled()


def test_a_generator_has_the_mode_only_while_it_runs() -> None:
    seen: list[Any] = []

    @no_grad()
    def steps() -> Generator[str, Any, str]:
        try:
            seen.append(is_grad_enabled())
            seen.append((yield "first"))
            try:
                yield "second"
            except KeyError:
                seen.append(("caught", is_grad_enabled()))
            yield "third"
        finally:
            seen.append(("closed", is_grad_enabled()))
        return "unreachable by close"

    generator = steps()
    assert next(generator) == "first"
    assert is_grad_enabled()
    assert generator.send("sent") == "second"
    assert generator.throw(KeyError()) == "third"
    assert is_grad_enabled()
    generator.close()
    assert seen == [False, "sent", ("caught", False), ("closed", False)]


def test_a_generator_returns_its_value() -> None:
    @no_grad
    def steps() -> Generator[int, None, str]:
        yield 1
        return "done"

    def outer() -> Generator[int, None, str]:
        return (yield from steps())

    generator = outer()
    next(generator)
    with pytest.raises(StopIteration) as stop:
        next(generator)
    assert stop.value.value == "done"


def test_a_coroutine_runs_outside_the_decorated_call() -> None:
    @no_grad()
    async def work() -> bool:
        return is_grad_enabled()

    assert asyncio.run(work()) is True


def test_a_decorated_class_makes_its_instances_in_the_mode() -> None:
    class Model:
        def __init__(self) -> None:
            self.enabled = is_grad_enabled()

    with pytest.warns(FutureWarning, match=r"^Decorating classes is deprecated") as caught:
        make = no_grad()(Model)
    assert caught[0].filename == __file__
    assert not make().enabled


def test_the_mode_belongs_to_the_thread() -> None:
    x = tensor(1.0, requires_grad=True)
    off, checked = threading.Event(), threading.Event()
    seen: list[bool] = []

    def other() -> None:
        with no_grad():
            seen.append((x * 2).requires_grad)
            off.set()
            checked.wait(10)
        seen.append((x * 2).requires_grad)

    thread = threading.Thread(target=other)
    thread.start()
    off.wait(10)
    assert is_grad_enabled()
    assert (x * 2).requires_grad
    checked.set()
    thread.join()
    assert seen == [False, True]


def test_in_place_edits_of_leaves_are_allowed_inside() -> None:
    x = tensor([1.0], requires_grad=True)
    with no_grad():
        x -= 0.5
    assert (x.tolist(), x.requires_grad, x.is_leaf, x._version) == ([0.5], True, True, 1)


def test_every_operation_obeys() -> None:
    x = tensor([[1.0, 2.0]], requires_grad=True)
    with no_grad():
        results = [x + 1, x @ x.T, x.sum(), x[0, 0] * 1, x.exp(), x.clone(), x.double()]
        results += [minigrad.stack([x]), minigrad.cat([x, x]), minigrad.where(x > 0, x, x)]
    assert [result.requires_grad for result in results] == [False] * len(results)
