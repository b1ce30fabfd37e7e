"""Record from which chapter on the library prints each program as PyTorch does.

    python tools/record_scores.py

`score()` counts these programs, and compares the reader's library with that record
(`minigrad_course/ask/scoring.py`). A program counts if the stage of the last chapter prints it
right: the others need what the course gives ready-made, such as layers and optimizers. Run this
when a chapter builds something else, or when there are other programs.
"""

from __future__ import annotations

import json

from minigrad_course.ask.scoring import SCORES, passing
from minigrad_course.kernel.marks import FIRST, LAST
from minigrad_course.kernel.places import harness
from minigrad_course.kernel.stages import load

# Programs that the last stage prints right, although they are about something that it lacks.
NOT_COUNTED = {
    "function_once_differentiable": "the module `torch.autograd.function`",
    "grad_unused": "`materialize_grads`",
    "hook_sees_other_leaves": "the accelerator; `hook_many_leaves` tests the core",
    "learner_hooks_and_orders": "`materialize_grads`",
    "mode_decorated": "anomaly and inference mode",
    "mode_threads_backward": "hooks on saved tensors",
    "number_devices": "devices",
    "number_gradgradcheck": "the module `torch.autograd.function`",
    "number_sizes_and_dtypes": "copying",
    "number_versions": "devices",
    "rough_numpy": "what NumPy does with tensors",
}


def first_chapters() -> dict[str, int]:
    """The first chapter at which each program that counts prints right.

    Raises:
        ValueError: a program prints right at a chapter, and no longer at a later one.
    """
    candidates = [name for name in harness().program_names() if name not in NOT_COUNTED]
    counted = passing(load(LAST, "recorded"), candidates)
    found: dict[str, int] = {}
    for chapter in range(FIRST, LAST + 1):
        right = passing(load(chapter, "recorded"), counted)
        if lost := set(found) - set(right):
            raise ValueError(f"chapter {chapter} no longer prints right {', '.join(sorted(lost))}")
        for program in right:
            found.setdefault(program, chapter)
    return found


if __name__ == "__main__":
    text = json.dumps(first_chapters(), indent=1, sort_keys=True)
    SCORES.write_text(f"{text}\n", encoding="utf-8", newline="\n")
