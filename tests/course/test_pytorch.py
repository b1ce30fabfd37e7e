"""Programs beside PyTorch: their records, their runs, and how both are displayed."""

from __future__ import annotations

import json
import types
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, v4

import minigrad
from minigrad_course.ask import pytorch
from minigrad_course.ask.pytorch import comparison, first_sentence, load, side_by_side, transcript
from tests.course.untrusted import require_safe
from tools.record_pytorch import all_programs, programs

PROGRAM = """
    import torch

    x = torch.tensor(2.0, requires_grad=True)
    (x * x).backward()
    print(x.grad, "< & >")
"""


def notebook(*cells: str) -> NotebookNode:
    return v4.new_notebook(cells=[v4.new_code_cell(cell) for cell in cells])


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Replace the records with these lines for PROGRAM, and hide PyTorch."""

    def record(*lines: str) -> None:
        file = tmp_path / "pytorch.json"
        text = pytorch.text_of(PROGRAM)
        file.write_text(json.dumps([{"program": text.splitlines(), "shown": lines}]))
        monkeypatch.setattr(pytorch, "RECORDS", file)
        monkeypatch.setattr(pytorch, "find_spec", lambda name: None)

    return record


def test_the_notebooks_and_the_records_hold_the_same_programs() -> None:
    """If they differ, run `python tools/record_pytorch.py`."""
    assert list(load()) == list(all_programs())


@pytest.mark.parametrize("program", load())
def test_the_library_prints_what_is_recorded(program: str) -> None:
    assert transcript(program, minigrad) == load().get(program)


def test_programs_are_found_by_text_and_by_name() -> None:
    found = list(programs(notebook("x = 1", f'beside_pytorch("""{PROGRAM}""", library=stage)')))
    assert found == [pytorch.text_of(PROGRAM)]
    named = notebook(f'NAMED = """{PROGRAM}"""', "beside_pytorch(NAMED)", "beside_pytorch(NAMED)")
    assert list(programs(named)) == [pytorch.text_of(PROGRAM)] * 2
    assert "describe_all" in next(programs(notebook('%time\nbeside_pytorch("code_04")')))
    with pytest.raises(ValueError, match="as text"):
        list(programs(notebook("beside_pytorch(PROGRAM)")))


def test_lines_that_differ_are_marked(recorded: Any) -> None:
    recorded("careful", "tensor(3.) < & >")
    card = comparison(PROGRAM).card()
    assert card.text.splitlines() == [
        "2 of 2 lines differ: PyTorch 2.13, recorded; minigrad, now",
        "  ≠ PyTorch:  careful",
        "    minigrad: tensor(4.) < & >",
        "  ≠ PyTorch:  tensor(3.) < & >",
        "    minigrad: (no line)",
    ]
    assert card.html.count("≠") == 2


def test_another_library_instead_of_minigrad(recorded: Any) -> None:
    recorded("tensor(4.) < & >")
    stage = types.ModuleType("stage")
    stage.tensor = lambda value, requires_grad: 1 / 0  # type: ignore[attr-defined]
    text = comparison(PROGRAM, stage).card().text
    assert "PyTorch 2.13, recorded; stage, now" in text
    assert "stage:   ZeroDivisionError: division by zero" in text


def test_a_changed_program_runs_without_a_record(recorded: Any) -> None:
    recorded("tensor(4.) < & >")
    card = comparison(PROGRAM.replace("2.0", "3.0")).card()
    assert "there is no record" in card.text
    assert card.text.endswith("tensor(6.) < & >")


def test_a_changed_program_runs_under_pytorch_where_it_is_installed(
    recorded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded("tensor(4.) < & >")
    monkeypatch.setattr(pytorch, "find_spec", lambda name: name)
    monkeypatch.setattr(pytorch, "_pytorch", lambda: minigrad)
    text = comparison(PROGRAM.replace("2.0", "3.0")).card().text
    assert text == ("✓ The same in both, 1 line: PyTorch, now; minigrad, now\n  = tensor(6.) < & >")


@pytest.mark.parametrize("lines", [["tensor(4.) < & >"], ["another", "and another"]])
def test_cards_survive_an_untrusted_jupyterlab(recorded: Any, lines: list[str]) -> None:
    recorded(*lines)
    assert "< & >" in require_safe(comparison(PROGRAM).card().html).closed_text


def test_warnings_and_the_last_error_are_lines() -> None:
    program = "\n".join(
        [
            "import warnings",
            "import torch",
            "warnings.warn('Careful. Very.')",
            "warnings.warn('Careful. Very.')",
            "print(object())",
            "torch.tensor([1.0], requires_grad=True).numpy()",
        ]
    )
    assert transcript(program, minigrad) == [
        "UserWarning: Careful.",
        "UserWarning: Careful.",
        "<object object at 0x…>",
        "RuntimeError: Can't call numpy() on Tensor that requires grad.",
    ]


@pytest.mark.parametrize(
    "program",
    [
        "print(1)",
        "import torch\nimport torch",
        "import torch\nfrom torch import nn",
        "def f():\n    import torch",
    ],
)
def test_a_program_cannot_reach_pytorch_on_another_path(program: str) -> None:
    with pytest.raises(ValueError, match="no other import"):
        transcript(program, minigrad)


@pytest.mark.parametrize(
    ("message", "first"),
    [
        ("One, e.g. this. Two.", "One, e.g. this."),
        ("No full stop (Triggered internally at a.cpp:1.)", "No full stop"),
        ("A line\nand a note", "A line"),
        ("no attribute 'a' and no __dict__ for setting new attributes", "no attribute 'a'"),
    ],
)
def test_the_first_sentence(message: str, first: str) -> None:
    assert first_sentence(message) == first


def test_rows_keep_the_order_of_both_sides() -> None:
    assert side_by_side(["a", "b", "d"], ["a", "c", "c", "d"]) == [
        ("a", "a"),
        ("b", "c"),
        (None, "c"),
        ("d", "d"),
    ]
