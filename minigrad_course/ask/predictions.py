"""Questions to answer before running a cell.

In the workbook, where progress is kept, a card knows which answer the reader has chosen. There, an
extension of JupyterLab (`desk/jupyter/labextensions`) lets the reader choose, folds what follows
until then, and calls `keep_answer`. Everywhere else a card is a list of answers to open.
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


def keep_answer(id: str, letter: str) -> None:
    """Keep the answer to prediction `id`: the letter of an option, or "" to forget the answer.

    Raises:
        LookupError: there is no such prediction, or no such option.
    """
    letters = ascii_lowercase[: len(find(PREDICTIONS, id).options)]
    if letter and letter not in list(letters):
        raise LookupError(f"prediction {id} has no answer ({letter}); it has {', '.join(letters)}")
    journal.note_prediction(id, letter)


def with_kept_answer(card: Card, id: str) -> Card:
    """The card with what JupyterLab needs in order to ask, and with the answer that was kept."""
    asked, chosen = find(PREDICTIONS, id), journal.kept_prediction(id)
    right = ascii_lowercase[list(asked.options).index(asked.answer)]
    words = f"You said ({chosen})." if chosen else ""
    html = (
        f'<div class="minigrad-prediction" data-id="{id}" data-right="{right}">'
        f"{card.html}{words}</div>"
    )
    return Card(html, f"{card.text}\n{words}".strip())


def question(asked: Prediction) -> Card:
    """The card of a prediction."""
    if len(asked.options) == 1:
        why = f"{asked.answer}\n\n{asked.options[asked.answer]}"
        entries = [reveal("I have written down my answer", paragraphs(why))]
        lines = []
    else:
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
    return paragraphs(f"{'✓ Yes.' if right else '✗ No.'} {why}")
