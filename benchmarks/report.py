"""From results.json to the table and the plot of README.md, and to lines in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .libraries import PEERS
from .measure import Times
from .table import ROWS, Row

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
PAGE = HERE / "README.md"
START, END = "<!-- written from results.json -->\n", "<!-- end -->"
BLUE, RED, GREY = "#1f6feb", "#d1470c", "#57606a"


def duration(seconds: float) -> str:
    """Return three digits and a unit: 1.23 ms."""
    for unit, factor in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= 0.9995 * factor:
            return f"{seconds / factor:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def ratio(times: Times, name: str) -> float | None:
    """Return the time of a library over PyTorch's, both from their fastest turns."""
    if name not in times or "torch" not in times:
        return None
    return times[name]["min"] / times["torch"]["min"]


def rounded(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def machine_line(machine: dict[str, str | None]) -> str:
    packages = [f"{name} {machine[name]}" for name in ("torch", *PEERS) if machine.get(name)]
    return (
        f"{machine['date']}, {machine['cpu']}, {machine['system']}; Python {machine['python']},"
        f" NumPy {machine['numpy']}, {', '.join(packages)}."
    )


def table(results: dict[str, Any]) -> str:
    """Return the part of the page that is written from the results."""
    names = ["minigrad", "plain", "numpy", *PEERS]
    head = ["workload", "PyTorch", "minigrad", "plain", "by hand", *PEERS]
    cells = [head, ["---"] * len(head)]
    for row in ROWS:
        times: Times = results["rows"][row.name]
        ratios = [rounded(ratio(times, name)) for name in names]
        cells.append([row.title, duration(times["torch"]["min"]), *ratios])
    lines = [f"| {' | '.join(each)} |" for each in cells]
    return "\n".join([machine_line(results["machine"]), "", *lines])


def with_table(page: str, results: dict[str, Any]) -> str:
    """Return `page` with the table of `results`."""
    before, _, rest = page.partition(START)
    return f"{before}{START}\n{table(results)}\n\n{END}{rest.partition(END)[2]}"


def lines(row: Row, times: Times) -> list[str]:
    """Describe a row in the terminal."""
    found = [f"\n{row.name}: {row.title}"]
    for name, each in times.items():
        text = f"  {name:10}{duration(each['min']):>10} min{duration(each['median']):>10} median"
        if (value := ratio(times, name)) is not None:
            text += f"   {value:5.2f} × torch"
        found.append(text)
    return found


def plot(results: dict[str, Any]) -> Any:
    """Plot minigrad's time over PyTorch's as a bar for each row, and other libraries as markers."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "minigrad", "svg.fonttype": "none", "font.size": 9})
    figure, axes = plt.subplots(figsize=(9, 6), layout="constrained")
    axes.set_xscale("log")
    axes.set_xlim(0.05, 20)
    points = {
        name: [
            (value, place)
            for place, row in enumerate(ROWS)
            if (value := ratio(results["rows"][row.name], name)) is not None
        ]
        for name in ("minigrad", "numpy", *PEERS)
    }
    for value, place in points.pop("minigrad"):
        axes.barh(place, value, color=BLUE, height=0.6)
        axes.annotate(f" {value:.2f}", (0.05, place), va="center", fontsize=7, color="white")
    for marker, (name, found) in zip("doxs^", points.items(), strict=True):
        label = "NumPy by hand" if name == "numpy" else name
        axes.plot(*zip(*found, strict=True), marker, color=GREY, markersize=5, label=label)
    axes.axvline(1, color=RED, linewidth=1)
    where = axes.get_xaxis_transform()
    title = "← faster · PyTorch · slower →"
    axes.text(1, 1.01, title, transform=where, ha="center", fontsize=8, color=RED)
    axes.set_xlabel("time / time of PyTorch (bars: minigrad)")
    axes.set_yticks(range(len(ROWS)), [row.title for row in ROWS])
    axes.invert_yaxis()
    figure.legend(fontsize=8, loc="outside upper center", ncols=5)
    return figure


def write(results: dict[str, Any]) -> None:
    """Write the page and the plot, which is the same SVG for the same results."""
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")
    plot(results).savefig(HERE / "ratios.svg", metadata={"Date": None}, bbox_inches="tight")
