"""A trace as a run: the way into the run grader for everything that is not a run file.

A reader must not miss: step numbers stay the trace's own ``i`` of the tool call, and a result's ``ok`` becomes
``is_error`` only where it was declared. A call without a result is marked, never read as an empty output.
"""

from __future__ import annotations

import json
from typing import Any

from agent_claimcheck.checks.run import Run, RunArtifact, RunStep, StepNote, ToolCall
from agent_claimcheck.evidence.claims.courtesies import is_courtesy
from agent_claimcheck.evidence.claims.undressing import undressed
from agent_claimcheck.evidence.values.held_json import unwrapped
from agent_claimcheck.trace.model import Artifact, Step, ToolDef, Trace
from agent_claimcheck.trace.pairing import CallPair, pair
from agent_claimcheck.trace.view import TraceView

_ARTIFACT_SOURCES = {"user_upload": "user_upload", "retrieved_file": "retrieved_file"}


def run_from_trace(trace: Trace | TraceView) -> Run:
    """Return the run a trace describes.

    Messages and reasoning of the agent become thought-only steps. Output text is the output as it is, or its JSON; an
    error text stands in for an empty output. A final claim without text becomes an empty final answer; for one that is a
    mere courtesy ("You're welcome!") the last message that is none stands in.
    """
    pairs = {id(found.call): found for found in pair(trace.steps).calls}
    steps: list[RunStep] = []
    later: list[str] = []
    for step in trace.steps:
        found = pairs.get(id(step))
        if found is not None:
            steps.append(_call_step(found))
        elif step.kind in ("message", "reasoning") and step.role == "agent" and step.content:
            steps.append(RunStep(thought=undressed(step.content), number=step.i))
        elif step.kind == "message" and step.role == "user" and step.content and step.content != trace.task.instruction:
            later.append(step.content)
    return Run(
        task=trace.task.instruction,
        final_answer=_final_answer(trace),
        system_prompt=_system_prompt(trace.task.system_prompt, trace.tools),
        allowed_tools=trace.task.allowed_tools,
        tool_fallbacks=trace.task.tool_fallbacks or {},
        steps=steps,
        later_requests=later,
        artifacts=[built for artifact in trace.artifacts or () if (built := _artifact(artifact)) is not None],
    )


def _final_answer(trace: Trace | TraceView) -> str:
    text = undressed(trace.final_claim.text or "")
    if not text or not is_courtesy(text):
        return text
    said = [
        undressed(step.content)
        for step in trace.steps
        if step.kind == "message" and step.role == "agent" and step.content
    ]
    return next((told for told in reversed(said) if not is_courtesy(told)), text)


def _call_step(found: CallPair) -> RunStep:
    result = found.result
    note: StepNote | None = None
    if result is None:
        note = "no_result"
    elif found.is_ambiguous:
        note = "ambiguous_result"
    call = ToolCall(
        name=found.call.name or "",
        arguments=found.call.args or {},
        output="" if result is None else _output_text(result),
        is_error=None if result is None else _declared_error(result, found.call),
    )
    return RunStep(tool_call=call, number=found.call.i, note=note)


def _declared_error(result: Step, call: Step) -> bool | None:
    if result.ok is not None:
        if result.ok and result.status_confidence == "weak" and _reads_as_failure(result, call):
            return None
        return not result.ok
    return True if result.error is not None else None


def _reads_as_failure(result: Step, call: Step) -> bool:
    """True where a format only takes success for granted, by saying nothing, and the output itself tells of a failure."""
    from agent_claimcheck.evidence.receipts.reading import read_text_status

    output = _output_text(result)
    return read_text_status(output, tool_name=call.name or "", args=call.args).state == "failed"


def _output_text(result: Step) -> str:
    output = output_as_text(result.output)
    if not output.strip() and result.error is not None:
        return output_as_text(result.error)
    return output


def output_as_text(value: Any) -> str:
    """Return what a call gave back as text: an error as ``type: message``, other values as JSON, ``""`` for nothing."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    value = unwrapped(value)
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and set(value) <= {"type", "message"} and isinstance(value.get("message"), str):
        kind = value.get("type")
        return f"{kind}: {value['message']}" if isinstance(kind, str) and kind else value["message"]
    return json.dumps(value, ensure_ascii=False)


def _system_prompt(prompt: str | None, tools: list[ToolDef] | None) -> str | None:
    """The tool-choice question reads tool descriptions in the system prompt; a trace may hold them apart from it."""
    described = [f"- {tool.name}: {tool.description}" for tool in tools or () if tool.description]
    if not described:
        return prompt
    block = "Tools:\n" + "\n".join(described)
    return f"{prompt}\n\n{block}" if prompt else block


def _artifact(artifact: Artifact) -> RunArtifact | None:
    places = {"text": artifact.text, "data_base64": artifact.data_base64, "path": artifact.path or artifact.uri}
    first = next(((key, value) for key, value in places.items() if value is not None), None)
    if first is None:
        return None
    fields: dict[str, Any] = {
        "id": artifact.id,
        "name": artifact.name,
        "media_type": artifact.media_type,
        "source": _ARTIFACT_SOURCES.get(artifact.source or "", "tool_output"),
        "sha256": artifact.sha256,
        "metadata": artifact.metadata or {},
        first[0]: first[1],
    }
    return RunArtifact(**fields)
