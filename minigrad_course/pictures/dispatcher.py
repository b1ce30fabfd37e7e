"""What PyTorch's dispatcher finds for a call, and the functions it finds, for chapter 19."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from minigrad_course.pictures.tables import table

# The keys of the tables, the highest first.
KEYS = ["AutocastCPU", "AutogradCPU", "ADInplaceOrView", "Python", "CPU"]
# What a function of autograd does, in the C++ that PyTorch's generator writes.
STEP = re.compile(
    r"(compute_requires_grad|check_inplace|(?<=make_intrusive<)\w+|set_next_edges"
    r"|SavedVariable\(\w+|AutoDispatchBelow\w+|redispatch|set_history|rebase_history"
    r"|increment_version|as_view)\b"
)
# What does not matter to a reader of such a function.
ASIDES = [
    re.compile(r"^ *#ifndef NDEBUG.*?#endif\n", re.MULTILINE | re.DOTALL),
    re.compile(r"^  if \((_any_has_forward|result_new_fw).*?^  }\n", re.MULTILINE | re.DOTALL),
    re.compile(r"^.*(_fw_grad_opt =|_any_has_forward|_scalar_type =).*\n", re.MULTILINE),
    re.compile(r"\[\[maybe_unused\]\] |c10::(?=\w)|at::(?=\w)|^ *\n", re.MULTILINE),
]


def looked_up(operation: str, tensor: Any) -> dict[str, str]:
    """For each of `KEYS`, the C++ file with the function that a call of `operation` finds there.

    The entry is "falls through" if the table moves on to the next key, "excluded" if a mode
    excludes a key that the tensor has, and "–" if the key is not set at all.

    Raises:
        ValueError: the table of `operation` lacks one of the keys.
    """
    import torch

    torch_c: Any = torch._C  # private, so fine for a look but not for programs
    entries = torch_c._dispatch_dump_table(operation)
    keys = torch_c._dispatch_keys(tensor) | torch_c._dispatch_tls_local_include_set()
    active = keys - torch_c._dispatch_tls_local_exclude_set()
    found = {}
    for name in KEYS:
        key = getattr(torch_c.DispatchKey, name)
        entry = re.search(rf"^{name}: (fallthrough)?.*?(\w+?)(_\d+)?\.cpp", entries, re.MULTILINE)
        if entry is None:
            raise ValueError(f"PyTorch's dispatcher has no {name} for {operation!r}")
        reached = "falls through" if entry[1] else entry[2]
        found[name] = reached if active.has(key) else "excluded" if keys.has(key) else "–"
    return found


def print_table(found: Mapping[str, Mapping[str, str]]) -> None:
    """Print what `looked_up` found: a row for each of `KEYS`, a column for each situation."""
    print("key", *found, sep=" | ")
    for key in KEYS:
        print(key, *(column[key] for column in found.values()), sep=" | ")


def key_sets(lines: Sequence[str]) -> None:
    """Draw what `print_table` printed: which keys are set, and which functions run."""
    (_, *columns), *rows = (line.split(" | ") for line in lines)
    looks = {"excluded": "#DDDDDD", "–": "white", "falls through": "#F6EFD0"}
    runs = {words for _, *row in rows for words in row} - {*looks}
    looks |= dict.fromkeys(runs, "#CFE6F7")
    table(columns, {key: row for key, *row in rows}, looks, text="\n".join(lines))


def steps(operation: str, key: str = "AutogradCPU") -> list[str]:
    """What the C++ function of `operation` at `key` does, in order.

    PyTorch's generator, which is installed with it, writes that function here and now.
    """
    return [match[1].replace("(", " ") for match in STEP.finditer(written(operation, key))]


def brief(operation: str) -> str:
    """The main lines of the C++ function of `operation` at AutogradCPU.

    Left out are assertions, forward mode, the types of the inputs, and the namespaces.
    """
    text = written(operation)
    for aside in ASIDES:
        text = aside.sub("", text)
    return text.strip()


def written(operation: str, key: str = "AutogradCPU") -> str:
    """The C++ function of `operation`, such as "mul.Tensor", at AutogradCPU or ADInplaceOrView."""
    from torchgen.api.autograd import match_differentiability_info
    from torchgen.gen import parse_native_yaml
    from torchgen.packaged import autograd
    from torchgen.packaged.autograd import gen_inplace_or_view_type, gen_variable_type
    from torchgen.packaged.autograd.load_derivatives import load_derivatives

    folder = Path(autograd.__file__).parent
    yaml, tags = (
        str(folder.parent / "ATen/native" / name) for name in ("native_functions.yaml", "tags.yaml")
    )
    derivatives, _ = load_derivatives(str(folder / "derivatives.yaml"), yaml, tags)
    functions = parse_native_yaml(yaml, tags).native_functions
    chosen = [each for each in functions if str(each.func.name) == operation]
    (function,) = match_differentiability_info(chosen, derivatives)
    if key == "ADInplaceOrView":
        body = gen_inplace_or_view_type.gen_inplace_or_view_type_env(function)
        return "".join(body["inplace_or_view_method_definitions"])
    body = gen_variable_type.gen_variable_type_func(function)
    return "".join(body["type_derived_method_definitions_Default"])
