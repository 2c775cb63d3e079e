"""Content blocks: the parts a message is made of, in every dialect (Anthropic, OpenAI, LangChain, Vercel, OTel, Inspect).

A reader must not miss: a block can be text, a thought, a call or a result, whichever role the message around it has;
a "user" message that holds only results is no user turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent_claimcheck.importers.events import (
    SUCCEEDED,
    SUCCEEDED_WEAKLY,
    UNKNOWN,
    Event,
    Status,
    called,
    error_message,
    exited,
    failed,
    flagged,
    returned,
    said,
)
from agent_claimcheck.importers.foreign_json import arguments_of, mapping, string, text_of, word
from agent_claimcheck.trace.model import StepRole

TEXT_KINDS = frozenset({"text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal"})
THOUGHT_KINDS = frozenset({"thinking", "redacted_thinking", "reasoning"})
CALL_KINDS = frozenset(
    {"tool_use", "server_tool_use", "mcp_tool_use", "tool_call", "server_tool_call", "tool-call", "toolCall"}
)
RESULT_KINDS = frozenset(
    {"tool_result", "mcp_tool_result", "tool_call_response", "server_tool_call_response", "tool-result", "toolResult"}
)


def _block_text(block: dict[str, Any]) -> str | None:
    """The text of a text block; ``None`` for any other block."""
    kind = block.get("type")
    if kind is not None and word(kind) not in TEXT_KINDS:
        return None
    for key in ("text", "content", "refusal"):
        value = block.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and isinstance(value.get("value"), str):
            return str(value["value"])
    return None


def plain_text(content: Any) -> str:
    """All text of a message content: a string, a list of blocks, one block or nothing."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return _block_text(content) or ""
    if isinstance(content, list):
        parts = []
        for block in content:
            text = block if isinstance(block, str) else _block_text(block) if isinstance(block, dict) else None
            if text:
                parts.append(text)
        return "\n".join(parts)
    return ""


def result_value(content: Any) -> Any:
    """A tool result's content as one value: text blocks joined, other content as it is."""
    if isinstance(content, list) and content:
        if all(
            isinstance(block, str) or (isinstance(block, dict) and _block_text(block) is not None) for block in content
        ):
            return plain_text(content)
        return [_slim(block) for block in content]
    if isinstance(content, dict) and word(content.get("type")) in TEXT_KINDS:
        text = _block_text(content)
        return content if text is None else text
    return content


def _slim(block: Any) -> Any:
    """A block without its binary payload."""
    table = mapping(block)
    kind = table.get("type")
    if (
        kind in ("image", "input_image", "image_url", "file", "audio", "document", "media", "blob")
        or "inlineData" in table
    ):
        return {"type": kind or "file", "omitted": "binary content"}
    return block


def read_content(content: Any, role: StepRole, *, ts: Any = None, ref: str | None = None) -> list[Event]:
    """Turn a message content into events: text is joined between calls and results, which keep their order."""
    if isinstance(content, str):
        return [said(role, content, ts=ts, ref=ref)] if content else []
    if isinstance(content, dict):
        content = [content]
    if not isinstance(content, list):
        return []
    events: list[Event] = []
    texts: list[str] = []
    others: list[Any] = []

    def flush() -> None:
        if texts or others:
            events.append(said(role, "\n".join(texts), ts=ts, ref=ref, blocks=list(others) or None))
            texts.clear()
            others.clear()

    for block in content:
        if isinstance(block, str):
            texts.append(block)
            continue
        if not isinstance(block, dict):
            continue
        text = _block_text(block)
        if text is not None:
            if text:
                texts.append(text)
            continue
        made = read_block(block, ts=ts, ref=ref)
        if made is None:
            if len(others) < 50:
                others.append(_slim(block) if _slim(block) is not block else {"type": string(block.get("type"))})
            continue
        if made and made[0].kind != "reasoning":
            flush()
        events.extend(made)
    flush()
    return events


def read_block(block: dict[str, Any], *, ts: Any = None, ref: str | None = None) -> list[Event] | None:
    """Turn one block that is not text into events; ``None`` when it is of no known kind."""
    kind = block.get("type")
    if not isinstance(kind, str):
        return None
    if kind in THOUGHT_KINDS:
        thought = block.get("thinking") or block.get("reasoning") or block.get("content") or block.get("text")
        text = thought if isinstance(thought, str) else plain_text(thought or block.get("summary"))
        return [said("agent", text, ts=ts, kind="reasoning", ref=ref)] if text else []
    if kind in CALL_KINDS:
        return [_block_call(block, ts, ref)]
    if kind in RESULT_KINDS or kind.endswith("_tool_result"):
        return [_block_result(block, kind, ts, ref)]
    return None


