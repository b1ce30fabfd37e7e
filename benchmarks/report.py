"""Turns what was measured into Markdown tables, for the page and the terminal, and a plot."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

from .libraries import PEERS
from .measure import Times
from .table import ROWS

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE / "README.md"
START, END = "<!-- written from results.json -->\n", "<!-- end -->"
NAMES = {"minigrad": "minigrad", "plain": "plain", "numpy": "NumPy by hand"}
NAMES |= {name: name for name in PEERS}
BLUE, RED, GREY = "#1f6feb", "#d1470c", "#57606a"


def duration(seconds: float) -> str:
    """Return three digits and a unit: 1.23 ms."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def markdown(*rows: list[str]) -> str:
    """Return a table whose columns are aligned; the first row is its head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head, *body = ([*map(str.ljust, row, widths)] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["-" * n for n in widths], *body])


def table(results: dict[str, Any]) -> str:
    """Describe the machine, and list each row's time in PyTorch and its multiples elsewhere."""
    rows = [["workload", "PyTorch", *NAMES.values()]]
    for row, seconds in results["rows"].items():
        ratios = [
            f"{seconds[name] / seconds['torch']:.2f}" if name in seconds else "" for name in NAMES
        ]
        rows.append([ROWS[row].title, duration(seconds["torch"]), *ratios])
    return f"{results['machine']}\n\n{markdown(*rows)}"


def comparison(compared: dict[str, list[tuple[Times, Times]]]) -> str:
    """List each row's times before and after, from pairs.

    The ratio is the median over the pairs, because on a busy machine one of the two versions may
    never have had a quiet second; the last column has the quartiles.
    """
    rows = [["workload", "", "before", "after", "ratio", "half of the pairs"]]
    for row, pairs in compared.items():
        for library in pairs[0][0]:
            before, after = [old[library] for old, _ in pairs], [new[library] for _, new in pairs]
            ratios = [new / old for old, new in zip(before, after, strict=True)]
            low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
            times = [duration(min(before)), duration(min(after))]
            rows.append([row, library, *times, f"{middle:.2f}", f"{low:.2f} to {high:.2f}"])
    return markdown(*rows)


def with_table(page: str, results: dict[str, Any]) -> str:
    """Return `page` with the table of `results`."""
    before, _, rest = page.partition(START)
    return f"{before}{START}\n{table(results)}\n\n{END}{rest.partition(END)[2]}"


def plot(results: dict[str, Any]) -> Any:
    """Plot minigrad's time over PyTorch's as a bar for each row, and other libraries as markers."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "minigrad", "svg.fonttype": "none", "font.size": 9})
    figure, axes = plt.subplots(figsize=(9, 5.5), layout="constrained")
    axes.set_xscale("log")
    axes.set_xlim(0.05, 20)
    axes.set_xlabel("time / time of PyTorch (bars: minigrad)")
    rows = results["rows"]
    for place, seconds in enumerate(rows.values()):
        ratio = seconds["minigrad"] / seconds["torch"]
        axes.barh(place, ratio, color=BLUE, height=0.6)
        axes.annotate(f" {ratio:.2f}", (0.05, place), va="center", fontsize=7, color="white")
    for marker, name in zip("dox", ("numpy", *PEERS), strict=True):
        ratios = [each.get(name, math.nan) / each["torch"] for each in rows.values()]
        axes.plot(ratios, range(len(rows)), marker, color=GREY, markersize=5, label=NAMES[name])
    axes.axvline(1, color=RED, linewidth=1)
    title = "← faster · PyTorch · slower →"
    where = axes.get_xaxis_transform()
    axes.text(1, 1.01, title, transform=where, ha="center", fontsize=8, color=RED)
    axes.set_yticks(range(len(rows)), [ROWS[row].title for row in rows])
    axes.invert_yaxis()
    figure.legend(fontsize=8, loc="outside upper center", ncols=3)
    return figure


def write(results: dict[str, Any]) -> None:
    """Write the page and the plot, which is the same SVG for the same results."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    plot(results).savefig(HERE / "ratios.svg", metadata={"Date": None}, bbox_inches="tight")
