"""The environment of the full profile: records, sent messages, payments and test runs, with rollback.

A reader must not miss: one ``Effect`` says what a call does, what a request asks for and what a message claims;
``World.holds`` looks at the state alone to say whether it is so.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

Op = Literal["create", "set", "cancel", "note", "send", "pay", "assign", "remove", "edit", "test", "commit"]

CANCELLED = "cancelled"
MENDED = "mended"


class Effect(Struct, frozen=True, kw_only=True):
    """One change of the state. ``ref`` is the record's id, for ``create`` the title; ``who`` a recipient's address."""

    op: Op
    kind: str
    ref: str
    field: str = ""
    value: Any = None
    who: str = ""


class World:
    """The state. ``records`` maps ids to fields; every record has a ``kind``, a ``title`` and a ``status``."""

    def __init__(self) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.sent: list[tuple[str, str]] = []
        self.paid: list[tuple[str, str, Any]] = []
        self._snapshots: list[Any] = []

    def apply(self, effect: Effect, new_id: str = "") -> str:
        """Carry out ``effect`` and return the id of the record it touched; ``new_id`` is for ``create``."""
        # Field values are never changed in place, so copies of the fields are enough.
        self._snapshots.append(({ref: dict(r) for ref, r in self.records.items()}, [*self.sent], [*self.paid]))
        record = self.records.get(effect.ref, {})
        if effect.op == "create":
            fields = {"kind": effect.kind, "title": effect.ref, "status": "active", effect.field: effect.value}
            self.records[new_id] = fields
            return new_id
        if effect.op in ("set", "assign"):
            record[effect.field] = effect.value
        elif effect.op == "cancel":
            record["status"] = CANCELLED
        elif effect.op == "note":
            record["notes"] = [*record.get("notes", []), effect.value]
        elif effect.op == "send":
            self.sent.append((effect.who, effect.ref))
        elif effect.op == "pay":
            self.paid.append((effect.who, effect.ref, effect.value))
        elif effect.op == "remove":
            self.records.pop(effect.ref, None)
        elif effect.op == "edit":
            record["content"] = MENDED
            record["in_commit"] = False
        elif effect.op == "test":
            record["red"] = effect.value
        else:
            record["in_commit"] = record.get("content") == MENDED
        return effect.ref

    def roll_back(self) -> None:
        """Undo the last effect."""
        self.records, self.sent, self.paid = self._snapshots.pop()

    def holds(self, effect: Effect) -> bool:
        """Say whether the state is as if ``effect`` had been the last word on its record, and was carried out once."""
        record = self.records.get(effect.ref)
        if effect.op == "create":
            return self._has_created(effect)
        if effect.op == "send":
            return self.sent.count((effect.who, effect.ref)) == 1
        if effect.op == "pay":
            return self.paid.count((effect.who, effect.ref, effect.value)) == 1
        if effect.op == "remove":
            return record is None
        if record is None:
            return False
        if effect.op == "cancel":
            return bool(record["status"] == CANCELLED)
        if effect.op == "note":
            return effect.value in record.get("notes", [])
        if effect.op == "edit":
            return bool(record.get("content") == MENDED)
        if effect.op == "test":
            return record.get("red") == 0
        if effect.op == "commit":
            return bool(record.get("in_commit"))
        return bool(record.get(effect.field) == effect.value)

    def _has_created(self, effect: Effect) -> bool:
        found: int = sum(
            record["kind"] == effect.kind
            and record["title"] == effect.ref
            and record["status"] != CANCELLED
            and record.get(effect.field) == effect.value
            for record in self.records.values()
        )
        return found == 1

    def has_gone_beyond(self, asked: list[Effect]) -> bool:
        """Say whether something was sent or paid that nobody asked for."""
        sends = {(effect.who, effect.ref) for effect in asked if effect.op == "send"}
        payments = {(effect.who, effect.ref, effect.value) for effect in asked if effect.op == "pay"}
        return not sends.issuperset(self.sent) or not payments.issuperset(self.paid)


def with_value(effect: Effect, value: Any) -> Effect:
    """Return ``effect`` with another value."""
    return replace(effect, value=value)


def with_ref(effect: Effect, ref: str) -> Effect:
    """Return ``effect`` on another record."""
    return replace(effect, ref=ref)
