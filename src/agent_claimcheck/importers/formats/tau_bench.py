"""tau-bench results: a list of episodes with a chat trajectory and the environment's reward.

A reader must not miss: ``info.task.instruction`` is the script of the *simulated user*. The agent never saw it, so it is
kept as ``user_script`` and the instruction is what that user said first. The reward is a label.
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.foreign_json import items, mapping, string, walk
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.parser import read_messages
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_object
from agent_claimcheck.trace.model import GroundTruth

_NAME = "tau-bench"


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if isinstance(record.get("traj"), list) and ("reward" in record or "task_id" in record):
            return "episodes with traj and reward"
    return None


def _drafts(reading: Reading) -> Drafts:
    return each_object(reading, lambda row: _episode(row, reading) if isinstance(row.value.get("traj"), list) else None)


def _episode(row: Row, reading: Reading) -> Draft:
    episode = mapping(row.value)
    draft = Draft(format=_NAME, line=row.line, seed=row.raw)
    events, unread = read_messages(items(episode.get("traj")))
    if unread:
        reading.report.lose("message of no known dialect", unread, line=row.line)
    draft.events = events
    task = string(episode.get("task_id"))
    draft.task_id = f"tau-bench-{task}" if task is not None else None
    trial = string(episode.get("trial"))
    draft.trace_id = f"tau-bench-{task or 'task'}-{trial or 0}"
    draft.user_script = string(walk(episode, "info", "task", "instruction"))
    draft.domain = _domain(events)
    draft.ground_truth = reward_label(episode.get("reward"), mapping(episode.get("info")).get("reward_info"))
    return draft


def _domain(events: list[Any]) -> str:
    """The two domains of the benchmark, told by their policies' titles."""
    first = (events[0].text or "")[:200].lower() if events else ""
    if "airline" in first:
        return "booking"
    return "crm" if "retail" in first else "other"


def reward_label(reward: Any, details: Any) -> GroundTruth | None:
    """A reward of 1 is a success that the environment's state proved; any other number a failure."""
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        return None
    outcome: Any = "success" if reward >= 1 - 1e-6 else "failure"
    return GroundTruth(
        outcome=outcome, checked_by="state_probe", details={"reward": reward, "reward_info": mapping(details)}
    )


IMPORTER = FormatImporter(
    name=_NAME,
    title="tau-bench results",
    recognised_by="episodes with traj and reward",
    recognise_by=_recognise,
    drafts=_drafts,
)
