"""tau2-bench results: simulations with messages, tool errors as flags, and the environment's checks.

A reader must not miss: calls with ``requestor: user`` are made by the simulated user on its own devices. They keep the
role ``user``, so they are never taken for the agent's work.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row, iter_members
from agent_claimcheck.importers.foreign_json import items, mapping, string, walk
from agent_claimcheck.importers.formats.tau_bench import reward_label
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_messages
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading
from agent_claimcheck.importers.toolset import tool_defs
from agent_claimcheck.trace.model import End, TraceProblem

_NAME = "tau2-bench"
_DOMAINS = {"airline": "booking", "retail": "crm"}
_ENDS: dict[str, Any] = {"user_stop": "completed", "agent_stop": "completed", "max_steps": "limit", "timeout": "limit"}


def _recognise(head: Head) -> str | None:
    for record in head.records[:3]:
        if "simulations" in record and ("tasks" in record or "info" in record):
            return "info, tasks and simulations"
        info = mapping(record.get("info"))
        if "environment_info" in info and ("user_info" in info or "agent_info" in info):
            return "info with environment_info and agent_info"
        if "termination_reason" in record and "task_id" in record and ("messages" in record or "ticks" in record):
            return "a simulation with task_id and termination_reason"
    return None


def _drafts(reading: Reading) -> Drafts:
    header: dict[str, Any] = {}
    count = 0
    for item in iter_members(reading.stream, reading.file, ["simulations"]):
        if isinstance(item, TraceProblem):
            yield item
            continue
        key, row = item
        table = mapping(row.value)
        if key == "simulations":
            count += 1
            yield from _simulation(table, row, mapping(header.get("info")), reading)
        elif "termination_reason" in table or "messages" in table:
            count += 1
            yield from _simulation(table, row, {}, reading)
        else:
            header = table
    if header and not count:
        yield reading.problem(
            0, "$.simulations", "the results name no simulations: read the files of the simulations folder instead"
        )


def _simulation(table: dict[str, Any], row: Row, info: dict[str, Any], reading: Reading) -> Drafts:
    messages = table.get("messages")
    name = string(table.get("id")) or f"simulation-{row.line}"
    if not isinstance(messages, list):
        voice = " (a voice simulation holds ticks of audio, which are not read)" if "ticks" in table else ""
        yield reading.problem(row.line, "$.messages", f"simulation {name[:80]!r} holds no messages{voice}")
        return
    draft = Draft(format=_NAME, trace_id=name, line=row.line, seed=row.raw)
    events, unread = read_messages(messages)
    if unread:
        reading.report.lose("message of no known dialect", unread, line=row.line)
    draft.events = events
    task = string(table.get("task_id"))
    environment = mapping(info.get("environment_info"))
    domain = string(environment.get("domain_name"))
    draft.task_id = f"tau2-{domain or 'task'}-{task}" if task is not None else None
    draft.domain = _DOMAINS.get(domain or "", "other")
    draft.system_prompt = string(environment.get("policy")) or string(table.get("policy"))
    draft.tools = tool_defs(items(environment.get("tool_defs")))
    draft.model = string(walk(info, "agent_info", "llm"))
    reason = string(table.get("termination_reason"))
    if reason is not None:
        draft.end = End(reason=_ENDS.get(reason, "error" if "error" in reason else "unknown"), detail=reason)
    reward = mapping(table.get("reward_info"))
    draft.ground_truth = reward_label(reward.get("reward"), reward)
    yield draft


IMPORTER = FormatImporter(
    name=_NAME,
    title="tau2-bench results",
    recognised_by="info, tasks and simulations, or one simulation with task_id and termination_reason",
    recognise_by=_recognise,
    drafts=_drafts,
)
