"""minigrad_course.ask.scoring: the numbers of the score are real."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

from minigrad_course.ask import scoring
from minigrad_course.ask.scoring import (
    measure,
    passing,
    prints_the_same,
    scored_programs,
)
from minigrad_course.kernel.cell_order import ORDER, Cell
from minigrad_course.kernel.changed import Differences
from minigrad_course.kernel.reader import (
    chapter_of,
    restore_classes_of,
    restored_page_classes,
    yours,
)
from minigrad_course.kernel.stages import LAST, load
from tests.course.page import page, stage
from tests.goldens.record import load as load_recorded
from tests.harness import program_names
from tools import record_scores


def test_programs_and_what_pytorch_printed_are_those_of_the_tests() -> None:
    assert scoring.recorded() == load_recorded()
    assert set(scored_programs()) < set(program_names())
    assert all(scored_programs().values())


def test_what_the_library_prints_right_is_recorded() -> None:
    """If it differs, run `python tools/record_scores.py`."""
    assert tuple(passing(stage(LAST), scored_programs())) == scoring.passing_at(LAST)


@pytest.mark.thorough
def test_the_record_is_complete() -> None:
    assert record_scores.first_chapters() == scoring.first_chapters()


@pytest.mark.parametrize("number", [scoring.COMPLETE, 18, LAST])
def test_what_counts_is_what_has_been_built(number: int) -> None:
    assert scoring.passing_at(number) == tuple(scored_programs(number))


def test_neither_minigrad_nor_the_accelerator_runs() -> None:
    """The score is the same if `import minigrad` fails."""
    script = (
        "import sys; sys.modules['minigrad'] = None\n"
        "from minigrad_course.after_03 import method_of\n"
        "from minigrad_course.ask.scoring import measure\n"
        "print(*measure(globals()).right)\n"
        "assert not [name for name in sys.modules if 'minigrad.' in name or '.fast' in name]\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert result.stderr == ""
    assert tuple(result.stdout.splitlines()[-1].split()) == scoring.passing_at(3)


def test_a_program_that_stops_early_on_both_sides_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = stage(4)
    source = "import torch\nprint(1)\ntorch.nowhere\nprint(torch.tensor(1.0))\n"
    monkeypatch.setattr(scoring, "source_of", lambda name: source)
    shown, line = scoring.harness().perform(source, library.__name__)
    assert line == 3
    monkeypatch.setattr(scoring, "recorded", lambda: {"program": shown})
    assert not prints_the_same("program", library)
    source = "import torch\nprint(1)\ntorch.nowhere\n"
    assert prints_the_same("program", library)  # the last statement, so all of it ran
    source = "import torch\nprint(2)\ntorch.nowhere\n"
    assert not prints_the_same("program", library)


def test_a_program_leaves_no_mode_and_no_setting_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    library = stage(15)
    source = "import torch\ntorch.set_grad_enabled(False)\ntorch.set_default_dtype(torch.float64)\n"
    monkeypatch.setattr(scoring, "source_of", lambda name: source)
    monkeypatch.setattr(scoring, "recorded", lambda: {"program": ""})
    assert prints_the_same("program", library)
    assert library.is_grad_enabled()
    assert library.get_default_dtype() == library.float32


# --- a bug is named -------------------------------------------------------------------------------

QUICK = ("code", "doc", "grad_flag", "graph_saved", "number_made")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count only some programs, which is enough where what the score says is tested."""
    some = {name: line for name, line in scored_programs().items() if name.startswith(QUICK)}
    monkeypatch.setattr(scoring, "all_scored_programs", lambda: some)


DTYPE = "    made.dtype = from_numpy_dtype(array.dtype)\n"
COPY, SHARED = "copy(to_array(data, dtype))", "to_array(data, dtype)"
GUARD = "        check_requires_grad(self, value)\n"
ALL = "self.inputs"
KEPT = "self.number = number; self.kept = tensor"
LATER = "from minigrad_course import after_05\nTensor.backward = after_05.Tensor.backward"


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("number", [2, 3, 4])
def test_an_unchanged_page_has_the_expected_score(number: int) -> None:
    score = measure(page(number))
    assert score.differences == Differences()
    assert not score.missed
    assert score.remarks() == []
    assert score.right == scoring.passing_at(number)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("number", "old", "new", "name", "program"),
    [
        (2, DTYPE, "    made.dtype = float32\n", "new_tensor", "number_made"),
        (2, GUARD, "        pass\n", "Tensor.requires_grad", "grad_flag"),
        (2, COPY, SHARED, "tensor", "number_made"),
        (3, "self.names_to_save(*wanted)", ALL, "Operation.record", "graph_saved_needed"),
        (3, KEPT.partition(";")[0], KEPT, "SavedTensor.__init__", "graph_saved_needed"),
        (4, "        self.dependencies[node] -= 1\n", "", "BackwardPass.propagate", "code_04"),
    ],
)  # fmt: skip
def test_a_bug_in_a_build_cell_is_named(
    number: int, old: str, new: str, name: str, program: str
) -> None:
    score = measure(page(number, old, new))
    assert program in score.missed
    assert name in score.differences.changed
    text = score.card().text
    assert f"You changed `{name}`" in text
    expected = len(scoring.passing_at(number))
    yours = expected - len(score.missed)
    assert f"Expected by the end of this chapter: {expected}; you have {yours}." in text
    assert "fails: " in text
    assert f'beside_pytorch("{score.first_to_fail()[0]}", library=yours())' in text


