"""Training steps of small networks: forward, cross-entropy, backward, SGD."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .functions import points
from .libraries import Array, Step, Work, gradient_of

RATE = 0.01


class MLP(NamedTuple):
    """Three linear layers, with tanh after the first and relu after the second."""

    batch: int
    widths: tuple[int, int, int, int]

    def work(self) -> Work:
        return gradient_of(self.loss, self.arrays, self.by_hand, ["mygrad"], RATE)

    def work_of_modules(self) -> Work:
        """The same step through nn.Module and optim.SGD."""
        return {"torch": self.modules_step, "numpy": self.work()["numpy"]}

    def arrays(self) -> list[Array]:
        """Return the parameters: weight (in, out), bias, …"""
        arrays = []
        for before, after in zip(self.widths, self.widths[1:], strict=False):
            weight = points(before, after)
            weight /= before**0.5
            arrays += [weight, np.zeros(after, np.float32)]
        return arrays

    def examples(self) -> tuple[Array, Array]:
        return points(self.batch, self.widths[0]), np.arange(self.batch) % self.widths[-1]

    def loss(self, torch: Any) -> Callable[..., Any]:
        x, target = map(torch.tensor, self.examples())

        def cross_entropy(w1: Any, b1: Any, w2: Any, b2: Any, w3: Any, b3: Any) -> Any:
            h = torch.tanh(x @ w1 + b1)
            h = torch.relu(h @ w2 + b2)
            return torch.nn.functional.cross_entropy(h @ w3 + b3, target)

        return cross_entropy

    def modules_step(self, torch: Any) -> Step:
        nn = torch.nn
        x, target = map(torch.tensor, self.examples())
        first, second, third = map(nn.Linear, self.widths, self.widths[1:])
        model = nn.Sequential(first, nn.Tanh(), second, nn.ReLU(), third)
        with torch.no_grad():
            for parameter, array in zip(model.parameters(), self.arrays(), strict=True):
                parameter.copy_(torch.tensor(array.T))  # nn.Linear keeps its weights as (out, in)
        criterion = nn.CrossEntropyLoss()
        optimizer = torch.optim.SGD(model.parameters(), lr=RATE)

        def step() -> Sequence[Any]:
            optimizer.zero_grad()
            criterion(model(x), target).backward()
            optimizer.step()
            return [each.grad.T if each.ndim == 2 else each.grad for each in model.parameters()]

        return step

    def by_hand(self) -> Callable[..., list[Array]]:
        x, target = self.examples()
        rows = np.arange(self.batch)

        def gradients(
            w1: Array, b1: Array, w2: Array, b2: Array, w3: Array, b3: Array
        ) -> list[Array]:
            h1 = x @ w1
            h1 += b1
            np.tanh(h1, out=h1)
            h2 = h1 @ w2
            h2 += b2
            np.maximum(h2, 0.0, out=h2)
            z = h2 @ w3
            z += b3
            z -= z.max(1, keepdims=True)
            grad = np.exp(z)
            total = grad.sum(1, keepdims=True)
            (np.log(total[:, 0]) - z[rows, target]).mean()
            grad /= total
            grad[rows, target] -= 1.0
            grad /= self.batch
            w3_grad, b3_grad = h2.T @ grad, grad.sum(0)
            grad = grad @ w3.T
            grad *= h2 > 0
            w2_grad, b2_grad = h1.T @ grad, grad.sum(0)
            grad = grad @ w2.T
            np.multiply(h1, h1, out=h1)
            np.subtract(1.0, h1, out=h1)
            grad *= h1
            return [x.T @ grad, grad.sum(0), w2_grad, b2_grad, w3_grad, b3_grad]

        return gradients


def cnn() -> Work:
    """3×3 filters, relu, max-pool and a linear layer."""

    def arrays() -> list[Array]:
        filters, weight = points(8, 1, 3, 3) / 3, points(8 * 13 * 13, 10) / 37
        return [filters, points(8) / 3, weight, np.zeros(10, np.float32)]

    def loss(torch: Any) -> Callable[..., Any]:
        functional = torch.nn.functional
        images, target = torch.tensor(points(16, 1, 28, 28)), torch.tensor(np.arange(16) % 10)

        def cross_entropy(filters: Any, bias: Any, weight: Any, last: Any) -> Any:
            h = torch.relu(functional.conv2d(images, filters, bias))
            features = functional.max_pool2d(h, 2).reshape(16, -1)
            return functional.cross_entropy(features @ weight + last, target)

        return cross_entropy

    return gradient_of(loss, arrays, rate=RATE)