def _block_call(block: dict[str, Any], ts: Any, ref: str | None) -> Event:
    args = arguments_of(block, "input")
    inner = mapping(block.get("server_tool_call"))
    if args is None and inner:
        args = {key: value for key, value in inner.items() if key != "type"}
    caller = mapping(block.get("caller"))
    return called(
        block.get("name") or block.get("toolName"),
        {} if args is None else args,
        block.get("id") or block.get("toolCallId"),
        ts=ts,
        ref=ref,
        parent_call_id=string(caller.get("tool_id")),
    )


def _block_result(block: dict[str, Any], kind: str, ts: Any, ref: str | None) -> Event:
    call_id = block.get("tool_use_id") or block.get("toolCallId") or block.get("tool_call_id") or block.get("id")
    name = block.get("name") or block.get("toolName")
    make: Callable[[dict[str, Any]], tuple[Any, Status]]
    if kind == "tool-result":
        make = _vercel_result
    elif kind in ("tool_call_response", "server_tool_call_response"):
        make = _otel_result
    elif kind in ("tool_result", "mcp_tool_result", "toolResult"):
        make = _anthropic_result
    else:
        make = _server_result
    output, status = make(block)
    return returned(name, output, call_id, status=status, ts=ts, ref=ref)


def _anthropic_result(block: dict[str, Any]) -> tuple[Any, Status]:
    output = result_value(block.get("content"))
    flag = block.get("is_error", block.get("isError"))
    if flag is True:
        return output, _denied_or_failed(output)
    # The field may be left out when nothing failed: a success, but a weak one.
    return output, SUCCEEDED if flag is False else SUCCEEDED_WEAKLY


def _denied_or_failed(output: Any) -> Status:
    """A failure flag, told apart from a person's refusal by the fixed words of the client."""
    text = text_of(output)[:400]
    if "user doesn't want to proceed" in text or "tool use was rejected" in text:
        return failed(text, "denied", "denied")
    return flagged(True)


def _server_result(block: dict[str, Any]) -> tuple[Any, Status]:
    content = block.get("content")
    table = mapping(content)
    kind = table.get("type")
    if isinstance(kind, str) and kind.endswith("_error"):
        return content, failed(table.get("error_code") or kind, "flag")
    if "return_code" in table:
        return content, exited(table.get("return_code"))
    if block.get("is_error") is True:
        return result_value(content), flagged(True)
    return result_value(content), SUCCEEDED_WEAKLY if content is not None else UNKNOWN


def _otel_result(block: dict[str, Any]) -> tuple[Any, Status]:
    output = _first(block, "response", "result", "content")
    return result_value(output), UNKNOWN


def _vercel_result(block: dict[str, Any]) -> tuple[Any, Status]:
    output = _first(block, "output", "result", "content")
    table = mapping(output)
    kind = table.get("type")
    if kind in ("error-text", "error-json"):
        return table.get("value"), failed(table.get("value"), "flag")
    if kind == "execution-denied":
        return table.get("reason"), failed(table.get("reason") or "denied", "denied", "denied")
    if kind in ("text", "json", "content"):
        value = table.get("value")
        return result_value(value), SUCCEEDED_WEAKLY
    if block.get("isError") is True:
        return output, flagged(True)
    return output, UNKNOWN


def _first(table: dict[str, Any], *keys: str) -> Any:
    for key in keys:
        if table.get(key) is not None:
            return table[key]
    return None


def inspect_status(message: dict[str, Any]) -> Status:
    """Status of a tool message that carries an ``error`` member (bool, text or object) or a ``status`` word."""
    if "error" in message:
        error = message["error"]
        if isinstance(error, bool):
            return flagged(error)
        if error is None:
            return SUCCEEDED
        word: Any = "timeout" if mapping(error).get("type") == "timeout" else "error"
        return failed(error_message(error), "flag", word)
    status = message.get("status")
    if status == "error":
        return flagged(True)
    if status == "success":
        return SUCCEEDED_WEAKLY
    if isinstance(message.get("is_error"), bool):
        return flagged(message["is_error"])
    return UNKNOWN
