"""What is measured, with the targets. To measure something else, add a row here."""

from __future__ import annotations

from .harness import Row
from .workloads import cnn, functions, mlp, second_order, torch_wins

SMALL = mlp.Shape(32, (784, 128, 64, 10), ("tanh", "relu"))
LARGE = mlp.Shape(512, (784, 1024, 1024, 10), ("relu", "relu"))
MILLION = 1_000_000
MINE = ("minigrad", "torch")


def fan_out(count: int) -> Row:
    title = f"one tensor used {count:,} times"
    size = (functions.fan_out, count, 1)
    name = f"fan-out-{count}"
    return Row(name, title, functions.ARRAYS, size, torch=0.20, operations=count, rounds=3)


def long_chain(name: str, title: str, collector: bool) -> Row:
    return Row(
        name,
        title,
        functions.ARRAYS,
        (functions.chain_of_numbers, MILLION, 1),
        torch=0.30,
        operations=MILLION,
        rounds=2,
        collector=collector,
        libraries=MINE,
    )


# The table of the page.
ROWS = [
    Row(
        "chain-tensors",
        "chain of 1,000 mul and add, 0-d tensors",
        functions.SCALARS,
        (functions.chain_of_tensors, 1000, 1),
        torch=0.30,
        operations=1000,
    ),
    Row(
        "chain-numbers",
        "the same with Python numbers",
        functions.SCALARS,
        (functions.chain_of_numbers, 1000, 1),
        torch=0.30,
        operations=1000,
    ),
    Row(
        "mlp",
        "MLP step, batch 32, 784-128-64-10",
        mlp.PROGRAMS,
        SMALL,
        torch=0.85,
        limit=1.15,
    ),
    Row(
        "mlp-modules",
        "the same through nn.Module and optim.SGD",
        mlp.MODULES,
        SMALL,
        torch=0.75,
        limit=1.15,
        libraries=(*MINE, "plain", "numpy"),
    ),
    Row(
        "mlp-large",
        "MLP step, batch 512, 784-1024-1024-10",
        mlp.PROGRAMS,
        LARGE,
        torch=0.90,
        limit=1.03,
    ),
    Row(
        "elementwise",
        "20 elementwise operations on 1e6 floats",
        functions.ELEMENTWISE,
        (functions.elementwise, 20, MILLION),
        torch=0.45,
        limit=1.25,
    ),
    Row(
        "outer",
        "(1000, 1) × (1, 1000), sum",
        functions.OUTER,
        (functions.outer, 2, 1000),
        limit=1.0,
    ),
    fan_out(1_000),
    fan_out(10_000),
    fan_out(40_000),
    long_chain("long-chain", "chain of 1,000,000 operations", collector=True),
    long_chain("long-chain-no-gc", "the same, garbage collector off", collector=False),
    Row(
        "second-1e3",
        "d²/dx² of sum(tanh(x)³), 1,000 floats",
        second_order.CUBE,
        1000,
        torch=0.65,
    ),
    Row(
        "second-1e6",
        "the same, 1e6 floats",
        second_order.CUBE,
        MILLION,
        torch=0.60,
    ),
    Row(
        "hessian-vector",
        "Hessian-vector product of the small MLP",
        second_order.HESSIAN_VECTOR,
        SMALL,
        torch=0.85,
    ),
    Row(
        "cnn",
        "CNN step, 16×1×28×28, 8 3×3 filters, max-pool, linear",
        cnn.PROGRAMS,
        None,
        torch=0.70,
        limit=1.2,
    ),
]

# Where PyTorch is the better choice. On all cores, NumPy's BLAS has all of them too.
TORCH_WINS = [
    Row("sum", "sum of 1e6 floats", torch_wins.MATRIX, torch_wins.total),
    Row("log-softmax", "log_softmax of 1000×1000", torch_wins.MATRIX, torch_wins.log_softmax),
    Row("silu", "silu of 1e6 floats", torch_wins.MATRIX, torch_wins.silu),
    Row("cumsum", "cumsum along rows, 1000×1000", torch_wins.MATRIX, torch_wins.running_sums),
    Row("convolution", "conv2d, 64 → 64 channels, 16×32×32", torch_wins.CONVOLUTION, 64),
    Row(
        "elementwise-cores",
        "20 elementwise operations on 1e6 floats, all cores",
        functions.ELEMENTWISE,
        (functions.elementwise, 20, MILLION),
        threads=0,
        libraries=MINE,
    ),
    Row(
        "mlp-large-cores",
        "MLP step, batch 512, 784-1024-1024-10, all cores",
        mlp.PROGRAMS,
        LARGE,
        threads=0,
        libraries=MINE,
    ),
]


def growing(name: str, function: functions.Function, counts: list[int]) -> list[Row]:
    """Rows of one kind on 0-d tensors, at growing counts."""
    return [
        Row(
            f"{name}-{count}",
            "",
            functions.ARRAYS,
            (function, count, 1),
            operations=count,
            seconds=1.0,
            rounds=3,
            libraries=MINE,
        )
        for count in counts
    ]


# How cost grows, for the plots: what grows → rows.
GROWTH = {
    "depth": [
        *growing("depth", functions.chain_of_numbers, [10**n for n in range(1, 6)]),
        *(row for row in ROWS if row.name == "long-chain"),
    ],
    "width": growing("width", functions.fan_out, [10**n for n in range(1, 6)]),
    "size": [
        Row(
            f"size-{10**n}",
            "",
            functions.ELEMENTWISE,
            (functions.elementwise, 20, 10**n),
            operations=20,
            seconds=1.0,
            rounds=3,
            libraries=(*MINE, "numpy"),
        )
        for n in range(7)
    ],
}

ALL = {row.name: row for rows in (ROWS, TORCH_WINS, *GROWTH.values()) for row in rows}
