"""Behavior of modules that the recorded programs do not show."""

import copy
import pickle
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import nn


def network() -> nn.Sequential:
    return nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))


def test_import_of_the_package_loads_no_networks() -> None:
    program = """
import sys, minigrad
loaded = lambda: sorted(m for m in sys.modules if m.startswith(("minigrad.nn.mod", "minigrad.opt")))
print(loaded())
minigrad.nn.Linear(1, 1), minigrad.optim.SGD, minigrad.utils.data.DataLoader
print(len(loaded()) > 1)
"""
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split() == ["[]", "True"]


def test_initial_values_are_reproducible_and_within_bounds() -> None:
    minigrad.manual_seed(3)
    first = network().state_dict()
    minigrad.manual_seed(3)
    again = network().state_dict()
    assert all(first[name].equal(again[name]) for name in first)
    assert not first["0.weight"].equal(network().state_dict()["0.weight"])
    layer = nn.Linear(100, 50)
    for values in (layer.weight._data, layer.bias._data):
        assert 0.09 < np.abs(values).max() <= 0.1
    kernel = nn.Conv2d(4, 8, 5).weight
    assert kernel.shape == (8, 4, 5, 5)
    assert 0.09 < np.abs(kernel._data).max() <= 0.1


@pytest.mark.usefixtures("collector_off")
def test_a_module_is_freed_with_its_last_reference() -> None:
    net = network()
    net.register_forward_hook(lambda module, args, output: None)
    x = minigrad.ones(1, 2)
    net(x).sum().backward()
    gone = [weakref.ref(net), *(weakref.ref(each) for each in net.parameters())]
    del net
    assert [each() for each in gone] == [None] * 5


@pytest.mark.usefixtures("collector_off")
def test_backward_hooks_keep_nothing_alive() -> None:
    net, seen = network(), []
    for module in net:
        module.register_full_backward_hook(lambda m, before, after: seen.append(type(m)))
    x = minigrad.ones(1, 2, requires_grad=True)
    y = net(x)
    y.sum().backward()
    assert seen == [nn.Linear, nn.Tanh, nn.Linear]
    gone = [weakref.ref(each) for each in (net, *net, y, y.grad_fn)]
    del net, y, module
    assert [each() for each in gone] == [None] * 6


def report(module: nn.Module, args: tuple[Any, ...], output: Any) -> Any:
    return output * 2


def test_a_module_is_pickled_with_its_hooks() -> None:
    layer = nn.Linear(2, 1)
    layer.register_forward_hook(report)
    layer.register_forward_pre_hook(report_before)
    x = minigrad.ones(1, 2)
    for twin in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert twin(x).equal(layer(x))
        assert twin(x).equal(layer.forward(x * 3) * 2)


def report_before(module: nn.Module, args: tuple[Any, ...]) -> Any:
    return args[0] * 3


def test_an_exception_in_forward_leaves_the_module_usable() -> None:
    net = network()

    def refuse(module: nn.Module, args: tuple[Any, ...]) -> None:
        raise ValueError("no")

    with net.register_forward_pre_hook(refuse), pytest.raises(ValueError, match="no"):
        net(minigrad.ones(1, 2))
    assert net(minigrad.ones(1, 2)).shape == (1, 1)


def test_device_other_than_cpu_is_refused() -> None:
    with pytest.raises(RuntimeError, match="minigrad computes on the CPU only"):
        network().to("cuda")


def test_warnings_name_the_line_of_the_user() -> None:
    weight = nn.Parameter(minigrad.zeros(1))
    for cause, message in (
        (lambda: nn.Linear(0, 1), "^Initializing zero-element"),
        (lambda: nn.utils.clip_grad_norm_((p for p in ()), 1.0), "^`parameters` is an empty"),
        (lambda: minigrad.optim.SGD([weight, weight]), "^optimizer contains a parameter group"),
        (lambda: minigrad.utils.data.random_split(range(1), [0.5, 0.5]), "^Length of split at"),
    ):
        with pytest.warns(UserWarning, match=message) as issued:
            cause()
        assert [warning.filename for warning in issued] == [__file__]
