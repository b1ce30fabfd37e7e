"""The score: for how many programs the reader's library prints exactly what PyTorch prints.

The programs are in `tests/programs`, and what PyTorch 2.13 printed is in `tests/goldens`. They run
in the notebook's own process, on the package that `kernel.reader` makes from the notebook.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from minigrad_course.ask.cards import OPEN, RIGHT, Card, box, paragraphs, reveal, show
from minigrad_course.ask.journal import note_score
from minigrad_course.kernel.changed import Differences, differences, refusing_borrowed_members
from minigrad_course.kernel.explain import reasons
from minigrad_course.kernel.machine import IN_A_BROWSER, run_in_thread
from minigrad_course.kernel.places import HARNESS, PROGRAMS, RECORDED
from minigrad_course.kernel.reader import (
    ReaderStage,
    chapter_of,
    notebook_names,
    restored_page_classes,
    yours,
)
from minigrad_course.kernel.stages import (
    LAST,
    MINIGRAD,
    STAGES,
    Library,
    Placeholder,
    Stage,
    forget,
    install,
    stage_modules,
)

SCORES = Path(__file__).with_name("scores.json")
FIRST_TO_FAIL = 3  # failing programs that are named
KINDS = {  # first word of a program's name: what these programs are about
    "bad": "wrong input, refused",
    "code": "Code 1 to 22, document 002",
    "doc": "the other documents",
    "function": "a Function of your own",
    "functional": "whole Jacobians, Hessians",
    "grad": "what .grad holds",
    "graph": "nodes, edges, memory",
    "hook": "hooks",
    "hunted": "found by random search",
    "inplace": "changes in place, views",
    "learner": "what learners tried",
    "mode": "no_grad and its kin",
    "number": "numbers, shapes, printing",
}

# Names and modules that the course gives; programs that use one are not scored. The text says why.
EXCLUDED_NAMES = {
    "torch.nn": "layers are built on the core, chapter 16",
    "torch.optim": "optimizers are built on the core, chapter 16",
    "torch.utils": "data and checkpoints are built on the core",
    "torch.inference_mode": "is attached by `rare`",
    "torch.is_inference_mode_enabled": "is attached by `rare`",
    "torch.is_anomaly_enabled": "is attached by `rare`",
    "torch.is_anomaly_check_nan_enabled": "is attached by `rare`",
    "torch.autograd.detect_anomaly": "is attached by `rare`",
    "torch.autograd.set_detect_anomaly": "is attached by `rare`",
    "torch.autograd.Variable": "an old name",
    "torch.autograd.function": "the module of that name is outside the core",
    "torch.autograd.graph": "the module of that name is outside the core",
    "torch.cuda": "there is one device",
    "torch.device": "there is one device",
    "torch.testing": "a helper for tests, built on the core",
    "torch.finfo": "a table of numbers",
    "torch.iinfo": "a table of numbers",
    "copy": "copying is attached by `rare`",
    "pickle": "copying is attached by `rare`",
}
# Programs that need something given, although the names they use do not show it.
OUTPUTS = "what becomes of each output of a Function is given, docs/functions.md"
NUMBERS = "that backward frees saved numbers, too, is given"
REFUSALS = "views that refuse to be changed are given, docs/views.md"
EXCLUDED_PROGRAMS = {
    "bad_missing_and_deleted": "its errors come from `rare`",
    "code_12": "stops early in PyTorch, too: what follows the error is never run",
    "code_14": "stops early in PyTorch, too: what follows the error is never run",
    "function_dirty_kinds": "a view that forward changed and saved is handled outside the core",
    "function_mark_dirty": OUTPUTS,
    "function_mark_non_differentiable": OUTPUTS,
    "function_misuse": OUTPUTS,
    "function_output_kinds": OUTPUTS,
    "function_outputs": OUTPUTS,
    "function_saving": "ends with `saved_variables`, an old name",
    "function_setup_context": OUTPUTS,
    "function_views_inside": "the marks on views made in no_grad are set by `rare`",
    "grad_accumulates_in_place": "ends with `del x.grad`, outside the core",
    "grad_unused": "`materialize_grads` is outside the core",
    "graph_called_nodes": "calling a node is attached by `rare`",
    "graph_floor_division": "`rare` makes a node without a derivative run first",
    "graph_saved_values": NUMBERS,
    "graph_second_backward_nothing_saved": NUMBERS,
    "hook_gradient_memory": "`rare` takes over a gradient without a copy",
    "hook_missing_gradients": "`materialize_grads` is outside the core",
    "hook_sees_other_leaves": "is about the accelerator; `hook_many_leaves` tests the core",
    "hunted_graphs": "`grad` skips the hooks of a result that none of the inputs leads to",
    "inplace_many_views": REFUSALS,
    "inplace_saved_kinds": "uses `torch.nn.functional`",
    "inplace_siblings": "the marks on views made in no_grad are set by `rare`",
    "inplace_view_kinds": REFUSALS,
    "inplace_views_unrecorded": "the marks on views made in no_grad are set by `rare`",
    "learner_functions": OUTPUTS,
    "learner_hooks_and_orders": "`materialize_grads` is outside the core",
    "number_gradcheck_reports": OUTPUTS,
    "number_reversed_operators": "ends with `_saved_alpha`, which is attached by `rare`",
    "rough_numpy": "what NumPy does with tensors, outside the core",
    "rough_protocols": "protocols of Python and NumPy, outside the core",
    "rough_subclass": "subclasses are attached by `rare`",
}
if IN_A_BROWSER:
    EXCLUDED_NAMES["threading"] = "a browser has no threads"
    EXCLUDED_PROGRAMS["graph_deep"] = "its chains are too long for a browser's stack"
# Programs that need what a late chapter builds: earlier chapters do not count them.
BUILT_LATE = {
    18: {"functional_products", "functional_tuples", "functional_vectorize"},
    22: {
        "inplace_fill_in_loop", "inplace_operators", "inplace_setitem", "inplace_setitem_graphs",
        "inplace_views_of_graph", "learner_in_place", "mode_no_grad",
    },
}  # fmt: skip


@cache
def harness() -> Any:
    """The module `tests/harness.py`, which runs a program and returns what it prints."""
    spec = importlib.util.spec_from_file_location("course_harness", HARNESS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def recorded() -> dict[str, str]:
    """What PyTorch printed, by the program's name."""
    lines = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {name: "".join(f"{line}\n" for line in shown) for name, shown in lines.items()}