RETAINED = """
from minigrad_course.after_21 import inplace, set_history

inplace.rebase_history = rebase_history


def retained():
    y = tensor(1.0, requires_grad=True) * 2.0
    y.retain_grad()
    y.mul_(5.0)
    y.backward()
    return y.grad.item()


found = [retained()]
{look}
def rebase_history(tensor, node, number=0):
    set_history(tensor, node, number)


inplace.rebase_history = rebase_history
found.append(retained())
"""
LOOKS = {
    "beside_pytorch": "beside_pytorch('code_04', library=yours())",
    "score": "score()",
    "check": "check('15.2', lambda tensors: {'a': 1.0})",
    "both": "score(); beside_pytorch('code_04', library=yours()); score()",
}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("look", LOOKS)
def test_an_edit_takes_effect_after_the_library_was_used(look: str) -> None:
    """Methods that `yours` had attached to tensors kept calling the functions before the edit."""
    names = page(22)
    exec(RETAINED.format(look=f"from minigrad_course import *\n{LOOKS[look]}"), names)
    assert names["found"] == [1.0, 5.0]


def test_a_package_is_freed_when_the_next_one_is_made() -> None:
    notebook = page(4)
    first = weakref.ref(yours(notebook))
    yours(notebook)
    gc.collect()
    assert first() is None


@pytest.mark.parametrize("number", [2, 3, 4, 8, 11, 14, 15, 22])
def test_the_classes_of_a_page_are_restored(number: int) -> None:
    names = page(number)
    classes = {id(each): each for each in names.values() if isinstance(each, type)}
    before = {key: dict(vars(each)) for key, each in classes.items()}
    with restored_page_classes():
        yours(names)
        yours(names)
    library = yours(names)
    names["mine"] = library
    restore_classes_of(library)
    assert number == 2 or {key: dict(vars(each)) for key, each in classes.items()} != before
    del names["mine"]
    restore_classes_of(library)
    assert {key: dict(vars(each)) for key, each in classes.items()} == before


@pytest.mark.usefixtures("quick")
def test_a_missing_definition_is_named() -> None:
    score = measure(page(4, "@method_of(BackwardPass)\ndef run(", "def other("))
    assert "BackwardPass.run" in score.differences.missing
    assert "`BackwardPass.run` is missing." in score.card().text


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("number", "more", "names"),
    [
        (2, "from minigrad import tensor, Tensor", {"tensor", "Tensor"}),
        (4, "import minigrad\nTensor.backward = minigrad.Tensor.backward", {"Tensor.backward"}),
        (4, LATER, {"Tensor.backward"}),
        (4, "from minigrad_course.after_05 import BackwardPass", {"BackwardPass"}),
    ],
)  # fmt: skip
def test_borrowed_definitions_are_named_and_do_not_count(
    number: int, more: str, names: set[str]
) -> None:
    load(number + 1)  # a page that another test ran may have put its own definitions there
    score = measure(page(number, more=more))
    assert score.chapter == number
    assert names <= set(score.differences.borrowed)
    assert not score.new
    assert "later chapter" in score.card().text


@pytest.mark.usefixtures("quick")
def test_an_assigned_method_is_left_in_place() -> None:
    names = page(4, more="import minigrad\nTensor.backward = minigrad.Tensor.backward")
    before = names["Tensor"].backward
    measure(names)
    assert names["Tensor"].backward is before


def test_readers_understand_the_rows() -> None:
    assert {scoring.kind_of(name) for name in scored_programs()} == set(scoring.KINDS)


def test_the_chapter_is_that_of_the_first_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    more = "from minigrad_course.after_04 import AccumulateGrad, BackwardPass, Node"
    names = page(4, more=more)
    monkeypatch.setattr(ORDER, "top", Cell("from minigrad_course.after_03 import Node, Tensor\n"))
    assert chapter_of(names) == 4
