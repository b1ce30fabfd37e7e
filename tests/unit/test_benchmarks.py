"""The benchmarks compute the same gradients, take turns, and their page shows what was measured."""

import gc
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

import minigrad
from benchmarks import __main__ as command
from benchmarks import against, cnn, functions, libraries, measure, mlp, report, second_order
from benchmarks import torch_wins as wins
from benchmarks.libraries import LIBRARIES, Array, Step, Work, step_of
from benchmarks.table import ALL, ROWS, Row

RESULTS = json.loads(report.RESULTS.read_text(encoding="utf-8"))
SMALL = mlp.Shape(5, (7, 6, 4, 3), ("tanh", "relu"))
WORKS = {
    "chain of tensors": functions.chain_of_tensors(10),
    "chain of numbers": functions.chain_of_numbers(10),
    "fan-out": functions.fan_out(10),
    "elementwise": functions.elementwise(20, 1000),
    "outer": functions.outer(30),
    "mlp": mlp.training(SMALL),
    "modules": mlp.training_modules(SMALL),
    "cnn": cnn.training(),
    "cube": second_order.cube(100),
    "hessian-vector": second_order.hessian_vector(SMALL),
    "sum": wins.total(),
    "log-softmax": wins.log_softmax(),
    "silu": wins.silu(),
    "cumsum": wins.cumsum(),
    "convolution": wins.convolution(channels=2),
}


def gradients(work: Work, name: str = "minigrad", steps: int = 1) -> list[Array]:
    step = step_of(work, name)
    assert step
    return [libraries.as_array(each) for each in [step() for _ in range(steps)][-1]]


@pytest.mark.filterwarnings("ignore")  # what the other libraries warn about
@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_all_libraries_compute_the_same_gradients(work: Work) -> None:
    able = [name for name in LIBRARIES if step_of(work, name)]
    assert able[:2] == ["minigrad", "plain"]
    assert ("numpy" in able) == (work.by_hand is not None)
    for steps in (1, 2):  # the second step starts from parameters that the first has changed
        measure.check({name: gradients(work, name, steps) for name in able})


def test_second_derivatives_are_those_of_the_formula() -> None:
    (found,) = gradients(second_order.cube(100))
    t = np.tanh(functions.points(100).astype(np.float64))
    slope = 1 - t * t
    np.testing.assert_allclose(found, slope * (6 * t * slope - 6 * t**3), rtol=1e-3, atol=1e-5)


def test_a_hessian_vector_product_is_the_change_of_the_gradient() -> None:
    shape = mlp.Shape(5, (7, 6, 3), ("tanh",))
    arrays = mlp.parameters(shape)

    def moved(step: float) -> list[Array]:
        pairs = zip(arrays, second_order.directions(arrays), strict=True)
        ends = [array + np.float32(step) * vector for array, vector in pairs]
        work = mlp.training(shape)
        work.arrays = lambda: ends
        return gradients(work)

    products = gradients(second_order.hessian_vector(shape))
    for product, after, before in zip(products, moved(0.01), moved(-0.01), strict=True):
        np.testing.assert_allclose(product, (after - before) / 0.02, atol=0.02)


def test_plain_runs_without_the_accelerator(monkeypatch: pytest.MonkeyPatch) -> None:
    off = Mock(wraps=minigrad.fast.off)
    monkeypatch.setattr(minigrad.fast, "off", off)
    assert [len(gradients(WORKS["outer"], name)) for name in ("minigrad", "plain")] == [2, 2]
    off.assert_called_once_with()


# Taking turns


def use(monkeypatch: pytest.MonkeyPatch, log: list[str], **results: float) -> Row:
    """Let steps log the library's name and return `results`, by library."""

    def step_of(work: Work, name: str) -> Step | None:
        def step() -> list[Array]:
            log.append(name + ("" if gc.isenabled() else " without gc"))
            return [np.array(results[name])]

        return step if name in results else None

    monkeypatch.setattr(measure, "step_of", step_of)
    monkeypatch.setattr(measure, "TURN", 0)  # one call a turn
    return Row("test", "", WORKS["cnn"])


@pytest.fixture(autouse=True)
def thawed() -> Any:
    yield
    gc.unfreeze()


@pytest.mark.parametrize("collector", [True, False])
def test_libraries_take_turns(monkeypatch: pytest.MonkeyPatch, collector: bool) -> None:
    log: list[str] = []
    row = use(monkeypatch, log, minigrad=1.0, numpy=1.0)
    row.collector = collector
    take_turn = measure.prepare(row, ["minigrad", "not_installed", "numpy"])
    del log[:]  # what warmed them up
    assert [list(take_turn()), list(take_turn())] == [["minigrad", "numpy"]] * 2
    off = "" if collector else " without gc"
    assert log == [f"minigrad{off}", f"numpy{off}"] * 2
    assert gc.isenabled()


