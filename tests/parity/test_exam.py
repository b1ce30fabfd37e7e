"""The programs of the exam print the same under PyTorch."""

import torch

from tools import teaching


def test_the_answers_are_those_of_pytorch() -> None:
    text = (teaching.FOLDER / "exam.md").read_text(encoding="utf-8")
    programs = [found["program"] for found in teaching.PROGRAM.finditer(text)]
    assert programs
    for program in programs:
        assert teaching.printed(program) == teaching.printed(program, torch), program
