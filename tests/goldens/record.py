"""Record what PyTorch shows for every program: ``python -m tests.goldens.record``.

Needs PyTorch 2.13.0 (the extra ``parity``). The transcripts go to ``programs.json`` beside this
file, as lists of lines so that a change reads well in a diff; the test beside it compares
minigrad with them where PyTorch is not installed.
"""

import json
from pathlib import Path

from tests.harness import program_names, transcript

GOLDENS = Path(__file__).with_name("programs.json")


def record() -> dict[str, list[str]]:
    """Run every program under PyTorch; return name → lines of its transcript."""
    return {name: transcript(name, "torch").splitlines() for name in program_names()}


def load() -> dict[str, str]:
    """Return the recorded transcripts, name → text."""
    recorded = json.loads(GOLDENS.read_text(encoding="utf-8"))
    return {name: "".join(f"{line}\n" for line in lines) for name, lines in recorded.items()}


def save(transcripts: dict[str, list[str]]) -> None:
    """Write the transcripts, sorted by name."""
    text = json.dumps(transcripts, indent=1, sort_keys=True, ensure_ascii=False)
    GOLDENS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    save(record())
