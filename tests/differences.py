"""Accepted differences from PyTorch: `differences.toml` lists them, and tests fail at any other.

The list is strict in both directions. A difference that is not in it is a fault, and an entry that
no longer differs has to be removed, so that the list always describes the library as it is.
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
    texts of that kind; `differs` is what each of them passes to `require`.
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
    """What may and must differ in a case; nothing if it is not listed."""
    return [
        part
        for each in listed()
        if each.kind == kind and case in each.cases and mode in MODES[each.mode]
        for part in each.differs
    ]


def current_mode() -> str:
    """How the library runs in this process: plain, or fast with the accelerator."""
    importlib.import_module("minigrad")  # plugs the accelerator in unless MINIGRAD_FAST=0
    return "fast" if "minigrad.fast" in sys.modules else "plain"


def parts(found: Iterable[str]) -> list[str]:
    """The parts of an outcome in which `compare` has found differences: ".graph[0]: …" is graph."""
    paths = (re.sub(r"\[\d+\]", "", text.partition(": ")[0]) for text in found)
    return sorted({path.lstrip(".") or "events" for path in paths})


def require_program(
    name: str, expected: str, actual: str, labels: tuple[str, str], mode: str | None = None
) -> None:
    """Raise AssertionError unless the transcripts of a program differ in just what the list says.

    Compared are the lines that only one of them has, marked - (PyTorch's) and + (minigrad's).
    `labels` say where `expected` and `actual` come from; `mode` is as in `require`.
    """
    __tracebackhide__ = True
    without_context = changes(expected, actual, labels, context=0)[2:]
    found = [line for line in without_context if not line.startswith("@@")]
    require("program", name, found, "\n".join(changes(expected, actual, labels)), mode)
    if not found and actual != expected:
        raise AssertionError(f"{name} does not show the same under both: where lines end counts")


def require(
    kind: str, case: str, found: Sequence[str], shown: object = "", mode: str | None = None
) -> None:
    """Raise AssertionError unless a case differs in just what the list says of it.

    `found` are the parts in which the case differs, `shown` is added to the message, and `mode` is
    how the library ran, by default as it runs in this process.
    """
    __tracebackhide__ = True  # pytest then points at the test that failed
    mode = mode or current_mode()
    expected = accepted(kind, case, mode)
    if sorted(found) == sorted(expected):
        return
    new = [part for part in found if part not in expected]
    gone = [part for part in expected if part not in found]
    message = [f"{kind} {case} ({mode}):"]
    if new:
        message += ["differs from PyTorch in what tests/differences.toml does not list:", *new]
    if gone:
        message += ["no longer differs in what tests/differences.toml lists; take it off:", *gone]
    if not new and not gone:
        message += ["differs in what tests/differences.toml lists, but not as often:", *found]
    raise AssertionError("\n".join([*message, str(shown or "")]).rstrip())
