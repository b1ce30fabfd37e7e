"""course.scoring: the numbers of the score are real."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise

import pytest

from course import scoring
from course.scoring import asked, beyond, measure, prints_the_same, right
from course.stages import LAST, MINIGRAD, Library, load
from tests.course.growing import GROWING, built, run
from tests.course.test_stages import libraries
from tests.goldens.record import load as load_recorded
from tests.harness import program_names
from tools import notebooks


def test_programs_and_what_pytorch_printed_are_those_of_the_tests() -> None:
    assert scoring.recorded() == load_recorded()
    assert set(asked()) < set(program_names())
    assert all(asked().values())


def test_what_is_beyond_a_core_is_listed_with_a_reason() -> None:
    assert beyond("nn_linear", scoring.source_of("nn_linear")).startswith("torch.nn: ")
    assert beyond("code_12", "import torch").startswith("stops early")
    assert beyond("code_04", scoring.source_of("code_04")) == ""
    assert set(scoring.BEYOND_PROGRAMS) <= set(program_names())
    used = {
        name
        for program in program_names()
        for name in scoring.used_names(scoring.ast.parse(scoring.source_of(program)))
    }
    assert set(scoring.BEYOND) <= used


def test_a_program_asked_for_does_not_stop_early_in_pytorch() -> None:
    """It would print the same under a library that fails at the same place for another reason."""
    early = [name for name in asked() if stops_early(name)]
    assert early == []


def stops_early(program: str) -> bool:
    _, line = scoring.harness().perform(scoring.source_of(program), "minigrad")
    return line is not None and line < scoring.ast.parse(scoring.source_of(program)).body[-1].lineno


def test_the_score_rises() -> None:
    found = [set(right(load(chapter, "tried", GROWING))) for chapter in range(2, LAST + 1)]
    assert not found[0]
    for one, other in pairwise(found):
        assert one <= other
    assert len(found[1]) < len(found[2]) < len(found[-1])


@libraries
def test_the_whole_score_is_all_that_a_core_can_be_asked_for(library: Library) -> None:
    """Of the small library nobody expects that: it prints what it has."""
    package = load(LAST, "tried", library)
    missing = sorted(set(asked()) - set(right(package)))
    assert not missing if library is MINIGRAD else "code_04" not in missing


def test_a_score_is_that_of_the_notebook() -> None:
    score = measure(built(4))
    assert score.chapter == 4
    assert "doc_003_partial" in score.new
    assert set(score.before) == set(right(load(3, "tried", GROWING)))
    assert not score.lost


@pytest.mark.parametrize(
    "source",
    [
        "@method_of(Pass)\ndef hand_on(self, sent):\n    pass",
        "@method_of(AccumulateGrad)\ndef backward(self, grad):\n    return ()",
        "def added(before, grad):\n    return grad if before is None else before",
        "@method_of(Tensor)\ndef __repr__(self):\n    return 'tensor'",
    ],
)
def test_a_broken_engine_scores_lower(source: str) -> None:
    notebook = built(4)
    whole = measure(notebook)
    run(source, notebook)
    assert len(measure(notebook).right) < len(whole.right)


def test_neither_minigrad_nor_the_accelerator_runs() -> None:
    """The score is the same where `import minigrad` fails, as does the small library's `fast`."""
    script = (
        "import sys; sys.modules['minigrad'] = None\n"
        "from course.scoring import measure\n"
        "from tests.course.growing import built\n"
        "print(*measure(built(4)).right)\n"
        "assert not [name for name in sys.modules if 'minigrad.' in name or '.fast' in name]\n"
    )
    paths = f"{notebooks.ROOT}:{notebooks.NOTEBOOKS}"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": paths},
    )  # fmt: skip
    assert result.stderr == ""
    assert tuple(result.stdout.split()) == measure(built(4)).right


def test_a_program_that_stops_early_on_both_sides_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = load(4, "tried", GROWING)
    source = "import torch\nprint(1)\ntorch.missing\nprint(torch.tensor(1.0))\n"
    monkeypatch.setattr(scoring, "source_of", lambda name: source)
    shown, line = scoring.harness().perform(source, library.__name__)
    assert line == 3
    monkeypatch.setattr(scoring, "recorded", lambda: {"program": shown})
    assert not prints_the_same("program", library)
    source = "import torch\nprint(1)\ntorch.missing\n"
    assert prints_the_same("program", library)  # it was its last statement: all of it ran
    source = "import torch\nprint(2)\ntorch.missing\n"
    assert not prints_the_same("program", library)


def test_a_program_leaves_no_mode_and_no_setting_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    library = load(15, "tried", GROWING)
    source = "import torch\ntorch.set_grad_enabled(False)\ntorch.words.show = None\n"
    monkeypatch.setattr(scoring, "source_of", lambda name: source)
    monkeypatch.setattr(scoring, "recorded", lambda: {"program": ""})
    assert prints_the_same("program", library)
    assert library.is_grad_enabled()
    assert library.words.show is not None


def test_the_card_is_a_small_table(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = built(4)
    run("from course import score\nscore()", notebook)
    shown = capsys.readouterr().out
    assert shown.startswith(f"After chapter 04 your library prints 9 of {len(asked())} programs")
    assert "new: code_04, code_09, doc_003_composition, doc_003_partial" in shown
    assert max(map(len, shown.splitlines()[1:])) < 100
    html = measure(notebook).card().html
    assert "<table>" in html
    assert "<b>doc_003_partial</b> 3.2: the partial derivatives" in html
