"""From results.json to the tables of README.md, and to lines in the terminal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from .harness import Row, Times
from .libraries import PEERS
from .table import ROWS, TORCH_WINS

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE / "README.md"
START, END = "<!-- written from results.json -->\n", "<!-- end -->"


def duration(seconds: float) -> str:
    """Three digits and a unit: 1.23 ms."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def ratio(times: Times, name: str, to: str) -> float | None:
    """Time of one library over that of another: of the minima, the turns least disturbed."""
    if name not in times or to not in times:
        return None
    return times[name]["min"] / times[to]["min"]


def against(value: float | None, target: float | None) -> str:
    """A ratio with its target: bold if it is met."""
    if value is None:
        return ""
    number = f"{value:.2f}"
    if target is None:
        return number
    return f"**{number}** ≤ {target:.2f}" if value <= target else f"{number} > {target:.2f}"


def both(times: Times, name: str) -> str:
    """Minimum and median."""
    if name not in times:
        return ""
    return f"{duration(times[name]['min'])} / {duration(times[name]['median'])}"


def line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def head(*cells: str) -> list[str]:
    return [line(*cells), line(*["---"] * len(cells))]


def machine_line(machine: dict[str, str | None]) -> str:
    parts = [f"{name} {machine[name]}" for name in ("torch", *PEERS) if machine.get(name)]
    return (
        f"{machine['date']}, {machine['cpu']}, {machine['system']}; Python {machine['python']},"
        f" NumPy {machine['numpy']}, {', '.join(parts)}."
    )


def targets(rows: dict[str, Times]) -> list[str]:
    lines = head("workload", "minigrad / PyTorch", "plain / PyTorch", "minigrad / by hand")
    for row in ROWS:
        times = rows[row.name]
        to_torch = against(ratio(times, "minigrad", "torch"), row.torch)
        plain = against(ratio(times, "plain", "torch"), None)
        by_hand = against(ratio(times, "minigrad", "numpy"), row.limit)
        lines.append(line(row.title, to_torch, plain, by_hand))
    return lines


def seconds(rows: dict[str, Times]) -> list[str]:
    lines = head("workload", "minigrad", "plain", "PyTorch", "NumPy by hand")
    for row in ROWS:
        cells = [both(rows[row.name], name) for name in ("minigrad", "plain", "torch", "numpy")]
        lines.append(line(row.title, *cells))
    return lines


def peers(rows: dict[str, Times]) -> list[str]:
    lines = head("workload", "minigrad", *PEERS)
    for row in ROWS:
        ratios = [ratio(rows[row.name], name, "torch") for name in ("minigrad", *PEERS)]
        if any(each is not None for each in ratios[1:]):
            lines.append(line(row.title, *(against(each, None) for each in ratios)))
    return lines


def torch_wins(rows: dict[str, Times]) -> list[str]:
    lines = head("workload", "minigrad", "PyTorch", "minigrad / PyTorch")
    for row in TORCH_WINS:
        times = rows[row.name]
        lines.append(
            line(
                row.title,
                both(times, "minigrad"),
                both(times, "torch"),
                against(ratio(times, "minigrad", "torch"), None),
            )
        )
    return lines


def resources(results: dict[str, Any]) -> list[str]:
    names = [name for name in results["imports"] if name != "micrograd"]
    lines = head("", *names, "NumPy by hand", "target for minigrad")
    memory, chain = results["memory"], results["long_chain"]
    peaks = [f"{memory[n]['peak'] / 1e6:.0f} MB" if n in memory else "" for n in [*names, "numpy"]]
    lines.append(line("peak memory of the 20 elementwise operations", *peaks, "≤ 44 MB"))
    for what, unit, factor, target in (
        ("bytes", "bytes", 1.0, "≤ 200"),
        ("forward", "µs", 1e6, "≤ 0.9"),
        ("backward", "µs", 1e6, "≤ 0.4"),
        ("freeing", "µs", 1e6, ""),
    ):
        cells = [f"{chain[n][what] * factor:.3g} {unit}" if n in chain else "" for n in names]
        lines.append(line(f"chain of 1,000,000, a node: {what}", *cells, "", target))
    times = [duration(results["imports"][name]["min"]) for name in names]
    lines.append(line("`import`, after NumPy's", *times, "", "≤ 10 ms"))
    return lines


def tables(results: dict[str, Any]) -> str:
    """The part of the page that is written from the results."""
    rows = results["rows"]
    sections = [
        [machine_line(results["machine"])],
        ["### Time over PyTorch's, and over NumPy by hand", "", *targets(rows)],
        ["### Seconds a step: minimum / median of the turns", "", *seconds(rows)],
        ["### Other NumPy libraries: time over PyTorch's", "", *peers(rows)],
        ["### Memory and imports", "", *resources(results)],
        ["### Reductions, fused kernels, convolutions, and all cores", "", *torch_wins(rows)],
    ]
    return "\n\n".join("\n".join(section) for section in sections)


def with_tables(page: str, results: dict[str, Any]) -> str:
    """`page` with its written part as `results` have it."""
    pattern = re.escape(START) + ".*?" + re.escape(END)
    written = f"{START}\n{tables(results)}\n\n{END}"
    return re.sub(pattern, lambda found: written, page, count=1, flags=re.DOTALL)


def write_page(results: dict[str, Any]) -> None:
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_tables(page, results), encoding="utf-8")


def plain_lines(row: Row, times: Times) -> list[str]:
    """One row for the terminal."""
    lines = [f"\n{row.name}: {row.title or row.name}"]
    for name, each in times.items():
        text = f"  {name:12} {duration(each['min']):>9} min {duration(each['median']):>9} median"
        if row.operations:
            text += f"  {duration(each['min'] / row.operations):>7} an operation"
        for to, target in (("torch", row.torch), ("numpy", row.limit)):
            value = ratio(times, name, to)
            if value is not None and name != to:
                text += f"   {value:5.2f} × {to}"
                if name == "minigrad" and target is not None:
                    text += f" (≤ {target:.2f})"
        lines.append(text)
    return lines
