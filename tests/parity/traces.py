"""Run a program line by line under both libraries, and compare everything that can be seen.

That is the error of each line (type and first line), warnings where they are issued, what hooks and
Functions log and in which order, and at the end of every tensor its values, flags, version, layout,
base, graph, gradient and repr. Values may differ by rounding.
"""

from __future__ import annotations

import contextlib
import importlib
import re
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.goldens.record_operations import compare, error_line, graph, tell
from tests.harness import CPP_ORIGIN, torch_warns_always

EDITING = re.compile(r"edited\(|\.data\b")  # a hook's edit of what it is given, or an unseen one
# The stale-value error names the operation that made the value, which minigrad does not know of a
# constant that an in-place edit has made part of a graph since.
MAKER = re.compile(r", which is output .*?,")

# What a program starts with besides `torch`, `np` and `log`.
PRELUDE = '''
class Square(torch.autograd.Function):
    """Saves its output and its input."""
    @staticmethod
    def forward(ctx, x):
        result = x * x
        ctx.save_for_backward(x, result)
        return result
    @staticmethod
    def backward(ctx, grad):
        x, result = ctx.saved_tensors
        log("Square", result)
        return grad * x * 2

class Doubled(torch.autograd.Function):
    """Changes its input in place."""
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x
    @staticmethod
    def backward(ctx, grad):
        return grad * 2

class Scaled(torch.autograd.Function):
    """The other form, with a context of its own; cannot be differentiated twice."""
    @staticmethod
    def forward(x, factor):
        return x * factor
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        return grad * ctx.factor, None

class Nothing(torch.autograd.Function):
    """Gives its first input no gradient."""
    @staticmethod
    def forward(ctx, x, y):
        return x + y
    @staticmethod
    def backward(ctx, grad):
        return None, grad

def leaf(shape, requires_grad):
    """A leaf of a few numbers that are exact in binary."""
    numbers = torch.arange(torch.zeros(shape).numel(), dtype=torch.float64)
    return ((numbers * 3 - 4) / 4).reshape(shape).clone().requires_grad_(requires_grad)
'''


def differences(lines: list[str], step: float) -> list[str]:
    """Where a program shows something else under the two libraries.

    Values may differ by `step`, relative to the largest in the tensor or to 1.
    """
    traces = without_shared(trace(lines, "torch"), trace(lines, "minigrad"))
    return difference(*traces, step)


def trace(lines: list[str], library: str) -> list[Any]:
    """Run a program under "torch" or "minigrad"; return all that can be seen.

    With the accelerator a 0-d tensor has no memory of its own in which an edit by a hook or through
    `.data` could reach others, so programs with such edits run without it.
    """
    module = importlib.import_module(library)
    fast = sys.modules.get(f"{library}.fast")
    plain = fast.off() if fast and EDITING.search("\n".join(lines)) else contextlib.nullcontext()
    seen: list[Any] = []
    memory: set[int] = set()

    def log(text: str, *items: Any) -> None:
        seen.append([text, *(tell_of(item) for item in items)])

    def edited(grad: Any) -> Any:
        """Pass on a gradient that a hook is about to change in place."""
        memory.add(grad.data_ptr())
        return grad

    names = {"torch": module, "np": importlib.import_module("numpy"), "log": log}
    names |= {"edited": edited, "__name__": "__main__"}
    exec(compile(PRELUDE, "<prelude>", "exec"), names)
    with plain, module.enable_grad(), warnings_in(seen):
        for number, line in enumerate(lines):
            with errors_in(seen, number):
                exec(line, names)
        tensors = {name: each for name, each in names.items() if module.is_tensor(each)}
        for name, tensor in tensors.items():
            with errors_in(seen, 0):
                look(seen, name, tensor, tensors, left_out(lines))
        with warnings.catch_warnings(action="ignore"):
            seen.append(sharing(tensors, memory))
    return seen


def tell_of(item: Any) -> Any:
    """A tensor as a hook sees it."""
    return [*tell(item), item.requires_grad] if hasattr(item, "requires_grad") else str(item)


@contextlib.contextmanager
def errors_in(seen: list[Any], number: int) -> Iterator[None]:
    """Note the error that a line raises, if it does."""
    try:
        yield
    except Exception as error:
        text = MAKER.sub("", error_line(error).split(". ")[0])
        seen.append(f"line {number}: {re.sub('0x[0-9a-f]+', '0x…', text)}")


