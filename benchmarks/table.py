"""What is measured. Add a row here to measure something else."""

from __future__ import annotations

from dataclasses import dataclass

from . import cnn, functions, mlp, second_order, torch_wins
from .libraries import Work

SMALL = mlp.Shape(32, (784, 128, 64, 10), ("tanh", "relu"))
LARGE = mlp.Shape(512, (784, 1024, 1024, 10), ("relu", "relu"))
MILLION = 1_000_000


@dataclass
class Row:
    """One row of the table.

    Attributes:
        name: what the command line calls it.
        title: what the page calls it.
        work: what is measured.
        rounds: how many turns each library takes at least.
        collector: whether Python's garbage collector is on.
        plain: whether minigrad is measured without its accelerator as well.
    """

    name: str
    title: str
    work: Work
    rounds: int = 7
    collector: bool = True
    plain: bool = True


CHAIN = functions.chain_of_numbers(MILLION, peers=())
ROWS = [
    Row(
        "chain-tensors",
        "chain of 1,000 mul and add, 0-d tensors",
        functions.chain_of_tensors(1000),
    ),
    Row("chain-numbers", "the same with Python numbers", functions.chain_of_numbers(1000)),
    Row("mlp", "MLP step, batch 32, 784-128-64-10", mlp.training(SMALL)),
    Row("mlp-modules", "the same through nn.Module and optim.SGD", mlp.training_modules(SMALL)),
    Row("mlp-large", "MLP step, batch 512, 784-1024-1024-10", mlp.training(LARGE)),
    Row(
        "elementwise",
        "20 elementwise operations on 1e6 floats",
        functions.elementwise(20, MILLION),
    ),
    Row("outer", "(1000, 1) × (1, 1000), sum", functions.outer(1000)),
    Row("fan-out-1000", "one tensor used 1,000 times", functions.fan_out(1000), rounds=3),
    Row("fan-out-10000", "one tensor used 10,000 times", functions.fan_out(10_000), rounds=3),
    Row("fan-out-40000", "one tensor used 40,000 times", functions.fan_out(40_000), rounds=3),
    Row("long-chain", "chain of 1,000,000 operations", CHAIN, rounds=2, plain=False),
    Row(
        "long-chain-no-gc",
        "the same, garbage collector off",
        CHAIN,
        rounds=2,
        collector=False,
        plain=False,
    ),
    Row("second-1e3", "d²/dx² of sum(tanh(x)³), 1,000 floats", second_order.cube(1000)),
    Row("second-1e6", "the same, 1e6 floats", second_order.cube(MILLION)),
    Row(
        "hessian-vector",
        "Hessian-vector product of the small MLP",
        second_order.hessian_vector(SMALL),
    ),
    Row("cnn", "CNN step, 16×1×28×28, 8 3×3 filters, max-pool, linear", cnn.training()),
    Row("sum", "sum of 1e6 floats", torch_wins.total()),
    Row("log-softmax", "log_softmax of 1000×1000", torch_wins.log_softmax()),
    Row("silu", "silu of 1e6 floats", torch_wins.silu()),
    Row("cumsum", "cumsum along rows, 1000×1000", torch_wins.cumsum()),
    Row("convolution", "conv2d, 64 → 64 channels, 16×32×32", torch_wins.convolution()),
]
ALL = {row.name: row for row in ROWS}
