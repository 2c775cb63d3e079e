"""Build a ``Trace`` from events: numbering, pairing by call id, times with their provenance, the final message.

A reader must not miss: a result is tied to the latest open call of its id, and ids that a source uses twice are made
different, so parallel and repeated calls stay apart in everything that follows.
"""

from __future__ import annotations

import hashlib
from collections import Counter, deque
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct, field

from agent_claimcheck.importers.contract import ImportOptions
from agent_claimcheck.importers.events import UNKNOWN, Event, Status, from_text
from agent_claimcheck.importers.foreign_json import bounded, text_of
from agent_claimcheck.importers.times import iso_time
from agent_claimcheck.importers.wrappers import user_words
from agent_claimcheck.trace.model import (
    AgentRef,
    Artifact,
    End,
    FinalClaim,
    FinalSource,
    GroundTruth,
    Origin,
    Relation,
    Step,
    Subtrace,
    Task,
    ToolDef,
    Trace,
    TsSource,
    Where,
)

EPOCH = "1970-01-01T00:00:00Z"
FINISH_TOOLS = frozenset(
    {"final_answer", "finish", "submit", "final_result", "attempt_completion", "task_complete", "mark_task_complete"}
)
"""Tools whose argument is the answer, in the frameworks that end a run by a call."""
_FINISH_ARGS = (
    *("answer", "final_answer", "message", "final_thought", "result", "summary"),
    *("output", "response", "text", "thought", "submission"),
)


class Draft(Struct, kw_only=True):
    """One run on its way to a trace. Whatever the format does not tell stays ``None``."""

    format: str
    trace_id: str | None = None
    flavour: str | None = None
    line: int = 0
    events: list[Event] = field(default_factory=list)
    model: str | None = None
    task_id: str | None = None
    domain: str = "other"
    instruction: str | None = None
    system_prompt: str | None = None
    user_script: str | None = None
    tools: list[ToolDef] | None = None
    allowed_tools: list[str] | None = None
    tool_fallbacks: dict[str, list[str]] | None = None
    conversation_id: str | None = None
    agents: list[AgentRef] = field(default_factory=list)
    artifacts: list[Artifact] = field(default_factory=list)
    subtraces: list[tuple[str, str | None, Relation]] = field(default_factory=list)
    """``(trace id, call id of the delegating call, relation)``."""
    end: End | None = None
    usage: dict[str, Any] | None = None
    ground_truth: GroundTruth | None = None
    final_text: str | None = None
    final_source: FinalSource = "text"
    locator: str | None = None
    warnings: list[str] = field(default_factory=list)
    seed: bytes = b""
    """Bytes that name the run when it has no id of its own."""

    def add(self, events: Iterable[Event]) -> None:
        """Append events in the order given."""
        self.events.extend(events)

    def add_row(self, line: int, raw: bytes) -> None:
        """Let one more row of a file count as a part of the run, which begins at the first one."""
        self.line = self.line or line
        self.name_by(raw)

    def name_by(self, raw: bytes) -> None:
        """Let one more part of the run count for the id that a run without one of its own gets.

        All parts count: runs of one task begin alike, and often differ in their last message only.
        """
        self.seed = hashlib.blake2b(self.seed + raw, digest_size=16).digest() if self.seed else raw


def _content_id(prefix: str, seed: bytes) -> str:
    """A stable id for a run that has none: the format and a digest of its bytes."""
    return f"{prefix}-{hashlib.blake2b(seed, digest_size=8).hexdigest()}"


