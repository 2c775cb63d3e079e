"""The run: what a user hands to the run grader. One file, one dict or one trace becomes one ``Run``.

A reader must not miss: a record cannot be built with wrong types. ``parse_run`` reads outside data and reports every
fault with its JSON path; keys it does not know are ignored, but for a list of calls under the name of another format.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from agent_claimcheck.checks.jsontext import to_json_text
from agent_claimcheck.core.errors import InputError
from agent_claimcheck.importers.foreign_json import arguments_of

ArtifactSource = Literal["tool_output", "user_upload", "retrieved_file"]
StepNote = Literal["no_result", "ambiguous_result"]

ARTIFACT_SOURCES = ("tool_output", "user_upload", "retrieved_file")
_OTHER_FORMATS = ("tool_calls", "calls", "messages", "trajectory", "events")
"""Keys under which other formats keep what a run lists under ``steps``."""
_SHOWN = 60  # characters of an offending value that a message repeats


class Fault(Struct, frozen=True):
    """One thing wrong with a run: a JSON path such as ``$.steps[0].tool_call.output`` and what is wrong there."""

    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.message}"


class _Record(Struct, frozen=True, kw_only=True, omit_defaults=False):
    """The two ways out that every record of a run has."""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain JSON values."""
        return _plain(self)

    def to_json(self, *, indent: int | None = None) -> str:
        """Return the record as JSON text."""
        return to_json_text(self.to_dict(), indent=indent)


class RunArtifact(_Record, frozen=True, kw_only=True):
    """A file or text of the run.

    Exactly one of ``text``, ``data_base64`` and ``path`` is set. ``path`` is never opened.
    """

    id: str | None = None
    name: str | None = None
    media_type: str | None = None
    source: ArtifactSource = "tool_output"
    text: str | None = None
    data_base64: str | None = None
    path: str | None = None
    sha256: str | None = None
    metadata: dict[str, Any] = {}

    def __post_init__(self) -> None:
        _raise_on(_artifact_faults(msgspec.structs.asdict(self), "$"), "artifact")


class ToolCall(_Record, frozen=True, kw_only=True):
    """One call and what came back. ``is_error`` decides whether it is an error; ``None`` leaves that to the output."""

    name: str
    arguments: dict[str, Any] = {}
    output: str = ""
    is_error: bool | None = None
    artifacts: list[RunArtifact] = []

    def __post_init__(self) -> None:
        _raise_on(_call_faults(msgspec.structs.asdict(self), "$"), "tool call")
        _coerce(self, "artifacts", RunArtifact, _build_artifact)


class RunStep(_Record, frozen=True, kw_only=True):
    """One step: a thought, a tool call, or both.

    ``number`` is the trace's own ``i`` when the run was read from a trace; ``None`` means the position in ``steps``.
    ``note`` says what a trace left open about the call: it has no result, or its result could belong to another call.
    """

    thought: str | None = None
    tool_call: ToolCall | None = None
    number: int | None = None
    note: StepNote | None = None

    def __post_init__(self) -> None:
        faults: list[Fault] = []
        _expect(faults, "$.thought", self.thought, _is_text_or_none, "a string or null")
        if isinstance(self.tool_call, dict):
            faults += _call_faults(self.tool_call, "$.tool_call")
        else:
            _expect(faults, "$.tool_call", self.tool_call, _is_call_or_none, "a tool call or null")
        _raise_on(faults, "step")
        if isinstance(self.tool_call, dict):
            msgspec.structs.force_setattr(self, "tool_call", _build_call(self.tool_call))


class PlacedCall(NamedTuple):
    """A tool call, its ``position`` in the run's ``steps``, and the step's ``number`` and ``note``."""

    position: int
    number: int
    call: ToolCall
    note: StepNote | None


class Run(_Record, frozen=True, kw_only=True):
    """One agent run as the run grader reads it.

    ``allowed_tools`` is ``None`` for "every tool" and ``[]`` for "none". ``tool_fallbacks`` maps a tool to the tools
    that may stand in for it. Steps may be given as dicts. ``later_requests`` is what the user said after the task in a
    trace of several turns; a run file has none.
    """

    task: str
    final_answer: str
    system_prompt: str | None = None
    allowed_tools: list[str] | None = None
    tool_fallbacks: dict[str, list[str]] = {}
    steps: list[RunStep] = []
    artifacts: list[RunArtifact] = []
    later_requests: list[str] = []

    @property
    def request(self) -> str:
        """All that the user said: the task, and what came after it."""
        return "\n\n".join((self.task, *self.later_requests))

    def __post_init__(self) -> None:
        if self.tool_fallbacks is None:
            msgspec.structs.force_setattr(self, "tool_fallbacks", {})
        _raise_on(_run_faults(msgspec.structs.asdict(self)), "run")
        _coerce(self, "steps", RunStep, _build_step)
        _coerce(self, "artifacts", RunArtifact, _build_artifact)

    def tool_calls(self) -> Iterator[tuple[int, ToolCall]]:
        """Yield ``(step number, call)`` for every tool call, in order."""
        for placed in self.placed_calls():
            yield placed.number, placed.call

    def placed_calls(self) -> Iterator[PlacedCall]:
        """Yield every tool call, in order, with where it stands."""
        for position, step in enumerate(self.steps):
            if step.tool_call is not None:
                number = position if step.number is None else step.number
                yield PlacedCall(position, number, step.tool_call, step.note)


