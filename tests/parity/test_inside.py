"""What chapters 11 and 19 ask of PyTorch itself, where PyTorch is installed."""

from __future__ import annotations

from typing import Any

import torch

from minigrad_course.pictures.cut_inputs import cut_inputs
from minigrad_course.pictures.live_arrays import alive


def test_the_seed_stays_as_it_was() -> None:
    model = torch.nn.Linear(3, 3)
    torch.manual_seed(5)
    wanted = torch.rand(2).tolist()
    torch.manual_seed(5)
    cut_inputs(model, torch.ones(4, 3))
    assert torch.rand(2).tolist() == wanted


def test_arrays_are_counted_as_they_come_and_go() -> None:
    def freed(x: Any) -> Any:  # a sum saves nothing, so what it adds up goes
        return x + x + x

    x = torch.ones(3, requires_grad=True)
    assert alive([freed], x).partition(" | ")[0] == "1 2 2"
    assert alive([lambda x: x.sin().sin()], x).partition(" | ")[0] == "1 2 3"
    assert alive([lambda x: x.sin().view(3, 1)], x).partition(" | ")[0] == "1 1 2"  # one memory
