"""Accepted differences from PyTorch: `differences.toml` lists them, tests fail at any other.

The list is strict in both directions. What differs and is not in it is a fault; what is in it and
does not differ any more has to be taken off, so that the list always says how things are.
"""

from __future__ import annotations

import importlib
import re
import sys
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.harness import changes

LISTED = Path(__file__).with_name("differences.toml")
MODES = {"both": {"plain", "fast"}, "plain": {"plain"}, "fast": {"fast"}}


@dataclass(frozen=True)
class Difference:
    """One entry of the list.

    `kind` is what is compared: program, operation, graphs or found; `cases` are names, seeds or
    texts of that kind; `differs` is what each of them reports to `require`.
    """

    kind: str
    cases: tuple[str, ...]
    mode: str
    differs: tuple[str, ...]
    why: str


@cache
def listed() -> tuple[Difference, ...]:
    """All entries of the list."""
    kinds = tomllib.loads(LISTED.read_text(encoding="utf-8"))
    return tuple(
        Difference(
            kind,
            tuple(map(str, entry["cases"])),
            entry["mode"],
            tuple(entry["differs"]),
            entry["why"],
        )
        for kind, entries in kinds.items()
        for entry in entries
    )


def accepted(kind: str, case: str, mode: str) -> list[str]:
    """What may and must differ of a case; nothing if the list does not have it."""
    return [
        part
        for each in listed()
        if each.kind == kind and case in each.cases and mode in MODES[each.mode]
        for part in each.differs
    ]


def current_mode() -> str:
    """How the library runs in this process: plain, or fast with the accelerator."""
    importlib.import_module("minigrad")  # which plugs the accelerator in, if it shall
    return "fast" if "minigrad.fast" in sys.modules else "plain"


def parts(found: Iterable[str]) -> list[str]:
    """The parts of an outcome in which `compare` has found differences: ".graph[0]: …" is graph."""
    paths = (re.sub(r"\[\d+\]", "", text.partition(": ")[0]) for text in found)
    return sorted({path.lstrip(".") or "events" for path in paths})


def require_program(
    name: str, expected: str, actual: str, labels: tuple[str, str], mode: str | None = None
) -> None:
    """Raise AssertionError unless the transcripts of a program differ in just what the list says.

    That is the lines that only one of them has, marked - (PyTorch's) and + (minigrad's). `labels`
    say where `expected` and `actual` come from; `mode` is as in `require`.
    """
    __tracebackhide__ = True
    bare = changes(expected, actual, labels, context=0)[2:]
    found = [line for line in bare if not line.startswith("@@")]
    require("program", name, found, "\n".join(changes(expected, actual, labels)), mode)
    if not found and actual != expected:
        raise AssertionError(f"{name} does not show the same under both: where lines end counts")


def require(
    kind: str, case: str, found: Sequence[str], shown: object = "", mode: str | None = None
) -> None:
    """Raise AssertionError unless a case differs in just what the list says of it.

    `found` is in what the case differs, `shown` what is known about that, and `mode` how the
    library ran, by default as it runs in this process.
    """
    __tracebackhide__ = True  # pytest then points at the test that failed
    mode = mode or current_mode()
    expected = accepted(kind, case, mode)
    if sorted(found) == sorted(expected):
        return
    new = [part for part in found if part not in expected]
    gone = [part for part in expected if part not in found]
    said = [f"{kind} {case} ({mode}):"]
    if new:
        said += ["differs from PyTorch in what tests/differences.toml does not list:", *new]
    if gone:
        said += ["is as PyTorch's again in what tests/differences.toml lists; take it off:", *gone]
    if not new and not gone:
        said += ["differs in what tests/differences.toml lists, but not as often:", *found]
    raise AssertionError("\n".join([*said, str(shown or "")]).rstrip())
