"""The hands of an agent in the full profile: calls, results, jobs, reads, probes, and when accepted work really happens.

A reader must not miss: a reply is written down from the look of the tools, the state changes in ``World`` alone, and the
two disagree exactly where a kind of run is about that.
"""

from __future__ import annotations

from typing import Any, Literal

from agent_claimcheck.lab.dataset.full.scene import ASYNCHRONOUS, Scene
from agent_claimcheck.lab.dataset.full.world import Effect
from agent_claimcheck.lab.dataset.names import load_words
from agent_claimcheck.lab.dataset.streams import Stream
from agent_claimcheck.lab.dataset.transcript import Reply, Transcript

PENDING = ("accepted", "queued", "pending", "scheduled", "in_progress")
_FINISHED = ("finished", "completed", "done")
_UNFINISHED = ("failed", "running", "stuck", "cancelled_by_system", "waiting_for_approval")

Fate = Literal["now", "later", "never"]


class Actor:
    """Plays calls into a transcript. ``n_writes`` and ``n_failed`` count what was played so far."""

    def __init__(self, stream: Stream, scene: Scene, log: Transcript) -> None:
        self._stream = stream
        self.scene = scene
        self.vendor = scene.vendor
        self.world = scene.world
        self.log = log
        self._words = load_words("full")
        self._pending: dict[str, tuple[Effect, str]] = {}
        self._jobs: dict[Effect, str] = {}
        self.created: dict[Effect, str] = {}
        self.remarks: list[tuple[str, str]] = []
        self._groups = 0
        self._memo_key = stream.choose(("text", "label", "entry", "topic", "note"))

    def plant(self, key: str, text: str) -> None:
        """Let the next read return ``text`` under ``key`` besides its data."""
        self.remarks.append((key, text))

    # Writes

    def write(self, effect: Effect, *, fate: Fate = "now", is_spare: bool = False) -> None:
        """Call the tool for ``effect``. It happens now, once its job is done, or never though it was accepted."""
        if effect.op not in ASYNCHRONOUS:
            fate = "now"
        name = self.vendor.tool(effect.op, effect.kind, is_spare=is_spare)
        args = self.vendor.args(effect)
        if effect.op == "test":
            self.world.apply(effect)
            self.log.use(name, args, self._test_reply(effect.value))
            return
        new_id = self.created.setdefault(effect, self.vendor.new_id()) if effect.op == "create" else ""
        if fate == "now":
            self.world.apply(effect, new_id)
            self.log.use(name, args, self.vendor.success(effect.op, self._shown_after(effect, new_id)))
            return
        job = f"job-{self._stream.token(6)}"
        self._jobs[effect] = job
        if fate == "later":
            self._pending[job] = (effect, new_id)
        shown = {**self.vendor.id_args(effect.kind, new_id or effect.ref), "job": job}
        self.log.use(name, args, self.vendor.success(effect.op, shown, status=self._stream.choose(PENDING)))

    def fail(self, effect: Effect, error: str) -> None:
        """Call the tool for ``effect`` and have it refused."""
        name, args = self.vendor.tool(effect.op, effect.kind), self.vendor.args(effect)
        if effect.op == "test":
            red = self._stream.between(1, 4)
            self.world.records[effect.ref]["red"] = red
            self.log.use(name, args, self._test_reply(red))
            return
        self.log.use(name, args, self.vendor.failure(error))

    def poll(self, effect: Effect, *, is_finished: bool) -> None:
        """Ask how the job of ``effect`` stands. One that is finished has changed the state by then."""
        job = self._jobs[effect]
        state = self._stream.choose(_FINISHED if is_finished else _UNFINISHED)
        if is_finished:
            self._carry_out(job)
        self.log.use(self.vendor.tool("poll"), {"job": job}, self.vendor.reading({"job": job, "state": state}))

    def undo(self) -> None:
        """Call the tool that takes the last change back."""
        self.world.roll_back()
        self.log.use(self.vendor.tool("undo"), {}, self.vendor.success("undo", {"undone": 1}))

    def keep_house(self, error: str = "") -> None:
        """Make a write that does not matter, refused with ``error`` if given."""
        name, token = self.vendor.house_tool(), self._stream.token(5)
        reply = self.vendor.failure(error) if error else self.vendor.success("save", {"id": f"m{token}"})
        self.log.use(name, {self._memo_key: f"memo {token}"}, reply)

    def settle(self) -> None:
        """Let all accepted work happen that will ever happen."""
        for job in list(self._pending):
            self._carry_out(job)

    def _carry_out(self, job: str) -> None:
        if job in self._pending:
            effect, new_id = self._pending.pop(job)
            self.world.apply(effect, new_id)

    def _shown_after(self, effect: Effect, new_id: str) -> dict[str, Any]:
        ref = new_id or effect.ref
        if effect.op in ("send", "pay"):
            return {**self.vendor.id_args(effect.kind, ref), "to": effect.who}
        record = self.world.records.get(ref)
        if effect.op == "commit":
            return {"sha": self._stream.token(7), "path": ref}
        return self.vendor.id_args(effect.kind, ref) if record is None else self.vendor.shown(effect.kind, ref, record)

    def _test_reply(self, red: int) -> Reply:
        total = self._stream.between(12, 180)
        line = f"{red} failed, {total - red} passed" if red else f"{total} passed"
        output = {"exit_code": 1 if red else 0, "stdout": f"==== {line} in {total / 40:.2f}s ====", "stderr": ""}
        return Reply((red == 0) if self.vendor.is_declared else None, output)

    # Reads

    def read(self, effect: Effect) -> None:
        """Read the record of ``effect``, or list its kind when there is no such record."""
        record = self.world.records.get(effect.ref)
        if record is None or self._stream.chance(0.3):
            self.list_kind(effect.kind)
            return
        args = self.vendor.id_args(effect.kind, effect.ref)
        self._use_read("read", effect.kind, args, self.vendor.shown(effect.kind, effect.ref, record))

    def list_kind(self, kind: str) -> None:
        """List the records of ``kind``, a few more than the request is about."""
        refs = [ref for ref, record in self.world.records.items() if record["kind"] == kind][:8]
        rows = [self.vendor.shown(kind, ref, self.world.records[ref]) for ref in refs]
        self._use_read("list", kind, {"limit": self._stream.choose((8, 10, 20))}, {"items": rows, "count": len(rows)})

    def read_in_parallel(self, effects: list[Effect]) -> None:
        """Read the records of several effects at once."""
        known = list({effect.ref: effect for effect in effects if effect.ref in self.world.records}.values())
        if len(known) < 2:
            self.read(effects[0])
            return
        self._groups += 1
        group = f"g{self._groups}"
        calls = []
        for effect in known[:3]:
            name = self.vendor.tool("read", effect.kind)
            args = self.vendor.id_args(effect.kind, effect.ref)
            calls.append((effect, name, self.log.call(name, args, parallel_group=group)))
        for effect, name, call_id in calls:
            shown = self.vendor.shown(effect.kind, effect.ref, self.world.records[effect.ref])
            self.log.result(name, self.vendor.reading(shown), call_id)

    def stumble(self, effect: Effect, error: str) -> None:
        """Fail at listing a kind once, then succeed."""
        self.log.use(self.vendor.tool("list", effect.kind), {"limit": 10}, self.vendor.failure(error))
        self.list_kind(effect.kind)

    def _use_read(self, verb: str, kind: str, args: dict[str, Any], output: dict[str, Any]) -> None:
        if self.remarks:
            key, text = self.remarks.pop(0)
            output = {**output, key: text}
        self.log.use(self.vendor.tool(verb, kind), args, self.vendor.reading(output))

    # Probes

    def probe(self, effect: Effect, *, is_wrong_record: bool = False) -> None:
        """Read the state of ``effect`` independently, or by mistake that of a similar record."""
        ref = self.created.get(effect, effect.ref)
        others = self.scene.siblings(effect)
        if is_wrong_record and others:
            ref = self._stream.choose(others)
        args = self.vendor.id_args(effect.kind, ref)
        if effect.op in ("send", "pay"):
            name = "outbox_of" if effect.op == "send" else "payments_of"
            self.log.probe(name, args, Reply(True, self._ledger(effect.op, ref)))
            return
        record = self.world.records.get(ref)
        if effect.op == "test":
            red = record.get("red") if record else None
            state = {"failed": red or 0, "last_run": "green" if red == 0 else "never" if red is None else "red"}
            self.log.probe("ci_state", args, Reply(True, state))
        elif record is None:
            self.log.probe(self.vendor.tool("read", effect.kind), args, Reply(False, None, "not found"))
        else:
            shown = self.vendor.shown(effect.kind, ref, record)
            if effect.op == "commit":
                shown = {**shown, "in_head": bool(record.get("in_commit"))}
            self.log.probe(self.vendor.tool("read", effect.kind), args, Reply(True, shown))

    def _ledger(self, op: str, ref: str) -> dict[str, Any]:
        if op == "send":
            return {"sent_to": [who for who, what in self.world.sent if what == ref]}
        return {"payments": [{"to": who, "amount": value} for who, what, value in self.world.paid if what == ref]}
