"""Named streams of random choices: the same seed and name give the same choices on every platform and Python version.

A reader must not miss: only ``getrandbits`` of the standard generator is used, whose bits have not changed since
Python 3.2; ``choice``, ``shuffle`` and ``sample`` of the standard library have changed and are written anew here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

_SCALE = 1 << 32


class Stream:
    """Random choices for one purpose. Streams of different names are independent of each other."""

    def __init__(self, seed: int | str, *parts: str | int) -> None:
        self._name = ":".join(str(part) for part in (seed, *parts))
        digest = hashlib.sha256(self._name.encode()).digest()
        self._bits = Random(int.from_bytes(digest, "big")).getrandbits  # noqa: S311 (not for secrets)

    def sub(self, *parts: str | int) -> Stream:
        """Return the stream called ``parts`` below this one; what was drawn here before does not matter."""
        return Stream(self._name, *parts)

    def below(self, n: int) -> int:
        """Return an integer from 0 to ``n - 1``; ``n`` is at least 1."""
        width = (n - 1).bit_length()
        if width == 0:
            return 0
        value = self._bits(width)
        while value >= n:
            value = self._bits(width)
        return value

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both possible."""
        return low + self.below(high - low + 1)

    def chance(self, share: float) -> bool:
        """Return true in ``share`` (0 to 1) of the cases."""
        return self._bits(32) < int(share * _SCALE)

    def choose(self, items: Sequence[T]) -> T:
        """Return one of ``items``, which is not empty."""
        return items[self.below(len(items))]

    def weighted(self, weights: dict[T, int]) -> T:
        """Return a key of ``weights``, as often as its whole-number weight says."""
        left = self.below(sum(weights.values()))
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        raise AssertionError("weights add up")

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return ``items`` in random order (Fisher-Yates)."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """Return ``n`` different places of ``items`` in random order."""
        return self.shuffled(items)[:n]

    def token(self, length: int, alphabet: str = "0123456789abcdef") -> str:
        """Return ``length`` random characters of ``alphabet``."""
        return "".join(alphabet[self.below(len(alphabet))] for _ in range(length))
