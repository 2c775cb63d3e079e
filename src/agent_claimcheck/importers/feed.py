"""A byte stream with look-ahead: what comes first is looked at before anybody decides how to read it.

A reader must not miss: damage further on is told once everything before it has been handed out.
"""

from __future__ import annotations

from typing import Protocol

from agent_claimcheck.core.errors import InputError

CHUNK = 1 << 20
"""Bytes asked for at a time."""


class Readable(Protocol):
    """All that is asked of a stream."""

    def read(self, size: int = ..., /) -> bytes: ...


class Feed:
    """A byte stream with look-ahead."""

    def __init__(self, stream: Readable) -> None:
        # ``read`` of a buffered stream loses what it has gathered when damage follows; ``read1`` hands it over first.
        self._read = getattr(stream, "read1", stream.read)
        self._head = b""

    def peek(self, size: int = CHUNK) -> bytes:
        """The next ``size`` bytes, left in place; fewer at the end."""
        if len(self._head) < size:
            self._head += self._pull(size - len(self._head), has_more_before=bool(self._head))
        return self._head

    def replace_head(self, head: bytes) -> None:
        """Put other bytes in place of those peeked at."""
        self._head = head

    def read(self, size: int = CHUNK, /) -> bytes:
        """Some bytes, about ``size`` or fewer; empty at the end."""
        if self._head:
            head, self._head = self._head[:size], self._head[size:]
            return head
        return self._pull(size, has_more_before=False)

    def _pull(self, size: int, *, has_more_before: bool) -> bytes:
        """Gather ``size`` bytes, fewer at the end or before damage; damage is told once nothing stands before it."""
        parts: list[bytes] = []
        left = size
        while left > 0:
            try:
                chunk = self._read(left)
            except InputError:
                if parts or has_more_before:
                    break
                raise
            if not chunk:
                break
            parts.append(chunk)
            left -= len(chunk)
        return b"".join(parts)

    def close(self) -> None:
        """The stream belongs to the caller and stays open."""
