"""What `help` shows: the real parameters and a docstring of each public function and method.

The names are compared with PyTorch's in tests/parity/test_arguments.py.
"""

import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, ops
from minigrad.ops import creation
from minigrad.rows.declarations import DECLARED, PAGES

# Parameters that take any number of values, as PyTorch's do.
VARIADIC = {
    "axes", "lengths", "operands", "order", "sizes", "targets", "tensors", "times", "values",
}  # fmt: skip


def public() -> Iterator[tuple[str, Any]]:
    for name, value in sorted(vars(minigrad).items()):
        if inspect.isfunction(value) and not name.startswith("_"):
            yield name, value
    for cls in reversed(Tensor.__mro__[:-1]):
        for name, value in vars(cls).items():
            if inspect.isfunction(value):
                yield f"Tensor.{name}", value


PUBLIC = dict(public())


@pytest.mark.parametrize("called", PUBLIC)
def test_signatures_show_the_real_parameters(called: str) -> None:
    for name, each in inspect.signature(PUBLIC[called]).parameters.items():
        assert not name.startswith("_")
        assert each.kind is not each.VAR_KEYWORD or name == "options"
        assert each.kind is not each.VAR_POSITIONAL or name in VARIADIC
        assert each.default is each.empty or not hasattr(each.default, "__code__")


@pytest.mark.parametrize("called", [each for each in PUBLIC if "._" not in each])
def test_there_is_a_docstring(called: str) -> None:
    text = inspect.getdoc(PUBLIC[called]) or ""
    assert text.partition("Source:")[0].strip()


@pytest.mark.parametrize(
    "functions", [ops.FUNCTIONS, ops.METHODS, creation.FACTORIES], ids=["torch", "Tensor", "new"]
)
def test_operations_name_their_page(functions: dict[str, Any]) -> None:
    for name, function in functions.items():
        if not name.startswith("__"):
            assert function.__doc__.count(PAGES) == 1, name


def test_each_text_of_a_row_is_shown() -> None:
    rows = [(each.names, row) for each in DECLARED if (row := getattr(each.function, "row", None))]
    documented = [(names, row) for names, row in rows if row.doc]
    assert len(documented) > 60
    for names, row in documented:
        for name in names:
            assert row.doc in ops.FUNCTIONS[name].__doc__
            assert row.doc in ops.METHODS[name].__doc__


def test_a_signature_is_the_same_before_and_after_the_first_call() -> None:
    program = """
import inspect, minigrad
x = minigrad.tensor([1.0])
for function, arguments in ((minigrad.relu, (x,)), (minigrad.Tensor.exp_, (x,))):
    before = str(inspect.signature(function))
    function(*arguments)
    assert str(inspect.signature(function)) == before == "(input: 'Tensor') -> 'Tensor'", before
assert str(inspect.signature(x.tril)) == "(diagonal: 'Any' = 0) -> 'Tensor'"
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_signature_binds_and_is_replaced() -> None:
    signature = inspect.signature(minigrad.transpose)
    assert signature.bind(1, 2, dim1=0).arguments == {"input": 1, "dim0": 2, "dim1": 0}
    assert signature.replace(return_annotation=int).return_annotation is int
    assert list(signature.replace(parameters=[]).parameters) == []
