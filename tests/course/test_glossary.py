"""docs/glossary.md: its names exist in PyTorch, and each term leads to a section.

That the sections exist is tested with the links of all pages, in test_chapters.py.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import minigrad as torch
from tools import notebooks

FILE = notebooks.ROOT / "docs" / "glossary.md"
HEAD = "| term | in PyTorch | in the documents | meaning | section |"
ONLY_PYTORCHS = {"torch.autograd.forward_ad"}


@dataclass(frozen=True)
class Entry:
    """A row of the table."""

    term: str
    names: str
    documents: str
    meaning: str
    section: str


@cache
def entries() -> list[Entry]:
    _, _, table = FILE.read_text(encoding="utf-8").partition(f"{HEAD}\n|---|---|---|---|---|\n")
    return [Entry(*(part.strip() for part in row[1:-1].split("|"))) for row in table.splitlines()]


def names() -> list[str]:
    return [name for entry in entries() for name in re.findall(r"`([^`]+)`", entry.names)]


def exists(name: str) -> bool:
    """Whether PyTorch has a name as the glossary writes it. minigrad has nearly all of them."""
    x = torch.tensor(2.0, requires_grad=True)
    node = (x * 3).grad_fn
    if found := re.fullmatch(r"(\w+)\((\w+)=\)", name):
        callee = {"backward": torch.Tensor.backward, "grad": torch.autograd.grad}[found[1]]
        return found[2] in inspect.signature(callee).parameters
    if name.startswith("torch::"):
        return bool(node.next_functions[0][0].name() == name)
    if name in ONLY_PYTORCHS:
        return True
    first, *rest = name.split(".")
    context = torch.autograd.function.FunctionCtx
    thing: Any = {"torch": torch, "Tensor": torch.Tensor, "Node": node, "ctx": context}[first]
    for part in rest:
        if not hasattr(thing, part):
            return False
        thing = getattr(thing, part)
    return True


def test_every_row_says_what_its_term_means() -> None:
    assert entries()
    assert [entry for entry in entries() if not (entry.term and entry.meaning)] == []


def test_the_terms_are_in_order_and_each_is_there_once() -> None:
    terms = [entry.term.lower() for entry in entries()]
    assert terms == sorted(set(terms))


@pytest.mark.parametrize("name", sorted(set(names())))
def test_names_called_pytorchs_exist_there(name: str) -> None:
    assert exists(name)


@pytest.mark.parametrize(
    "name",
    ["Tensor.gard", "torch.autograd.Graph", "backward(inputz=)", "ctx.saved", "torch::Accumulate"],
)
def test_a_name_that_does_not_exist_is_noticed(name: str) -> None:
    assert not exists(name)


def test_each_term_leads_to_a_section() -> None:
    for entry in entries():
        chapter = r"\[(\d\d) · .+\]\(\.\./notebooks/\1_\w+\.ipynb#\S+\)"
        assert re.fullmatch(rf"{chapter}|\[.+\]\(functions\.md#\S+\)", entry.section)
