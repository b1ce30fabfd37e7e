"""NumPy's warnings about inf and nan never reach the user, whatever the settings are.

See `minigrad.rows.silence`.
"""

import contextlib
import functools
import os
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minigrad as torch
from minigrad.rows.silence import silence, silent
from tests.goldens import record_operations
from tests.goldens.cases import Case, cases

EXTREME = [
    0.0, np.inf, -1.0, -np.inf, np.nan, 3e38, -3e38, 1e-45, 1.0, -0.0, 1e5, -1e3, 6e4,
]  # fmt: skip
CALL_NUMPY = ("np.square", "numpy() **")  # programs in which NumPy itself may raise
PARTS = 32  # the number of groups into which the cases are split


@contextlib.contextmanager
def as_errors() -> Iterator[None]:
    """Turn NumPy's warnings into errors, as `-W error` does."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in (UserWarning, DeprecationWarning, FutureWarning):  # PyTorch has these as well
            warnings.simplefilter("default", kind)
        yield


@contextlib.contextmanager
def recorded() -> Iterator[None]:
    """Fail at any warning of NumPy's, even if the library caught it and tried something else."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    assert [str(each.message) for each in caught if each.category is RuntimeWarning] == []


@contextlib.contextmanager
def raised() -> Iterator[None]:
    """Let NumPy raise on every floating-point error."""
    with np.errstate(all="raise"), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # PyTorch's
        yield


SETTINGS: list[Callable[[], Any]] = [as_errors, recorded, raised]


def ids(setting: Any) -> str:
    return str(setting.__name__)


# Every operation


