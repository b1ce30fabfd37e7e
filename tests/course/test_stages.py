"""Stages: the library as a chapter leaves it, and what a notebook adds to it."""

from __future__ import annotations

import importlib
import inspect
import json
import re
import shutil
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from minigrad_course.kernel import stages
from minigrad_course.kernel.reader import chapter_of, yours
from minigrad_course.kernel.stages import (
    FIRST,
    LAST,
    MINIGRAD,
    REFUSED,
    Library,
    NotYet,
    at_chapter,
    load,
)
from tests.course.page import page, run

TEXT = """\
import heapq  #@04
import numpy as np

class BackwardPass:
    keep = False  # for another backward  #@06

    # What the fields are.
    @property
    def fields(self):  #@05
        return [
            "x",
        ]

    def run(
        self,
        graph=None,  #@14
    ):
        if self.keep:  #@06
            return 1

        return 2
"""


def without_empty_lines(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line != "\n")


def test_a_text_as_of_a_chapter() -> None:
    assert without_empty_lines(at_chapter(TEXT, 4)) == (
        "import heapq  #@04\nimport numpy as np\nclass BackwardPass:\n"
        "    def run(\n        self,\n    ):\n        return 2\n"
    )
    assert at_chapter(TEXT, 99) == TEXT
    assert "graph=None" not in at_chapter(TEXT, 13)


def test_a_marked_bracket_is_left_out_to_its_end() -> None:
    text = "row = op(  #@12\n    1,\n)\nother = 2\n"
    assert at_chapter(text, 11) == "\n\n\nother = 2\n"


def test_a_block_is_dedented_before_its_header_is_built() -> None:
    block = "        a()\n        if b:  #@12\n            c()\n"
    text = f"def f():\n    with g():  #@10:\n{block}    d()\n"
    assert at_chapter(text, 9) == "def f():\n\n    a()\n\n\n    d()\n"
    assert at_chapter(text, 12) == text


def test_an_import_goes_with_the_last_line_that_uses_it() -> None:
    imports = "import math\nfrom a import (\n    b,\n    c,\n)\nfrom d import e\n"
    text = f"{imports}b(e)\nmath.inf + c  #@12\n"
    assert at_chapter(text, 11) == "\nfrom a import b\n\n\n\nfrom d import e\nb(e)\n\n"
    assert at_chapter(text, 12) == text
    text = "from . import engine\nx = 1  #@12\n"  # unused, but imported for its side effects
    assert at_chapter(text, 11) == "from . import engine\n\n"


def test_a_marked_decorator_goes_alone() -> None:
    text = "@outer\n@inner  #@14\ndef f(): ...\n"
    assert at_chapter(text, 13) == "@outer\n\ndef f(): ...\n"


def test_each_stage_is_complete(tmp_path: Path) -> None:
    assert lint(MINIGRAD, tmp_path) == []


