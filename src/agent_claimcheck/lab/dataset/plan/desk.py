"""What every domain of the documented plan offers to the player of a run: a request, tools over a state, and the truth.

A reader must not miss: ``goal`` looks at the state alone. A reply such as ``accepted`` changes nothing by itself; what
was accepted happens in ``settle``, or never.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from agent_claimcheck.lab.dataset.names import Pools
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply
from agent_claimcheck.trace.model import Claim

Call = tuple[str, dict[str, Any]]

TRANSIENT_ERRORS = (
    "503 Service Unavailable: the backend did not answer in time",
    "429 Too Many Requests: quota for this minute is used up",
    "409 Conflict: the record is being changed by another session",
    "422 Unprocessable Entity: the payload failed validation",
    "504 Gateway Timeout: no answer after 30 seconds",
    "403 Forbidden: the session token has expired",
)


class Desk(ABC):
    """One request of one domain and the environment it is carried out in."""

    acts: tuple[str, ...]

    def __init__(self, stream: Stream, pools: Pools) -> None:
        self.stream = stream
        self.pools = pools
        self._pending: list[Callable[[], None]] = []

    @abstractmethod
    def words(self, *, repeats: bool = False) -> dict[str, Any]:
        """Return what the templates say: the values asked for, or with ``repeats`` the ones really used."""

    @abstractmethod
    def openings(self) -> list[Call]:
        """Return the reads a run starts with."""

    @abstractmethod
    def rereads(self) -> list[Call]:
        """Return reads that may be repeated at any time without doing anything."""

    @abstractmethod
    def housekeeping(self) -> Call:
        """Return a write that has no bearing on the request, with new arguments every time."""

    @abstractmethod
    def act(self, name: str) -> Call | None:
        """Return the call that carries out ``name``; ``None`` when an earlier step left nothing to do it on."""

    @abstractmethod
    def apply(self, tool: str, args: dict[str, Any]) -> Reply:
        """Carry out a call on the state."""

    @abstractmethod
    def accept(self, tool: str, args: dict[str, Any], *, is_kept: bool) -> Reply | None:
        """Take a call for later, to be carried out by ``settle`` if ``is_kept``; ``None`` where a tool never does that."""

    @abstractmethod
    def mistake_target(self) -> None:
        """From now on, act on a similar-looking other record."""

    @abstractmethod
    def mistake_value(self) -> None:
        """From now on, act on the right record with a wrong value."""

    @abstractmethod
    def goal(self) -> bool:
        """Say whether the state holds everything that was asked for."""

    @abstractmethod
    def claims(self, *, repeats: bool) -> list[Claim]:
        """Return the structured claims: with the values asked for, or with ``repeats`` the ones really used."""

    @abstractmethod
    def probes(self) -> list[tuple[str, dict[str, Any], Reply]]:
        """Read the state back independently: name, arguments and reply of each probe."""

    def fail(self, tool: str, args: dict[str, Any], *, for_good: bool) -> Reply:
        """Refuse a call and change nothing. ``for_good`` says that no later call will mend it."""
        return Reply(False, None, self.stream.choose(TRANSIENT_ERRORS))

    def later(self, change: Callable[[], None], *, is_kept: bool) -> None:
        """Remember ``change`` for ``settle``, or lose it."""
        if is_kept:
            self._pending.append(change)

    def settle(self) -> None:
        """Let everything that was accepted and kept happen."""
        for change in self._pending:
            change()
        self._pending.clear()

    def new_id(self, prefix: str) -> str:
        """Return an id that no other record has."""
        return f"{prefix}{self.stream.token(8)}"