def test_nothing_is_timed_that_computes_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    row = use(monkeypatch, [], minigrad=1.0, numpy=1.01)
    with pytest.raises(RuntimeError, match=r"^numpy and minigrad disagree about gradient 0$"):
        measure.prepare(row, ["minigrad", "numpy"])


def test_a_library_that_is_not_installed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "micrograd", None)
    assert step_of(WORKS["chain of numbers"], "micrograd") is None


def test_the_command_measures_a_row_and_prints_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measure, "SECONDS", 0)
    monkeypatch.setattr(sys, "argv", ["benchmarks", "second-1e3"])
    command.main()
    machine, _, title, *lines = capsys.readouterr().out.splitlines()
    assert "NumPy" in machine
    assert title == "second-1e3: d²/dx² of sum(tanh(x)³), 1,000 floats"
    assert [line.split()[0] for line in lines][:2] == ["minigrad", "plain"]
    assert all(" min " in line and line.count("µs") + line.count("ms") == 2 for line in lines)


# Before and after


def test_versions_take_turns_and_the_first_one_alternates(monkeypatch: pytest.MonkeyPatch) -> None:
    log: list[str] = []

    def side(name: str) -> dict[str, float]:
        log.append(name)
        return {"minigrad": float(len(log))}

    monkeypatch.setattr(against, "SECONDS", 0)
    turns = against.alternate(lambda: side("before"), lambda: side("after"))
    assert log == ["before", "after", "before", "after", "after", "before"]  # two to warm up
    assert [(old["minigrad"], new["minigrad"]) for old, new in turns] == [(3, 4), (6, 5)]


def test_lines_of_before_and_after() -> None:
    times = ((4e-3, 2e-3), (2e-3, 1e-3), (1e-3, 3e-3), (1e-3, 1e-3), (1e-3, 0.9e-3))
    _, _, fast = against.lines(ROWS[0], [({"minigrad": b}, {"minigrad": a}) for b, a in times])
    assert fast.split() == ["fast", "1", "ms", "900", "µs", "0.90", "0.50", "to", "1.00"]


# Answers as `python -m benchmarks --serve` does; the version says how long a turn takes.
WORKLOAD = """
import json, sys, minigrad
for _ in sys.stdin:
    print(json.dumps({"minigrad": minigrad.SECONDS, "plain": 8.0}), flush=True)
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in which minigrad has become twice as fast as it was when it was committed."""
    files = {
        "minigrad/__init__.py": "SECONDS = 2.0\n",
        "benchmarks/__init__.py": "",
        "benchmarks/__main__.py": WORKLOAD,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for git in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "Before"]):
        subprocess.run(["git", "-C", str(tmp_path), *git], check=True)
    (tmp_path / "minigrad/__init__.py").write_text("SECONDS = 1.0\n", encoding="utf-8")
    monkeypatch.setattr(against, "ROOT", tmp_path)
    monkeypatch.setattr(against, "SECONDS", 0)
    return tmp_path


def test_each_version_is_measured_in_its_own_processes(checkout: Path) -> None:
    _, head, fast, plain = against.compare(["mlp"], "HEAD")
    assert head.endswith("half of 6 pairs of turns")
    assert fast.split() == ["fast", "2", "s", "1", "s", "0.50", "0.50", "to", "0.50"]
    assert plain.split()[-4:] == ["1.00", "1.00", "to", "1.00"]


def test_a_version_that_does_not_run_or_does_not_exist(checkout: Path) -> None:
    (checkout / "minigrad/__init__.py").write_text("", encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        list(against.compare(["mlp"], "HEAD"))
    with pytest.raises(LookupError, match="git has no minigrad at nonsense"):
        list(against.compare(["mlp"], "nonsense"))


def test_a_process_measures_the_minigrad_of_its_own_folder_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match="minigrad was imported from"):
        measure.serve("mlp", ["minigrad"])


# The page


def test_the_page_shows_what_is_stored() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    assert report.with_table(page, RESULTS) == page
    assert list(RESULTS["rows"]) == list(ALL)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(12.34, "12.3 s"), (9.998e-4, "1 ms"), (0.00123, "1.23 ms"), (4.5e-7, "450 ns")],
)
def test_durations_have_three_digits(seconds: float, text: str) -> None:
    assert report.duration(seconds) == text


def test_the_chapter_about_speed_has_the_times_of_the_page() -> None:
    text = (measure.ROOT / "notebooks" / "19_faster.ipynb").read_text(encoding="utf-8")
    sentences = {
        "chain-numbers": "1,000 operations on one number take {} here and {} in PyTorch",
        "convolution": "a convolution with 64 channels takes {} here, {} there",
    }
    for row, sentence in sentences.items():
        measured = RESULTS["rows"][row]
        times = (measured[each]["min"] * 1e3 for each in ("minigrad", "torch"))
        assert sentence.format(*(f"{each:.2g} ms" for each in times)) in text
