"""Where the files of the course are, so that nothing else in this package builds these paths."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the checkout
LIBRARY = ROOT / "minigrad"
NOTEBOOKS = ROOT / "notebooks"
DATA = NOTEBOOKS / "data"
WORKBOOK = ROOT / "workbook"  # the reader's copies, and their progress
PROGRAMS = ROOT / "tests" / "programs"  # scored programs
HARNESS = ROOT / "tests" / "harness.py"  # runs these programs
RECORDED = ROOT / "tests" / "goldens" / "programs.json"  # what PyTorch printed for each of them
