"""docs/glossary.md: its names exist, and its links lead to their terms.

It has every PyTorch name in the goals and headings of the chapters.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

import minigrad as torch
from minigrad_course.desk import ipynb
from tests.course import rules
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


@cache
def asked() -> set[str]:
    """The names of PyTorch in the goals and headings of the chapters."""
    found: set[str] = set()
    for file in ipynb.chapters():
        notebook = ipynb.read(file)
        prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        goals = re.findall(
            r"^## Goals$.*?(?=^## |\Z)", "\n\n".join(prose), re.DOTALL | re.MULTILINE
        )
        for text in [*goals, *rules.headings(notebook)]:
            code = " ".join(re.findall(r"`([^`]+)`", text))
            found |= {word for word in re.findall(r"[A-Za-z_]\w+", code) if is_public(word)}
    return found


def is_public(word: str) -> bool:
    places = (torch, torch.Tensor, torch.autograd, torch.autograd.Function, torch.nn.Module)
    parameters = inspect.signature(torch.Tensor.backward).parameters
    return word in parameters or any(hasattr(place, word) for place in places)


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


def test_links_lead_to_headings() -> None:
    assert rules.links(FILE) == []
    for entry in entries():
        chapter = r"\[(\d\d) · .+\]\(\.\./notebooks/\1_\w+\.ipynb#\S+\)"
        assert re.fullmatch(rf"{chapter}|\[.+\]\(functions\.md#\S+\)", entry.section)


def test_the_section_mentions_the_term() -> None:
    """Its text or code contains a word of the term, or one of its names."""
    missing = []
    for entry in entries():
        words = re.findall(r"\w{3,}", f"{entry.term} {entry.names.replace('torch', '')}")
        if not any(word.lower() in section_text(entry.section) for word in words):
            missing.append(entry.term)
    assert missing == []


@cache
def section_text(link: str) -> str:
    """A section of a chapter or page with its subsections, in lower case."""
    label, file = link[1:].removesuffix(")").split("](")
    heading, path = re.sub(r"^\d\d · ", "", label), FILE.parent / file.partition("#")[0]
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
    else:
        text = "\n".join(
            cell.source if cell.cell_type == "markdown" else cell.source.replace("\n#", "\n  #")
            for cell in ipynb.read(path).cells
        )
    found = re.search(
        rf"^(#+) +{re.escape(heading)}$.*?(?=^\1 |\Z)", text, re.MULTILINE | re.DOTALL
    )
    assert found, link
    return " ".join(found[0].lower().split())


def test_every_name_in_the_goals_and_headings_is_listed() -> None:
    known = set(re.findall(r"\w+", " ".join(f"{each.term} {each.names}" for each in entries())))
    assert asked() - known <= {"fast"}  # minigrad's accelerator, which PyTorch does not have


def test_the_goals_are_read() -> None:
    assert {"retain_grad", "detach", "save_for_backward", "create_graph"} <= asked() | {
        "save_for_backward"  # an attribute of ctx, and so no public name
    }