def extremes(usual: Any, start: int, name: str, dtype: str, count: int, words: list[str]) -> Any:
    """Values that overflow, inf and nan, starting with a different one for each input."""
    if not dtype.startswith("float"):
        return usual(name, dtype, count, words)
    first = (ord(name) + start) % len(EXTREME)
    with np.errstate(all="ignore"):
        return np.resize(EXTREME[first:] + EXTREME[:first], count).astype(dtype)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_operation(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forward, backward and double backward of each program behind the goldens."""
    usual = record_operations.numbers
    for number, case in enumerate(cases()[part::PARTS]):
        values = functools.partial(extremes, usual, number)
        monkeypatch.setattr(record_operations, "numbers", values)
        found = [outcome_under(setting, case) for setting in (recorded, raised)]
        if not any(part in case.code for part in CALL_NUMPY):
            assert record_operations.differences(case, *found) == [], case.name


def outcome_under(setting: Callable[[], Any], case: Case) -> Any:
    """What a case computes under a setting, which it has to leave as it was."""
    filters, errors = warnings.filters[:], np.geterr()
    with setting():
        found = record_operations.outcome(case, "minigrad")
    assert (warnings.filters, np.geterr()) == (filters, errors)
    return found


# Other than operations


def train(optimizer: type[Any], **options: Any) -> None:
    x = torch.tensor(EXTREME, requires_grad=True)
    steps = optimizer([x], **options)
    for gradient in (EXTREME[1:] + EXTREME[:1], EXTREME[::-1], EXTREME):
        x.grad = torch.tensor(gradient)
        torch.nn.utils.clip_grad_norm_([x], 1.0)
        torch.nn.utils.clip_grad_value_([x], 1e38)
        x.grad.add_(torch.tensor(EXTREME))
        steps.step()


def accumulate() -> None:
    x = torch.tensor(EXTREME, requires_grad=True)
    for _ in range(2):
        (x * torch.tensor(EXTREME[::-1])).sum().backward()
    for _ in range(2):
        (x * x).sum().backward(create_graph=True)
        x.sum().backward(torch.tensor(-np.inf))


def create() -> None:
    torch.tensor(1e300), torch.tensor([1e300, 1e-300]), torch.tensor(np.array([1e300])).float()
    torch.tensor(np.array([1e300, np.nan]), dtype=torch.float16)
    torch.full((2,), 1e38), torch.full((2,), 3.0).fill_(1e30)
    torch.tensor(EXTREME).to(torch.int64), torch.tensor(EXTREME).half().double().bool()
    torch.zeros(13, dtype=torch.int32).copy_(torch.tensor(EXTREME))
    torch.linspace(0, 1e300, 3), torch.linspace(-np.inf, np.inf, 3)
    torch.normal(0.0, np.inf, (20,)), torch.randn(20).normal_(0, np.inf).uniform_(0, 3e38)
    torch.tensor([1.0, 2.0])[0:1] = 1e300
    torch.arange(0, 3e9, 1e9, dtype=torch.float16)


def show() -> None:
    for dtype in (torch.float16, torch.float32, torch.float64):
        values = torch.tensor(EXTREME, dtype=torch.float64).to(dtype)
        repr(values), f"{values[1]}", values.tolist(), [each.item() for each in values]
        bool(values[4]), float(values[5]), values.allclose(values), torch.equal(values, values)


def write_in_place() -> None:
    for value in (np.inf, 1e38, torch.tensor(np.inf), torch.tensor([3e38])):
        for x in (torch.tensor(EXTREME), torch.tensor(EXTREME)[::2], torch.tensor([3e38])):
            x.add_(value).sub_(value).mul_(value).div_(0)
            x += value
    x = torch.tensor(3e38)
    x.mul_(10)
    assert x.item() == np.inf
    x = torch.tensor([3e38, 2.0])
    assert x.mul_(10).tolist() == [np.inf, 20.0]


def check() -> None:
    x = torch.tensor([1e308, 1.0], dtype=torch.float64, requires_grad=True)
    torch.autograd.gradcheck(lambda x: x * x, x, raise_exception=False)
    torch.autograd.functional.hessian(lambda x: (x**3).sum(), x.detach())


def layers() -> None:
    parts = [torch.nn.Linear(13, 13), torch.nn.Softmax(-1), torch.nn.Sigmoid()]
    x = torch.tensor([EXTREME], requires_grad=True)
    loss = torch.nn.CrossEntropyLoss()(torch.nn.Sequential(*parts)(x), torch.tensor([1]))
    (first,) = torch.autograd.grad(loss, x, create_graph=True)
    first.sum().backward()


SGD, Adam = torch.optim.SGD, torch.optim.Adam
OTHERS: list[Callable[[], None]] = [
    functools.partial(train, SGD, lr=1e30, momentum=0.9, weight_decay=0.1),
    functools.partial(train, SGD, lr=1e30, momentum=0.9, nesterov=True, maximize=True),
    functools.partial(train, Adam, lr=1e30, weight_decay=0.1),
    functools.partial(train, torch.optim.AdamW, amsgrad=True, weight_decay=3.0),
    accumulate, create, show, write_in_place, check, layers,
]  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS, ids=ids)
@pytest.mark.parametrize("program", OTHERS)
def test_code_around_operations(program: Callable[[], None], setting: Callable[[], Any]) -> None:
    with setting():
        program()


@pytest.mark.parametrize("setting", SETTINGS, ids=ids)
def test_threads(setting: Callable[[], Any]) -> None:
    """NumPy's settings start afresh in each thread, while all threads share the filters."""
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with np.errstate(all="raise"):
                accumulate()
                create()
                assert np.geterr()["over"] == "raise"
            accumulate()
        except BaseException as error:
            failed.append(error)

    with setting():
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        accumulate()
        for thread in threads:
            thread.join()
    assert failed == []


# The user's own code


class Log(torch.autograd.Function):
    """Calls NumPy in forward and backward."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return torch.from_numpy(np.log(x.numpy()))

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return torch.from_numpy(grad.numpy() / np.zeros(1, np.float32))


def divide(*_: Any) -> None:
    np.ones(1) / np.zeros(1)


def in_forward() -> None:
    Log.apply(torch.zeros(1))


def in_backward() -> None:
    with np.errstate(all="ignore"):
        y = Log.apply(torch.zeros(1, requires_grad=True))
    y.backward()


def in_tensor_hook() -> None:
    x = torch.zeros(1, requires_grad=True)
    y = x * 1
    y.register_hook(divide)
    y.sum().backward()


def in_leaf_hook() -> None:
    x = torch.zeros(1, requires_grad=True)
    x.register_post_accumulate_grad_hook(divide)
    (x * 1).sum().backward()


def in_node_hook() -> None:
    y = (torch.zeros(1, requires_grad=True) * 1).sum()
    y.grad_fn.register_prehook(divide)
    y.backward()


def in_saved_tensor_hook() -> None:
    with torch.autograd.graph.saved_tensors_hooks(lambda x: x, lambda x: divide() or x):
        y = torch.zeros(1, requires_grad=True).exp().sum()
    y.backward()


def in_closure() -> None:
    SGD([torch.zeros(1, requires_grad=True)]).step(divide)


THEIRS = [
    divide, in_forward, in_backward, in_tensor_hook, in_leaf_hook, in_node_hook,
    in_saved_tensor_hook, in_closure,
]  # fmt: skip


@pytest.mark.parametrize("program", THEIRS, ids=ids)
def test_user_code_still_warns(program: Callable[[], None]) -> None:
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        program()
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        program()
    told: list[str] = []
    with np.errstate(divide="call", call=lambda kind, flag: told.append(kind)):
        program()
    assert told == ["divide by zero"]


def test_pytorchs_warnings_point_at_the_users_line() -> None:
    x = torch.zeros(2, 2, 2)
    mask = torch.ones(2, dtype=torch.uint8)
    for give in (lambda: x.T, lambda: x[mask], lambda: torch.zeros(()).T, lambda: x[[[0], [1]]]):
        with pytest.warns(UserWarning, match="deprecated") as caught:
            give()
        assert [each.filename for each in caught] == [__file__]


# The user's settings stay untouched


PROGRAM = """
import warnings, numpy, numpy.linalg
before = warnings.filters[:]
import minigrad as torch
x = torch.tensor([0.0, 1e38], requires_grad=True)
y = (torch.log(x) / x).exp() * 1e38
y.sum().backward()
print(x.grad, torch.softmax(y, 0).detach(), torch.zeros(0).mean())
assert warnings.filters == before and numpy.geterr()["over"] == "warn"
"""


def test_with_all_warnings_as_errors() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == "tensor([       nan, 1.0000e-38]) tensor([0., 1.]) tensor(nan)\n"


@pytest.mark.parametrize("fast", ["0", "1"])
def test_without_numpys_context_variable_errstate_is_used(fast: str) -> None:
    hidden = "import contextvars\ncontextvars.copy_context = lambda: contextvars.Context()\n"
    check = "from minigrad.rows.silence import *\nassert type(SETTINGS) is Errstate\n"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", hidden + PROGRAM + check],
        capture_output=True, text=True, check=False, env={**os.environ, "MINIGRAD_FAST": fast},
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout == "tensor([       nan, 1.0000e-38]) tensor([0., 1.]) tensor(nan)\n"


def test_an_error_restores_the_settings_too() -> None:
    before = np.geterr()
    with contextlib.suppress(KeyError), silence():
        assert set(np.geterr().values()) == {"ignore"}
        raise KeyError
    assert np.geterr() == before

    @silent
    def divided(a: float) -> Any:
        """What it does."""
        return np.float64(a) / 0

    with np.errstate(all="raise"):
        assert divided(1.0) == np.inf
        assert np.geterr()["divide"] == "raise"
    assert divided.__doc__ == "What it does."
