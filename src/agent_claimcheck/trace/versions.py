"""Between the two versions: ``down`` makes a trace sayable in agent-trace/v1, ``up`` undoes it without loss.

A reader must not miss: what v1 has no field for lies in ``meta["agent-trace/ext/1"]``, the sidecar. ``meta`` never
reaches a check, so the reader lifts the sidecar before anything looks at the trace. The sidecar of a file is as hostile
as the rest of it: one that does not fit is left where it is, with a note.

The sidecar holds ``top``, ``task``, ``final_claim`` (fields to put back), ``claims`` and ``steps`` (the same, by
index), ``order`` (the original place of each step, when they were moved), ``no_meta`` (there was no ``meta``) and
``shadowed`` (what stood under the sidecar's own key before).
"""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from agent_claimcheck.trace.blocks import text_of
from agent_claimcheck.trace.model import (
    AgentRef,
    Artifact,
    Claim,
    End,
    FinalClaim,
    Origin,
    Step,
    Subtrace,
    Task,
    ToolDef,
    Trace,
)
from agent_claimcheck.trace.pairing import pair

SIDECAR = "agent-trace/ext/1"
NOTE_SIDECAR = "the agent-trace/ext/1 sidecar was not understood and was left in meta"

DOMAINS = frozenset({"booking", "crm", "coding", "browser", "other"})
"""The domain names that version 1 of traces and of results knows; any other is written ``other``."""

_KINDS = frozenset({"message", "tool_call", "tool_result", "state_probe"})
# Operators and other agents become part of the surroundings: never the user, whose words are the request, and never
# the agent, whose words are claims.
_ROLES = {"system": "environment", "developer": "environment", "other_agent": "environment"}
_OK_OF_STATUS = {"ok": True, "error": False, "denied": False, "cancelled": False, "timeout": False, "invalid": False}

_STEP_EXTRAS = (
    "call_id", "parallel_group", "agent_id", "parent_call_id", "ts_end", "ts_source", "status", "status_source",
    "status_confidence", "exit_code", "raw_args", "blocks", "artifact_ids", "origin_ref",
)  # fmt: skip
_TASK_EXTRAS = ("system_prompt", "allowed_tools", "tool_fallbacks", "turns", "user_script")
_TOP_EXTRAS = ("origin", "conversation_id", "model", "tools", "agents", "artifacts", "subtraces", "end", "usage")

_Fields = dict[str, Any]
Record = TypeVar("Record", bound=msgspec.Struct)


