"""The same program gives the same replay, whether its tensors are minigrad's or PyTorch's."""

import pytest
import torch

import minigrad
from minigrad.viz import replay
from tests.pictures import REPLAYS, picture


@pytest.mark.parametrize("program", [program for program, *_ in REPLAYS])
@pytest.mark.filterwarnings("ignore:To copy construct")
def test_same_replay(program: str) -> None:
    ours, theirs = (picture(program, lib) for lib in (minigrad, torch))
    assert repr(ours) == repr(theirs)
    assert ours.scenes == theirs.scenes
    assert ours.error == theirs.error
    assert ours.stills.layout == theirs.stills.layout


def test_hooks_are_removed_from_nodes_of_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    x = torch.tensor(2.0, requires_grad=True)
    z = (x * 3).exp()
    replay(z, retain_graph=True)
    monkeypatch.setattr("minigrad.viz.gradients.Gradient.of", lambda _: pytest.fail("still seen"))
    z.backward()
    assert x.grad is not None


def test_a_module_of_pytorch() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
    loss = model(torch.ones(4, 2)).square().mean()
    shown = replay(loss)
    assert shown.error is None
    names = {line.partition(".grad")[0] for line in shown.scenes[-1].lines[:-1]}
    assert names == {"model.0.weight", "model.0.bias", "model.2.weight", "model.2.bias"}