@contextlib.contextmanager
def warnings_in(seen: list[Any]) -> Iterator[None]:
    """Note each warning where it is issued, PyTorch's once-a-process ones every time."""
    with warnings.catch_warnings(), torch_warns_always():
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", "grad and param do not obey")  # about speed
        warnings.showwarning = lambda message, category, *_: seen.append(
            f"{category.__name__}: {CPP_ORIGIN.sub('', str(message))}"
        )
        yield


def left_out(lines: list[str]) -> set[str]:
    """What is not compared in a program, because PyTorch does not promise it either.

    Of a gradient that records its own graph these are its version and layout, and its graph beyond
    the first node, which `test_operations` compares for each operation. With inference tensors it
    is what PyTorch's kernels count as changes of their results.
    """
    program = "\n".join(lines)
    parts = {"version"} if "inference_mode" in program else set()
    if gradients := re.findall(r"(t\d\d), = torch.autograd.grad", program):
        parts |= {"version", "strides", "view", "graph behind", *gradients}
    return parts


def look(seen: list[Any], name: str, tensor: Any, tensors: dict[str, Any], parts: set[str]) -> None:
    """Note everything that a program can see of a tensor, except for `parts`."""
    about: dict[str, Any] = {"values": tell(tensor)}
    seen.append([name, about])
    grad, base = tensor.grad, tensor._base
    flags = "requires_grad", "is_leaf", "retains_grad", "output_nr"
    about["flags"] = {flag: getattr(tensor, flag) for flag in flags}
    if "version" not in parts:
        about["inference"] = tensor.is_inference()
        about["version"] = "none" if tensor.is_inference() else tensor._version
    if "strides" not in parts:
        about["strides"] = strides(tensor)
    if "view" not in parts:
        about["view"] = tensor._is_view()
    about["base"] = [
        other for other, each in tensors.items() if each is base and other not in parts
    ]
    about["graph"] = graph(tensor, tensors)[: 1 if "graph behind" in parts else None]
    if grad is not None:
        about["grad"] = [*tell(grad), grad.requires_grad, graph(grad, tensors)[:1]]
    about["same memory"] = [
        other for other, each in tensors.items()
        if tensor.numel() and each.numel() and each.data_ptr() == tensor.data_ptr()
    ]  # fmt: skip
    about["repr"] = repr(tensor)


def strides(tensor: Any) -> list[int]:
    """How the elements are laid out; a single element or none says nothing about it."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return [step for length, step in steps if length > 1] if tensor.numel() else []


def sharing(tensors: dict[str, Any], edited: set[int]) -> set[str]:
    """The tensors whose gradient shares memory with another one's or with one that a hook edits."""
    places: dict[str, int] = {}
    for name, tensor in tensors.items():
        with contextlib.suppress(RuntimeError):  # it does not follow its base anymore
            places |= {} if tensor.grad is None else {name: tensor.grad.data_ptr()}
    times = Counter(places.values())
    return {name for name, at in places.items() if times[at] > 1 or at in edited}


def without_shared(expected: list[Any], actual: list[Any]) -> tuple[list[Any], list[Any]]:
    """Both traces without gradients that share memory with others under PyTorch.

    There a view, such as a sum's gradient of a 0-d tensor, can become a `.grad` without a copy, so
    that an edit of one of them shows in the others. In minigrad `.grad` never shares memory with
    them, see docs/differences.md.
    """
    shared, _ = expected.pop(), actual.pop()
    for item in expected + actual:
        if isinstance(item, list) and isinstance(item[-1], dict) and item[0] in shared:
            item[1].pop("grad", None)
        elif isinstance(item, list) and shared.intersection(str(item[0]).split()):
            del item[1:]  # what a hook of such a leaf has seen
    return expected, actual


def without_reprs(part: Any) -> Any:
    """A copy of a trace that leaves reprs out."""
    if isinstance(part, dict):
        return {key: without_reprs(value) for key, value in part.items() if key != "repr"}
    return [without_reprs(each) for each in part] if isinstance(part, list) else part


def difference(expected: list[Any], actual: list[Any], step: float) -> list[str]:
    """Where two traces differ; reprs count if all values are equal to the last bit."""
    bare = without_reprs(expected), without_reprs(actual)
    if str(bare[0]) != str(bare[1]):
        expected, actual = bare
    if len(expected) != len(actual):
        shorter = min(len(expected), len(actual))
        found = list(compare(expected[:shorter], actual[:shorter], step, ""))
        longer = expected if len(expected) > shorter else actual
        which = "only PyTorch" if longer is expected else "only minigrad"
        return [*found[:2], f"[{shorter}]: {which}: {longer[shorter]}"]
    return list(compare(expected, actual, step, ""))
