"""Record what PyTorch computes for every operation: ``python -m tests.goldens.record_operations``.

Needs PyTorch 2.13.0 (the extra ``parity``). The outcome of each case of `tests.goldens.cases` is
written to ``operations.json`` next to this file: what the last line gives (values, dtype, flags),
the graph behind it with all names and edges, the first derivatives and the graph behind them, the
second derivatives, or the error. `test_operations` compares minigrad with it where PyTorch is not
installed. Digits that only another processor would round differently stay as they were recorded,
see `tests.goldens.keep`; a case that is gone from the modules is gone from the file as well.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import importlib
import json
import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.goldens.cases import Case, cases
from tests.goldens.keep import keep
from tests.harness import torch_warns_always

GOLDENS = Path(__file__).with_name("operations.json")
SPECIAL = [0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, -0.0]
USUAL = {
    "requires_grad": False,
    "leaf": True,
    "view": False,
    "contiguous": True,
    "version": 0,
    "output_nr": 0,
}
Outcome = dict[str, Any]


def outcome(case: Case, library: str) -> Outcome:
    """Run a case under ``library`` ("torch" or "minigrad"); return all there is to compare."""
    torch = importlib.import_module(library)
    inputs = {name: make(torch, name, spec) for name, spec in case.inputs.items()}
    with shown_warnings(library) as caught:
        try:
            result = run(case.code, {"torch": torch, **inputs})
            found = describe(torch, result, inputs)
        except Exception as error:
            found = {"error": error_line(error)}
    found["inputs changed"] = [n for n, t in inputs.items() if t._version]
    found["warnings"] = [str(each.message).split("\n")[0].split(" (Tri")[0] for each in caught]
    return {key: value for key, value in found.items() if value not in ([], None)}


def make(torch: Any, name: str, spec: str) -> Any:
    """The input that a description such as ``float32 2x3 positive`` stands for."""
    dtype, size, *words = spec.split()
    shape = [] if size == "scalar" else [int(length) for length in size.split("x")]
    array = laid_out(numbers(name, dtype, math.prod(shape), words).reshape(shape), words)
    tensor = (
        torch.from_numpy(array)
        if shape
        else torch.tensor(array.item(), dtype=getattr(torch, dtype))
    )
    return tensor.requires_grad_(dtype.startswith("float") and "constant" not in words)


def numbers(name: str, dtype: str, count: int, words: list[str]) -> NDArray[Any]:
    """`count` different numbers, exact in binary, which depend on the name."""
    position = np.arange(count) * 37 + ord(name) * 5
    if "special" in words:
        values = np.resize(SPECIAL, count)
    elif dtype == "bool":
        values = position % 2
    elif dtype.startswith("float"):
        values = (position % 41 - 20) / 8 + 1 / 16
    else:
        values = position % 7 - (0 if dtype.startswith("u") else 3)
    return (np.abs(values) if "positive" in words else values).astype(dtype)


def laid_out(array: NDArray[Any], words: list[str]) -> NDArray[Any]:
    """The same array with its elements elsewhere in memory."""
    if "transposed" in words:
        return np.ascontiguousarray(array.T).T
    return np.repeat(array, 2, axis=-1)[..., ::2] if "strided" in words else array


def run(code: str, names: dict[str, Any]) -> Any:
    """Execute the code; return the value of its last line, if that is an expression."""
    *statements, last = ast.parse(code).body
    if not isinstance(last, ast.Expr):
        statements, last = [*statements, last], ast.parse("None").body[0]
    exec(compile(ast.Module(statements, []), "<case>", "exec"), names)
    return eval(compile(ast.Expression(last.value), "<case>", "eval"), names)  # type: ignore[attr-defined]


def error_line(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".split("\n")[0]


@contextlib.contextmanager
def shown_warnings(library: str) -> Iterator[list[warnings.WarningMessage]]:
    """Collect the warnings for users, however often they were issued before."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        with torch_warns_always() if library == "torch" else contextlib.nullcontext():
            yield caught


def describe(torch: Any, result: Any, inputs: dict[str, Any]) -> Outcome:
    """Everything that a program can see of a result and its derivatives."""
    items = list(result) if isinstance(result, (list, tuple)) else [result]
    found: Outcome = {"results": [look(torch, item, inputs) for item in items]}
    roots = [item for item in items if torch.is_tensor(item) and item.requires_grad]
    sources = [tensor for tensor in inputs.values() if tensor.requires_grad]
    if roots and sources:
        found |= derivatives(torch, roots, inputs)
    return found


def look(torch: Any, item: Any, inputs: dict[str, Any]) -> Any:
    """One result: a tensor with its unusual flags and its graph, or what anything else prints."""
    if not torch.is_tensor(item):
        return str(item)
    for name, tensor in inputs.items():
        if item is tensor:
            return name
    flags = {
        "requires_grad": item.requires_grad,
        "leaf": item.is_leaf,
        "view": item._is_view(),
        "contiguous": item.is_contiguous(),
        "version": item._version,
        "output_nr": item.output_nr,
    }
    return [*tell(item), {k: v for k, v in flags.items() if v != USUAL[k]}, graph(item, inputs)]


def tell(tensor: Any) -> list[Any]:
    """dtype, shape and values, as JSON can hold them."""
    array = tensor.numpy(force=True)
    return [str(tensor.dtype).removeprefix("torch."), list(tensor.shape), written(array)]