def parse_run(value: Any) -> Run | list[Fault]:
    """Read a run from outside data. Return the run, or every fault found, in document order."""
    if not isinstance(value, dict):
        return [Fault("$", f"expected a run object, got {_describe(value)}")]
    faults = _run_faults(value)
    if faults:
        return faults
    return Run(
        task=value["task"],
        final_answer=value["final_answer"],
        system_prompt=value.get("system_prompt"),
        allowed_tools=value.get("allowed_tools"),
        tool_fallbacks=value.get("tool_fallbacks") or {},
        steps=[_build_step(step) for step in value.get("steps", ())],
        artifacts=[_build_artifact(artifact) for artifact in value.get("artifacts", ())],
        later_requests=list(value.get("later_requests", ())),
    )


def _build_step(value: Mapping[str, Any]) -> RunStep:
    call = value.get("tool_call")
    return RunStep(thought=value.get("thought"), tool_call=None if call is None else _build_call(call))


def _build_call(value: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        name=value["name"],
        arguments=value["arguments"] if "arguments" in value else _other_arguments(value),
        output=value.get("output", ""),
        is_error=value.get("is_error"),
        artifacts=[_build_artifact(artifact) for artifact in value.get("artifacts", ())],
    )


def _other_arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments under a name that other formats use: a call without any would be looked at as if it had none."""
    found = arguments_of(dict(call))
    return found if isinstance(found, dict) else {}


def _build_artifact(value: Mapping[str, Any]) -> RunArtifact:
    known = RunArtifact.__struct_fields__
    return RunArtifact(**{key: value[key] for key in known if key in value})


def _coerce(record: Struct, field: str, kind: type[Struct], build: Callable[[Any], Struct]) -> None:
    items = getattr(record, field)
    if any(not isinstance(item, kind) for item in items):
        built = [item if isinstance(item, kind) else build(item) for item in items]
        msgspec.structs.force_setattr(record, field, built)


def _run_faults(value: Mapping[str, Any]) -> list[Fault]:
    faults: list[Fault] = []
    for key in ("task", "final_answer"):
        if key not in value:
            faults.append(Fault("$", f'the required key "{key}" is missing'))
        else:
            _expect(faults, f"$.{key}", value[key], _is_text, "a string")
    _expect(faults, "$.system_prompt", value.get("system_prompt"), _is_text_or_none, "a string or null")
    _allowed_faults(faults, value.get("allowed_tools"))
    _fallback_faults(faults, value.get("tool_fallbacks"))
    steps = value.get("steps", [])
    if _expect(faults, "$.steps", steps, _is_list, "a list"):
        for index, step in enumerate(steps):
            if not isinstance(step, RunStep):
                _step_faults(faults, step, f"$.steps[{index}]")
    if not steps:
        _misplaced_step_faults(faults, value)
    _artifact_list_faults(faults, value.get("artifacts", []), "$.artifacts")
    later = value.get("later_requests", [])
    if _expect(faults, "$.later_requests", later, _is_list, "a list of strings"):
        for index, text in enumerate(later):
            _expect(faults, f"$.later_requests[{index}]", text, _is_text, "a string")
    return faults


def _misplaced_step_faults(faults: list[Fault], value: Mapping[str, Any]) -> None:
    """Blame a list of calls under another name: a run without steps would pass as one that called no tool."""
    for key in _OTHER_FORMATS:
        held = value.get(key)
        if isinstance(held, list) and held and all(isinstance(entry, Mapping) for entry in held):
            faults.append(
                Fault(f"$.{key}", 'is not read: a run lists its calls under "steps", each {"tool_call": {...}}')
            )


def _allowed_faults(faults: list[Fault], allowed: Any) -> None:
    if allowed is None:
        return
    if _expect(faults, "$.allowed_tools", allowed, _is_list, "a list of strings or null"):
        for index, name in enumerate(allowed):
            _expect(faults, f"$.allowed_tools[{index}]", name, _is_text, "a string")


def _fallback_faults(faults: list[Fault], fallbacks: Any) -> None:
    if fallbacks is None:
        return
    if not _expect(faults, "$.tool_fallbacks", fallbacks, _is_object, "an object of lists or null"):
        return
    for tool, names in fallbacks.items():
        path = f"$.tool_fallbacks[{_quote(tool)}]"
        if _expect(faults, path, names, _is_list, "a list of strings"):
            for index, name in enumerate(names):
                _expect(faults, f"{path}[{index}]", name, _is_text, "a string")


def _step_faults(faults: list[Fault], step: Any, path: str) -> None:
    if not _expect(faults, path, step, _is_object, "a step object"):
        return
    _expect(faults, f"{path}.thought", step.get("thought"), _is_text_or_none, "a string or null")
    call = step.get("tool_call")
    if call is None or isinstance(call, ToolCall):
        return
    if _expect(faults, f"{path}.tool_call", call, _is_object, "a tool call object or null"):
        faults += _call_faults(call, f"{path}.tool_call")


def _call_faults(call: Mapping[str, Any], path: str) -> list[Fault]:
    faults: list[Fault] = []
    if "name" not in call:
        faults.append(Fault(path, 'the required key "name" is missing'))
    else:
        _expect(faults, f"{path}.name", call["name"], _is_text, "a string")
    _expect(faults, f"{path}.arguments", call.get("arguments", {}), _is_object, "an object")
    _expect(faults, f"{path}.output", call.get("output", ""), _is_text, "a string")
    _expect(faults, f"{path}.is_error", call.get("is_error"), _is_bool_or_none, "true, false or null")
    _artifact_list_faults(faults, call.get("artifacts", []), f"{path}.artifacts")
    return faults


def _artifact_list_faults(faults: list[Fault], artifacts: Any, path: str) -> None:
    if not _expect(faults, path, artifacts, _is_list, "a list"):
        return
    for index, artifact in enumerate(artifacts):
        if isinstance(artifact, RunArtifact):
            continue
        where = f"{path}[{index}]"
        if _expect(faults, where, artifact, _is_object, "an artifact object"):
            faults += _artifact_faults(artifact, where)


def _artifact_faults(artifact: Mapping[str, Any], path: str) -> list[Fault]:
    faults: list[Fault] = []
    for key in ("id", "name", "media_type", "text", "data_base64", "path", "sha256"):
        _expect(faults, f"{path}.{key}", artifact.get(key), _is_text_or_none, "a string or null")
    source = artifact.get("source", "tool_output")
    if source not in ARTIFACT_SOURCES:
        faults.append(
            Fault(f"{path}.source", f"expected one of {', '.join(ARTIFACT_SOURCES)}, got {_describe(source)}")
        )
    _expect(faults, f"{path}.metadata", artifact.get("metadata", {}), _is_object, "an object")
    given = [key for key in ("text", "data_base64", "path") if artifact.get(key) is not None]
    if len(given) != 1:
        found = "none of them" if not given else " and ".join(given)
        faults.append(Fault(path, f"expected exactly one of text, data_base64, path; got {found}"))
    return faults


def _expect(faults: list[Fault], path: str, value: Any, holds: Callable[[Any], bool], what: str) -> bool:
    if holds(value):
        return True
    faults.append(Fault(path, f"expected {what}, got {_describe(value)}"))
    return False


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _is_bool_or_none(value: Any) -> bool:
    return value is None or isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _is_call_or_none(value: Any) -> bool:
    return value is None or isinstance(value, ToolCall)


def _describe(value: Any) -> str:
    """Name an offending value briefly; containers by kind, because their text may be huge."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the string {_quote(value)}"
    if isinstance(value, int):
        return f"the number {value}" if value.bit_length() <= 64 else "a huge number"
    if isinstance(value, float):
        return f"the number {value}"
    if isinstance(value, (list, tuple)):
        return "a list"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


def _quote(value: Any) -> str:
    text = value if isinstance(value, str) else type(value).__name__
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "...").replace("'", '"')


def _raise_on(faults: list[Fault], what: str) -> None:
    if faults:
        raise InputError(f"invalid {what}: " + "; ".join(str(fault) for fault in faults))


def _plain(record: Struct) -> dict[str, Any]:
    """Plain values of a record. What belongs to traces only is left out where it is not set."""
    plain: dict[str, Any] = msgspec.to_builtins(record)
    if not plain.get("later_requests", True):
        del plain["later_requests"]
    for step in (plain, *plain.get("steps", ())):
        for key in ("number", "note"):
            if key in step and step[key] is None:
                del step[key]
    return plain