def source_of(program: str) -> str:
    """The text of a program."""
    text: str = (PROGRAMS / f"{program}.py").read_text(encoding="utf-8")
    return text


def scored_programs(chapter: int = LAST) -> dict[str, str]:
    """The programs that count at a chapter, each with the first line of its docstring."""
    later = {name for first, names in BUILT_LATE.items() if chapter < first for name in names}
    return {name: line for name, line in all_scored_programs().items() if name not in later}


@cache
def all_scored_programs() -> dict[str, str]:
    """The programs that count at the end of the course."""
    sources = {name: source_of(name) for name in harness().program_names()}
    return {
        name: (ast.get_docstring(ast.parse(source)) or "").split("\n")[0]
        for name, source in sources.items()
        if not why_not_scored(name, source)
    }


def why_not_scored(program: str, source: str) -> str:
    """Why a program does not count, because it needs more than the core; "" if it counts."""
    if program in EXCLUDED_PROGRAMS:
        return EXCLUDED_PROGRAMS[program]
    mentioned = [name for name in EXCLUDED_NAMES if name in source]
    needed = used_names(ast.parse(source)) if mentioned else ()  # parsing all of them takes longer
    return next((f"{name}: {EXCLUDED_NAMES[name]}" for name in mentioned if name in needed), "")


