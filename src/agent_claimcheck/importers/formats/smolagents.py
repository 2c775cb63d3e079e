"""smolagents memory: step lists and run results.

A reader must not miss: when a tool call fails, ``tool_calls`` is empty and the call survives only in
``model_output_message``; the error of a step belongs to that call.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent_claimcheck.importers.builder import FINISH_TOOLS, Draft
from agent_claimcheck.importers.documents import Row
from agent_claimcheck.importers.events import SUCCEEDED_WEAKLY, Status, error_message, failed, returned, said
from agent_claimcheck.importers.foreign_json import dicts, mapping, string, text_of
from agent_claimcheck.importers.head import Head
from agent_claimcheck.importers.messages.blocks import plain_text
from agent_claimcheck.importers.messages.parser import read_call
from agent_claimcheck.importers.reading import Drafts, FormatImporter, Reading, each_row
from agent_claimcheck.trace.model import End

_NAME = "smolagents"


def _recognise(head: Head) -> str | None:
    first = head.object
    if isinstance(first.get("steps"), list) and "timing" in first and "state" in first:
        return "a run result (output, state, steps, timing)"
    if any("step_number" in record and "timing" in record for record in head.records):
        return "memory steps (step_number, timing)"
    return None


def _drafts(reading: Reading) -> Drafts:
    draft = Draft(format=_NAME)

    def take(row: Row) -> Iterator[Draft]:
        record = mapping(row.value)
        if isinstance(record.get("steps"), list) or isinstance(row.value, list):
            yield _whole_run(row, record)
            return
        draft.add_row(row.line, row.raw)
        if not _add_step(draft, record):
            reading.report.lose("record of no known kind", line=row.line)

    yield from each_row(reading, take)
    if draft.events:
        yield draft


def _whole_run(row: Row, record: dict[str, Any]) -> Draft:
    """The run of one row: a run result, or a list of steps."""
    run = Draft(format=_NAME, line=row.line, seed=row.raw)
    for step in dicts(row.value if isinstance(row.value, list) else record["steps"]):
        _add_step(run, step)
    if record:
        _finish(run, record)
    return run


def _finish(draft: Draft, record: dict[str, Any]) -> None:
    state = record.get("state")
    if state == "success":
        draft.end = End(reason="completed", detail="success")
    elif isinstance(state, str):
        draft.end = End(reason="limit" if "max_steps" in state else "error", detail=state)
    output = record.get("output")
    if output is not None:
        draft.final_text, draft.final_source = text_of(output), "final_tool"


def _add_step(draft: Draft, step: dict[str, Any]) -> bool:
    if isinstance(step.get("task"), str):
        draft.add([said("user", step["task"])])
        return True
    if isinstance(step.get("system_prompt"), str):
        draft.add([said("system", step["system_prompt"])])
        return True
    timing = mapping(step.get("timing"))
    start, end = timing.get("start_time"), timing.get("end_time")
    if isinstance(step.get("plan"), str):
        draft.add([said("agent", step["plan"], ts=start, kind="reasoning")])
        return True
    if "step_number" not in step:
        return False
    ref = f"step {string(step.get('step_number'))}"
    output = mapping(step.get("model_output_message"))
    text = plain_text(output.get("content"))
    entries = list(dicts(step.get("tool_calls"))) or list(dicts(output.get("tool_calls")))
    if text:
        kind: Any = "reasoning" if entries else "message"
        draft.add([said("agent", text, ts=start, kind=kind, ref=ref)])
    calls = [call for entry in entries if (call := read_call(entry, start, ref)) is not None]
    is_final = step.get("is_final_answer") is True
    for call in calls:
        # An id is counted per agent, so it repeats over agents and runs; the step makes it different.
        call.parallel_group = ref if len(calls) > 1 else None
        call.is_final = is_final or call.name in FINISH_TOOLS
        draft.add([call])
    _add_result(draft, step, calls, end, ref)
    return True


def _add_result(draft: Draft, step: dict[str, Any], calls: list[Any], end: Any, ref: str) -> None:
    error = step.get("error")
    seen = step.get("observations")
    answer = step.get("action_output")
    if is_answer := step.get("is_final_answer") is True and answer is not None:
        draft.final_text, draft.final_source = text_of(answer), "final_tool"
    if not calls or (seen is None and not error and (is_answer or answer is None)):
        return
    status: Status = failed(error_message(error), "exception") if error else SUCCEEDED_WEAKLY
    output = seen if seen is not None else answer if not error else None
    for call in calls[: 1 if len(calls) > 1 and error else None]:
        # Parallel calls share one text; each keeps all of it rather than a guess at its part.
        draft.add([returned(call.name, output, call.call_id, status=status, ts=end, ref=ref)])


IMPORTER = FormatImporter(
    name=_NAME,
    title="smolagents memory",
    recognised_by="memory steps with step_number and timing, or a run result with steps and state",
    recognise_by=_recognise,
    drafts=_drafts,
)
