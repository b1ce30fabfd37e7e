"""tools/notebooks.py: what it takes from the package and writes to a notebook."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jupyter_client.kernelspec import get_kernel_spec
from jupyter_client.manager import run_kernel
from nbformat import v4

from minigrad_course.desk import ipynb
from tests.course.conftest import FIXTURES
from tools import notebooks


def test_run_gives_the_same_bytes_every_time(sample_file: Path) -> None:
    """Running the sample from its sources, ids and tags reproduces the stored file."""
    stored = (FIXTURES / "99_sample.ipynb").read_bytes()
    unrun = json.loads(stored)
    unrun["metadata"] = {"kernelspec": {"name": "venv", "display_name": "Mine"}, "signature": "x"}
    for cell in unrun["cells"]:
        cell["metadata"]["ExecuteTime"] = "now"
        cell["metadata"].pop("nbgrader", None)
        if cell["cell_type"] == "code":
            cell["outputs"] = []
            if "tags" in cell["metadata"]:
                cell["source"] = "old"
    sample_file.write_text(json.dumps(unrun), encoding="utf-8")
    assert notebooks.main(["run", str(sample_file)]) == 0
    assert sample_file.read_bytes() == stored


def test_a_notebook_that_fails_is_left_unchanged(
    sample_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = sample_file.read_text(encoding="utf-8").replace("math.sin, None", "math.sin, 1")
    sample_file.write_text(broken, encoding="utf-8")
    assert notebooks.main(["run", str(sample_file)]) == 1
    assert sample_file.read_text(encoding="utf-8") == broken
    assert "raised nothing" in capsys.readouterr().err


def test_cells_without_an_id_get_a_stable_one(sample_file: Path) -> None:
    raw = json.loads(sample_file.read_text(encoding="utf-8"))
    kept = raw["cells"][0]["id"]
    del raw["cells"][1]["id"]
    raw["cells"][2]["id"] = kept  # a copied cell
    sample_file.write_text(json.dumps(raw), encoding="utf-8")
    ids = [cell.id for cell in ipynb.read(sample_file).cells]
    assert ids == [cell.id for cell in ipynb.read(sample_file).cells]
    assert ids[0] == kept
    assert len(set(ids)) == len(ids)


def test_addresses_are_renumbered_alike_in_all_text() -> None:
    text = "<A at 0x7f12deadbeef> <B at 0x7f12deadbeee>"
    outputs = [
        v4.new_output("stream", text=text),
        v4.new_output("display_data", data={"text/plain": "<B at 0x7f12deadbeee> 0xff"}),
    ]
    notebook = v4.new_notebook(cells=[v4.new_code_cell("", outputs=outputs)])
    notebooks.clean(notebook)
    first, second = notebook.cells[0].outputs
    assert first.text == "<A at 0x7f0000000000> <B at 0x7f0000000010>"
    assert second.data["text/plain"] == "<B at 0x7f0000000010> 0xff"


def test_outputs_stay_in_the_order_of_the_program() -> None:
    printed = [v4.new_output("stream", name="stdout", text=text) for text in ("a", "b", "c")]
    shown = v4.new_output("display_data", data={"text/plain": "shown"})
    first, middle, last = notebooks.joined([*printed[:2], shown, printed[2]])
    assert (first.text, middle, last.text) == ("ab", shown, "c")
    warned = v4.new_output("stream", name="stderr", text="d")
    assert len(notebooks.joined([printed[2], warned])) == 2


def test_a_notebook_stores_what_jupyterlab_stores_whichever_python_ran_it() -> None:
    """JupyterLab puts the kernel's `language_info` and name into a notebook that it opens."""
    with run_kernel(kernel_name="python3") as kernel:
        info = kernel.kernel_info(reply=True, timeout=60)["content"]["language_info"]
    notebook = v4.new_notebook(metadata={"language_info": info | {"version": "3.99.1"}})
    notebooks.clean(notebook)
    stored = notebook.metadata.language_info
    assert stored == info | {"version": "3.11.7"}
    assert notebook.metadata.kernelspec == {
        "name": "python3",
        "display_name": get_kernel_spec("python3").display_name,
        "language": "python",
    }
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)  # cells have ids
