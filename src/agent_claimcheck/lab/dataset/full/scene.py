"""Setting one run of the full profile: domain, tools, records and what is asked for.

A reader must not miss: every item of a request has its own record and a few similar ones beside it, so that there is
always a wrong one to pick.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.lab.dataset.full.vendor import Vendor
from agent_claimcheck.lab.dataset.full.world import Effect, Op, World, with_ref, with_value
from agent_claimcheck.lab.dataset.names import Pools, load_words
from agent_claimcheck.lab.dataset.streams import Stream

_MORE_ITEMS = {1: 4, 2: 4, 3: 2}

# Which operations a kind of run can go wrong on.
VALUED: tuple[Op, ...] = ("set", "assign", "create", "pay", "note")
TARGETED: tuple[Op, ...] = ("set", "assign", "cancel", "note", "remove", "edit", "send", "pay")
OVERWRITABLE: tuple[Op, ...] = ("set", "assign", "cancel", "create")
REVISABLE: tuple[Op, ...] = ("set", "assign")
CHOOSABLE: tuple[Op, ...] = ("set", "assign", "cancel", "note", "remove")
ASYNCHRONOUS: tuple[Op, ...] = ("set", "assign", "cancel", "note", "remove", "create", "send", "pay")


class Scene:
    """The environment and the request. ``items`` is what was asked for; ``main`` is the place of the item that the kind
    of run is about; ``records_of`` lists for every kind the ids in the order in which they were made."""

    def __init__(
        self,
        stream: Stream,
        pools: Pools,
        *,
        wanted: tuple[Op, ...] | None,
        n_least: int,
        is_coding: bool,
        is_uniform: bool,
    ) -> None:
        self._stream = stream
        self._pools = pools
        self._words = load_words("full")
        domains: list[str] = [name for name in self._words["domains"] if name != "software"]
        self.domain = "software" if is_coding else stream.choose(domains)
        self._domain = self._words["domains"][self.domain]
        self.vendor = Vendor(stream.sub("vendor"), self._domain)
        self.world = World()
        self.records_of: dict[str, list[str]] = {}
        self._titles: set[str] = set()
        n = max(n_least, stream.weighted(_MORE_ITEMS))
        self.is_uniform = not is_coding and n > 1 and (is_uniform or stream.chance(0.4))
        plan = self._coding_plan() if is_coding else self._plan(n, wanted)
        self.items = [self._item(op, kind) for op, kind in plan]
        fitting = [k for k, item in enumerate(self.items) if wanted is None or item.op in wanted]
        self.main = stream.choose(fitting)

    def _plan(self, n: int, wanted: tuple[Op, ...] | None) -> list[tuple[Op, str]]:
        ops: list[tuple[Op, str]] = [tuple(entry.split(" ")) for entry in self._domain["ops"]]
        fitting = [pair for pair in ops if wanted is None or pair[0] in wanted]
        first = self._stream.choose(fitting)
        if self.is_uniform:
            return [first] * n
        return self._stream.shuffled([first, *(self._stream.choose(ops) for _ in range(n - 1))])

    def _coding_plan(self) -> list[tuple[Op, str]]:
        return [("edit", "file"), ("test", "suite"), ("commit", "file")]

    def _item(self, op: Op, kind: str) -> Effect:
        stream = self._stream
        if op in ("edit", "test", "commit"):
            return self._coding_item(op, kind)
        if op == "create":
            field = stream.choose(("date", "amount"))
            return Effect(op=op, kind=kind, ref=self._title(), field=field, value=self._value(field))
        refs = self.add_records(kind, stream.between(2, 4))
        ref = stream.choose(refs)
        if op == "set":
            field = stream.choose(("date", "amount", "status"))
            return Effect(
                op=op, kind=kind, ref=ref, field=field, value=self._other(field, self.world.records[ref][field])
            )
        if op == "assign":
            return Effect(
                op=op, kind=kind, ref=ref, field="owner", value=self._other("owner", self.world.records[ref]["owner"])
            )
        if op == "note":
            return Effect(op=op, kind=kind, ref=ref, field="notes", value=stream.choose(self._words["remarks"]))
        if op == "pay":
            return Effect(op=op, kind=kind, ref=ref, value=self._value("amount"), who=self.address())
        if op == "send":
            return Effect(op=op, kind=kind, ref=ref, who=self.address())
        return Effect(op=op, kind=kind, ref=ref)

    def _coding_item(self, op: Op, kind: str) -> Effect:
        if not self.records_of:
            modules, suffix = self._pools.words["modules"], self._stream.choose(self._words["suffixes"])
            paths = [f"src/{name}.{suffix}" for name in self._stream.sample(modules, 4)]
            for path in paths:
                self.world.records[path] = {"kind": "file", "title": path, "status": "active", "content": "broken"}
            suite = f"tests/{self._stream.choose(('unit', 'contract', 'smoke', 'regression'))}"
            self.world.records[suite] = {"kind": "suite", "title": suite, "status": "active"}
            self.records_of = {"file": paths, "suite": [suite]}
        ref = self.records_of["suite" if op == "test" else "file"][0]
        return Effect(op=op, kind=kind, ref=ref, value=0 if op == "test" else None)

    def add_records(self, kind: str, n: int) -> list[str]:
        """Add ``n`` records of ``kind`` and return their ids."""
        refs = []
        amounts = self._stream.sample(range(20, 900), n)
        for amount in amounts:
            ref = self.vendor.new_id()
            while ref in self.world.records:
                ref = self.vendor.new_id()
            self.world.records[ref] = {
                "kind": kind,
                "title": self._title(),
                "status": self._value("status"),
                "date": self._value("date"),
                "amount": amount,
                "owner": self._value("owner"),
            }
            self.records_of.setdefault(kind, []).append(ref)
            refs.append(ref)
        return refs

    def kinds(self) -> list[str]:
        """Return the record kinds of the domain."""
        return list(self._domain["kinds"])

    def siblings(self, effect: Effect) -> list[str]:
        """Return the other records of the same kind that nothing was asked about."""
        asked = {item.ref for item in self.items}
        return [ref for ref in self.records_of.get(effect.kind, []) if ref not in asked]

    def astray(self, effect: Effect) -> Effect:
        """Return ``effect`` on a similar-looking other record or recipient."""
        if effect.op in ("send", "pay"):
            return Effect(
                op=effect.op, kind=effect.kind, ref=effect.ref, value=effect.value, who=self.address(effect.who)
            )
        others = self.siblings(effect) or self.add_records(effect.kind, 1)
        return with_ref(effect, self._stream.choose(others))

    def distorted(self, effect: Effect) -> Effect:
        """Return ``effect`` with another value of the same kind."""
        if effect.op == "pay":
            return with_value(effect, self._other("amount", effect.value))
        return with_value(effect, self._other(effect.field, effect.value))

    def address(self, other_than: str = "") -> str:
        """Return somebody's address."""
        while True:
            address = self._pools.person(self._stream).email
            if address != other_than:
                return address

    def _title(self) -> str:
        """Return a title that nothing else in this run has."""
        words = self._pools.words
        while True:
            title = f"{self._stream.choose(words['adjectives'])} {self._stream.choose(words['things'])}"
            if title not in self._titles:
                self._titles.add(title)
                return title

    def _other(self, field: str, than: Any) -> Any:
        while True:
            value = self._value(field)
            if value != than:
                return value

    def _value(self, field: str) -> Any:
        stream = self._stream
        if field == "date":
            return f"2026-{stream.between(4, 9):02d}-{stream.between(1, 28):02d}"
        if field == "amount":
            return stream.between(20, 900)
        if field == "status":
            return stream.choose(self._words["states"])
        if field == "notes":
            return stream.choose(self._words["remarks"])
        return self._pools.person(stream).name
