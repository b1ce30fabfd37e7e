"""Devices: there is only the CPU, but programs that ask for a device should run unchanged."""

from __future__ import annotations

from typing import Any

from .missing import no_attribute


class device:  # noqa: N801 - PyTorch's spelling
    """A device that holds tensors. Only `device("cpu")` exists; RuntimeError for any other."""

    __slots__ = ("index", "type")

    def __init__(self, type: str | device = "cpu", index: int | None = None) -> None:
        name = str(type)
        if name not in ("cpu", "cpu:0"):
            raise RuntimeError(f"minigrad computes on the CPU only; there is no device '{name}'")
        self.type = "cpu"
        self.index = 0 if name == "cpu:0" else index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        index = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{index})"


CPU = device("cpu")


def is_device(value: Any) -> bool:
    return isinstance(value, (str, device))


class _Cuda(type):
    def __getattr__(cls, name: str) -> Any:
        raise no_attribute("module 'minigrad.cuda'", cls, name)


class cuda(metaclass=_Cuda):  # noqa: N801 - PyTorch's spelling
    """`minigrad.cuda`, so that programs can ask whether it is available; it never is."""

    @staticmethod
    def is_available() -> bool:
        return False

    @staticmethod
    def device_count() -> int:
        return 0
