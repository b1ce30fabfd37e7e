"""minigrad.support.methods: attaching methods to an existing class."""

from __future__ import annotations

from functools import cached_property

from minigrad.support.methods import method_of


class Base:
    pass


def test_a_function_becomes_a_method_and_is_returned_unchanged() -> None:
    def twice(self: Base, number: int) -> int:
        return 2 * number

    old = Base()
    assert method_of(Base)(twice) is twice
    assert old.twice(3) == 6  # type: ignore[attr-defined]


def test_a_function_under_other_names() -> None:
    def size(self: Base) -> int:
        return 3

    assert method_of(Base, "__len__", "numel")(size) is size
    assert len(Base()) == 3  # type: ignore[arg-type]
    assert Base().numel() == 3  # type: ignore[attr-defined]
    assert not hasattr(Base, "size")


def test_a_property_with_its_setter() -> None:
    class Point:
        length = 1

    old = Point()

    @method_of(Point)
    @property
    def grad(self: Point) -> int:
        return self.length

    @method_of(Point)
    @grad.setter
    def grad(self: Point, value: int) -> None:
        self.length = value

    assert isinstance(Point.grad, property)  # type: ignore[attr-defined]
    old.grad = 5  # type: ignore[attr-defined]
    assert old.grad == old.length == 5  # type: ignore[attr-defined]


def test_a_cached_property() -> None:
    @method_of(Base)
    @cached_property
    def made(self: Base) -> object:
        return object()

    assert isinstance(made, cached_property)
    one = Base()
    assert one.made is one.made  # type: ignore[attr-defined]
    assert one.made is not Base().made  # type: ignore[attr-defined]


def test_static_and_class_methods() -> None:
    @method_of(Base)
    @staticmethod
    def zero() -> int:
        return 0

    @method_of(Base)
    @classmethod
    def kind(cls: type) -> str:
        return cls.__name__

    @method_of(Base, "sort")
    @classmethod
    def other(cls: type) -> str:
        return cls.__name__

    class Derived(Base):
        pass

    assert isinstance(zero, staticmethod)
    assert Base().zero() == 0  # type: ignore[attr-defined]
    assert Derived.kind() == Derived().sort() == "Derived"  # type: ignore[attr-defined]
    assert isinstance(kind, classmethod)
    assert isinstance(other, classmethod)
