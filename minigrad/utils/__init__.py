"""`minigrad.utils`: only `data` is here."""

from . import data

__all__ = ["data"]
