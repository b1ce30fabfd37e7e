"""Questions to answer before a cell is run."""

from __future__ import annotations

from string import ascii_lowercase

from course.cards import ASK, Card, box, inline, paragraphs, reveal, show
from course.declare import PREDICTIONS, Prediction, find


def predict(id: str) -> None:
    """Ask prediction `id` of this chapter: each answer opens to what there is to say about it.

    The question stands apart from the notebook (`course/exercises/chNN.py`), for the source of a
    cell would give the answer away; closed, neither the HTML nor the text twin does.

    Raises:
        LookupError: there is no such prediction.
    """
    show(question(find(PREDICTIONS, id)))


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
