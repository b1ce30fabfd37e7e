"""tools/questions.py: every section that the lists name exists, and answers its question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from minigrad_course import explain
from minigrad_course.__main__ import main
from minigrad_course.ask.questions import Question, pattern
from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import ROOT
from tests import harness
from tests.course import rules
from tools import questions

ALL = questions.questions()


PROGRAMS = [question for question in ALL if question.programs]
FAILS = {"the-gradient-argument", "sum-then-backward"}  # with a message of another entry
# What these need, such as torch.compile, is not in minigrad.
PYTORCH_ONLY = {
    "checkpoint", "compiled-and-retained", "compiled-twice", "ddp-unused", "no-inf-checks"
}  # fmt: skip


def wrong_programs(question: Question, library: str) -> list[str]:
    """What the programs of an entry show that they should not, or lack."""
    assert question.programs is not None
    before, after = (plain(harness.run(program, library)) for program in question.programs)
    message = question.message or question.prints
    wrong = []
    if message:
        (known,) = {pattern(each) for each in ALL if each.message == message}
        if not known.search(before):
            wrong.append(f"before shows {before!r}")
        if known.search(after):
            wrong.append(f"after shows {after!r}")
    elif "Error" in before and question.name not in FAILS:
        wrong.append(f"before raises {before!r}")
    if "Error" in after:
        wrong.append(f"after raises {after!r}")
    return wrong


def missing(question: Question) -> list[str]:
    """What the sections of an entry lack: a heading, the words or the message."""
    wrong = []
    shown = ""
    for section in question.read:
        found = [text for heading, text in sections(section.file) if heading == section.heading]
        if len(found) != 1:
            return [f"{section.page} has {len(found)} headings {section.heading!r}"]
        shown += found[0]
        if plain(section.words) not in found[0]:
            wrong.append(f"{section.words!r} is not in {section.link}")
    if plain(question.message) not in shown:
        wrong.append(f"no section shows {question.message!r}")
    return wrong


@cache
def sections(file: str) -> list[tuple[str, str]]:
    """The headings of a page, each with all that is below it, smaller headings included."""
    path = ROOT / file
    return [*parts(text_of(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8"))]


def text_of(notebook: Path) -> str:
    """What a notebook says and shows; only headings begin with `#`."""
    text = ""
    for cell in ipynb.read(notebook).cells:
        if cell.cell_type == "markdown":
            text += re.sub(r"^```.*?^```", "", cell.source, flags=re.DOTALL | re.MULTILINE) + "\n"
        else:  # a comment is not a heading
            text += re.sub("^#", " #", f"{cell.source}\n{rules.shown_text(cell)}\n", flags=re.M)
    return text


def parts(text: str) -> Iterator[tuple[str, str]]:
    for found in re.finditer(r"^(#+) +(.+)\n", text, re.MULTILINE):
        below = text[found.end() :]
        end = re.search(rf"^#{{1,{len(found[1])}}} ", below, re.MULTILINE)
        yield found[2].strip(), plain(below[: end.start()] if end else below)


def plain(text: str) -> str:
    """`text` in one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("question", ALL, ids=lambda question: question.saw)
def test_a_question_is_answered_where_the_list_says(question: Question) -> None:
    assert missing(question) == []


def test_the_pages_have_their_lists() -> None:
    """If they differ, run `python tools/questions.py`."""
    for file, text in questions.pages().items():
        assert file.read_text(encoding="utf-8") == text, file.name
    errors = questions.pages()[questions.ERRORS]
    entries = [question.entry.replace("](notebooks/", "](../notebooks/") for question in ALL]
    assert all(entry.replace("](docs/", "](") in errors for entry in entries)
    front = questions.pages()[questions.README]
    assert [each.row in front for each in ALL] == [each.front for each in ALL]


def test_each_entry_says_something_else_and_has_its_own_anchor() -> None:
    assert len({question.saw for question in ALL}) == len(ALL)
    headings = [questions.fragment(question.topic) for question in ALL]
    assert len({question.name for question in ALL} - set(headings)) == len(ALL)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", question.name) for question in ALL)


@pytest.mark.parametrize("question", PROGRAMS, ids=lambda question: question.name)
def test_the_change_helps(question: Question) -> None:
    """In minigrad; tests/parity runs the same programs in PyTorch."""
    if question.name not in PYTORCH_ONLY:
        assert wrong_programs(question, "minigrad") == []


def test_an_old_list_is_replaced() -> None:
    old = f"before\n{questions.BEGIN}\nold\n{questions.END}\nafter\n"
    rows = ALL[0].row
    new = questions.with_list(old, rows)
    assert new != old
    assert new.startswith("before\n")
    assert new.endswith("after\n")
    assert new == questions.with_list(new, rows)
    assert ALL[0].row in new


@pytest.mark.parametrize(
    "question", [each for each in ALL if each.message], ids=lambda question: question.message
)
def test_explain_knows_each_message(question: Question) -> None:
    text = f"Traceback (most recent call last):\n  File\nRuntimeError: {question.message} And more."
    found = explain(text).found
    assert question in found
    assert {each.message for each in found} == {question.message}
    assert question.cause


@pytest.mark.parametrize(
    ("text", "fix"),
    [
        ("MulBackward returned an incorrect number of gradients (expected 31, got 2)", "one for"),
        ("f returned an invalid gradient at index 1 - got [7] but expected shape compatible"
         " with [1]", "the argument's shape"),
        ("a view of a leaf Variable that requires grad is being used in an in-place operation.",
         "the write in"),
        ("Using a target size (torch.Size([64])) that is different to the input size"
         " (torch.Size([64, 1])). This will likely", "same shape"),
        (RuntimeError("can't optimize a non-leaf Tensor"), "set the flag last"),
        ("the graph a second time (or\n directly", ""),
        ("does not require grad and does not have a grad_fn", "on the leaf"),
    ],
)  # fmt: skip
def test_explain_finds_messages_with_other_numbers(text: str | Exception, fix: str) -> None:
    found = explain(text).found
    assert (fix in found[0].cure) if fix else not found


@pytest.mark.parametrize(
    "text",
    ["", "grad", "requires grad", "index 3 is out of bounds for dimension 0 with size 3",
     "'NoneType' object has no attribute 'shape'", "CUDA out of memory."],
)  # fmt: skip
def test_explain_says_that_it_cannot_tell(text: str) -> None:
    assert explain(text).found == ()
    assert "cannot tell" in repr(explain(text))


def test_explain_shows_the_other_ways_to_a_message() -> None:
    shown = repr(explain("modified by an inplace operation, one of the variables needed"))
    assert "cannot tell" in shown  # not the words of the message
    shown = explain("has been modified by an inplace operation")
    assert "optimizer.step()" in repr(shown)
    assert "optimizer.step()" in shown._repr_html_()


def test_other_ways_lead_to_messages_that_exist() -> None:
    messages = {each.message for each in ALL if each.message}
    assert {each.prints for each in ALL if each.prints} <= messages


def test_the_command_explains(capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "grad can be implicitly created only for scalar outputs"])
    assert "04_backward" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["explain"])