def build(draft: Draft, *, file: str, options: ImportOptions) -> Trace:
    """Return the finished trace. Works on any events, in linear time."""
    events = draft.events
    system = _take_system_prompt(draft)
    _set_wrappers_apart(events)
    _pair(events, options)
    steps = _number(events)
    final = _final(draft, events, steps)
    turns = [step.i for step in steps if step.kind == "message" and step.role == "user"]
    instruction = draft.instruction
    if instruction is None:
        instruction = next((steps[turn].content or "" for turn in turns), "")
    trace_id = draft.trace_id or _content_id(draft.format, draft.seed or repr(instruction).encode("utf-8", "replace"))
    source = f"{draft.format}/{draft.model}" if draft.model else draft.format
    return Trace(
        trace_id=trace_id,
        source=source,
        task=Task(
            id=draft.task_id or trace_id,
            domain=draft.domain,
            instruction=instruction,
            system_prompt=system,
            allowed_tools=draft.allowed_tools,
            tool_fallbacks=draft.tool_fallbacks,
            turns=turns if len(turns) > 1 else None,
            user_script=draft.user_script,
        ),
        steps=steps,
        final_claim=final,
        ground_truth=_label(draft) if options.labels else None,
        origin=Origin(
            format=draft.format,
            flavour=draft.flavour,
            locator=draft.locator,
            importer="agent-claimcheck",
            warnings=draft.warnings or None,
        ),
        conversation_id=draft.conversation_id,
        model=draft.model,
        tools=draft.tools,
        agents=draft.agents or None,
        artifacts=draft.artifacts or None,
        subtraces=_links(draft, steps),
        end=draft.end,
        usage=bounded(draft.usage),
        where=Where(file=file, line=draft.line or 1),
    )


def _label(draft: Draft) -> GroundTruth | None:
    label = draft.ground_truth
    if label is None or label.details is None:
        return label
    return msgspec.structs.replace(label, details=bounded(label.details))


def _set_wrappers_apart(events: list[Event]) -> None:
    """Text that a client wraps around the user's words is not the user's: it is cut off, or becomes a system event."""
    for event in events:
        if event.kind == "message" and event.role == "user" and event.text:
            words = user_words(event.text)
            if words is None:
                event.kind, event.role = "system_event", "environment"
            else:
                event.text = words


def _take_system_prompt(draft: Draft) -> str | None:
    """The first system or developer message is the prompt; later ones stay as system events."""
    prompt = draft.system_prompt
    kept: list[Event] = []
    for event in draft.events:
        if event.kind == "message" and event.role in ("system", "developer"):
            if prompt is None or event.text == prompt:
                prompt = event.text
                continue
            event.kind = "system_event"
        kept.append(event)
    draft.events[:] = kept
    return prompt


_NEVER_RETURNED = Status(None, "partial")


def _ends_run(call: Event) -> bool:
    return call.is_final or call.name in FINISH_TOOLS


