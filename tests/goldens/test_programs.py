"""Each program shows under minigrad what PyTorch 2.13 was recorded to show."""

import gc

import pytest

from tests.differences import require_program
from tests.goldens.record import load
from tests.harness import program_names, run, transcript

RECORDED = load()


def test_every_program_is_recorded() -> None:
    assert sorted(RECORDED) == program_names()


@pytest.mark.parametrize("name", program_names())
def test_program(name: str) -> None:
    require_program(
        name, RECORDED[name], transcript(name, "minigrad"), ("PyTorch, recorded", "minigrad")
    )


def test_a_difference_of_one_character_is_seen() -> None:
    program = "import torch\nprint(torch.tensor(1.0))\n"
    assert run(program, "minigrad") == "tensor(1.)\n"
    assert run(program.replace("1.0", "2.0"), "minigrad") != run(program, "minigrad")


def test_a_program_leaves_the_collector_as_it_was() -> None:
    program = "import gc\nimport torch\ngc.disable()\nraise ValueError('before the end')\n"
    assert gc.isenabled()
    assert run(program, "minigrad") == "ValueError: before the end\n"
    assert gc.isenabled()


def test_a_transcript_keeps_the_order_and_leaves_out_addresses() -> None:
    program = "\n".join(
        [
            "import warnings",
            "import torch",
            "print(object())",
            "warnings.warn('careful (Triggered internally at a.cpp:1.)')",
            "print('after')",
            "raise type('Odd', (ValueError,), {})('the end')",
        ]
    )
    assert run(program, "minigrad").splitlines() == [
        "<object object at 0x…>",
        "UserWarning: careful",
        "after",
        "Odd (ValueError): the end",
    ]


@pytest.mark.parametrize("program", ["print(1)", "import torch\nimport torch\n"])
def test_program_imports_torch_exactly_once(program: str) -> None:
    with pytest.raises(ValueError, match="the line 'import torch' once"):
        run(program, "minigrad")
