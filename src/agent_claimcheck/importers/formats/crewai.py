"""CrewAI results: ``CrewOutput`` with the outputs and messages of its tasks.

A reader must not miss: tool calls are here only when a task's messages hold them; text of the ReAct form stays text, for
what looks like an observation there may be the model's own invention.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import said
from agent_claimcheck.importers.foreign_json import bounded, dicts, items, mapping, string
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_messages
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_object
from agent_claimcheck.trace.model import AgentRef

_NAME = "crewai"
NO_TOOLS = "a CrewAI result holds no tool calls of its own: trace the crew with OpenTelemetry or Langfuse"


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if isinstance(record.get("tasks_output"), list) and "raw" in record:
            return "raw and tasks_output"
    return None


def _drafts(reading: Reading) -> Drafts:
    def crew(row: Row) -> Draft | None:
        value = mapping(row.value)
        if not isinstance(value.get("tasks_output"), list):
            return None
        draft = Draft(format=_NAME, line=row.line, seed=row.raw)
        agents: dict[str, AgentRef] = {}
        for task in dicts(value["tasks_output"]):
            _add_task(draft, task, agents)
        draft.agents = list(agents.values()) if len(agents) > 1 else []
        draft.usage = bounded(mapping(value.get("token_usage"))) or None
        draft.final_text = string(value.get("raw"))
        if not any(event.kind == "tool_result" for event in draft.events):
            reading.report.miss(NO_TOOLS)
        return draft

    return each_object(reading, crew)


def _add_task(draft: Draft, task: dict[str, Any], agents: dict[str, AgentRef]) -> None:
    agent = string(task.get("agent"))
    if agent:
        agents.setdefault(agent, AgentRef(id=agent, name=agent))
    description = string(task.get("description"))
    if description:
        draft.add([said("user", description)])
    events, _ = read_messages(items(task.get("messages")))
    # The description is the task; the prompt that wraps it is the framework's.
    kept = [event for event in events if not (event.kind == "message" and event.role in ("user", "system"))]
    answer = string(task.get("raw"))
    if answer and not any(event.text == answer for event in kept):
        kept.append(said("agent", answer))
    for event in kept:
        event.agent_id = agent
    draft.add(kept)


IMPORTER = FormatImporter(
    name=_NAME,
    title="CrewAI results",
    recognised_by="an object with raw and tasks_output",
    recognise_by=_recognise,
    drafts=_drafts,
)
