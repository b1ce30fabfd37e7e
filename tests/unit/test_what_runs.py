"""What you read is what runs: the path through an operation is short, and nothing is replaced.

The accelerator has its extension points in `minigrad.support`. Everything else that the core and
the support define is what runs, with the accelerator as well as without it.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_CALLS = 120  # functions that a debugger meets in a warm product with its backward
EXTENSION_POINTS = {"operation", "in_place", "leaf", "mode", "run"}

# Prints three things as JSON: how many functions of minigrad a warm program calls, which names in
# the core and the support no longer have the value they had when only the core was imported, and
# whether the accelerator is installed. A function whose code was swapped counts as replaced.
LOOK = """
import importlib
import json
import sys
import types

alone = types.ModuleType("minigrad")
alone.__path__ = ["minigrad"]
sys.modules["minigrad"] = alone
importlib.import_module("minigrad.core")


def holders():
    for name, module in list(sys.modules.items()):
        if name.startswith(("minigrad.core", "minigrad.support")):
            yield name, module
            for each in list(vars(module).values()):
                if isinstance(each, type):
                    yield f"{name}.{each.__name__}", each


def definitions(holder):
    return {
        name: (value, getattr(value, "__code__", None))
        for name, value in vars(holder).items()
        if not name.startswith("__") and not isinstance(value, types.ModuleType)
    }


before = [(name, holder, definitions(holder)) for name, holder in holders()]
del sys.modules["minigrad"]
torch = importlib.import_module("minigrad")
importlib.import_module("minigrad.viz")

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([3.0, 4.0], requires_grad=True)
calls = 0


def count(frame, event, argument):
    global calls
    calls += event == "call" and str(frame.f_globals.get("__name__")).startswith("minigrad")


for profile in (None, None, None, count):
    x.grad = w.grad = None
    sys.setprofile(profile)
    (x * w).sum().backward()
    sys.setprofile(None)

replaced = [
    f"{holder_name}.{name}"
    for holder_name, holder, old in before
    for name, (value, code) in old.items()
    if vars(holder).get(name) is not value or getattr(value, "__code__", None) is not code
]
print(json.dumps([calls, sorted(set(replaced)), "minigrad.fast" in sys.modules]))
"""


def look(fast: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", LOOK],
        cwd=ROOT,
        env={**os.environ, "MINIGRAD_FAST": fast, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.parametrize("fast", ["0", "1"])
def test_nothing_that_the_core_or_the_support_defines_is_replaced(fast: str) -> None:
    calls, replaced, accelerated = look(fast)
    points = {f"minigrad.support.extension_points.{name}" for name in EXTENSION_POINTS}
    assert set(replaced) == (points if accelerated else set())
    assert accelerated or 0 < calls <= MOST_CALLS
