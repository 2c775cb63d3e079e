"""attest ``run.json``: a task, steps with a thought and a call with its output, and the final answer.

A reader must not miss: an absent ``is_error`` says nothing about success, and ``allowed_tools: []`` means "none allowed".
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.builder import Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import called, flagged, returned, said
from agent_claimcheck.importers.foreign_json import arguments_of, bounded, dicts, items, mapping, string, text_of
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_object
from agent_claimcheck.trace.model import Artifact

_KEYS = frozenset(
    ("task", "final_answer", "system_prompt", "allowed_tools", "tool_fallbacks", "steps", "artifacts", "later_requests")
)

_STEP_KEYS = frozenset(("thought", "tool_call"))


def _recognise(head: Head) -> str | None:
    for record in head.records[:5]:
        if isinstance(record.get("task"), str) and isinstance(record.get("steps"), list) and "final_answer" in record:
            return "task, steps and final_answer"
    if head.records and all(record.keys() <= _KEYS and _is_run(record) for record in head.records):
        return "task and final_answer"
    return None


def _is_run(record: dict[str, Any]) -> bool:
    """A run file need not name ``steps``: a run may be an answer and nothing else."""
    steps = record.get("steps", [])
    return isinstance(steps, list) and (
        "steps" in record or (isinstance(record.get("task"), str) and isinstance(record.get("final_answer"), str))
    )


def _drafts(reading: Reading) -> Drafts:
    return each_object(reading, lambda row: _draft_of_run(row, reading) if _is_run(row.value) else None)


def _draft_of_run(row: Row, reading: Reading) -> Draft:
    """The draft of one run object. Its events follow the run's steps: thought, call, result."""
    run = mapping(row.value)
    draft = Draft(format="attest-run", line=row.line, seed=row.raw, trace_id=string(run.get("id")))
    draft.instruction = text_of(run.get("task"))
    draft.system_prompt = string(run.get("system_prompt"))
    allowed = run.get("allowed_tools")
    if isinstance(allowed, list):
        draft.allowed_tools = [name for name in allowed if isinstance(name, str)]
    fallbacks = run.get("tool_fallbacks")
    if isinstance(fallbacks, dict):
        draft.tool_fallbacks = {key: [text_of(one) for one in items(value)] for key, value in fallbacks.items()}
    # When the later ones were said is not told; as words of the user they count wherever they stand.
    later = [text for text in items(run.get("later_requests")) if isinstance(text, str) and text]
    draft.add([said("user", text) for text in (draft.instruction, *later)])
    for number, step in enumerate(items(run.get("steps"))):
        if isinstance(step, dict) and not step.keys().isdisjoint(_STEP_KEYS):
            _add_step(draft, step, f"steps[{number}]")
        else:
            reading.report.lose("step without a thought or a tool_call", line=row.line)
    for artifact in dicts(run.get("artifacts")):
        draft.artifacts.append(_artifact(artifact, len(draft.artifacts)))
    answer = run.get("final_answer")
    if isinstance(answer, str) and answer:
        draft.add([said("agent", answer, ref="final_answer")])
        draft.final_text = answer
    return draft


def _add_step(draft: Draft, step: dict[str, Any], ref: str) -> None:
    thought = step.get("thought")
    if isinstance(thought, str) and thought:
        draft.add([said("agent", thought, kind="reasoning", ref=ref)])
    call = step.get("tool_call")
    if not isinstance(call, dict):
        return
    call_id = string(call.get("id")) or ref
    draft.add([called(call.get("name"), arguments_of(call, "arguments"), call_id, ref=ref)])
    if "output" in call or "is_error" in call:
        is_error = call.get("is_error")
        error = call.get("output") if is_error is True else None
        result = returned(call.get("name"), call.get("output"), call_id, status=flagged(is_error, error), ref=ref)
        # The grader quotes outputs as they were written, so the text is kept undecoded.
        result.output = bounded(call.get("output"))
        draft.add([result])
    for artifact in dicts(call.get("artifacts")):
        draft.artifacts.append(_artifact(artifact, len(draft.artifacts)))


def _artifact(table: dict[str, Any], number: int) -> Artifact:
    return Artifact(
        id=string(table.get("id")) or f"artifact-{number}",
        name=string(table.get("name")),
        media_type=string(table.get("media_type")),
        source=string(table.get("source")),
        sha256=string(table.get("sha256")),
        text=table["text"] if isinstance(table.get("text"), str) else None,
        data_base64=string(table.get("data_base64")),
        path=string(table.get("path")),
        metadata=bounded(mapping(table.get("metadata"))) or None,
    )


IMPORTER = FormatImporter(
    name="attest-run",
    title="attest run",
    recognised_by="an object with task, steps and final_answer",
    recognise_by=_recognise,
    drafts=_drafts,
)
