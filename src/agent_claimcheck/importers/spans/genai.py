"""What a GenAI span tells: the current and the older attribute names of every instrumentation.

A reader must not miss: content is opt-in in all of them. A tool span without arguments and result means "not captured",
not "no arguments".
"""

from __future__ import annotations

from typing import Any

from agent_claimcheck.importers.conversations import as_events
from agent_claimcheck.importers.events import UNKNOWN, Event, Status, failed, said, spanned
from agent_claimcheck.importers.foreign_json import dicts, items, loose_json, mapping, python_literal, string, word
from agent_claimcheck.importers.messages.blocks import plain_text
from agent_claimcheck.importers.messages.parser import read_message
from agent_claimcheck.importers.spans.containers import RawSpan
from agent_claimcheck.importers.spans.flat import inference_messages, nested
from agent_claimcheck.importers.spans.record import Span, SpanKind
from agent_claimcheck.importers.toolset import tool_defs

_TOOL_NAMES = ("gen_ai.tool.name", "ai.toolCall.name", "tool.name", "tool_name")
_ARGS = (
    *("gen_ai.tool.call.arguments", "tool_arguments", "ai.toolCall.args", "ai.toolCall.input"),
    *("gcp.vertex.agent.tool_call_args", "traceloop.entity.input", "gen_ai.tool.input", "input.value"),
)
_RESULTS = (
    *("gen_ai.tool.call.result", "tool_response", "ai.toolCall.result", "ai.toolCall.output"),
    *("gcp.vertex.agent.tool_response", "traceloop.entity.output", "gen_ai.tool.output", "output.value"),
)
_CALL_IDS = ("gen_ai.tool.call.id", "ai.toolCall.id", "tool.id", "tool_call_id", "tool_call.id")
_LLM_OPERATIONS = frozenset({"chat", "generate_content", "text_completion", "completion", "responses", "call_llm"})
_EMPTY = frozenset({"{}", "", "<not serializable>", "null"})


def kind_of(raw: RawSpan) -> SpanKind:
    """What a span stands for: a tool call, a model call, an agent, or nothing of interest."""
    attrs = raw.attrs
    kind = str(attrs.get("openinference.span.kind") or attrs.get("traceloop.span.kind") or "").upper()
    operation = attrs.get("gen_ai.operation.name")
    if kind == "TOOL" or operation == "execute_tool" or raw.name in ("running tool", "ai.toolCall"):
        return "tool"
    if kind in ("AGENT", "WORKFLOW") or operation in ("invoke_agent", "invoke_workflow"):
        return "agent"
    if kind == "LLM" or word(operation) in _LLM_OPERATIONS or any(key.startswith(_LLM_KEYS) for key in attrs):
        return "llm"
    if any(name.startswith("gen_ai.") and name.endswith((".message", ".choice", ".details")) for name, _ in raw.events):
        return "llm"
    if operation is None and "gen_ai.tool.name" in attrs:
        return "tool"
    if raw.name in ("agent run",) or raw.name.startswith(("invoke_agent", "agent_run ")):
        return "agent"
    return "other"


_LLM_KEYS = (
    *("gen_ai.prompt.", "gen_ai.completion.", "gen_ai.input.messages", "gen_ai.output.messages", "ai.prompt.messages"),
    *("gcp.vertex.agent.llm_request", "llm.input_messages", "llm.output_messages", "ai.response.text"),
)


def span_of(raw: RawSpan) -> Span:
    """The span in the shape all tracers share."""
    attrs = raw.attrs
    kind = kind_of(raw)
    span = Span(
        span_id=raw.span_id,
        parent_id=raw.parent_id,
        kind=kind,
        name=raw.name,
        start=raw.start,
        end=raw.end,
        order=raw.start if raw.start is not None else 0,
        status=_status(raw),
        model=string(attrs.get("gen_ai.request.model")) or string(attrs.get("llm.model_name")),
        conversation_id=string(attrs.get("gen_ai.conversation.id")) or string(attrs.get("session.id")),
    )
    if kind == "tool":
        _take_tool(span, raw)
        return span
    if kind == "agent":
        span.agent = string(attrs.get("gen_ai.agent.name")) or string(attrs.get("agent.name"))
    span.inputs, span.outputs = _messages(raw, kind)
    span.system_prompt = _plain_text_of(attrs.get("gen_ai.system_instructions"))
    span.tools = _tools(attrs)
    final = attrs.get("final_result")
    span.final_text = final if isinstance(final, str) and not final.startswith(("{", "[")) else None
    return span


