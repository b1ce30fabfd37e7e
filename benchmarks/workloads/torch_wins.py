"""Work at which PyTorch is the better choice: reductions, scans, fused kernels, convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..harness import Program, Step

Function = Callable[[Any, Any], Any]  # of the library and a 1000×1000 tensor

SIDE = 1000


def total(torch: Any, x: Any) -> Any:
    return x.sum()


def log_softmax(torch: Any, x: Any) -> Any:
    return torch.log_softmax(x, 1)[:, 0].sum()


def silu(torch: Any, x: Any) -> Any:
    return torch.nn.functional.silu(x).sum()


def running_sums(torch: Any, x: Any) -> Any:
    return torch.cumsum(x, 1)[:, -1].sum()


def matrix(torch: Any, function: Function) -> Step:
    values = np.random.default_rng(0).normal(size=(SIDE, SIDE)).astype(np.float32)
    x = torch.tensor(values, requires_grad=True)

    def step() -> Sequence[Any]:
        x.grad = None
        function(torch, x).backward()
        return (x.grad,)

    return step


def convolution(torch: Any, channels: int) -> Step:
    """3×3 filters on 16 images of 32×32, as many channels out as in."""
    random = np.random.default_rng(0)
    images = random.normal(size=(16, channels, 32, 32)).astype(np.float32)
    filters = (random.normal(size=(channels, channels, 3, 3)) / channels).astype(np.float32)
    x, weight = (torch.tensor(each, requires_grad=True) for each in (images, filters))

    def step() -> Sequence[Any]:
        x.grad = weight.grad = None
        torch.nn.functional.conv2d(x, weight, padding=1).sum().backward()
        return x.grad, weight.grad

    return step


MATRIX: dict[str, Program] = {"minigrad": matrix, "torch": matrix}
CONVOLUTION: dict[str, Program] = {"minigrad": convolution, "torch": convolution}
