"""Questions to answer before running a cell.

In the workbook, where progress is kept, a card knows which answers the reader has tried. There, an
extension of JupyterLab (`desk/jupyter/labextensions`) lets the reader choose until the answer is
right, folds what follows until then, and calls `keep_answer`. Everywhere else a card is a list of
answers to open.
"""

from __future__ import annotations

from string import ascii_lowercase

from minigrad_course.ask import journal
from minigrad_course.ask.cards import ASK, Card, box, inline, paragraphs, reveal, show
from minigrad_course.ask.declare import PREDICTIONS, Prediction, find


def predict(id: str) -> None:
    """Ask prediction `id` of this chapter; each answer opens to the comment on it.

    The question is declared in `minigrad_course/exercises/chNN.py`, because the source of a cell
    would give the answer away. A closed card does not, either as HTML or as text.

    Raises:
        LookupError: there is no such prediction.
    """
    card = question(find(PREDICTIONS, id))
    show(card if journal.progress_file() is None else with_kept_answer(card, id))


def keep_answer(id: str, letters: str) -> None:
    """Keep how prediction `id` was answered: the letters of the options in the order of the tries,
    up to the right one, or "" to forget the answer.

    Raises:
        LookupError: there is no such prediction, or no such option.
    """
    known = ascii_lowercase[: len(find(PREDICTIONS, id).options)]
    for letter in set(letters) - set(known):
        raise LookupError(f"prediction {id} has no answer ({letter}); it has {', '.join(known)}")
    journal.note_prediction(id, letters)


def with_kept_answer(card: Card, id: str) -> Card:
    """The card with what JupyterLab needs in order to ask, and with the answers that were kept."""
    asked, tried = find(PREDICTIONS, id), journal.kept_prediction(id)
    right = ascii_lowercase[list(asked.options).index(asked.answer)]
    words = f"You said {', then '.join(f'({letter})' for letter in tried)}." if tried else ""
    html = (
        f'<div class="minigrad-prediction" data-id="{id}" data-right="{right}">'
        f"{card.html}{words}</div>"
    )
    return Card(html, f"{card.text}\n{words}".strip())


def question(asked: Prediction) -> Card:
    """The card of a prediction."""
    letters = zip(ascii_lowercase, asked.options, strict=False)
    lines = [f"({letter}) {option}" for letter, option in letters]
    entries = [
        reveal(line, _explanation(option == asked.answer, why))
        for line, (option, why) in zip(lines, asked.options.items(), strict=True)
    ]
    heading = "<b>Predict before you run.</b> "
    html = box(ASK, heading, inline(asked.question), *entries)
    return Card(html, "\n".join([f"Predict before you run. {asked.question}", *lines]))


def _explanation(right: bool, why: str) -> str:
    return paragraphs(f"{'✓ Right.' if right else '✗ No.'} {why}")
