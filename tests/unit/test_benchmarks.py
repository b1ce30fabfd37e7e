"""The benchmarks compute what they say, take turns, and their page shows what was measured."""

import gc
import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import against, harness, report
from benchmarks.harness import Row, Step
from benchmarks.libraries import load
from benchmarks.table import ALL, ROWS, TORCH_WINS
from benchmarks.workloads import cnn, functions, mlp, second_order

RESULTS = json.loads(report.RESULTS.read_text(encoding="utf-8"))


def gradients(program: harness.Program, library: str, size: Any) -> list[np.ndarray[Any, Any]]:
    return [harness.as_array(each) for each in program(load(library), size)()]


@pytest.mark.parametrize(
    ("programs", "size"),
    [
        (functions.ELEMENTWISE, (functions.elementwise, 20, 1000)),
        (functions.OUTER, (functions.outer, 2, 30)),
        (mlp.PROGRAMS, mlp.Shape(5, (7, 6, 4, 3), ("tanh", "relu"))),
        (mlp.MODULES, mlp.Shape(5, (7, 6, 4, 3), ("tanh", "relu"))),
        (cnn.PROGRAMS, None),
    ],
    ids=["elementwise", "outer", "mlp", "modules", "cnn"],
)
def test_minigrad_and_the_hand_written_limit_agree(
    programs: dict[str, harness.Program], size: Any
) -> None:
    steps = {name: programs[name](load(name), size) for name in ("minigrad", "numpy")}
    for _ in range(2):  # the second step starts from changed parameters
        harness.check(
            {name: [harness.as_array(each) for each in step()] for name, step in steps.items()}
        )


def test_second_derivatives_are_those_of_the_formula() -> None:
    (got,) = gradients(second_order.CUBE["minigrad"], "minigrad", 100)
    t = np.tanh(second_order.points(100).astype(np.float64))
    slope = 1 - t * t
    np.testing.assert_allclose(got, slope * (6 * t * slope - 6 * t**3), rtol=1e-3, atol=1e-5)


def test_a_hessian_vector_product_is_the_change_of_the_gradient() -> None:
    shape = mlp.Shape(5, (7, 6, 3), ("tanh",))
    minigrad: Any = load("minigrad")
    products = gradients(second_order.HESSIAN_VECTOR["minigrad"], "minigrad", shape)
    inputs, classes, arrays = mlp.data(shape)
    x, target = minigrad.tensor(inputs), minigrad.tensor(classes)

    def gradient(step: float) -> list[Any]:
        pairs = zip(arrays, second_order.directions(arrays), strict=True)
        moved = [minigrad.tensor(a + step * v, requires_grad=True) for a, v in pairs]
        loss = mlp.loss_torch(minigrad, x, target, moved, shape)
        return [g.numpy() for g in minigrad.autograd.grad(loss, moved)]

    for product, after, before in zip(products, gradient(0.01), gradient(-0.01), strict=True):
        np.testing.assert_allclose(product, (after - before) / 0.02, atol=0.02)


def recorder(log: list[str], name: str, result: float) -> harness.Program:
    def program(library: Any, size: Any) -> Step:
        def step() -> Sequence[Any]:
            log.append(name + ("" if gc.isenabled() else " without gc"))
            return [np.array([result])]

        return step

    return program


def row_of(programs: dict[str, harness.Program], **options: Any) -> Row:
    return Row("test", "", programs, None, seconds=0, rounds=2, **options)


def take_turns(monkeypatch: pytest.MonkeyPatch, **options: Any) -> list[str]:
    log: list[str] = []
    monkeypatch.setattr(harness, "TURN", 0)  # one call a turn
    names = {"minigrad": "a", "numpy": "b"}
    programs = {library: recorder(log, name, 1.0) for library, name in names.items()}
    times = harness.measure(row_of(programs, **options))
    assert {library: each["rounds"] for library, each in times.items()} == dict.fromkeys(names, 2)
    assert all(0 <= each["min"] <= each["median"] for each in times.values())
    return log


