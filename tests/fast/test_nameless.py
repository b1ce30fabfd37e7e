"""fast.silence: what computes for the accelerator warns of nothing, whoever asks for warnings."""

import subprocess
import sys
from pathlib import Path

from minigrad import ops

PROGRAM = """
import sys
import minigrad as torch

torch.tensor(1.0) * 2
for name in sys.argv[1:]:
    module = sys.modules.get(f"minigrad.ops.{name}")
    print(*([] if module and vars(module)["__name__"] is None else [name]), end="")
"""


def test_after_the_first_operation_no_module_of_the_table_has_a_name() -> None:
    files = Path(ops.__path__[0]).glob("*.py")
    names = sorted(file.stem for file in files if file.stem != "__init__")
    assert "losses" in names
    command = [sys.executable, "-c", PROGRAM, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "")