def used_names(tree: ast.Module) -> set[str]:
    """The modules that a program imports and the names of torch that it uses: `torch.tensor`."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {item.name for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Attribute) and ast.unparse(node).startswith("torch."):
            found.add(ast.unparse(node))
    return found


def passing(library: ModuleType, programs: Collection[str] = ()) -> list[str]:
    """Those of `programs` that print under `library` exactly what PyTorch printed.

    Args:
        library: a stage's package.
        programs: their names; by default all that count.
    """
    return [name for name in programs or scored_programs() if prints_the_same(name, library)]


def prints_the_same(program: str, library: ModuleType) -> bool:
    """Whether a program prints what PyTorch printed, and does not stop before its last statement.

    It runs in its own thread, so that a grad mode it leaves switched does not outlive it.
    """
    source = source_of(program)
    ended: list[tuple[str, int | None]] = []
    with settings_kept(library):
        run_in_thread(
            lambda: ended.append(harness().perform(source, library.__name__)),
            lambda: [sys.modules[name] for name in stage_modules(library.__name__)],
        )
    shown, line = ended[0]
    early = line is not None and line < ast.parse(source).body[-1].lineno
    return not early and shown == recorded()[program]


@contextmanager
def settings_kept(library: ModuleType) -> Iterator[None]:
    """Restore the globals of support afterwards: the default dtype, print options and so on."""
    modules = [sys.modules[name] for name in stage_modules(f"{library.__name__}.support")]
    before = [dict(vars(module)) for module in modules]
    try:
        with warnings.catch_warnings():  # NumPy's, about the notebook's code
            warnings.filterwarnings("ignore", category=RuntimeWarning, module="__main__")
            yield
    finally:
        for module, names in zip(modules, before, strict=True):
            vars(module).update(names)


@dataclass(frozen=True)
class Score:
    """Which programs a library prints right at a chapter.

    Attributes:
        right: the programs that the reader's library prints right.
        before: those that the course's library printed right at the previous chapter.
        missed: those that the course's library prints right at this chapter, but not the reader's.
        expected: how many the course's library prints right at this chapter.
        differences: where the reader's library differs from the course's.
    """

    chapter: int
    right: tuple[str, ...]
    before: tuple[str, ...]
    missed: tuple[str, ...] = ()
    expected: int = 0
    differences: Differences = field(default_factory=Differences)

    @property
    def programs(self) -> dict[str, str]:
        """The programs that count."""
        return scored_programs(self.chapter)

    @property
    def new(self) -> list[str]:
        """The programs that print right since this chapter."""
        return [name for name in self.right if name not in self.before]

    @property
    def lost(self) -> list[str]:
        """The programs that printed right before and no longer do."""
        return [name for name in self.before if name not in self.right]

    def summary(self) -> str:
        """The score in a line."""
        return (
            f"After chapter {self.chapter:02} your library prints {len(self.right)} of"
            f" {len(self.programs)} programs exactly as PyTorch 2.13 does,"
            f" {change(len(self.before), len(self.right))}."
        )

    def not_counted(self) -> str:
        """How many programs the total leaves out."""
        given = len(set(harness().program_names()) - set(scored_programs()))
        later = len(set(scored_programs()) - set(self.programs))
        what = [f"{given} programs need what the course gives you ready-made"]
        what += [f"{later} need what a later chapter builds"] if later else []
        return f"Not counted: {', and '.join(what)}."

    def first_to_fail(self) -> list[str]:
        """The shortest of the programs that should print right."""
        return sorted(self.missed, key=lambda name: (len(source_of(name)), name))[:FIRST_TO_FAIL]

    def remarks(self) -> list[str]:
        """What is wrong with the reader's library, if programs fail that should pass."""
        if not (self.missed or self.differences.borrowed):
            return []
        count = self.expected - len(self.missed)
        found = [f"Expected by the end of this chapter: {self.expected}; you have {count}."]
        found += self.differences.sentences()
        if self.missed:
            first = self.first_to_fail()
            found += [f"`{name}` fails: {self.programs[name]}" for name in first]
            found.append(f'See where: `beside_pytorch("{first[0]}", library=yours())`')
        return found

    def card(self, remarks: Sequence[str] = ()) -> Card:
        """The remarks, then the score as a table: the programs by kind, and which ones are new."""
        remarks = [*remarks, *self.remarks()]
        kinds = sorted({kind_of(name) for name in self.programs})
        rows = [
            (kind, *(len([n for n in names if kind_of(n) == kind]) for names in self.columns()))
            for kind in kinds
        ]
        text = [self.summary(), *remarks, f"{'programs about':<28}{'right':>6}{'new':>6}{'of':>6}"]
        text += [
            f"{KINDS[kind]:<28}{now:>6}{new or '':>6}{total:>6}" for kind, now, new, total in rows
        ]
        text += [f"new: {', '.join(self.new) or 'none'}"]
        text += [f"lost: {', '.join(self.lost)}"] if self.lost else []
        text.append(self.not_counted())
        heading = (f"<b>{self.summary()}</b>", *map(paragraphs, remarks))
        html = box(OPEN if remarks else RIGHT, *heading, *self.html(rows))
        return Card(html, "\n".join(text))

    def columns(self) -> tuple[Collection[str], Collection[str], Collection[str]]:
        """The programs that each column of the table counts."""
        return self.right, self.new, self.programs

    def html(self, rows: list[tuple[str, int, int, int]]) -> Iterator[str]:
        """The table, and the names of the programs that are new, lost or still missing.

        All of it is closed, so that after Shift+Enter the line above it is still in view.
        """
        head = '<tr><td style="text-align: left">programs about</td>'
        head += "<td>right</td><td>new</td><td>of</td></tr>"
        body = "".join(
            f'<tr><td style="text-align: left">{KINDS[kind]}</td>'
            f"<td>{now}</td><td>{new or ''}</td><td>{total}</td></tr>"
            for kind, now, new, total in rows
        )
        yield reveal("The programs by topic", f"<table>{head}{body}</table>")
        missing = [name for name in self.programs if name not in self.right]
        for word, names in (("New", self.new), ("Lost", self.lost), ("Not yet", missing)):
            if names:
                items = [
                    f"<b>{name}</b> {escape(self.programs[name], quote=False)}" for name in names
                ]
                yield reveal(f"{word}: {len(names)}", "<br>".join(items))
        yield paragraphs(self.not_counted())