def lint(library: Library, folder: Path) -> list[str]:
    """What ruff finds in the core's text at any stage: names that are missing or not needed."""
    for chapter in range(FIRST, LAST + 1):
        place = folder / f"at_{chapter:02}"
        place.mkdir()
        for module in library.core(chapter):
            if module != "core":
                text = library.text(module, chapter)
                (place / f"{module.rpartition('.')[2]}.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--quiet"]
    command += ["--select", "F821,F401,F841,F811", "--target-version", "py311"]
    refused = [name for names in REFUSED.values() for name in names]
    command += ["--config", f"builtins={json.dumps(refused)}"]
    command += ["--output-format", "concise", str(folder)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.splitlines() + found.stderr.splitlines()


@pytest.mark.parametrize(
    ("module", "line", "mark"),
    [
        ("node", "if value is FREED:", "05"),  # too early
        ("engine", "def leading_to(", "14"),  # too late
        ("node", "def recorded_copy(", "15"),
    ],
)
def test_a_wrong_mark_is_noticed(module: str, line: str, mark: str, tmp_path: Path) -> None:
    copy = Library(Path(shutil.copytree(MINIGRAD.folder / "core", tmp_path / "copy/core")).parent)
    file = copy.folder / "core" / f"{module}.py"
    text = file.read_text(encoding="utf-8")
    changed, count = re.subn(rf"({re.escape(line)}.*)\d\d$", rf"\g<1>{mark}", text, flags=re.M)
    assert count == 1
    file.write_text(changed, encoding="utf-8")
    assert any("F821" in line for line in lint(copy, tmp_path))


# --- packages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, LAST + 1))
def test_every_stage_loads_by_itself(number: int) -> None:
    package = load(number, "tried")
    assert hasattr(package, "method_of")
    assert hasattr(package, "Tensor") == (number >= 2)
    assert hasattr(package, "Node") == (number >= 3)
    assert hasattr(getattr(package, "Tensor", None), "backward") == (number >= 4)
    assert hasattr(package, "no_grad") == (number >= 10)
    packages = re.compile(r"minigrad_course\.tried\.(fast|nn|viz)")
    assert not [name for name in sys.modules if packages.match(name)]
    for name in stages.stage_modules("minigrad_course.tried"):
        assert sys.modules[name].__spec__.loader is stages.STAGES["minigrad_course.tried"]


def test_names_come_from_the_package_itself() -> None:
    package = load(4)
    assert package.Tensor.__module__ == "minigrad_course.after_04.core.tensor"
    from minigrad_course.after_04 import BackwardPass, engine, method_of, tensor

    assert engine.BackwardPass is BackwardPass
    assert tensor(2.0).__class__ is package.Tensor
    assert method_of.__module__ == "minigrad_course.after_04.support.methods"
    with pytest.raises(ImportError):
        from minigrad_course.after_04 import no_grad  # noqa: F401


def test_two_packages_share_nothing() -> None:
    one, other = load(4, "one"), load(4, "other")
    one.BackwardPass.run_node = None
    assert callable(other.BackwardPass.run_node)
    assert one.errors is not other.errors


def test_a_missing_name_says_when_it_is_built() -> None:
    package = load(4)
    with pytest.raises(NotYet, match="sum_to is built in 12; this is the library at chapter 04"):
        package.ops.shapes.sum_to(package.tensor(1.0), ())
    with pytest.raises(NotYet, match="inference_mode is not part of the stages"):
        package.autograd.grad_mode.inference_mode()
    assert not isinstance(3, sys.modules["minigrad_course.after_04.autograd.gradcheck"].Function)
    assert repr(package.ops.shapes.sum_to) == "<sum_to: later>"


def test_later_names_are_not_public() -> None:
    for number, there in ((9, False), (10, True)):
        package = load(number, "tried")
        assert ("no_grad" in package.__all__) == there
        assert hasattr(package.autograd, "no_grad") == there


def test_rare_modules_are_loaded_whole_or_not_at_all() -> None:
    name = "minigrad_course.tried.rare.saved_values"
    load(2, "tried")
    assert name not in sys.modules
    load(3, "tried")
    core = sys.modules["minigrad_course.tried.core.tensor"]
    assert sys.modules[name].new_tensor is core.new_tensor
    assert "minigrad_course.tried.rare.nodes" not in sys.modules


def test_tracebacks_show_the_librarys_lines() -> None:
    package = load(4)
    try:
        package.BackwardPass().propagate([(1, 2)], [3])
    except AttributeError as error:
        frames = traceback.extract_tb(error.__traceback__)
    assert frames[-1].filename == "minigrad/core/engine.py at chapter 04"
    line = MINIGRAD.whole("core.engine").splitlines()[(frames[-1].lineno or 0) - 1]
    assert frames[-1].line == line.strip()
    assert "#@13" not in inspect.getsource(package.BackwardPass)


# --- the reader's library -------------------------------------------------------------------------


def test_a_changed_line_changes_it() -> None:
    notebook = page(4)
    library = yours(notebook)
    x = library.tensor(2.0, requires_grad=True)
    y = x * x
    run("@method_of(AccumulateGrad)\ndef backward(self, grad):\n    self.variable.grad = grad + 1\n"
        "    return ()", notebook)  # fmt: skip
    y.backward()
    assert x.grad.item() == 5.0
    run("def count_dependencies(edges):\n    return {}", notebook)
    again = yours(notebook)
    assert again.core.engine.count_dependencies is notebook["count_dependencies"]
    x.grad = None
    y.backward()
    assert x.grad is None


def test_new_objects_are_those_of_the_notebook() -> None:
    notebook = page(4)
    library = yours(notebook)
    assert library.BackwardPass is notebook["BackwardPass"]
    assert library.core.engine.BackwardPass is notebook["BackwardPass"]
    assert library.Tensor is notebook["Tensor"]
    assert library.Tensor.__module__ == "minigrad_course.after_03.core.tensor"
    assert library.__name__ == "minigrad_course.yours_04"


def test_earlier_functions_call_the_grown_ones() -> None:
    library = yours(page(6))
    assert library.core.engine.count_dependencies.__globals__ is vars(library.core.engine)


def test_the_notebooks_rows_replace_those_of_the_table() -> None:
    notebook = page(3)
    run("rules = {'self': lambda grad: grad * 100.0, 'other': lambda grad: grad}\n"
        "mul = op('mul', np.multiply, promote='any', **rules)", notebook)  # fmt: skip
    assert gradients_of_a_square(yours(notebook)) == [100.0, 1.0]
    notebook["mul"] = 3  # not a row
    assert gradients_of_a_square(yours(notebook)) == [3.0, 3.0]


def gradients_of_a_square(library: Any) -> list[float]:
    x = library.tensor(3.0, requires_grad=True)
    return [grad.item() for grad in (x * x).grad_fn.backward(library.tensor(1.0))]


def test_definitions_that_the_notebook_has_not_built_are_missing() -> None:
    notebook = page(4)
    del notebook["BackwardPass"]
    assert not hasattr(yours(notebook), "BackwardPass")
    assert hasattr(yours(notebook), "count_dependencies")


def test_the_chapter_is_the_one_after_the_library() -> None:
    assert chapter_of({"method_of": load(6).method_of}) == 7
    assert chapter_of({"engine": load(4).engine, "x": 3}) == 5
    with pytest.raises(LookupError, match="imports nothing"):
        chapter_of({"x": 3})


def test_a_module_of_a_forgotten_package_does_not_hide_the_chapter() -> None:
    stage = stages.install(stages.Stage("minigrad_course.gone", 23))
    gone = importlib.import_module("minigrad_course.gone.autograd.functional")
    stages.forget(stage.__name__)
    assert chapter_of({"grad": load(22).grad, "functional": gone}) == 23


def test_yours_finds_the_notebook_that_calls_it() -> None:
    notebook = page(4)
    run("from minigrad_course import yours\nmine = yours()", notebook)
    assert notebook["mine"].BackwardPass is notebook["BackwardPass"]


# --- until chapter 22 -----------------------------------------------------------------------------


@pytest.mark.parametrize("number", [11, 21])
def test_writes_into_views_are_refused_before_they_happen(number: int) -> None:
    library = load(number, "tried")
    x = library.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * 1.0
    early = y[:1]
    with pytest.raises(NotYet, match="CopySlices is built in 22"):
        y[1:].mul_(10.0)
    assert y.tolist() == [1.0, 2.0, 3.0]
    assert early.sum().item() == 1.0
    y.mul_(10.0)
    with pytest.raises(NotYet, match="AsStridedBackward0 is built in 22"):
        early.sum()  # its history is that of the old values
    y.sum().backward()
    assert x.grad.tolist() == [10.0, 10.0, 10.0]
