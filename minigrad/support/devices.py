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


class layout:  # noqa: N801 - PyTorch's spelling
    """How elements are stored; `strided`, the only one here, is for arrays with strides."""

    def __repr__(self) -> str:
        return "torch.strided"


strided = layout()


def is_device(value: Any) -> bool:
    return isinstance(value, (str, device))


def set_default_device(device: Any) -> None:
    """Accept the CPU, which is the default device anyway. RuntimeError for any other."""
    if device is not None:
        globals()["device"](device)


def get_default_device() -> device:
    """The device of new tensors, which is always the CPU."""
    return CPU


class _Module(type):
    """The class of a class that stands in for a module of PyTorch's."""

    def __getattr__(cls, name: str) -> Any:
        raise no_attribute(f"module 'minigrad.{cls.__qualname__}'", cls, name)

    def __dir__(cls) -> list[str]:
        return [name for name in vars(cls) if not name.startswith("_")]


class _Absent(metaclass=_Module):
    """A kind of device, so that programs can ask whether it is available; it never is."""

    @staticmethod
    def is_available() -> bool:
        """Whether there is such a device: False."""
        return False


class accelerator(_Absent):  # noqa: N801 - PyTorch's spelling
    """`minigrad.accelerator`: there is none."""

    @staticmethod
    def device_count() -> int:
        """The number of devices: 0."""
        return 0

    @staticmethod
    def current_accelerator(check_available: bool = False) -> None:
        """The accelerator in use: None."""


class cuda(_Absent):  # noqa: N801 - PyTorch's spelling
    """`minigrad.cuda`: there is no such device. Seeding it and emptying its cache do nothing."""

    device_count = accelerator.device_count

    @staticmethod
    def manual_seed(seed: int) -> None:
        """Seed nothing."""

    @staticmethod
    def manual_seed_all(seed: int) -> None:
        """Seed nothing."""

    @staticmethod
    def empty_cache() -> None:
        """Free nothing."""


class backends(metaclass=_Module):  # noqa: N801 - PyTorch's spelling
    """`minigrad.backends`: flags that programs set for other devices, without an effect here."""

    class cudnn(_Absent):  # noqa: N801 - PyTorch's spelling
        """The library for convolutions on CUDA."""

        enabled, benchmark, deterministic, allow_tf32 = True, False, False, True

    class mps(_Absent):  # noqa: N801 - PyTorch's spelling
        """Apple's graphics processors."""

        @staticmethod
        def is_built() -> bool:
            """Whether the library was built for them: False."""
            return False
