"""What you read is what runs: nothing in the core is replaced; the accelerator has its slots."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SLOTS = {"operation", "in_place", "leaf", "mode", "run"}

# Imports the core alone, and then everything; prints which names hold something else by then.
COMPARE = """
import importlib
import json
import sys
import types

package = types.ModuleType("minigrad")
package.__path__ = ["minigrad"]
sys.modules["minigrad"] = package
importlib.import_module("minigrad.core")


def holders():
    for name, module in list(sys.modules.items()):
        if name.startswith(("minigrad.core", "minigrad.support")):
            yield name, module
            for each in list(vars(module).values()):
                if isinstance(each, type):
                    yield f"{name}.{each.__name__}", each


before = [(name, holder, dict(vars(holder))) for name, holder in holders()]
del sys.modules["minigrad"]
importlib.import_module("minigrad.viz")
replaced = {
    f"{name}.{each}"
    for name, holder, names in before
    for each, value in names.items()
    if not each.startswith("__") and vars(holder).get(each) is not value
    and not isinstance(value, types.ModuleType)
}
print(json.dumps([sorted(replaced), "minigrad.fast" in sys.modules]))
"""


@pytest.mark.parametrize("fast", ["0", "1"])
def test_nothing_that_the_core_or_support_defines_is_replaced(fast: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMPARE],
        cwd=ROOT,
        env={**os.environ, "MINIGRAD_FAST": fast, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    replaced, accelerated = json.loads(done.stdout)
    slots = {f"minigrad.support.extension_points.{name}" for name in SLOTS}
    assert set(replaced) == (slots if accelerated else set())
