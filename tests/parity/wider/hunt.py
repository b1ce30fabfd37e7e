"""Hunt for differences: run random programs under both libraries, and shrink those that differ.

    python -m tests.parity.wider.hunt 0 10000            # these seeds; MINIGRAD_FAST=0 for the core
    python -m tests.parity.wider.hunt 4711 --program     # print one program, as a file to run

A program that differs is printed shrunk, with its seed and the first differences. Compared are: the
errors of each line (type and first line), warnings (category and text) where they are issued, what
hooks and Functions see and in which order, and in the end of every tensor its values, flags,
version, layout, base, graph, gradient and repr. Values may differ by rounding.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import multiprocessing
import random
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import torch

from tests.goldens.record_operations import compare, error_line, graph, tell
from tests.parity.wider import maker

STEPS = {"float16": 0.05, "float32": 1e-4}  # relative; errors grow along a graph
STEP = 1e-9  # of float64
ROOTS = re.compile(r"for t in \[(.*?)\] if")  # what the last line of a program adds up
EDITING = re.compile(r"edited\(|\.data\b")  # a hook's edit of what it is given, or an unseen one
CRASHED = "the program crashes its process"
ROUNDED = "a rounding decides it"
CPP_ORIGIN = re.compile(r" ?\(Triggered internally at [^)]*\)")
# Of several stale values some operations name another first; and minigrad does not know which
# operation has made a constant part of a graph since it was saved.
DETACHED = "RuntimeError: Trying to use a saved tensor that has been detached in-place"
STALE = (  # what minigrad says also of what was changed before it was detached
    "RuntimeError: one of the variables needed for gradient computation has been modified by an"
    " inplace operation: "
)
# Of a view that was saved PyTorch asks the history first, also if nobody else holds the view.
WALKING = re.compile(r"backward\(|autograd\.grad\(")
BEHIND = re.compile(r"RuntimeError: Output \d+ of \w+ is a view and its base or another view of")
MAKER = re.compile(r"\[torch\.\w+ \[.*?\]\](, which is output .*?,)? is at version .*")


def trace(lines: list[str], library: str, shaken: random.Random | None = None) -> list[Any]:
    """Run a program line by line under "torch" or "minigrad"; return all that can be seen. If
    `shaken`, what a line computes is off by a few last digits.

    With the accelerator what has no dimensions has no memory of its own that a hook's edit, or one
    of `.data`, could reach others by: programs with such edits are for the plain core.
    """
    module = importlib.import_module(library)
    program = "\n".join(lines)
    fast = sys.modules.get(f"{library}.fast")
    plain = fast.off() if fast and EDITING.search(program) else contextlib.nullcontext()
    seen: list[Any] = []

    def log(text: str, *items: Any) -> None:
        seen.append([text, *(tell_of(item) for item in items)])

    memory: set[int] = set()
    names = maker.namespace(module, log)
    names["edited"] = lambda grad: (memory.add(grad.data_ptr()), grad)[1]
    saving = watching(module, seen) if maker.WATCHED in lines else contextlib.nullcontext()
    with plain, module.enable_grad(), shown_in(seen), saving:
        for number, line in enumerate(lines):
            before = len(seen)
            with errors_in(seen, number, line):
                exec(line, names)
            drop_of_failed(seen, before)
            if shaken:
                shake(names, line, shaken)
            follow_rest(names, line)
        tensors = tensors_in(names)
        parts = left_out(program)
        for name, tensor in tensors.items():
            with errors_in(seen, 0):
                look(seen, name, tensor, tensors, parts)
        with warnings.catch_warnings(action="ignore"):
            seen.append([name for name, each in names.items() if name[0] == "t" and each is None])
            mark_shared(seen, tensors, memory)
    return seen


def watching(module: Any, seen: list[Any]) -> Any:
    """Hooks on saved tensors that note what they see, and change nothing."""

    def hook(what: str) -> Any:
        def see(tensor: Any) -> Any:
            seen.append([what, tell_of(tensor), type(tensor.grad_fn).__name__])
            return tensor

        return see

    return module.autograd.graph.saved_tensors_hooks(hook("packed"), hook("unpacked"))


def drop_of_failed(seen: list[Any], before: int) -> None:
    """Forget what hooks saw of a line that raised: PyTorch saves before it computes."""
    if seen and str(seen[-1]).startswith("line "):
        hooked = ["packed"], ["unpacked"]
        seen[before:] = [each for each in seen[before:] if each[:1] not in hooked]


def tell_of(item: Any) -> Any:
    """A tensor as a hook sees it."""
    if not hasattr(item, "requires_grad"):
        return str(item)
    return [*tell(item), item.requires_grad]


def follow_rest(names: dict[str, Any], line: str) -> None:
    """Name the last of several results, as the maker does."""
    match = re.match(r"(?:with .*: )?(t\d\d)_0, ", line)
    if match and names.get(f"{match[1]}_rest"):
        names[f"{match[1]}_1"] = names[f"{match[1]}_rest"][-1]


def tensors_in(names: dict[str, Any]) -> dict[str, Any]:
    """All tensors that have a name, and those in lists."""
    found = {}
    for name, each in names.items():
        items = each if name.endswith("_rest") else [each]
        for position, item in enumerate(items):
            if hasattr(type(item), "requires_grad_"):
                found[f"{name}[{position}]" if name.endswith("_rest") else name] = item
    return found


@contextlib.contextmanager
def errors_in(seen: list[Any], number: int, line: str = "") -> Iterator[None]:
    """Note the error that is raised while `line` runs, if there is one."""
    try:
        yield
    except Exception as error:
        text = MAKER.sub("", error_line(error).split(". ")[0])
        behind = WALKING.search(line) and BEHIND.match(text)
        text = STALE if text.startswith(DETACHED) or behind else text
        seen.append(f"line {number}: {re.sub('0x[0-9a-f]+', '0x…', text)}")


@contextlib.contextmanager
def shown_in(seen: list[Any]) -> Iterator[None]:
    """Note every warning where it is issued; PyTorch's once-a-process ones every time."""
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.filterwarnings("ignore", "grad and param do not obey")  # about speed
            warnings.showwarning = lambda message, category, *_: seen.append(
                f"{category.__name__}: {CPP_ORIGIN.sub('', str(message))}"
            )
            yield
    finally:
        torch.set_warn_always(before)