class _Top(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    origin: Origin | None = None
    conversation_id: str | None = None
    model: str | None = None
    tools: list[ToolDef] | None = None
    agents: list[AgentRef] | None = None
    artifacts: list[Artifact] | None = None
    subtraces: list[Subtrace] | None = None
    end: End | None = None
    usage: dict[str, Any] | None = None


class _Sidecar(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    top: _Top = _Top()
    task: _Fields = {}
    final_claim: _Fields = {}
    claims: dict[str, _Fields] = {}
    steps: dict[str, _Fields] = {}
    order: list[int] | None = None
    no_meta: bool = False
    shadowed: Any = msgspec.UNSET


def down(trace: Trace, *, keep_names: bool = False) -> Trace:
    """Return ``trace`` with everything in fields v1 has; the rest goes to the sidecar. ``up`` gives the trace back.

    A trace that needs no sidecar is returned as it is. So that a reader of v1, who pairs by name and order, pairs as
    the ids say:

    - results move directly behind their calls where the order would mislead, and take over the name of the call;
    - a result whose call is unknown loses its name when an earlier call has the same;
    - tools of sub-agents that share a name with a tool of the main agent are written ``agent/tool`` (``keep_names``
      turns this off), since a sub-agent's receipt must not prove the main agent's claim by accident.

    Unknown kinds become ``message``; system, developer and other agents become ``environment``; ``status`` gives ``ok``
    where that was not declared; content blocks give the text; any other domain becomes ``other``.
    """
    steps, entries = _plain_steps(trace, keep_names)
    order = _adjacent_order(trace.steps, steps)
    if order is not None:
        numbers = [step.i for step in steps]
        steps = [msgspec.structs.replace(steps[old], i=numbers[new]) for new, old in enumerate(order)]
        entries = [entries[old] for old in order]
    task, task_entry = _plain_task(trace.task)
    final, final_entry, claim_entries = _plain_final(trace.final_claim)
    top = {name: value for name in _TOP_EXTRAS if (value := getattr(trace, name)) is not None}
    sidecar: dict[str, Any] = {
        "top": msgspec.to_builtins(top),
        "task": task_entry,
        "final_claim": final_entry,
        "claims": claim_entries,
        "steps": {str(index): entry for index, entry in enumerate(entries) if entry},
    }
    if order is not None:
        sidecar["order"] = order
    sidecar = {key: value for key, value in sidecar.items() if value}
    meta = trace.meta
    if not sidecar and (meta is None or SIDECAR not in meta):
        return trace
    if meta is None:
        sidecar["no_meta"] = True
    elif SIDECAR in meta:
        sidecar["shadowed"] = meta[SIDECAR]
    return msgspec.structs.replace(
        trace,
        task=task,
        steps=steps,
        final_claim=final,
        meta={**(meta or {}), SIDECAR: sidecar},
        **dict.fromkeys(_TOP_EXTRAS),
    )


def up(trace: Trace) -> Trace:
    """Return ``trace`` with the fields of its sidecar back in their places and the sidecar gone from ``meta``.

    A trace without a sidecar is returned as it is. So is one whose sidecar does not fit, with ``NOTE_SIDECAR`` added.
    Steps added behind those that ``down`` wrote, such as merged state probes, stay at the end.
    """
    if trace.meta is None or SIDECAR not in trace.meta:
        return trace
    try:
        sidecar = msgspec.convert(trace.meta[SIDECAR], _Sidecar)
        steps = [_fill(step, sidecar.steps.get(str(index)), Step) for index, step in enumerate(trace.steps)]
        steps = _restore_order(steps, sidecar.order)
        claims = [
            _fill(claim, sidecar.claims.get(str(index)), Claim) for index, claim in enumerate(trace.final_claim.claims)
        ]
        final = msgspec.structs.replace(_fill(trace.final_claim, sidecar.final_claim, FinalClaim), claims=claims)
        task = _fill(trace.task, sidecar.task, Task)
    except (msgspec.ValidationError, RecursionError):
        return msgspec.structs.replace(trace, notes=(*trace.notes, NOTE_SIDECAR))
    meta: dict[str, Any] | None = {key: value for key, value in trace.meta.items() if key != SIDECAR}
    if sidecar.shadowed is not msgspec.UNSET:
        meta = {**(meta or {}), SIDECAR: sidecar.shadowed}
    elif sidecar.no_meta and not meta:
        meta = None
    return msgspec.structs.replace(
        trace,
        task=task,
        steps=steps,
        final_claim=final,
        meta=meta,
        **{name: getattr(sidecar.top, name) for name in _TOP_EXTRAS},
    )


def _plain_steps(trace: Trace, keep_names: bool) -> tuple[list[Step], list[_Fields]]:
    """Return the steps as v1 can say them, and for each the fields to put back."""
    names = _names_for_v1(trace, keep_names)
    steps: list[Step] = []
    entries: list[_Fields] = []
    for step in trace.steps:
        entry: _Fields = {name: value for name in _STEP_EXTRAS if (value := getattr(step, name)) is not None}
        changed: _Fields = {}
        if step.kind not in _KINDS:
            changed["kind"] = "message"
        if step.role in _ROLES:
            changed["role"] = _ROLES[step.role]
        if step.ok is None and step.status in _OK_OF_STATUS:
            changed["ok"] = _OK_OF_STATUS[step.status]
        if step.content is None and step.blocks and (text := text_of(step.blocks)) is not None:
            changed["content"] = text
        if step.i in names:
            changed["name"] = names[step.i]
        if entry or changed:
            plain = msgspec.structs.replace(step, **dict.fromkeys(_STEP_EXTRAS), **changed)
            entry |= {name: getattr(step, name) for name in changed}
            steps.append(plain)
        else:
            steps.append(step)
        entries.append(entry)
    return steps, entries


def _names_for_v1(trace: Trace, keep_names: bool) -> dict[int, str | None]:
    """Return new tool names, by step number, where the given ones would make a reader of v1 pair wrongly."""
    names: dict[int, str | None] = {}
    if not keep_names:
        below = {agent.id for agent in trace.agents or () if agent.parent_id or agent.parent_call_id}
        tool_steps = [step for step in trace.steps if step.kind in ("tool_call", "tool_result")]
        subs = [s for s in tool_steps if s.role == "other_agent" or s.agent_id in below or s.parent_call_id is not None]
        sub_numbers = {step.i for step in subs}
        main_names = {step.name for step in tool_steps if step.i not in sub_numbers}
        for step in subs:
            if step.name is not None and step.name in main_names:
                names[step.i] = f"{step.agent_id or 'other_agent'}/{step.name}"
    pairing = pair(trace.steps)
    for item in pairing.calls:
        wanted = names.get(item.call.i, item.call.name)
        for result in item.results:
            if names.get(result.i, result.name) != wanted:
                names[result.i] = wanted
    first_call: dict[str | None, int] = {}
    for item in pairing.calls:
        first_call.setdefault(names.get(item.call.i, item.call.name), item.call.i)
    for orphan in pairing.orphans:
        name = names.get(orphan.i, orphan.name)
        if name is not None and first_call.get(name, orphan.i) < orphan.i:
            names[orphan.i] = None
    return names


def _adjacent_order(original: list[Step], plain: list[Step]) -> list[int] | None:
    """Return the positions of the steps with results behind their calls; ``None`` when pairing by name is right."""
    call_of = {
        result.i: item.call.i
        for item in pair(original).calls
        for result in item.results
        if result.call_id is not None and result.call_id == item.call.call_id
    }
    nearest: dict[str | None, int] = {}
    is_misleading = False
    for step in plain:
        if step.kind == "tool_call":
            nearest[step.name] = step.i
        elif step.i in call_of and nearest.get(step.name) != call_of[step.i]:
            is_misleading = True
            break
    if not is_misleading:
        return None
    behind: dict[int, list[int]] = {}
    for position, step in enumerate(original):
        if step.i in call_of:
            behind.setdefault(call_of[step.i], []).append(position)
    order: list[int] = []
    for position, step in enumerate(original):
        if step.i not in call_of:
            order.append(position)
            order += behind.get(step.i, ())
    return order


def _plain_task(task: Task) -> tuple[Task, _Fields]:
    entry: _Fields = {name: value for name in _TASK_EXTRAS if (value := getattr(task, name)) is not None}
    domain = task.domain
    if domain not in DOMAINS:
        entry["domain"] = domain
        domain = "other"
    return (Task(id=task.id, domain=domain, instruction=task.instruction) if entry else task), entry


def _plain_final(final: FinalClaim) -> tuple[FinalClaim, _Fields, dict[str, _Fields]]:
    entry: _Fields = {name: value for name in ("step", "source") if (value := getattr(final, name)) is not None}
    claims: dict[str, _Fields] = {}
    for index, claim in enumerate(final.claims):
        extras = {name: value for name in ("quote", "step") if (value := getattr(claim, name)) is not None}
        if extras:
            claims[str(index)] = extras
    if not entry and not claims:
        return final, entry, claims
    plain = [Claim(type=claim.type, subject=claim.subject) for claim in final.claims]
    return FinalClaim(text=final.text, claims=plain), entry, claims


def _fill(record: Record, fields: _Fields | None, kind: type[Record]) -> Record:
    """Return ``record`` with ``fields`` put back. Raises ``ValidationError`` when they do not fit."""
    if not fields:
        return record
    known = {name: getattr(record, name) for name in kind.__struct_fields__}
    if not fields.keys() <= known.keys() - {"i", "ts", "trace_id", "id", "instruction", "text", "claims"}:
        raise msgspec.ValidationError("unknown sidecar field")
    return msgspec.convert({**known, **fields}, kind)


def _restore_order(steps: list[Step], order: list[int] | None) -> list[Step]:
    if order is None:
        return steps
    if sorted(order) != list(range(len(order))) or len(order) > len(steps):
        raise msgspec.ValidationError("the order of the sidecar does not fit the steps")
    restored = list(steps)
    for new, old in enumerate(order):
        restored[old] = msgspec.structs.replace(steps[new], i=steps[old].i)
    return restored
