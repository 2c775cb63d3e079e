"""Which trace ids were read before, and where: at most 20 bytes a trace, so that memory stays flat over millions.

A reader must not miss: ids are kept as 64-bit hashes. Two different ids of ten million would meet with a chance of
about one in 400,000, and the hash is keyed anew in every process, so nobody can prepare ids that do.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right

# Many small tables grow one after the other, so growing never needs a second copy of everything.
_TABLES = 64
_FIRST_SIZE = 16
# A slot has 12 bytes (8 of hash, 4 of place): between these fills it costs 15 to 20 bytes a trace.
_SLOT_BYTES = 12
_FULL_AT = 0.8
_GROWS_BY = 4 / 3
_LARGEST_PLACE = 2**32 - 1


class SeenIds:
    """A set of trace ids that remembers the file and line of the first sight of each."""

    def __init__(self) -> None:
        self._tables = [_Table(_FIRST_SIZE) for _ in range(_TABLES)]
        self._files: list[str] = []
        self._starts: list[int] = []
        self._last = 0

    def __len__(self) -> int:
        return sum(table.used for table in self._tables)

    @property
    def memory_bytes(self) -> int:
        """The bytes that the tables take now."""
        return sum(_SLOT_BYTES * table.size for table in self._tables)

    def first_sight(self, trace_id: str, file: str, line: int) -> tuple[str, int] | None:
        """Return the (file, line) where ``trace_id`` was seen before; otherwise remember it and return ``None``.

        Files come one after the other, their lines in rising order.
        """
        if not self._files or self._files[-1] != file or self._starts[-1] + line < self._last:
            self._files.append(file)
            self._starts.append(self._last)
        place = self._starts[-1] + line
        self._last = place
        key = hash(trace_id) or 1
        number = key % _TABLES
        table = self._tables[number]
        earlier = table.find_or_add(key, min(place, _LARGEST_PLACE))
        if table.used > _FULL_AT * table.size:
            self._tables[number] = table.grown()
        if earlier is None:
            return None
        index = bisect_right(self._starts, earlier - 1) - 1
        return self._files[index], earlier - self._starts[index]


class _Table:
    """An open-addressing table from non-zero keys to places. Zero marks a free slot."""

    __slots__ = ("keys", "places", "size", "used")

    def __init__(self, size: int) -> None:
        self.size = size
        self.used = 0
        self.keys = array("q", bytes(8 * size))
        self.places = array("I", bytes(4 * size))

    def find_or_add(self, key: int, place: int) -> int | None:
        keys = self.keys
        # The low bits chose the table; the others choose the slot.
        slot = (key // _TABLES) % self.size
        while (found := keys[slot]) != 0:
            if found == key:
                return self.places[slot]
            slot += 1
            if slot == self.size:
                slot = 0
        keys[slot] = key
        self.places[slot] = place
        self.used += 1
        return None

    def grown(self) -> _Table:
        larger = _Table(int(self.size * _GROWS_BY) + 1)
        for key, place in zip(self.keys, self.places, strict=True):
            if key:
                larger.find_or_add(key, place)
        return larger