def left_out(program: str) -> set[str]:
    """What is not compared in a program, since nobody promises it.

    How the library's own backward is made: the version and layout of a gradient, and its graph
    beyond the first node, which `tests/parity/test_operations` compares, operation by operation,
    and at all where differences.md says so. And what PyTorch's kernels count as changes of
    their results, or take for views, when their inputs are inference tensors.
    """
    parts = set()
    if gradients := re.findall(r"(t\d\d), = torch.autograd.grad", program):
        parts |= {"version", "strides", "view", "graph behind", *gradients}
        if re.search(r"prod\(|trace\(", program):
            parts |= {"graph"}
        elif any(edits_in_place(line) for line in program.splitlines()):
            parts |= {"graph of gradients"}
    if "inference_mode" in program and re.search(r"repeat\(|tile\(|stack\(", program):
        parts |= {"view", "base"}
    if "detach_(" in program:
        parts |= {"retains_grad"}  # see differences.md
    return parts | {"version"} if "inference_mode" in program else parts


def edits_in_place(code: str) -> bool:
    """Whether a program changes a tensor: `x += 1`, `x[0] = 1`, `x.add_(1)`, `inplace=True`."""
    return any(
        isinstance(part, ast.AugAssign)
        or (isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store))
        or (isinstance(part, ast.Attribute) and re.search("[^_]_$", part.attr) is not None)
        or (isinstance(part, ast.keyword) and part.arg == "inplace")
        for part in ast.walk(ast.parse(code))
    )


