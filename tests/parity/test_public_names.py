"""Tab completion shows PyTorch's names and nothing else: no helper, no import of ours."""

import importlib
import inspect

import pytest
import torch

import minigrad

MODULES = [
    "", ".autograd", ".autograd.function", ".autograd.functional", ".autograd.graph", ".linalg",
    ".nn", ".nn.functional", ".nn.init", ".nn.parameter", ".nn.utils", ".optim",
    ".optim.lr_scheduler", ".testing", ".utils", ".utils.checkpoint", ".utils.data", ".utils.hooks",
]  # fmt: skip
CLASSES = ["Tensor", "Generator", "autograd.Function"]


def public(names):
    return {name for name in names if not name.startswith("_")}


def at(root, path):
    for name in path.split("."):
        root = getattr(root, name)
    return root


@pytest.mark.parametrize("name", MODULES)
def test_a_module_shows_only_names_of_pytorch(name):
    ours = importlib.import_module(f"minigrad{name}")
    theirs = importlib.import_module(f"torch{name}")
    shown = public(dir(ours))
    assert shown
    assert not {each for each in shown if not hasattr(theirs, each)}


@pytest.mark.parametrize("name", MODULES)
def test_a_module_shows_what_it_has_of_pytorch(name):
    ours = importlib.import_module(f"minigrad{name}")
    theirs = importlib.import_module(f"torch{name}")
    defined = {
        each
        for each, value in vars(ours).items()
        if inspect.isroutine(value) or inspect.isclass(value)
        if value.__module__ == ours.__name__
    }
    assert public(defined) <= set(dir(ours))
    assert all(hasattr(theirs, each) for each in public(defined))


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_has_only_names_of_pytorch(name):
    ours, theirs = at(minigrad, name), at(torch, name)
    assert not {each for each in public(dir(ours)) if not hasattr(theirs, each)}


@pytest.mark.parametrize("module", ["nn", "optim", "utils.data"])
def test_classes_of_a_module_have_only_names_of_pytorch(module):
    classes = [each for each in public(dir(at(minigrad, module))) if each[0].isupper()]
    assert classes
    extra = {}
    for name in classes:
        ours, theirs = at(minigrad, f"{module}.{name}"), at(torch, f"{module}.{name}")
        extra[name] = {each for each in public(dir(ours)) if not hasattr(theirs, each)}
    assert not {name: names for name, names in extra.items() if names}