def written(array: NDArray[Any]) -> list[Any]:
    """The values in a flat list, with the digits that tell them apart in their dtype."""
    if array.dtype.kind == "f":
        texts = [str(number) for number in array.ravel()]
        return [float(text) if math.isfinite(float(text)) else text for text in texts]
    return list(array.ravel().tolist())


def graph(tensor: Any, inputs: dict[str, Any]) -> list[str]:
    """The graph behind a tensor, a line a node: its name and where its edges lead."""
    if tensor.grad_fn is None:
        return []
    nodes = [tensor.grad_fn]
    lines = []
    for node in nodes:  # grows while it is read
        edges = []
        for following, number in node.next_functions:
            if following is None:
                edges.append("-")
                continue
            if following not in nodes:
                nodes.append(following)
            edges.append(f"{nodes.index(following)}" + f":{number}" * bool(number))
        variable = getattr(node, "variable", None)
        names = [name for name, each in inputs.items() if each is variable]
        lines.append(" ".join([node.name().removeprefix("torch::autograd::"), *names, *edges]))
    return lines


def derivatives(torch: Any, roots: list[Any], inputs: dict[str, Any]) -> Outcome:
    """The gradients of the roots and their graphs, the second derivatives, and a second backward.

    The second derivatives are those of the first gradients, multiplied by fixed numbers, with
    respect to the inputs and to the cotangents.
    """
    sources = [tensor for tensor in inputs.values() if tensor.requires_grad]
    grad = functools.partial(torch.autograd.grad, allow_unused=True)
    cotangents = [like(torch, root, 3 * i + 1) for i, root in enumerate(roots)]
    first = grad(roots, sources, cotangents, create_graph=True)
    found = {"first": [g if g is None else [*tell(g), g.requires_grad] for g in first]}
    for cotangent in cotangents:
        cotangent.requires_grad_()
    recorded = grad(roots, sources, cotangents, create_graph=True)
    leaves = {**inputs, **{f"grad {i}": each for i, each in enumerate(cotangents)}}
    found["graph"] = [[] if each is None else graph(each, leaves) for each in recorded]
    flowing = [each for each in recorded if each is not None and each.requires_grad]
    if flowing:
        weights = [like(torch, each, 5 * i) for i, each in enumerate(flowing)]
        second = grad(flowing, [*sources, *cotangents], weights, retain_graph=True)
        found["second"] = [g if g is None else tell(g) for g in second]
    grad(roots, sources, cotangents)
    try:
        grad(roots, sources, cotangents)
    except RuntimeError as error:
        found["again"] = error_line(error)[:80]
    return found


def like(torch: Any, tensor: Any, start: int) -> Any:
    """Fixed numbers in the shape and dtype of a tensor."""
    count = tensor.numel()
    values = (np.arange(start, start + count) * 7 % 11 - 4) / 4
    return torch.tensor(values.tolist(), dtype=tensor.dtype).reshape(tensor.shape)


def record() -> dict[str, Outcome]:
    """Every case under PyTorch: name → outcome."""
    return {case.name: outcome(case, "torch") for case in cases()}


def load() -> dict[str, Outcome]:
    """The recorded outcomes."""
    recorded: dict[str, Outcome] = json.loads(GOLDENS.read_text(encoding="utf-8"))
    return recorded


def save(outcomes: dict[str, Outcome]) -> None:
    """Write the outcomes in the order of the cases, a line for each."""
    rows = [f"{json.dumps(name)}: {json.dumps(found)}" for name, found in outcomes.items()]
    GOLDENS.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def differences(case: Case, expected: Outcome, actual: Outcome) -> list[str]:
    """Where two outcomes differ, floats by more than rounding.

    Rounding is eight units in the last place of the least precise input, relative to the largest
    number in the tensor or to 1.
    """
    dtypes = [spec.split()[0] for spec in case.inputs.values()]
    exact = [each if each.startswith("float") else "float32" for each in dtypes]
    step = max([float(np.finfo(each).eps) for each in exact], default=0.0)
    return list(compare(expected, actual, 8 * step, ""))


def compare(expected: Any, actual: Any, step: float, path: str) -> Iterator[str]:
    """Yield a line for each difference between two parts of an outcome."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in {**expected, **actual}:
            yield from compare(expected.get(key), actual.get(key), step, f"{path}.{key}")
    elif is_floats(expected) and is_floats(actual) and len(expected) == len(actual):
        if not close(np.array(expected, "float64"), np.array(actual, "float64"), step):
            yield f"{path}: {expected} != {actual}"
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from compare(*pair, step, f"{path}[{index}]")
    elif expected != actual:
        yield f"{path}: {expected} != {actual}"


def is_floats(values: Any) -> bool:
    """Whether this is what `written` returns for floating-point numbers."""
    return isinstance(values, list) and all(
        isinstance(each, float) or each in ("inf", "-inf", "nan") for each in values
    )


def close(expected: NDArray[Any], actual: NDArray[Any], step: float) -> bool:
    finite = np.isfinite(expected)
    room = step * max(1.0, np.abs(expected[finite]).max(initial=0.0))
    return np.array_equal(expected[~finite], actual[~finite], equal_nan=True) and bool(
        np.all(np.abs(expected[finite] - actual[finite]) <= room)
    )


if __name__ == "__main__":
    save(keep(load(), record()))