def look(seen: list[Any], name: str, tensor: Any, tensors: dict[str, Any], parts: set[str]) -> None:
    """Note everything that a program can see of a tensor, but for these parts."""
    about: dict[str, Any] = {"values": tell(tensor)}
    seen.append([name, about])
    grad, base = tensor.grad, tensor._base
    flags = "requires_grad", "is_leaf", "retains_grad", "output_nr"
    about["flags"] = {flag: getattr(tensor, flag) for flag in flags if flag not in parts}
    if "version" not in parts:
        about["inference"] = tensor.is_inference()
    if "version" not in parts:
        about["version"] = "none" if tensor.is_inference() else tensor._version
    if "strides" not in parts:
        about["strides"] = strides(tensor)
    if "view" not in parts:
        about["view"] = tensor._is_view()
    if "base" not in parts:  # what a gradient is a view of is not compared either
        about["base"] = [
            other for other, each in tensors.items() if each is base and other not in parts
        ]
    if "graph" not in parts and not ("graph of gradients" in parts and name in parts):
        about["graph"] = edges_of(tensor, tensors)[: 1 if "graph behind" in parts else None]
    if grad is not None:
        about["grad"] = [*tell(grad), grad.requires_grad, edges_of(grad, tensors)[:1]]
    about["same memory"] = [
        other for other, each in tensors.items()
        if tensor.numel() and each.numel() and each.data_ptr() == tensor.data_ptr()
    ]  # fmt: skip
    about["repr"] = repr(tensor) if "graph" in about else ""


def mark_shared(seen: list[Any], tensors: dict[str, Any], edited: set[int]) -> None:
    """Note of which tensors the gradient lies in memory of another, or in some that hooks edit."""
    places: dict[str, int] = {}
    for name, tensor in tensors.items():
        with contextlib.suppress(RuntimeError):  # it does not follow its base any more
            places |= {} if tensor.grad is None else {name: tensor.grad.data_ptr()}
    times = Counter(places.values())
    seen.append({name for name, at in places.items() if times[at] > 1 or at in edited})


