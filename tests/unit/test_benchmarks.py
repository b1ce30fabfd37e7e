"""The libraries compute the same gradients in turns, and the page shows what was measured."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import functions, libraries, measure, networks, report
from benchmarks.libraries import LIBRARIES, Array, Step, Work, step_of
from benchmarks.table import ROWS, Row

RESULTS = json.loads(report.RESULTS.read_text(encoding="utf-8"))
SMALL = networks.MLP(5, (7, 6, 4, 3))
WORKS = {
    "chain of tensors": functions.chain_of_tensors(10),
    "chain of numbers": functions.chain_of_numbers(10),
    "fan-out": functions.fan_out(10),
    "elementwise": functions.elementwise(20, 1000),
    "second derivative": functions.second_derivative(100),
    "mlp": SMALL.work(),
    "modules": SMALL.work_of_modules(),
    "cnn": networks.cnn(),
    "convolution": functions.convolution(2),
    **{name: ROWS[name].work for name in ("log-softmax", "silu", "cumsum")},
}


def gradients(work: Work, name: str = "minigrad", steps: int = 1) -> list[Array]:
    step = step_of(work, name)
    assert step
    return [libraries.as_array(each) for each in [step() for _ in range(steps)][-1]]


@pytest.mark.filterwarnings("ignore")  # warnings of the other libraries
@pytest.mark.parametrize("work", WORKS.values(), ids=WORKS)
def test_all_libraries_compute_the_same_gradients(work: Work) -> None:
    able = [name for name in LIBRARIES if step_of(work, name)]
    assert able[:2] == ["minigrad", "plain"]
    assert ("numpy" in able) == ("numpy" in work)
    for steps in (1, 2):  # the second step starts with the updated parameters
        measure.check({name: gradients(work, name, steps) for name in able})


# Taking turns


def use(monkeypatch: pytest.MonkeyPatch, **results: float) -> list[str]:
    """Make each step log its library's name and return that library's result; return the log."""
    log: list[str] = []

    def step_of(work: Work, name: str) -> Step | None:
        def step() -> Sequence[Any]:
            log.append(name)
            return [np.array(results[name])]

        return step if name in results else None

    monkeypatch.setattr(measure, "step_of", step_of)
    monkeypatch.setattr(measure, "TURN", 0)  # one call a turn
    monkeypatch.setattr(measure, "gc", Mock())  # a collection is slow with all the tests' objects
    monkeypatch.setitem(ROWS, "test", Row("", {}))
    return log


def test_libraries_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    log = use(monkeypatch, minigrad=1.0, numpy=1.0)
    times = measure.take_turns("test", 0.1, ["minigrad", "not_installed", "numpy"])
    assert list(times) == ["minigrad", "numpy"]
    assert log[:4] == ["minigrad", "numpy"] * 2  # warm-up
    assert len(log) > 6
    assert log == ["minigrad", "numpy"] * (len(log) // 2)


def test_a_library_with_another_result_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, minigrad=1.0, numpy=1.01)
    with pytest.raises(RuntimeError, match=r"^numpy and minigrad disagree about gradient 0$"):
        measure.take_turns("test", 0, ["minigrad", "numpy"])


def test_a_process_measures_the_minigrad_of_its_own_folder_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RuntimeError, match="minigrad was imported from"):
        measure.take_turns("mlp", 0, ["minigrad"])


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["benchmarks", *arguments])
    command.main()


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.split("|")[1:-1]]


# Before and after

# A fake measuring process, in which the version decides how long a step takes.
MEASURE = """
import json, minigrad
print(json.dumps({"minigrad": minigrad.SECONDS, "plain": 8.0}))
"""


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout whose working copy of minigrad is twice as fast as the committed one."""
    files = {
        "minigrad/__init__.py": "SECONDS = 2.0\n",
        "benchmarks/__init__.py": "",
        "benchmarks/measure.py": MEASURE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    author = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for git in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "Before"]):
        subprocess.run(["git", "-C", str(tmp_path), *git], check=True)
    (tmp_path / "minigrad/__init__.py").write_text("SECONDS = 1.0\n", encoding="utf-8")
    monkeypatch.setattr(measure, "ROOT", tmp_path)
    monkeypatch.setattr(measure, "PAIRS", 2)
    return tmp_path


def test_each_version_is_measured_in_its_own_processes(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "--against", "HEAD", "mlp")
    _, _, fast, plain = capsys.readouterr().out.splitlines()
    assert cells(fast) == ["mlp", "minigrad", "2 s", "1 s", "0.50", "0.50 to 0.50"]
    assert cells(plain) == ["mlp", "plain", "8 s", "8 s", "1.00", "1.00 to 1.00"]


def test_the_ratio_is_the_median_over_pairs() -> None:
    times = ((4e-3, 2e-3), (2e-3, 1e-3), (1e-3, 3e-3), (1e-3, 1e-3), (1e-3, 0.9e-3))
    pairs = [({"minigrad": before}, {"minigrad": after}) for before, after in times]
    line = report.comparison({"mlp": pairs}).splitlines()[-1]
    assert cells(line) == ["mlp", "minigrad", "1 ms", "900 µs", "0.90", "0.50 to 1.00"]


# The page


def test_the_page_shows_what_is_stored() -> None:
    page = report.PAGE.read_text(encoding="utf-8")
    assert report.with_table(page, RESULTS) == page
    assert list(RESULTS["rows"]) == list(ROWS)