class _OpenCalls:
    """The calls that wait for a result, by id and by name. Removal is lazy, so everything stays linear."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[Event]] = {}
        self._by_name: dict[str, deque[Event]] = {}
        self._open_of_name: Counter[str] = Counter()
        self._times: Counter[str] = Counter()
        self._latest: dict[str, str] = {}
        self._order: deque[Event] = deque()
        self._all: list[Event] = []
        self._done: set[int] = set()
        self._open = 0

    def add(self, call: Event) -> None:
        """Open a call; an id that came before gets a number behind it."""
        raw = call.call_id
        if raw is not None:
            self._times[raw] += 1
            if self._times[raw] > 1:
                call.call_id = f"{raw}#{self._times[raw]}"
            self._by_id.setdefault(raw, []).append(call)
            self._latest[raw] = call.call_id or raw
        name = call.name or ""
        self._by_name.setdefault(name, deque()).append(call)
        self._open_of_name[name] += 1
        self._order.append(call)
        self._all.append(call)
        self._open += 1

    def match(self, result: Event, number: int) -> None:
        """Tie a result to its call. Without an id only the one open call of that name can be meant."""
        raw = result.call_id
        call = self._of_id(raw) if raw is not None else self._of_name(result.name)
        if call is not None:
            self._close(call)
            if call.call_id is None:
                call.call_id = f"call-{number}"
            result.call_id = call.call_id
            result.name = result.name or call.name
        elif raw is not None and raw in self._latest:
            result.call_id = self._latest[raw]

    def _of_id(self, raw: str) -> Event | None:
        queue = self._by_id.get(raw)
        while queue:
            call = queue.pop()
            if id(call) not in self._done:
                return call
        return None

    def _of_name(self, name: str | None) -> Event | None:
        if name is None:
            return self._next(self._order) if self._open == 1 else None
        if self._open_of_name[name] != 1:
            return None
        return self._next(self._by_name[name])

    def _next(self, queue: deque[Event]) -> Event | None:
        while queue:
            call = queue.popleft()
            if id(call) not in self._done:
                return call
        return None

    def leave(self) -> None:
        """Mark the calls that never returned; a call that ends the run has nothing to return."""
        for call in self._all:
            if id(call) not in self._done and call.status is UNKNOWN and not _ends_run(call):
                call.status = _NEVER_RETURNED

    def _close(self, call: Event) -> None:
        self._done.add(id(call))
        self._open -= 1
        self._open_of_name[call.name or ""] -= 1


def _pair(events: list[Event], options: ImportOptions) -> None:
    """Give results the ids and names of their calls, and read status text where that was asked for."""
    calls = _OpenCalls()
    for number, event in enumerate(events):
        if event.kind == "tool_call":
            calls.add(event)
        elif event.kind == "tool_result":
            calls.match(event, number)
            if event.status.source == "none" and options.infer_status != "strict":
                event.status = from_text(event.output, options.infer_status)
    calls.leave()


def _number(events: list[Event]) -> list[Step]:
    """Number the events and give every step a time and where it came from."""
    later: str | None = None
    for event in events:
        moment = iso_time(event.ts)[0] if event.ts is not None else None
        if moment is not None:
            later = moment
            break
    previous, steps = later, []
    for index, event in enumerate(events):
        moment, how = iso_time(event.ts)
        if moment is None:
            moment, how = (previous, "inherited") if previous is not None else (EPOCH, "synthetic")
        else:
            previous = moment
        steps.append(_step(index, event, moment, how))
    return steps


def _step(index: int, event: Event, moment: str, how: TsSource) -> Step:
    status = event.status
    is_result = event.kind == "tool_result"
    return Step(
        i=index,
        ts=moment,
        kind=event.kind,
        role=event.role,
        name=event.name,
        content=event.text,
        args=event.args,
        ok=status.ok if is_result else None,
        output=event.output,
        error=status.error,
        call_id=event.call_id,
        parallel_group=event.parallel_group,
        agent_id=event.agent_id,
        parent_call_id=event.parent_call_id,
        ts_end=iso_time(event.ts_end)[0] if event.ts_end is not None else None,
        ts_source=how,
        status=(status.word or "unknown") if is_result else status.word,
        status_source=status.source if is_result else None,
        status_confidence=status.confidence,
        exit_code=status.exit_code,
        raw_args=event.raw_args,
        blocks=bounded(event.blocks),
        origin_ref=event.ref,
    )


def _final(draft: Draft, events: list[Event], steps: list[Step]) -> FinalClaim:
    """The agent's last text, or the argument of the tool that ends a run; the later of the two."""
    if draft.final_text is not None:
        said_at = next((s.i for s in reversed(steps) if s.content == draft.final_text and s.role == "agent"), None)
        return FinalClaim(text=draft.final_text, step=said_at, source=draft.final_source)
    for event, step in zip(reversed(events), reversed(steps), strict=True):
        if event.kind == "tool_call" and event.role == "agent" and _ends_run(event):
            text = _finish_text(event.args)
            if text:
                return FinalClaim(text=text, step=step.i, source="final_tool")
        if event.kind == "message" and event.role == "agent" and event.text and not event.text.isspace():
            return FinalClaim(text=event.text, step=step.i, source="text")
    return FinalClaim(text=None, source="none")


def _finish_text(args: dict[str, Any] | None) -> str | None:
    """The answer inside the arguments of a finishing call."""
    if not args:
        return None
    for key in _FINISH_ARGS:
        value = args.get(key)
        if isinstance(value, str) and value.strip():
            return value
    filled = [v for key, v in args.items() if v not in (None, "", {}, []) and key not in ("command", "code")]
    if len(filled) == 1 and isinstance(filled[0], str):
        return filled[0]
    return text_of(args) if filled else None


def _links(draft: Draft, steps: list[Step]) -> list[Subtrace] | None:
    if not draft.subtraces:
        return None
    calls = {step.call_id: step.i for step in steps if step.kind == "tool_call" and step.call_id}
    return [
        Subtrace(trace_id=trace_id, parent_step=calls.get(call_id) if call_id else None, relation=relation)
        for trace_id, call_id, relation in draft.subtraces
    ]
