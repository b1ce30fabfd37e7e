"""A place for what nodes save, which counts: chapter 17 looks at checkpoints with it."""

from __future__ import annotations

from typing import Any


class Saved:
    """Keeps values until they are taken; `counts` has how many there were after each step."""

    def __init__(self) -> None:
        self.values: dict[int, Any] = {}
        self.counts: list[int] = []

    def keep(self, value: Any) -> int:
        """Keep a value; the number by which it can be taken."""
        number = len(self.counts)
        self.values[number] = value
        self.counts.append(len(self.values))
        return number

    def take(self, number: int) -> Any:
        """The value of a number, which is kept no longer."""
        value = self.values.pop(number)
        self.counts.append(len(self.values))
        return value

    def put_off(self, number: int) -> int:
        """Count a step that keeps nothing; the number that was given."""
        self.counts.append(len(self.values))
        return number
