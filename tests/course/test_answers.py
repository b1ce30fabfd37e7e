"""Trying the answers finds a check that misses a mistake or reports a different one."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb
from tests.course.answers import checks, failures, shown
from tests.course.wrong_answers import ch99, completed, edited, wrong_answers


@pytest.fixture
def kernel(sample_file: Path) -> Iterator[BlockingKernelClient]:
    """The kernel of the sample notebook, whose cells have run."""
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(sample_file.parent))
    for cell in ipynb.read(sample_file).cells:
        if cell.cell_type == "code":
            shown(client, cell.source)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_answers_get_their_verdicts(kernel: BlockingKernelClient, sample_file: Path) -> None:
    ((id, stub, check),) = checks(ipynb.read(sample_file))
    assert failures(kernel, id, stub, check) == []
    assert "99.1 The slope of a cube: not attempted yet" in shown(kernel, check)


def test_a_missing_message_is_noticed(
    kernel: BlockingKernelClient, sample_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((id, stub, check),) = checks(ipynb.read(sample_file))
    renamed = {f"{says} in Klingon": source for says, source in wrong_answers(id).items()}
    monkeypatch.setitem(ch99.WRONG, id, renamed)
    monkeypatch.setitem(EXERCISES, id, replace(EXERCISES[id], solution="cube_slope = abs"))
    found = failures(kernel, id, stub, check)
    assert len(found) == 4
    assert "forgot the factor in Klingon" in found[0]
    assert found[-1].endswith("not 'Every power falls to this rule.'")


def test_two_answers_with_the_same_message_are_noticed(
    kernel: BlockingKernelClient, sample_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((id, stub, check),) = checks(ipynb.read(sample_file))
    twice = {**ch99.WRONG[id], "the power leaves": "def cube_slope(x):\n    return x * x"}
    monkeypatch.setitem(ch99.WRONG, id, twice)
    (found,) = failures(kernel, id, stub, check)
    assert found.startswith("99.1 wrong (the power leaves): gets the same message as 99.1 wrong")


def test_the_text_of_an_error_does_not_count_as_a_message(
    kernel: BlockingKernelClient, sample_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((id, stub, check),) = checks(ipynb.read(sample_file))
    monkeypatch.setitem(ch99.WRONG, id, {"not subscriptable": {"x**2": "x[0]"}})
    (found,) = failures(kernel, id, stub, check)
    assert "raised an error on line 2" in found
    assert found.endswith("not 'not subscriptable'")


def test_an_edit_that_changes_nothing_is_an_error() -> None:
    assert edited("a = 1\nb = 1\n", {"a = 1": "a = 2"}) == "a = 2\nb = 1\n"
    with pytest.raises(ValueError, match="there is no 'a = 2' in the answer"):
        edited("a = 1\nb = 1\n", {"a = 2": "a = 3"})


def test_a_line_that_returns_is_the_body_of_the_last_function() -> None:
    helper = "def half(x):\n    return x / 2\n\n\n"
    solution = f"{helper}def quarter(x):\n    x = half(x)\n    return half(x)"
    assert completed("return half(x)", solution) == f"{helper}def quarter(x):\n    return half(x)"


def test_each_exercise_has_at_least_two_wrong_answers(chapter: Path) -> None:
    number = chapter.name[:2]
    load(number)
    module = importlib.import_module(f"tests.course.wrong_answers.ch{number}")
    assert set(module.WRONG) == {id for id in EXERCISES if id[:2] == number}
    assert [id for id in module.WRONG if len(wrong_answers(id)) < 2] == []
