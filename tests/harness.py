"""Run one program under PyTorch and under minigrad, and keep what a terminal would have shown.

The promise of the library is that ``import minigrad as torch`` on top of an autograd program
changes nothing that the program prints. The programs are ordinary files in ``tests/programs``
(``python tests/programs/code_04.py`` runs one under PyTorch). This module executes their text
under either library and returns a *transcript*: standard output, each warning where it was issued,
and the exception that ended the program, if one did.

Object addresses (written ``0x…``) and the C++ source line that PyTorch appends to some warnings are
not compared, because they belong to the machine and not to the program.
"""

import contextlib
import difflib
import gc
import io
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

PROGRAMS = Path(__file__).parent / "programs"
HELPERS = {"show"}  # modules that programs import, not programs
IMPORTS = {"torch": "import torch", "minigrad": "import minigrad as torch"}

_IMPORT_LINE = re.compile(r"^import torch$", re.MULTILINE)
_ADDRESS = re.compile(r"0x[0-9a-f]+")
CPP_ORIGIN = re.compile(r" ?\(Triggered internally at [^)]*\)")


def program_names() -> list[str]:
    """Return the names of all programs, sorted."""
    return sorted(path.stem for path in PROGRAMS.glob("*.py") if path.stem not in HELPERS)


def transcript(name: str, library: str) -> str:
    """Run the program ``name`` under ``library`` ("torch" or "minigrad"); return what it shows."""
    return run((PROGRAMS / f"{name}.py").read_text(encoding="utf-8"), library)


def run(source: str, library: str) -> str:
    """Run ``source``, with ``library`` imported as ``torch``; return what it shows.

    Raises ValueError as ``perform`` does.
    """
    return perform(source, library)[0]


def perform(source: str, library: str) -> tuple[str, int | None]:
    """Run ``source`` under ``library``: what it shows, and the line at which an error ended it.

    ``library`` is "torch", "minigrad" or the dotted name of a module that can be imported.

    Raises ValueError unless the line ``import torch`` occurs exactly once, because a program that
    imported PyTorch some other way would compare PyTorch with itself.
    """
    line = IMPORTS.get(library, f"import {library} as torch")
    source, imports = _IMPORT_LINE.subn(line, source)
    if imports != 1:
        raise ValueError(f"a program has the line 'import torch' once, this one {imports} times")
    code = compile(source, "<program>", "exec")
    shown = io.StringIO()
    stopped = None
    collects = gc.isenabled()  # a program may end before it switches it on again
    with contextlib.redirect_stdout(shown), helpers_importable(), warnings_shown(library):
        try:
            exec(code, {"__name__": "__main__"})
        except Exception as error:  # the program's own ending is what we record
            print(f"{_type_line(error)}: {error}")
            trace = error.__traceback__
            assert trace is not None  # this function's frame; the next one is the program's
            assert trace.tb_next is not None
            stopped = trace.tb_next.tb_lineno
        finally:
            (gc.enable if collects else gc.disable)()
    return _ADDRESS.sub("0x…", shown.getvalue()), stopped


def changes(expected: str, actual: str, labels: tuple[str, str], context: int = 2) -> list[str]:
    """The lines of a unified diff of two transcripts, with lines of context around each change."""
    return [
        *difflib.unified_diff(
            expected.splitlines(), actual.splitlines(), *labels, lineterm="", n=context
        )
    ]


def _type_line(error: Exception) -> str:
    """Name the exception, and its built-in base if the library defined the type itself.

    ``except RuntimeError`` must catch PyTorch's GradcheckError under either library.
    """
    kind = type(error)
    builtin = next(base for base in kind.__mro__ if base.__module__ == "builtins")
    return kind.__name__ if kind is builtin else f"{kind.__name__} ({builtin.__name__})"


@contextlib.contextmanager
def helpers_importable() -> Iterator[None]:
    """Let a program import the helpers beside it, as if it had been started as a script."""
    sys.path.insert(0, str(PROGRAMS))
    try:
        yield
    finally:
        sys.path.remove(str(PROGRAMS))


def _print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Replace ``warnings.showwarning``, which has this signature."""
    print(f"{category.__name__}: {CPP_ORIGIN.sub('', str(message))}")


@contextlib.contextmanager
def warnings_shown(library: str, show: Callable[..., None] = _print_warning) -> Iterator[None]:
    """Print every warning meant for users with `show`, however often it was issued before.

    RuntimeWarning keeps the filters in force: NumPy's complaints about inf and nan are for the
    library to silence, and should surface here if it does not.
    """
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        for category in (UserWarning, DeprecationWarning, FutureWarning):
            warnings.filterwarnings("always", category=category)
        warnings.showwarning = show  # restored by catch_warnings
        if library == "torch":
            stack.enter_context(torch_warns_always())
        yield


@contextlib.contextmanager
def torch_warns_always() -> Iterator[None]:
    """Let PyTorch issue every time the warnings that it issues once a process.

    Otherwise what a program shows would depend on the programs that ran before it.
    """
    import torch

    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        yield
    finally:
        torch.set_warn_always(before)
