"""tools/lib_cells.py: the definitions that a chapter's `lib:` cells show."""

from __future__ import annotations

import ast

import pytest

from tools.lib_cells import in_one_line, lib_source, piece

SAMPLE = "tests.course.fixtures.sample_library"
GROWING = "minigrad"


def sample(*names: str) -> str:
    return lib_source([f"{SAMPLE}.{name}" for name in names], 99)


def growing(chapter: int, *names: str, elsewhere: tuple[str, ...] = ()) -> str:
    return lib_source(
        [f"{GROWING}.{name}" for name in names],
        chapter,
        [f"{GROWING}.{name}" for name in elsewhere],
    )


def test_a_function_comes_with_its_comments() -> None:
    source = sample("slope")
    assert source.startswith('def slope(f, x):\n    """The slope of f at x."""')
    assert source.endswith("# two sides")
    assert sample("STEP").startswith("# The step of a finite difference")


def test_a_member_is_attached_to_its_class() -> None:
    source = sample("Point.__init__")
    assert source == (
        "@method_of(Point)\ndef __init__(self, x, y):\n    self.x = x\n    self.y = y"
    )


def test_a_property_comes_with_its_setter() -> None:
    source = sample("Point.length")
    assert "# Euclid's.\n@method_of(Point)\n@property\ndef length(self):" in source
    assert "\n\n\n@method_of(Point)\n@length.setter\ndef length(self, value):" in source


def test_blank_lines_separate_functions_but_not_rows() -> None:
    source = sample("STEP", "HALF", "scaled", "Point.__mul__")
    assert "STEP = 6e-6\nHALF = 0.5\n\n\ndef scaled" in source
    assert source.endswith("\n\n\nPoint.__mul__ = scaled")


def test_a_new_class_is_shown_as_it_stands_at_the_chapter() -> None:
    source = growing(4, "core.engine.BackwardPass")
    assert source.startswith("class BackwardPass(Options):\n    \"\"\"One backward pass")
    assert source.endswith("        results = node.backward(*grads)\n        return results")
    assert "#" not in source


def test_a_class_leaves_out_what_other_cells_show() -> None:
    source = growing(
        4, "core.engine.BackwardPass", elsewhere=("core.engine.BackwardPass.propagate",)
    )
    assert "def run" in source
    assert "def propagate" not in source
    assert growing(4, "core.engine.BackwardPass.propagate").startswith(
        "@method_of(BackwardPass)\ndef propagate(self"
    )


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


def test_a_comment_beside_a_mark_stays() -> None:
    assert (
        growing(6, "core.engine.BackwardPass.retain_graph")
        == "BackwardPass.retain_graph = None  # keep the saved values"
    )
    run_node = growing(15, "core.targets.GradPass.run_node")
    assert "  # new: a node that runs does this later" in run_node


def test_a_property_of_a_later_chapter_is_a_property() -> None:
    assert growing(22, "core.tensor.Tensor.grad_fn").startswith(
        "@method_of(Tensor)\n@property\ndef grad_fn(self)"
    )


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


def test_a_signature_without_its_later_parameters_takes_one_line() -> None:
    assert in_one_line(["def f(", "    self,", "    x: int,", ") -> None:", "    pass"]) == [
        "def f(self, x: int) -> None:",
        "    pass",
    ]
    commented = ["def f(", "    x: int,  # how many", ") -> None:"]
    assert in_one_line(commented) == commented
    long = ["def f(", *[f"    parameter_{number}: int," for number in range(9)], ") -> None:"]
    assert in_one_line(long) == long
