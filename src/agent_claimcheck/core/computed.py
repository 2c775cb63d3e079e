"""An attribute that is computed on first use and kept: ``functools.cached_property`` without its lock.

A reader must not miss: two threads that ask at once may both compute; the last value stays. Use it where computing twice
does no harm. The lock of the standard one costs more than many of the values that are kept here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class computed(Generic[T]):
    """Decorates a method without arguments. The value lies in the instance's ``__dict__`` under the method's name."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any]) -> T: ...

    def __get__(self, instance: object | None, owner: type[Any]) -> Self | T:
        if instance is None:
            return self
        # Python looks into ``__dict__`` before it asks here again, so this runs once an instance.
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
