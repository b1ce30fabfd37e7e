"""The C++ extension that chapter 17 shows prints what the chapter says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
import torch
from torch.utils.cpp_extension import load_inline

from tools import notebooks

CHAPTER = notebooks.NOTEBOOKS / "17_inside_pytorch.ipynb"


def shown(language: str) -> str:
    """The block of the chapter in this language."""
    prose = "\n".join(cell.source for cell in notebooks.read(CHAPTER).cells)
    found = re.findall(rf"^```{language}\n(.+?)^```", prose, re.DOTALL | re.MULTILINE)
    assert len(found) == 1
    return str(found[0])


@pytest.mark.skipif(
    not (shutil.which("c++") and shutil.which("ninja")), reason="needs a C++ compiler and ninja"
)
@pytest.mark.filterwarnings("default")  # the compiler's version, the number of its processes
def test_extension_of_the_chapter(tmp_path: Path) -> None:
    cube = load_inline(
        "cube",
        shown("cpp"),
        functions=["cube"],
        extra_cflags=["-O0"],
        build_directory=str(tmp_path),
    ).cube
    x = torch.tensor(2.0, requires_grad=True)
    assert str(cube(x)) == shown("text").strip()
    cube(x).backward()
    assert x.grad is not None
    assert x.grad.item() == 12
    x = x.detach().double().requires_grad_()
    assert torch.autograd.gradcheck(cube, x)
    assert torch.autograd.gradgradcheck(cube, x)
