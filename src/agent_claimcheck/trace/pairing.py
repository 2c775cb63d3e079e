"""Which tool result answers which tool call.

A reader must not miss: where neither ids nor order settle it, the pair is marked ``is_ambiguous`` and may decide
nothing. The rules, in order:

1. A result with a ``call_id`` belongs to the latest earlier call with that id, whatever its name.
2. Otherwise a result belongs to the nearest earlier call of the same name and agent. Calls that carry an id are
   candidates too, unless the result carries an id none of the calls has.
3. Calls made one after the other, with no result and no message in between, are a batch. When several calls of one
   name in a batch wait for a result, results are handed out in call order and all of these pairs are ambiguous.
4. A further result, when calls of an earlier batch never got theirs, could be theirs: those calls and the nearest
   ones become ambiguous. Without such calls it is a second result of the nearest call; the last one counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from agent_claimcheck.trace.model import Step

_Key = tuple[str | None, str | None]


class CallPair(Struct, frozen=True, kw_only=True):
    """A call and what came back. ``result`` is the last of ``results``, ``None`` when nothing came back."""

    call: Step
    result: Step | None
    is_ambiguous: bool = False
    results: tuple[Step, ...] = ()

    @property
    def last_step(self) -> int:
        """The step that shows what came of the call: its result, or the call itself when nothing came back."""
        return self.call.i if self.result is None else self.result.i


class Pairing(Struct, frozen=True, kw_only=True):
    """All calls of a trace in call order, and the results that belong to none of them."""

    calls: list[CallPair]
    orphans: list[Step]


# Structs, because they are made without running Python code: there is one for every call of every trace.
class _Open(Struct, eq=False):
    """A call while pairing goes on."""

    call: Step
    results: list[Step] = []
    is_ambiguous: bool = False


class _SameName(Struct, eq=False):
    """The calls of one name and agent: the current batch, and earlier ones that still wait."""

    batch: int = -1
    calls: list[_Open] = []
    next_waiting: int = 0
    earlier: list[_Open] = []

    def add(self, entry: _Open, batch: int) -> None:
        if batch != self.batch:
            if self.calls:
                self.earlier += [call for call in self.calls[self.next_waiting :] if not call.results]
                self.calls = []
            self.next_waiting = 0
            self.batch = batch
        self.calls.append(entry)

    def answer(self, result: Step) -> None:
        if len(self.calls) == 1 and not self.calls[0].results:  # the usual case, kept short
            self.calls[0].results.append(result)
            return
        waiting = self._skip_answered()
        if waiting is None:
            nearest = self.calls[-1]
            if self.earlier:
                for entry in (*self.earlier, *self.calls):
                    entry.is_ambiguous = True
                self.earlier = []
            nearest.results.append(result)
            return
        if not waiting.is_ambiguous:
            others = [entry for entry in self.calls[self.next_waiting :] if not entry.results]
            if len(others) > 1:
                for entry in others:
                    entry.is_ambiguous = True
        waiting.results.append(result)

    def _skip_answered(self) -> _Open | None:
        while self.next_waiting < len(self.calls):
            entry = self.calls[self.next_waiting]
            if not entry.results:
                return entry
            self.next_waiting += 1
        return None


def pair(steps: Sequence[Step]) -> Pairing:
    """Pair the tool results in ``steps`` with the calls before them. Linear in the number of steps."""
    return _pair_in_turn(steps) or _pair_by_rules(steps)


def _pair_in_turn(steps: Sequence[Step]) -> Pairing | None:
    """Pair a run, as most are, in which every call waits for its own result; ``None`` for any other, which needs the rules."""
    calls: list[CallPair] = []
    waiting: Step | None = None
    for step in steps:
        kind = step.kind
        if kind == "tool_call":
            if waiting is not None:
                return None
            waiting = step
        elif kind == "tool_result":
            if (
                waiting is None
                or step.name != waiting.name
                or step.call_id != waiting.call_id
                or step.agent_id != waiting.agent_id
            ):
                return None
            calls.append(CallPair(call=waiting, result=step, results=(step,)))
            waiting = None
    if waiting is not None:
        calls.append(CallPair(call=waiting, result=None))
    return Pairing(calls=calls, orphans=[])


def _pair_by_rules(steps: Sequence[Step]) -> Pairing:
    entries: list[_Open] = []
    orphans: list[Step] = []
    by_id: dict[str, _Open] = {}
    by_name: dict[_Key, _SameName] = {}
    nearest_of_name: dict[str | None, _SameName] = {}
    batch = 0
    is_batch_open = True
    for step in steps:
        kind = step.kind
        if kind == "tool_call":
            if not is_batch_open:
                batch += 1
                is_batch_open = True
            entry = _Open(step)
            entries.append(entry)
            if step.call_id is not None:
                by_id[step.call_id] = entry
            key = (step.agent_id, step.name)
            same = by_name.get(key)
            if same is None:
                same = by_name[key] = _SameName()
            same.add(entry, batch)
            nearest_of_name[step.name] = same
        elif kind == "tool_result":
            is_batch_open = False
            known = by_id.get(step.call_id) if step.call_id is not None else None
            if known is not None:
                known.results.append(step)
                continue
            found = by_name.get((step.agent_id, step.name))
            if found is None and step.agent_id is None:
                found = nearest_of_name.get(step.name)
            if found is None or (step.call_id is not None and found.calls[-1].call.call_id is not None):
                orphans.append(step)
            else:
                found.answer(step)
        elif kind == "message":
            is_batch_open = False
    calls = [
        CallPair(
            call=entry.call,
            result=entry.results[-1] if entry.results else None,
            is_ambiguous=entry.is_ambiguous,
            results=tuple(entry.results),
        )
        for entry in entries
    ]
    return Pairing(calls=calls, orphans=orphans)
