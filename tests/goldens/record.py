"""Record what PyTorch shows for every program: ``python -m tests.goldens.record``.

Needs PyTorch 2.13.0 (the extra ``parity``). The transcripts are written to ``programs.json`` next
to this file, as lists of lines so that a change reads well in a diff. `test_programs` compares
minigrad with them where PyTorch is not installed. Digits that only another processor would round
differently stay as they were recorded, see `tests.goldens.keep`.
"""

import json
from pathlib import Path

from tests.goldens.keep import keep
from tests.harness import program_names, transcript

GOLDENS = Path(__file__).with_name("programs.json")


def record() -> dict[str, list[str]]:
    """Run every program under PyTorch; return name → lines of its transcript."""
    return {name: transcript(name, "torch").splitlines() for name in program_names()}


def load() -> dict[str, str]:
    """Return the recorded transcripts, name → text."""
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in load_lines().items()}


def load_lines() -> dict[str, list[str]]:
    """Return the recorded transcripts, name → lines."""
    recorded: dict[str, list[str]] = json.loads(GOLDENS.read_text(encoding="utf-8"))
    return recorded


def save(transcripts: dict[str, list[str]]) -> None:
    """Write the transcripts, sorted by name."""
    text = json.dumps(transcripts, indent=1, sort_keys=True, ensure_ascii=False)
    GOLDENS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    save(keep(load_lines(), record()))
