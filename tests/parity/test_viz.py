"""The same program gives the same picture, whether its tensors are minigrad's or PyTorch's."""

import re

import pytest
import torch

import minigrad
from tests.pictures import DRAWINGS, picture

HOOK_OF_AN_OLD_NODE = "y = leaf() * 3; y.register_hook(lambda gradient: None); y.add_(1); draw(y)"


def test_minigrad_alone_shows_the_hook_of_an_old_node() -> None:
    """PyTorch keeps it as well, but tells nobody."""
    ours, theirs = (repr(picture(HOOK_OF_AN_OLD_NODE, lib)) for lib in (minigrad, torch))
    assert ours.count(" | tensor hook: lambda") == 1
    assert ours.replace(" | tensor hook: lambda", "") == theirs


def shared(text: str) -> str:
    """`text` without the operation that wrote: PyTorch's CopySlices keeps it to itself."""
    return re.sub(r'(CopySlices)(?: \| |\\n)[^"\n]*', r"\1", text)


@pytest.mark.parametrize("gradients", [False, True], ids=["graph", "gradients"])
@pytest.mark.parametrize("program", [program for program, *_ in DRAWINGS])
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_same_picture(program: str, gradients: bool) -> None:
    ours, theirs = (picture(program, lib, gradients=gradients) for lib in (minigrad, torch))
    assert shared(repr(ours)) == repr(theirs)
    assert shared(ours.dot) == theirs.dot
