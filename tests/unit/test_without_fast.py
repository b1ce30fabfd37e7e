"""The library without its accelerator: switched off, or with its folder deleted."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "minigrad"

# An editable installation would find the folder in the checkout.
PROGRAM = """
import sys
sys.meta_path = [f for f in sys.meta_path if "editable" not in getattr(f, "__module__", "")]
import minigrad as torch
x = torch.tensor(5.0, requires_grad=True)
z = torch.log(x**3) + torch.sqrt(x**2)
z.backward()
print(z, x.grad, "minigrad.fast" in sys.modules)
"""


SHOWN = "tensor(9.8283, grad_fn=<AddBackward0>) tensor(1.6000) False\n"


def run(folder: Path, fast: str) -> str:
    """What PROGRAM prints with the minigrad in `folder`, or its traceback if it fails."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env={**os.environ, "MINIGRAD_FAST": fast, "PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def test_switched_off_it_is_not_imported() -> None:
    assert run(PACKAGE.parent, "0") == SHOWN


@pytest.fixture
def without(tmp_path: Path) -> Path:
    """A folder with a copy of the package that has no accelerator."""
    ignored = shutil.ignore_patterns("fast", "__pycache__")
    shutil.copytree(PACKAGE, tmp_path / "minigrad", ignore=ignored)
    return tmp_path


def test_without_the_folder_everything_else_is_there(without: Path) -> None:
    assert run(without, "1") == SHOWN


def test_a_mistake_in_the_folder_is_not_hidden(without: Path) -> None:
    (without / "minigrad" / "fast").mkdir()
    (without / "minigrad" / "fast" / "__init__.py").write_text("from .nothing import something\n")
    assert "No module named 'minigrad.fast.nothing'" in run(without, "1")
