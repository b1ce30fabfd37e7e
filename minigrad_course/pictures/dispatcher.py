"""What PyTorch's dispatcher finds for a call, for the tables of chapter 19."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# The keys of the tables, the highest first.
KEYS = ["AutocastCPU", "AutogradCPU", "CPU"]


def looked_up(operation: str, tensor: Any) -> dict[str, str]:
    """For each of `KEYS`, the C++ file with the kernel that a call of `operation` finds there.

    The entry is "falls through" if the table moves on to the next key, "excluded" if a mode
    excludes a key that the tensor has, and "–" if the key is not set at all.

    Raises:
        ValueError: the table of `operation` lacks one of the keys.
    """
    import torch

    torch_c: Any = torch._C  # private, so fine for a look but not for programs
    table = torch_c._dispatch_dump_table(operation)
    keys = torch_c._dispatch_keys(tensor) | torch_c._dispatch_tls_local_include_set()
    active = keys - torch_c._dispatch_tls_local_exclude_set()
    found = {}
    for name in KEYS:
        key = getattr(torch_c.DispatchKey, name)
        entry = re.search(rf"^{name}: (fallthrough)?.*?(\w+?)(_\d+)?\.cpp", table, re.MULTILINE)
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
