"""The memory of tensors on the CPU, as PyTorch's profiler counts it, and a plot for chapter 19."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt


def memory_during(torch: Any, step: Callable[..., None], *args: Any) -> list[int]:
    """Run `step(mark, *args)`, and return the MiB allocated since its first mark at each later one.

    `torch` is an argument because the course does not import PyTorch itself. Each `mark` leaves a
    name among the events of the profiler, between the allocations.
    """
    return [at_mark for at_mark, _ in _measured(torch, step, *args)]


def peaks_during(torch: Any, step: Callable[..., None], *args: Any) -> list[int]:
    """As `memory_during`, but the most that was allocated between each mark and the one before."""
    return [peak for _, peak in _measured(torch, step, *args)]


def _measured(torch: Any, step: Callable[..., None], *args: Any) -> list[tuple[int, int]]:
    """For each mark after the first, the memory there, and its peak since the mark before."""

    def mark(*_: Any) -> None:
        with torch.autograd.profiler.record_function("mark"):
            pass

    config = torch.autograd.profiler_legacy.profile(profile_memory=True).config()
    torch.autograd._enable_profiler_legacy(config)
    try:
        step(mark, *args)
    finally:
        threads = torch.autograd._disable_profiler_legacy()
    now, peak, measured = 0, 0, []
    for event in (event for thread in threads for event in thread):
        if event.kind() == "memory_alloc":
            now += event.cpu_memory_usage()
            peak = max(peak, now)
        elif event.kind() == "push" and event.name() == "mark":
            measured.append((now, peak))
            peak = now
    (before, _), *later = measured
    return [(round((at - before) / 2**20), round((top - before) / 2**20)) for at, top in later]


def memory(lines: Sequence[str]) -> None:
    """Plot lines such as "plain, MiB: 30 60 | 60 31": the numbers, with ` | ` before backward."""
    plt.figure(figsize=(7.2, 2.8), layout="constrained")
    for style, line in zip(("o-", "s--"), lines, strict=False):
        name, numbers = line.split(", MiB: ")
        forward, backward = (part.split() for part in numbers.split("|"))
        places = range(1 - len(forward), 1 + len(backward))
        measured = [int(each) for each in (*forward, *backward)]
        plt.plot(places, measured, style, markersize=3, label=name)
    plt.axvline(0, color="grey", ls=":", label="backward begins")
    plt.xlabel("measurements")
    plt.ylabel("MiB")
    plt.legend()
    plt.show()
