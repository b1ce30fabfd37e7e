"""tools/lib_cells.py: what a chapter's `lib:` cells show of the library."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools import lib_cells
from tools.lib_cells import in_one_line, lib_source, piece

SAMPLE = "tests.course.fixtures.sample_library"
CORE = """\
from . import tensor
from . import node, engine  #@04
from . import hooks  #@15
"""
TENSOR = """\
class Tensor:
    grad = None

    @property
    def output_nr(self):  #@03
        return 0
"""
NODE = """\
class Node:
    retaining: dict  #@05

    def __init__(self):
        self.next_functions = ()
        self.retaining = {}  # output number → tensor  #@05
"""
HOOKS = """\
class RemovableHandle:
    id = None
"""
ENGINE = """\
class BackwardPass:
    \"""One backward pass through a graph.\"""

    retain_graph = False  # leave the saved values in place  #@06
    targets = None  # type: ignore[assignment]  # where gradients are wanted  #@13

    @mode_restored  #@14
    def run(self, edges):
        with self.recording():  #@10:
            self.propagate(edges)  # the roots come first

    def propagate(self, edges):
        for edge in edges:
            self.run_node(*edge)

    def run_node(self, node, grads):
        \"""What `node` computes from `grads`; a mark in a string, as #@06
        or even  #@5, is text.
        \"""
        if self.targets is not None:  #@13
            return [None] * len(node.next_functions)
        node.retain(grads)  #@05
        results = node.backward(*grads)
        results = self.only_needed(node, results)  #@13
        if not self.retain_graph:  #@06
            node.release_variables()
        return results


@method_of(Tensor)
def backward(
    self: Tensor,
    retain_graph: bool | None = None,  #@06
) -> None:
    BackwardPass().run(self)
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small library that grows, `small`, at the place where lib_cells looks for libraries."""
    core = tmp_path / "small" / "core"
    core.mkdir(parents=True)
    texts = {"__init__": CORE, "tensor": TENSOR, "node": NODE, "engine": ENGINE, "hooks": HOOKS}
    for name, text in texts.items():
        (core / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.setattr(lib_cells, "ROOT", tmp_path)


grows = pytest.mark.usefixtures("library")


def sample(*names: str) -> str:
    return lib_source([f"{SAMPLE}.{name}" for name in names], 99)


def growing(chapter: int, name: str, elsewhere: tuple[str, ...] = ()) -> str:
    others = [f"small.core.{each}" for each in elsewhere]
    return lib_source([f"small.core.{name}"], chapter, others)


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


def test_rows_stand_together_and_functions_apart() -> None:
    source = sample("STEP", "HALF", "scaled", "Point.__mul__")
    assert "STEP = 6e-6\nHALF = 0.5\n\n\ndef scaled" in source
    assert source.endswith("\n\n\nPoint.__mul__ = scaled")


@grows
def test_a_new_class_is_shown_as_it_stands_at_the_chapter() -> None:
    assert growing(4, "engine.BackwardPass") == (
        'class BackwardPass:\n    """One backward pass through a graph."""\n\n'
        "    def run(self, edges):\n"
        "        self.propagate(edges)  # the roots come first\n\n"
        "    def propagate(self, edges):\n"
        "        for edge in edges:\n            self.run_node(*edge)\n\n"
        "    def run_node(self, node, grads):\n"
        '        """What `node` computes from `grads`; a mark in a string, as #@06\n'
        "        or even  #@5, is text.\n"
        '        """\n'
        "        results = node.backward(*grads)\n        return results"
    )


@grows
def test_a_class_leaves_out_what_other_cells_show() -> None:
    source = growing(4, "engine.BackwardPass", elsewhere=("engine.BackwardPass.propagate",))
    assert "def run" in source
    assert "def propagate" not in source
    assert growing(4, "engine.BackwardPass.propagate").startswith(
        "@method_of(BackwardPass)\ndef propagate(self"
    )


@grows
def test_a_grown_method_is_shown_whole_with_its_new_lines_marked() -> None:
    assert growing(13, "engine.BackwardPass.run_node").split("\n")[5:] == [
        "    if self.targets is not None:  # new",
        "        return [None] * len(node.next_functions)  # new",
        "    node.retain(grads)",
        "    results = node.backward(*grads)",
        "    results = self.only_needed(node, results)  # new",
        "    if not self.retain_graph:",
        "        node.release_variables()",
        "    return results",
    ]


@grows
def test_a_new_decorator_argument_or_header_is_marked() -> None:
    assert growing(14, "engine.BackwardPass.run").startswith(
        "@method_of(BackwardPass)\n@mode_restored  # new\ndef run("
    )
    source = growing(6, "engine.backward")
    assert source.startswith("@method_of(Tensor)\ndef backward(\n    self")
    assert "    retain_graph: bool | None = None,  # new\n) -> None:" in source
    assert "    with self.recording():  # new\n        self.propagate(edges)  # the roots" in (
        growing(10, "engine.BackwardPass.run")
    )


@grows
def test_words_in_front_of_a_mark_stay() -> None:
    assert (
        growing(6, "engine.BackwardPass.retain_graph")
        == "BackwardPass.retain_graph = False  # leave the saved values in place"
    )
    assert (
        growing(13, "engine.BackwardPass.targets")
        == "BackwardPass.targets = None  # where gradients are wanted"
    )
    assert "= {}  # new: output number → tensor" in growing(5, "node.Node.__init__")
    assert growing(15, "node.Node.__init__").endswith("= {}  # output number → tensor")


@grows
def test_a_property_of_a_later_chapter_is_a_property() -> None:
    assert growing(3, "tensor.Tensor.output_nr").startswith(
        "@method_of(Tensor)\n@property\ndef output_nr(self)"
    )


@grows
def test_a_piece_knows_what_it_was() -> None:
    grown = piece("small.core.engine.BackwardPass.run_node", 5)
    assert grown.before is not None
    assert "retain" not in grown.before
    ast.parse(grown.before)
    assert piece("small.core.engine.BackwardPass.run_node", 4).before is None


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (f"{SAMPLE}.missing", "sample_library defines no missing"),
        (f"{SAMPLE}.Point.missing", "defines no Point.missing"),
        ("tests.course.fixtures.nowhere.f", "no such module"),
    ],
)
def test_names_that_no_cell_can_show(name: str, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        lib_source([name], 5)


@grows
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("engine.BackwardPass.targets", "defines no BackwardPass.targets at chapter 05"),
        ("engine.BackwardPass", "is there before 05: show the members that grow"),
        ("node.Node.retaining", "has no value that a cell could show"),
        ("hooks.RemovableHandle", "defines no RemovableHandle at chapter 05"),
    ],
)
def test_names_that_no_cell_can_show_at_a_chapter(name: str, message: str) -> None:
    with pytest.raises(LookupError, match=message):
        growing(5, name)


def test_a_signature_without_its_later_parameters_takes_one_line() -> None:
    assert in_one_line(["def f(", "    self,", "    x: int,", ") -> None:", "    pass"]) == [
        "def f(self, x: int) -> None:",
        "    pass",
    ]
    commented = ["def f(", "    x: int,  # how many", ") -> None:"]
    assert in_one_line(commented) == commented
    long = ["def f(", *[f"    parameter_{number}: int," for number in range(9)], ") -> None:"]
    assert in_one_line(long) == long
