"""tools/lib_cells.py: the definitions that a chapter's `lib:` cells show.

What they show of the library is stored in the chapters, with which test_chapters.py compares it.
"""

from __future__ import annotations

import ast

import pytest

from tools.lib_cells import lib_source, piece

SAMPLE = "tests.course.fixtures.sample_library"
GROWING = "minigrad"


def sample(*names: str) -> str:
    return lib_source([f"{SAMPLE}.{name}" for name in names], 99)


def growing(chapter: int, name: str) -> str:
    return lib_source([f"{GROWING}.{name}"], chapter)


def test_a_member_is_attached_to_its_class() -> None:
    source = sample("Point.__init__")
    assert source == (
        "@method_of(Point)\ndef __init__(self, x, y):\n    self.x = x\n    self.y = y"
    )


def test_a_property_comes_with_its_setter() -> None:
    source = sample("Point.length")
    assert "# Euclid's.\n@method_of(Point)\n@property\ndef length(self):" in source
    assert "\n\n\n@method_of(Point)\n@length.setter\ndef length(self, value):" in source


def test_a_grown_method_is_shown_whole_with_its_new_lines_marked() -> None:
    assert growing(12, "core.engine.BackwardPass.run_node").split("\n")[3:] == [
        "    if node._hooked:",
        "        node._retain(grads)",
        "    results = node.backward(*grads)",
        "    results = validate_outputs(node, results)  # new",
        "    if not self.keeps():",
        "        node.release_variables()",
        "    return results",
    ]


def test_a_new_argument_is_marked() -> None:
    assert "    create_graph: bool = False,  # new\n" in growing(14, "autograd.backward")


def test_a_piece_has_its_earlier_form() -> None:
    grown = piece(f"{GROWING}.core.engine.BackwardPass.run_node", 5)
    assert grown.before is not None
    assert "retain" not in grown.before
    ast.parse(grown.before)
    assert piece(f"{GROWING}.core.engine.BackwardPass.run_node", 4).before is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (f"{SAMPLE}.missing", "sample_library defines no missing"),
        (f"{SAMPLE}.Point.missing", "defines no Point.missing"),
        ("tests.course.fixtures.nowhere.f", "no such module"),
        (
            f"{GROWING}.core.engine.BackwardPass.keeps",
            "defines no BackwardPass.keeps at chapter 05",
        ),
        (f"{GROWING}.core.engine.BackwardPass", "is there before 05: show the members that grow"),
        (f"{GROWING}.core.hooks.call_tensor_hooks", "no call_tensor_hooks at chapter 05"),
    ],
)
def test_names_that_no_cell_can_show(name: str, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        lib_source([name], 5)