def _status(raw: RawSpan) -> Status:
    error = raw.attrs.get("error.type")
    message: Any = raw.message
    for name, event in raw.events:
        if name == "exception":
            message = event.get("exception.message") or message
            kind = event.get("exception.type") or error
            if kind:
                message = {"type": str(kind), "message": str(message or "")}
    status = spanned(raw.status, message)
    if status.ok is None and error:
        return failed(message or str(error), "span_status")
    return status


def _take_tool(span: Span, raw: RawSpan) -> None:
    attrs = raw.attrs
    name = next((string(attrs.get(key)) for key in _TOOL_NAMES if string(attrs.get(key))), None)
    name = name or string(attrs.get("traceloop.entity.name"))
    span.tool_name = name or raw.name.removeprefix("execute_tool ").removesuffix(".tool") or "unknown"
    span.call_id = next((string(attrs.get(key)) for key in _CALL_IDS if string(attrs.get(key))), None)
    span.args = unwrapped(next((attrs[key] for key in _ARGS if attrs.get(key) not in (None, *_EMPTY)), None))
    for key in _RESULTS:
        if attrs.get(key) is not None and attrs[key] not in ("", "<not serializable>"):
            span.output, span.has_output = tool_output(attrs[key]), True
            break
    if span.args is None and any(key in attrs for key in _ARGS):
        span.args = {}


def unwrapped(value: Any) -> Any:
    """Call arguments without the envelope a tracer put around them."""
    value = loose_json(value)
    if isinstance(value, str):
        value = python_literal(value)
    table = mapping(value)
    if "kwargs" in table and set(table) <= {"args", "kwargs"} and isinstance(table["kwargs"], dict):
        return table["kwargs"] or table.get("args")
    if set(table) <= {"inputs", "input", "tags", "metadata", "kwargs", "input_str"} and (
        "inputs" in table or "input_str" in table
    ):
        inner = loose_json(table.get("inputs") or table.get("input_str"))
        return python_literal(inner) if isinstance(inner, str) else inner
    return value


def tool_output(value: Any) -> Any:
    """A tool's output without the message around it."""
    value = loose_json(value)
    table = mapping(value)
    for key in ("output", "result"):
        if set(table) <= {key, "kwargs"} and key in table:
            value = loose_json(table[key])
            table = mapping(value)
    if table.get("type") == "tool" or (table.get("lc") == 1 and "kwargs" in table):
        made = read_message(table)
        if made and made[0].kind == "tool_result":
            return made[0].output
    return value


def _plain_text_of(value: Any) -> str | None:
    """System instructions: text, or a list of text parts, maybe as JSON text."""
    return plain_text(loose_json(value)) or None


def _messages(raw: RawSpan, kind: SpanKind) -> tuple[list[Event], list[Event]]:
    for read in (_current, _pydantic_all, _flat, _vercel, _adk, _inference, _event_messages):
        inputs, outputs = read(raw)
        if inputs or outputs:
            return inputs, outputs
    if kind in ("agent", "other"):
        return _plain_io(raw.attrs)
    return [], []