def test_libraries_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    assert take_turns(monkeypatch) == ["a", "a", "b", "b", *["a", "b"] * 2]  # warm-up, two rounds


def test_the_collector_is_off_where_a_row_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = "a without gc", "b without gc"
    assert take_turns(monkeypatch, collector=False) == ["a", a, "b", b, *[a, b] * 2]
    assert gc.isenabled()


def test_nothing_is_timed_that_computes_something_else() -> None:
    programs = {"minigrad": recorder([], "a", 1.0), "numpy": recorder([], "b", 1.01)}
    with pytest.raises(RuntimeError, match=r"^numpy and minigrad disagree about gradient 0$"):
        harness.measure(row_of(programs))


def test_a_library_that_is_not_installed_is_left_out() -> None:
    programs = {"minigrad": recorder([], "a", 1.0), "no_such_library": recorder([], "b", 2.0)}
    row = row_of(programs, libraries=("minigrad", "no_such_library"))
    assert list(harness.measure(row)) == ["minigrad"]


# Before and after


def sides(log: list[str]) -> list[against.Side]:
    """Two versions whose turns are told; what a turn takes is how many there were before it."""

    def side(name: str) -> against.Side:
        def turn() -> against.Turn:
            log.append(name)
            return {"minigrad": float(len(log))}

        return turn

    return [side("before"), side("after")]


