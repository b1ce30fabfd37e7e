"""What is measured. Add a row here to measure something else."""

from __future__ import annotations

from typing import NamedTuple

from . import functions, networks
from .libraries import Work

MLP = networks.MLP(32, (784, 128, 64, 10))
MILLION = 1_000_000


class Row(NamedTuple):
    """A row of the page; `plain` says whether minigrad also runs without its accelerator."""

    title: str
    work: Work
    plain: bool = True


ROWS = {
    "chain-tensors": Row(
        "chain of 1,000 mul and add, 0-d tensors", functions.chain_of_tensors(1000)
    ),
    "chain-numbers": Row("the same with Python numbers", functions.chain_of_numbers(1000)),
    "mlp": Row("MLP step, batch 32, 784-128-64-10", MLP.work()),
    "mlp-modules": Row("the same through nn.Module and optim.SGD", MLP.work_of_modules()),
    "elementwise": Row(
        "20 elementwise operations on 1e6 floats", functions.elementwise(20, MILLION)
    ),
    "fan-out-1000": Row("one tensor used 1,000 times", functions.fan_out(1000)),
    "fan-out-40000": Row("one tensor used 40,000 times", functions.fan_out(40_000, ["mygrad"])),
    "long-chain": Row(
        "chain of 1,000,000 operations", functions.chain_of_numbers(MILLION, []), plain=False
    ),
    "second-1e3": Row("d²/dx² of sum(tanh(x)³), 1,000 floats", functions.second_derivative(1000)),
    "second-1e6": Row("the same, 1e6 floats", functions.second_derivative(MILLION)),
    "cnn": Row("CNN step, 16×1×28×28, 8 3×3 filters, max-pool, linear", networks.cnn()),
    "log-softmax": Row(
        "log_softmax of 1000×1000",
        functions.of_a_matrix(lambda torch, x: torch.log_softmax(x, 1)[:, 0]),
    ),
    "silu": Row(
        "silu of 1e6 floats",
        functions.of_a_matrix(lambda torch, x: torch.nn.functional.silu(x)),
    ),
    "cumsum": Row(
        "cumsum along rows, 1000×1000",
        functions.of_a_matrix(lambda torch, x: torch.cumsum(x, 1)[:, -1]),
    ),
    "convolution": Row("conv2d, 64 → 64 channels, 16×32×32", functions.convolution(64)),
}
