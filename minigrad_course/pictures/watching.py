"""What a program costs, for chapter 21: its function calls, and its time.

    from minigrad_course.pictures.watching import calls, draw_calls, draw_times, seconds

Calls are counted on the running program, with `sys.setprofile`.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import matplotlib.pyplot as plt

from minigrad_course.ask.declare import without_collector

KINDS = {  # parts of the plain core's work on an operation: their files, and a colour
    "the operands and their dtypes": (("operands", "dtypes", "tensor_like"), "#F0E442"),
    "the result, its node, its edges": (("tensor", "node"), "#8FD3BE"),
    "the row's loops": (("operation", "row"), "#E3AECB"),
    "all else": ((), "#BBBBBB"),
}
TIMED = {"forward": "#56B4E9", "with backward": "#E69F00"}


def profile_calls(program: Callable[[], Any], look: Callable[[FrameType], None]) -> None:
    """Run `program`, and call `look` with the frame of each Python function that starts."""
    with without_collector():  # it would call finalizers in between
        sys.setprofile(lambda frame, event, _: look(frame) if event == "call" else None)
        try:
            program()
        finally:
            sys.setprofile(None)


def calls(program: Callable[..., Any], *args: Any) -> list[CodeType]:
    """The Python functions that `program` calls on its second run, without those of NumPy."""
    found: list[CodeType] = []

    def look(frame: FrameType) -> None:
        numpys = str(frame.f_globals.get("__name__")).startswith("numpy")
        is_comprehension = frame.f_code.co_name.endswith("comp>")  # a call before Python 3.12
        if not numpys and not is_comprehension:
            found.append(frame.f_code)

    program(*args)  # warm up, because the first run may fill caches
    profile_calls(partial(program, *args), look)
    return found[1:]  # the first is the program itself


def per_thousand(program: Callable[..., Any], *args: Any) -> Counter[str]:
    """How often `program` calls each function per step, by name, if it has a thousand steps."""
    counts = Counter(code.co_name for code in calls(program, *args))
    return Counter({name: count // 1000 for name, count in counts.items() if count >= 1000})


def seconds(program: Callable[..., Any], *args: Any) -> float:
    """The CPU time of `program` in seconds, the best of ten runs after the first."""
    run = partial(program, *args)
    run()  # what is compiled or cached at the first call is not its time
    return min(timeit.repeat(run, number=1, repeat=10, timer=time.process_time))


def draw_calls(bars: Mapping[str, Sequence[CodeType]]) -> None:
    """Draw the number of calls that `calls` found as bars, split by what the functions do."""
    figure, axes = plt.subplots(figsize=(7.2, 0.42 * len(bars) + 0.9), layout="constrained")
    texts = []
    for height, found in enumerate(bars.values()):
        files = Counter(Path(code.co_filename).stem for code in found)
        counts = {kind: sum(files[name] for name in names) for kind, (names, _) in KINDS.items()}
        counts["all else"] = len(found) - sum(counts.values())
        left = 0
        for kind, count in counts.items():
            axes.barh(height, count, left=left, color=KINDS[kind][1], edgecolor="white")
            if count:
                axes.text(left + count / 2, height, f"{count}", ha="center", va="center")
            left += count
        axes.text(left + 0.5, height, f"{left}", va="center", fontweight="bold")
        parts = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        texts.append(f"{[*bars][height]}: {left} ({parts})")
    figure.set_label("\n".join(texts))
    axes.set_yticks(range(len(bars)), [*bars])
    axes.invert_yaxis()
    axes.set(xlabel="calls of Python functions")
    axes.spines[["top", "right"]].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=color) for _, color in KINDS.values()]
    axes.legend(handles, [*KINDS], loc="lower right", fontsize=8)
    plt.show()


def draw_times(times: Mapping[str, tuple[float, float]]) -> None:
    """Draw the times of each program: pairs of seconds for forward alone, and with backward.

    The programs take 1,000 steps, so a millisecond is a microsecond for each step. The two are
    separate measurements, so their difference is not shown.
    """
    figure, axes = plt.subplots(figsize=(7.2, 0.42 * len(times) + 0.9), layout="constrained")
    for number, (part, colour) in reversed([*enumerate(TIMED.items())]):
        widths = [each[number] * 1e3 for each in times.values()]
        axes.barh([*times], widths, color=colour, edgecolor="white", label=part)
    longest = max(max(each) for each in times.values()) * 1e3
    texts = []
    for name, (forward, both) in times.items():
        words = f"{forward * 1e3:.2f} µs, {both * 1e3:.2f} µs with backward"
        axes.text(max(forward, both) * 1e3 + longest / 90, name, words, va="center")
        texts.append(f"{name}: {words}")
    figure.set_label("\n".join(texts))
    axes.set(xlabel="µs for one multiplication", xlim=(0, 1.6 * longest))
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False, fontsize=8, reverse=True
    )
    plt.show()