def strides(tensor: Any) -> list[int]:
    """How the elements are laid out; along a single one, and of none, that says nothing."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return [step for length, step in steps if length > 1] if tensor.numel() else []


def edges_of(tensor: Any, tensors: dict[str, Any]) -> list[str]:
    """The graph, its leaves by their names."""
    return graph(tensor, tensors)


def without_shared(expected: list[Any], actual: list[Any]) -> tuple[list[Any], list[Any]]:
    """Both traces without gradients that share memory with others under PyTorch.

    There a view, such as a sum's gradient of a 0-d tensor, can become a `.grad` without a copy:
    who edits one of them edits the others. Here `.grad` never shares memory with them, see
    docs/differences.md.
    """
    shared, _ = expected.pop(), actual.pop()
    for item in expected + actual:
        if isinstance(item, list) and item and isinstance(item[-1], dict) and item[0] in shared:
            item[1].pop("grad", None)
        elif isinstance(item, list) and item and shared.intersection(str(item[0]).split()):
            del item[1:]  # what a hook of such a leaf has seen
    return expected, actual


def without_reprs(part: Any) -> Any:
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


def rounding_decides(lines: list[str], found: list[str]) -> bool:
    """Whether the differences come of a rounding that flips a decision, such as which of two almost
    equal elements is the larger: the program has values that differ by rounding too, and PyTorch
    gives others in the same places where the leaves, or results, differ in their last digits.
    """
    places = {text.partition(": ")[0] for text in found}
    if not all(re.search("values|grad|repr", place) for place in places):
        return False
    traces = without_shared(trace(lines, "torch"), trace(lines, "minigrad"))
    exactly = difference(*map(in_digits, traces), 0)
    if places >= {text.partition(": ")[0] for text in exactly if "repr" not in text}:
        return False
    for number in range(16):
        nudged = [nudge(line, random.Random(number)) for line in lines]
        shaken = random.Random(number) if number % 2 else None
        traces = without_shared(trace(lines, "torch"), trace(nudged, "torch", shaken))
        others = difference(*traces, step_of(lines))
        if places & {text.partition(": ")[0] for text in others}:
            return True
    return False


def in_digits(part: Any) -> Any:
    """A trace with its numbers as text: that tells -0 from 0."""
    if isinstance(part, dict):
        return {key: in_digits(value) for key, value in part.items()}
    if isinstance(part, list):
        return [in_digits(each) for each in part]
    return repr(part) if isinstance(part, float) else part


def nudge(line: str, rng: random.Random) -> str:
    """The line with its floating-point numbers, if it makes a leaf, off by a few last digits; and
    zeros of either sign.
    """
    leaf = re.match(r"(\w = torch.tensor\(\[)(.*?)(\], dtype=torch.(float\d\d)\).*)", line)
    if not leaf or not leaf[2]:
        return line
    last = torch.finfo(getattr(torch, leaf[4])).eps
    numbers = [float(each) * (1 + rng.randint(-4, 4) * last) for each in leaf[2].split(", ")]
    numbers = [each or rng.choice([0.0, -0.0]) for each in numbers]
    return f"{leaf[1]}{', '.join(map(repr, numbers))}{leaf[3]}"


def shake(names: dict[str, Any], line: str, rng: random.Random) -> None:
    """Let the tensor that the line has computed be off by a few last digits."""
    made = re.match(r"t\d\d(?= = )", line)
    tensor = names.get(made[0]) if made else None
    if torch.is_tensor(tensor) and tensor.is_floating_point() and not tensor._is_view():
        last = torch.finfo(tensor.dtype).eps
        factors = [1 + rng.randint(-4, 4) * last for _ in range(tensor.numel())]
        tensor.data.mul_(torch.tensor(factors, dtype=tensor.dtype).reshape(tensor.shape))


def step_of(lines: list[str]) -> float:
    """How much values may differ: by the least precise dtype."""
    text = "\n".join(lines)
    found = [step for name, step in STEPS.items() if name in text]
    single = ".float()" in text or re.search(r"torch.tensor\(\d?\.?\d*\)|True|bool|int", text)
    return max([STEP, *found, STEPS["float32"] if single else 0])


def differences(lines: list[str]) -> list[str]:
    traces = without_shared(trace(lines, "torch"), trace(lines, "minigrad"))
    return difference(*traces, step_of(lines))


def shrunk(lines: list[str], differ: Callable[[list[str]], list[str]] | None = None) -> list[str]:
    """The fewest lines that still differ, found by leaving out more and more of them.

    `differ` says where lines differ; by default that is `differences`.
    """
    differ = differ or differences
    chunk = max(1, len(lines) // 2)
    while chunk:
        start = 0
        while start < len(lines):
            shorter = with_roots_of(lines[:start] + lines[start + chunk :])
            if shorter and differ(shorter):
                lines = shorter
            else:
                start += chunk
        chunk //= 2
    for name in roots_of(lines):
        shorter = without_root(lines, name)
        lines = shorter if differ(shorter) else lines
    return lines


def roots_of(lines: list[str]) -> list[str]:
    """The tensors whose sum the last line goes back from."""
    found = ROOTS.search(lines[-1]) if lines else None
    return re.findall(r"\w+", found[1]) if found else []


def without_root(lines: list[str], name: str) -> list[str]:
    kept = [each for each in roots_of(lines) if each != name]
    return [*lines[:-1], ROOTS.sub(f"for t in [{', '.join(kept)}] if", lines[-1])]


def with_roots_of(lines: list[str]) -> list[str]:
    """The lines; the last one adds up only what they still make."""
    made = set(re.findall(r"\b(\w+)(?=(?:, \*\w+|,)? = )", "\n".join(lines)))
    for name in roots_of(lines):
        lines = lines if name in made else without_root(lines, name)
    return lines


def as_file(lines: list[str]) -> str:
    """The program as a file that shows the difference when it is run under either library."""
    used = [
        part
        for part in re.split(r"\n(?=class |def )", maker.PRELUDE)
        if (name := re.match(r"\s*(?:class|def) (\w+)", part)) and name[1] in " ".join(lines)
    ]
    wrapped = [f"try:\n    {line}\nexcept Exception as error:\n"
               f"    print({number}, type(error).__name__, str(error).split(chr(10))[0])"
               for number, line in enumerate(lines)]  # fmt: skip
    names = sorted(set(re.findall(r"\b(?:t\d\d(?:_0)?|[abcd])\b(?= = |, |, \*)", "\n".join(lines))))
    shows = [f"if {name!r} in globals():\n"
             f"    print({name!r}, {name}, {name}.grad_fn, {name}.grad, {name}._version)"
             for name in names]  # fmt: skip
    start = "import numpy as np\nimport torch\n\n\ndef log(*items):\n    print(*items)\n\n\n"
    start += "def edited(grad):\n    return grad\n\n"
    return "\n".join([start, *used, "", *wrapped, *shows])


def judged(seed: int) -> tuple[int, list[str], list[str]]:
    """A seed, its differences, and the shrunk program if there are any."""
    lines = maker.program(seed)
    found = differences(lines)
    if not found:
        return seed, [], lines
    lines = shrunk(lines)
    found = differences(lines)
    return seed, [ROUNDED, *found] if rounding_decides(lines, found) else found, lines


def hunt(seeds: range, processes: int) -> Iterator[tuple[int, list[str], list[str]]]:
    """Judge many seeds, in processes of their own: some programs crash PyTorch."""
    context = multiprocessing.get_context("fork")
    importlib.import_module("minigrad")  # here, so that not every process has to
    chunks = [seeds[start : start + 500] for start in range(0, len(seeds), 500)]
    running: list[Any] = []
    while chunks or running:
        while chunks and len(running) < processes:
            ours, theirs = context.Pipe(duplex=False)
            chunk = chunks.pop(0)
            worker = context.Process(target=judge_all, args=(chunk, theirs))
            worker.start()
            theirs.close()
            running.append([worker, ours, chunk])
        for each in list(running):
            worker, ours, chunk = each
            if not ours.poll(0.02):
                continue
            try:
                yield ours.recv()
                each[2] = chunk[1:]
            except EOFError:
                worker.join()
                running.remove(each)
                if chunk:  # the first of them ended the process
                    chunks.insert(0, chunk[1:])
                    yield chunk[0], [CRASHED], []


def judge_all(seeds: range, pipe: Any) -> None:
    torch.set_num_threads(1)
    for seed in seeds:
        try:
            pipe.send(judged(seed))
        except Exception as error:
            pipe.send((seed, [f"the hunt failed: {error_line(error)}"], []))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int, nargs="?")
    parser.add_argument("--program", action="store_true", help="print the program of one seed")
    parser.add_argument("--processes", type=int, default=1)
    asked = parser.parse_args()
    if asked.program:
        print(as_file(maker.program(asked.first)))
        return
    count: Counter[str] = Counter()
    seeds = range(asked.first, asked.end or asked.first + 1)
    for seed, found, lines in hunt(seeds, asked.processes):
        kind = found[0] if found[:1] in ([CRASHED], [ROUNDED]) else "different"
        count[kind if found else "same"] += 1
        if found:
            print(
                f"--- seed {seed}", *lines, "difference:", *(f[:600] for f in found[:3]), sep="\n"
            )
            sys.stdout.flush()
    print(dict(count))


if __name__ == "__main__":
    main()