def change(before: int, now: int) -> str:
    """How a score compares with the previous chapter's."""
    if now == before:
        return "the same as before"
    return f"{'up' if now > before else 'down'} from {before}"


def kind_of(program: str) -> str:
    """The kind of a program, the first word of its name: `code` for `code_04`."""
    return program.partition("_")[0]


def measure(notebook: dict[str, Any]) -> Score:
    """The score of the library that a notebook's cells make, with the previous chapter's."""
    package = yours(notebook)
    chapter = chapter_of(notebook)
    library = STAGES[f"minigrad_course.after_{chapter - 1:02}"].library
    maker = STAGES[package.__name__]
    refused = tuple(maker.refused) if isinstance(maker, ReaderStage) else ()
    borrowed = {name: notebook[name] for name in refused}
    notebook.update({name: Placeholder(name, maker) for name in refused})  # functions may use these
    try:
        with refusing_borrowed_members(library, chapter, package):
            now = passing(package, scored_programs(chapter))
    finally:
        notebook.update(borrowed)
    rest = tuple(name for name in scored_programs(chapter) if name not in now)
    missed = passing_at(chapter, library, rest) if rest else ()
    return Score(
        chapter,
        tuple(now),
        passing_at(chapter - 1, library, tuple(scored_programs(chapter))),
        missed,
        len(passing_at(chapter, library, tuple(scored_programs(chapter)))) if missed else len(now),
        differences(library, chapter, package, refused),
    )


def passing_at(chapter: int, library: Library, programs: tuple[str, ...]) -> tuple[str, ...]:
    """Which of `programs` the course's library prints right at a chapter.

    For minigrad itself this is recorded, because running them all takes seconds.
    """
    if library == MINIGRAD:
        return tuple(name for name in programs if first_chapters().get(name, LAST + 1) <= chapter)
    return run_at(chapter, library, programs)


def run_at(chapter: int, library: Library, programs: Collection[str]) -> tuple[str, ...]:
    """Run `programs` with the course's library at a chapter, and return those that print right."""
    package = install(Stage(f"minigrad_course.fresh_{chapter:02}", chapter, library))
    found = passing(package, programs)
    forget(package.__name__)
    return tuple(found)


@cache
def first_chapters() -> dict[str, int]:
    """From which chapter on the library prints a program right (`tools/record_scores.py`)."""
    found: dict[str, int] = json.loads(SCORES.read_text(encoding="utf-8"))
    return found


def score() -> None:
    """Show for how many programs your library prints exactly what PyTorch prints.

    Your library is the previous chapter's, plus what the cells of this notebook have added.

    Raises:
        LookupError: the notebook imports nothing from `minigrad_course.after_NN`.
    """
    with restored_page_classes():
        found = measure(notebook_names())
    skipped = reasons()
    if not skipped:  # otherwise the kept score would be too low
        note_score(found.chapter, len(found.right), len(found.programs))
    show(found.card(skipped))