def _current(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    given, made = raw.attrs.get("gen_ai.input.messages"), raw.attrs.get("gen_ai.output.messages")
    if given is None and made is None:
        for name, event in raw.events:
            if name == "gen_ai.client.inference.operation.details":
                given, made = event.get("gen_ai.input.messages"), event.get("gen_ai.output.messages")
    return as_events(loose_json(given)), as_events(loose_json(made), "agent")


def _pydantic_all(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    whole = raw.attrs.get("pydantic_ai.all_messages")
    if whole is not None:
        return as_events(loose_json(whole)), []
    for key in ("all_messages_events", "events"):
        entries = [_flat_event(entry) for entry in dicts(loose_json(raw.attrs.get(key)))]
        made = [event for entry in entries for event in read_message(entry) or []]
        if made:
            return made, []
    return [], []


def _flat_event(entry: dict[str, Any]) -> dict[str, Any]:
    """An event of the older conventions as a chat message."""
    name = str(entry.get("event.name") or "")
    inner = mapping(entry.get("message"))
    if name == "gen_ai.choice" and inner:
        return {"role": "assistant", **inner}
    role = entry.get("role") or name.removeprefix("gen_ai.").removesuffix(".message")
    message = {**entry, "role": role}
    if role == "tool" and "id" in entry:
        message.setdefault("tool_call_id", entry["id"])
    return message


def _flat(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    if not any(key.startswith(("gen_ai.prompt.", "gen_ai.completion.")) for key in raw.attrs):
        return [], []
    given = as_events([_decoded(message) for message in dicts(nested(raw.attrs, "gen_ai.prompt"))])
    made = [{"role": "assistant", **_decoded(message)} for message in dicts(nested(raw.attrs, "gen_ai.completion"))]
    return given, [event for message in made for event in read_message(message) or []]


def _decoded(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    if isinstance(content, str) and content.startswith("[{"):
        decoded = loose_json(content)
        if isinstance(decoded, list) and all(isinstance(block, dict) and "type" in block for block in decoded):
            return {**message, "content": decoded}
    return message


def _vercel(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    prompt = loose_json(raw.attrs.get("ai.prompt.messages"))
    if prompt is None:
        whole = mapping(loose_json(raw.attrs.get("ai.prompt")))
        prompt = whole.get("messages") or whole.get("prompt")
        if isinstance(whole.get("system"), str) and prompt is not None:
            rest = prompt if isinstance(prompt, list) else [{"role": "user", "content": prompt}]
            prompt = [{"role": "system", "content": whole["system"]}, *rest]
    text, calls = raw.attrs.get("ai.response.text"), loose_json(raw.attrs.get("ai.response.toolCalls"))
    if prompt is None and text is None and calls is None:
        return [], []
    answer = {"role": "assistant", "content": text if isinstance(text, str) else None, "tool_calls": items(calls)}
    return as_events(prompt), read_message(answer) or []


def _adk(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    request = mapping(loose_json(raw.attrs.get("gcp.vertex.agent.llm_request")))
    response = mapping(loose_json(raw.attrs.get("gcp.vertex.agent.llm_response")))
    if not request and not response:
        return [], []
    given = as_events(items(request.get("contents")))
    system = plain_text(mapping(request.get("config")).get("system_instruction"))
    if system:
        given.insert(0, said("system", system))
    return given, read_message(mapping(response.get("content"))) or []


def _inference(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    given = inference_messages(nested(raw.attrs, "llm.input_messages"))
    made = inference_messages(nested(raw.attrs, "llm.output_messages"))
    if not given and not made:
        return [], []
    return as_events(given), [e for m in made for e in read_message({"role": "assistant", **m}) or []]


_NESTED = frozenset({"tool_calls", "message", "body"})


def _event_messages(raw: RawSpan) -> tuple[list[Event], list[Event]]:
    given: list[Event] = []
    made: list[Event] = []
    for name, event in raw.events:
        if name in ("gen_ai.content.prompt", "gen_ai.content.completion"):
            value = loose_json(event.get("gen_ai.prompt") or event.get("gen_ai.completion"))
            target, role = (given, "user") if name.endswith("prompt") else (made, "agent")
            target.extend(as_events(value, role))
        elif name.startswith("gen_ai."):
            body = {key: loose_json(item) if key in _NESTED else item for key, item in event.items()}
            content = mapping(loose_json(event.get("gen_ai.event.content")))
            read = read_message(_flat_event({"event.name": name, **body, **content})) or []
            (made if name == "gen_ai.choice" else given).extend(read)
    return given, made


def _plain_io(attrs: dict[str, Any]) -> tuple[list[Event], list[Event]]:
    """Input and output of an agent or chain as a whole."""
    given = attrs.get("input.value", attrs.get("gen_ai.input", attrs.get("traceloop.entity.input")))
    made = attrs.get("output.value", attrs.get("gen_ai.output", attrs.get("traceloop.entity.output")))
    return io_events(given, "user"), io_events(made, "agent")


_TEXT_KEYS = (
    "input",
    "query",
    "question",
    "prompt",
    "message",
    "text",
    "task",
    "output",
    "answer",
    "response",
    "content",
    "result",
)


def io_events(value: Any, role: Any) -> list[Event]:
    """Anything that stands for a question or an answer: messages, plain text, or an object with one telling key."""
    value = loose_json(value)
    events = as_events(value, role)
    if events or not isinstance(value, dict):
        return events
    inner = mapping(value.get("kwargs")) or mapping(value.get("inputs")) or mapping(value.get("outputs"))
    for table in (value, inner):
        for key in _TEXT_KEYS:
            if isinstance(table.get(key), str) and table[key].strip():
                return [said(role, table[key])]
    return []


def _tools(attrs: dict[str, Any]) -> Any:
    for key in ("gen_ai.tool.definitions", "ai.prompt.tools", "tools"):
        if attrs.get(key) is not None:
            return tool_defs(attrs[key])
    flat = nested(attrs, "llm.request.functions")
    if flat is None:
        flat = [mapping(entry).get("tool.json_schema") or entry for entry in items(nested(attrs, "llm.tools"))]
        flat = [mapping(mapping(e).get("tool")).get("json_schema", e) for e in flat]
    return tool_defs(flat)


def is_captured(span: Span) -> bool:
    """A tool span shows its arguments or its result."""
    return span.args is not None or span.has_output or span.status is not UNKNOWN