def test_versions_take_turns_and_who_begins_alternates(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []
    monkeypatch.setattr(against, "SECONDS", 0)
    pairs = against.take_turns(*sides(log))
    assert log == ["before", "after", "before", "after", "after", "before"]  # two to warm up
    assert [(old["minigrad"], new["minigrad"]) for old, new in pairs] == [(3, 4), (6, 5)]


def test_lines_of_before_and_after() -> None:
    pairs = [
        ({"minigrad": old, "plain": 1.0}, {"minigrad": new, "plain": 1.0})
        for old, new in ((4e-3, 2e-3), (2e-3, 1e-3), (1e-3, 3e-3), (1e-3, 1e-3), (1e-3, 0.9e-3))
    ]
    title, _, fast, plain = against.lines(Row("r", "title", {}, None), pairs)
    assert title == "\nr: title"
    assert fast.split() == ["fast", "1", "ms", "900", "µs", "0.90", "0.50", "to", "1.00"]
    assert plain.split() == ["plain", "1", "s", "1", "s", "1.00", "1.00", "to", "1.00"]


# Answers as `benchmarks.against` does; how long a turn takes stands in the version.
WORKLOAD = """
import json, sys, minigrad
for _ in sys.stdin:
    print(json.dumps({"minigrad": minigrad.SECONDS, "plain": 8.0}), flush=True)
"""


@pytest.fixture
def versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout in which minigrad has become twice as fast as it was when it was committed."""
    files = {"minigrad/__init__.py": "SECONDS = 2.0\n", "benchmarks/against.py": WORKLOAD}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "Before"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    (tmp_path / "minigrad/__init__.py").write_text("SECONDS = 1.0\n", encoding="utf-8")
    monkeypatch.setattr(against, "ROOT", tmp_path)
    monkeypatch.setattr(against, "SECONDS", 0)
    monkeypatch.setattr(against, "PAIRS", 2)


@pytest.mark.usefixtures("versions")
def test_each_version_is_measured_in_processes_of_its_own() -> None:
    _, head, fast, plain = against.compare(["mlp"], "HEAD", dict(os.environ))
    assert head.endswith("half of 4 pairs of turns")
    assert fast.split() == ["fast", "2", "s", "1", "s", "0.50", "0.50", "to", "0.50"]
    assert plain.split()[-4:] == ["1.00", "1.00", "to", "1.00"]


@pytest.mark.usefixtures("versions")
def test_a_version_that_does_not_run_or_does_not_exist(capfd: pytest.CaptureFixture[str]) -> None:
    (against.ROOT / "minigrad/__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        list(against.compare(["mlp"], "HEAD", dict(os.environ)))
    assert "has no attribute 'SECONDS'" in capfd.readouterr().err
    with pytest.raises(LookupError, match="git has no minigrad of nonsense"):
        list(against.compare(["mlp"], "nonsense", dict(os.environ)))


def test_a_process_takes_a_turn_for_each_line_that_it_reads(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log: list[str] = []
    programs = {name: recorder(log, name, 1.0) for name in ("minigrad", "plain", "numpy")}
    monkeypatch.setitem(ALL, "test", row_of(programs))
    monkeypatch.setattr(harness, "TURN", 0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n\n"))
    monkeypatch.chdir(against.ROOT)
    try:
        against.serve("test")
    finally:
        gc.unfreeze()
    assert log[-4:] == ["minigrad", "plain"] * 2
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(turn) for turn in told] == [["minigrad", "plain"]] * 2


def test_a_process_measures_no_minigrad_of_another_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match="minigrad is that of"):
        against.serve("mlp")


# The page


def test_the_page_shows_what_is_stored() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    assert report.with_tables(page, RESULTS) == page


def test_every_row_was_measured_and_stands_in_the_table() -> None:
    assert list(RESULTS["rows"]) == list(ALL)
    names = [row.name for row in [*ROWS, *TORCH_WINS]]
    assert len(names) == len(set(names))
    assert all({"minigrad", "torch"} <= set(times) for times in RESULTS["rows"].values())
    tables = report.tables(RESULTS)
    assert all(tables.count(f"| {row.title} |") >= 1 for row in [*ROWS, *TORCH_WINS])


def test_the_plots_name_their_lines_and_the_better_side() -> None:
    from benchmarks import plots

    ratios, growth = plots.ratios(RESULTS), plots.growth(RESULTS)
    lines = [text.get_text().split("   ") for panel in ratios.axes for text in panel.texts]
    assert ["← faster", "PyTorch", "slower →"] in lines
    assert ["← faster", "NumPy by hand", "slower →"] in lines
    assert "less is better" in growth.axes[0].get_ylabel()
    for figure in (ratios, growth):
        plots.plt.close(figure)


def test_a_target_is_bold_where_it_is_met() -> None:
    assert report.against(0.3, 0.3) == "**0.30** ≤ 0.30"
    assert report.against(0.31, 0.3) == "0.31 > 0.30"
    assert (report.against(0.31, None), report.against(None, 0.3)) == ("0.31", "")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(12.34, "12.3 s"), (9.998e-4, "1 ms"), (0.00123, "1.23 ms"), (4.5e-7, "450 ns")],
)
def test_durations_have_three_digits(seconds: float, text: str) -> None:
    assert report.duration(seconds) == text


def test_terminal_lines_name_times_ratios_and_targets() -> None:
    row = Row("r", "title", {}, None, torch=0.5, operations=10)
    times = {"minigrad": {"min": 1e-3, "median": 2e-3}, "torch": {"min": 4e-3, "median": 4e-3}}
    first, mine, theirs = report.plain_lines(row, times)
    assert first == "\nr: title"
    for part in ("1 ms min", "2 ms median", "100 µs an operation", "0.25 × torch (≤ 0.50)"):
        assert part in mine
    assert "4 ms min" in theirs


def test_the_chapter_about_speed_has_the_times_of_the_page() -> None:
    text = (report.RESULTS.parents[1] / "notebooks" / "19_faster.ipynb").read_text(encoding="utf-8")
    told = {
        "chain-numbers": "1,000 operations on one number take {} here and {} in PyTorch",
        "convolution": "a convolution with 64 channels takes {} here, {} there",
    }
    for row, sentence in told.items():
        measured = RESULTS["rows"][row]
        times = (measured[each]["min"] * 1e3 for each in ("minigrad", "torch"))
        assert sentence.format(*(f"{each:.2g} ms" for each in times)) in text
