"""Reads the state of a tool result that is JSON: exit codes, HTTP status, success flags, error fields, status words.

A reader must not miss: a record that was read may itself be "failed" or "pending" (a job, an order). For reads, such
fields describe the record; only an answer that is nothing but an error is a failure of the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

from agent_claimcheck.core.text import shorten, whole_number
from agent_claimcheck.evidence.receipts.denied_deed import DECIDES as _DECIDES
from agent_claimcheck.evidence.receipts.denied_deed import denied_deed, refused_with_reason, told_deed
from agent_claimcheck.evidence.receipts.done_counts import did_a_part, done_count
from agent_claimcheck.evidence.tool_names import read_verb
from agent_claimcheck.evidence.values.held_json import brief
from agent_claimcheck.evidence.word_lists import WordLists

FieldState = Literal["ok", "failed", "pending", "empty", "partial"]
FieldSource = Literal["exit_code", "http_status", "status_field", "body_error"]

MAX_FIELDS = 64
MAX_PARTS = 100


class FieldReading(Struct, frozen=True):
    """What a JSON body says about its call. Confidence is 0..1."""

    state: FieldState
    source: FieldSource
    confidence: float
    reason: str
    exit_code: int | None = None


_LISTS = WordLists("results")


def _spellings(name: str) -> set[str]:
    words = name.split("_")
    camel = words[0] + "".join(word.capitalize() for word in words[1:])
    return {name, camel, camel[0].upper() + camel[1:], name.upper(), name.replace("_", "-"), name.replace("_", "")}


_ROLE: dict[str, str] = {
    spelling: role for name, role in _LISTS.keys_by_word("roles").items() for spelling in _spellings(name)
}
_FAILED = _LISTS.words("failed")
_PENDING = _LISTS.words("pending")
_DONE = _LISTS.words("done")
_NOT_AN_ERROR = _LISTS.words("no_error") | {"", "no error", "no errors"}
_WISHED = {status: frozenset(words) for status, words in _LISTS.table("wished").items()}
_WAITS = _LISTS.words("waits")
_EVENT_KEYS = _LISTS.words("event_keys")
_RECORD_KEYS = _LISTS.words("record_keys")
_FINDS_ERRORS = frozenset({"test", "tests"})
"""Words of the names of tools that were run where they count errors: a restore test that finds one is done."""
_BESIDE_A_CODE = ("message", "msg", "detail", "reason", "title", "status")


def read_fields(body: dict[str, Any], words: tuple[str, ...], *, is_read: bool, depth: int = 2) -> FieldReading | None:
    """Return what ``body`` says about its call, or ``None`` when it says nothing.

    ``words`` are the words of the tool's name; ``is_read`` says that the tool only looks. Looks at ``MAX_FIELDS`` keys
    and at most ``depth`` wrapper objects deep (``{"data": {...}}``). Never raises.
    """
    said = None if _ROLE.keys().isdisjoint(body) else _read_roles(body, words, is_read=is_read, depth=depth)
    if is_read or (said is not None and said.state != "ok"):
        return said
    counted = done_count(body) if 0 in body.values() else None
    if counted is not None and counted[1] == 0:
        return FieldReading("partial", "status_field", 0.7, f"{counted[0][:60]} is 0")
    if said is not None:
        return said
    values = body.values()
    key = denied_deed(body, words) or refused_with_reason(body, words) if False in values else None
    if key is not None:
        return FieldReading("failed", "status_field", 0.8, f"{key[:60]} is false")
    key = told_deed(body, words) if True in values else None
    return None if key is None else FieldReading("ok", "status_field", 0.8, f"{key[:60]} is true")


def says_of_call(key: str) -> bool:
    """True for the name of a field that may say how the call went: "error", "exitCode"."""
    return key in _ROLE


def _read_roles(body: dict[str, Any], words: tuple[str, ...], *, is_read: bool, depth: int) -> FieldReading | None:
    good: FieldReading | None = None
    soft: FieldReading | None = None
    inner: list[Any] = []
    seen = 0
    for key, value in body.items():
        seen += 1
        if seen > MAX_FIELDS:
            break
        role = _ROLE.get(key)
        if role is None:
            continue
        read = _READERS.get(role)
        reading = read(_Field(key, value, body, words, is_read)) if read is not None else None
        if reading is not None:
            if reading.state == "failed":
                return reading
            if reading.state == "ok":
                good = good or reading
            elif soft is None or reading.state == "partial":
                soft = reading
        if role == "inner" or key in ("result", "Result"):
            inner.append(value)
    if soft is not None:
        return soft
    if depth and inner:
        for value in inner:
            if isinstance(value, dict):
                reading = read_fields(value, words, is_read=is_read, depth=depth - 1)
                if reading is not None and (reading.state != "ok" or good is None):
                    return reading
    return good


class _Field(Struct):
    """One field of a body: ``words`` are those of the tool's name, ``is_read`` says that the tool only looks."""

    key: str
    value: Any
    body: dict[str, Any]
    words: tuple[str, ...]
    is_read: bool


def _as_int(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    return whole_number(value) if isinstance(value, str) and len(value) <= 6 else None


def _read_exit(field: _Field) -> FieldReading | None:
    code = _as_int(field.value)
    if code is None:
        return None
    if code:
        return FieldReading("failed", "exit_code", 0.95, f"exit code {code}", code)
    return FieldReading("ok", "exit_code", 0.9, "exit code 0", 0)


def _read_http(field: _Field) -> FieldReading | None:
    return _read_http_status(field.value)


def _read_http_status(value: Any) -> FieldReading | None:
    status = _as_int(value)
    if status is None or not 100 <= status <= 599:
        return None
    if status >= 400:
        return FieldReading("failed", "http_status", 0.95, f"HTTP {status}")
    if status == 202:
        return FieldReading("pending", "http_status", 0.85, "HTTP 202 Accepted")
    return FieldReading("ok", "http_status", 0.9, f"HTTP {status}") if 200 <= status < 300 else None


def _read_flag(field: _Field) -> FieldReading | None:
    key, value = field.key, field.value
    if isinstance(value, str):
        value = {"true": True, "false": False, "yes": True, "no": False}.get(value.strip().lower())
    if value is True:
        return FieldReading("ok", "status_field", 0.9, f"{key} is true")
    if value is False:
        return FieldReading("failed", "status_field", 0.95, f"{key} is false")
    return None


def _read_question(field: _Field) -> FieldReading | None:
    """``{"needs_confirmation": true}``: nothing is done before somebody answers."""
    return FieldReading("pending", "status_field", 0.85, f"{field.key} is true") if field.value is True else None


def _read_refusal(field: _Field) -> FieldReading | None:
    """``{"rejected": true}``, unless rejecting is what the tool is for, or deciding."""
    if field.value is not True or field.is_read or not _DECIDES.isdisjoint(field.words):
        return None
    return FieldReading("failed", "status_field", 0.85, f"{field.key} is true: {field.key}")


def _read_bad_flag(field: _Field) -> FieldReading | None:
    is_set = field.value is True or (isinstance(field.value, str) and field.value.lower() == "true")
    return FieldReading("failed", "body_error", 0.95, f"{field.key} is true") if is_set else None


def _read_code(field: _Field) -> FieldReading | None:
    """A code is an HTTP status only in the range of errors, and beside a text that goes with one."""
    is_http = isinstance(field.value, int) and not isinstance(field.value, bool) and 400 <= field.value <= 599
    if not is_http or not any(name in field.body for name in _BESIDE_A_CODE):
        return None
    return FieldReading("failed", "http_status", 0.85, f"code {field.value}")


def _read_aws_type(field: _Field) -> FieldReading | None:
    is_fault = isinstance(field.value, str) and field.value.endswith(("Exception", "Error", "Fault"))
    return FieldReading("failed", "body_error", 0.9, f"{shorten(field.value, 60)}") if is_fault else None


def _read_error(field: _Field) -> FieldReading | None:
    key, value, body, is_read = field.key, field.value, field.body, field.is_read
    if value is None or value is False or value == 0 or value == [] or value == {}:
        return None
    if isinstance(value, str):
        if value.strip().lower() in _NOT_AN_ERROR or _is_own_reason(field):
            return None
        shown = value
    elif value is True:
        shown = "true"
    elif isinstance(value, int | float):
        # A number counts findings ("errors": 3) of what looks or tests; of something that was to act, its failures.
        if is_read or (key.lower().endswith("s") and not _FINDS_ERRORS.isdisjoint(field.words)):
            return None
        if key.lower().endswith("s") and any(_names_record(name) for name in list(body)[:MAX_FIELDS]):
            return None
        shown = brief(value)
    elif isinstance(value, dict):
        message = value.get("message")
        if not any(value.values()) or (isinstance(message, str) and message.strip().lower() in _NOT_AN_ERROR):
            return None
        shown = brief(message or value.get("code") or key)
    elif isinstance(value, list):
        if all(entry in (None, "", False) or _is_warning(entry) for entry in value[:MAX_PARTS]):
            return None
        shown = f"{len(value)} entries"
    else:
        return None
    if is_read and _is_record(body):
        # A job or payment that was looked up may carry its own error.
        return None
    if not is_read and isinstance(value, list) and did_a_part(body):
        return FieldReading("partial", "body_error", 0.7, f"a part was done, {key[:60]}: {shorten(shown, 80)}")
    # An answer that says both, ``{"ok": true, "error": "old field ignored"}``, is no sure failure.
    sure = 0.6 if any(body.get(flag) is True for flag in ("ok", "success")) else 0.9
    return FieldReading("failed", "body_error", sure, f"{key[:60]}: {shorten(shown, 80)}")


def _is_warning(entry: Any) -> bool:
    """True for an entry of a list of errors that calls itself a warning."""
    told = (entry.get(key) for key in ("severity", "level")) if isinstance(entry, dict) else ()
    return any(isinstance(word, str) and word.lower() in ("warn", "warning", "info", "notice") for word in told)


def _is_own_reason(field: _Field) -> bool:
    """``cancel_payment`` that answers ``"failure_reason": "cancelled_by_user"`` tells its own deed as the reason."""
    low = field.value.strip().lower()
    is_reason = field.key.lower().replace("_", "") == "failurereason" and "fail" not in low
    return is_reason and any(_shares_stem(name, low) for name in field.words)


def _is_record(body: dict[str, Any]) -> bool:
    if len(body) < 4:
        return False
    return any(_names_record(key) for key in list(body)[:MAX_FIELDS])


def _names_record(key: str) -> bool:
    return key in _RECORD_KEYS or key.endswith(("_id", "Id"))


def _read_conclusion(field: _Field) -> FieldReading | None:
    return None if field.is_read else _read_status(field)


def _read_status(field: _Field) -> FieldReading | None:
    key, value, body, words, is_read = field.key, field.value, field.body, field.words, field.is_read
    if isinstance(value, bool):
        verb = read_verb(words[0]) if words else None
        if key.lower() in ("result", "status") and verb is not None and verb[0] == "write":
            return FieldReading("ok" if value else "failed", "status_field", 0.7, f"{key} is {str(value).lower()}")
        # "Is it free?" answered with false is an answer.
        return None
    if isinstance(value, int):
        return _read_http_status(value) if key.lower().startswith("status") else None
    if not isinstance(value, str) or len(value) > 60:
        return None
    word = value.strip().lower().replace(" ", "_").replace("-", "_")
    if word.isdigit() and len(word) == 3 and key.lower().startswith("status"):
        return _read_http_status(word)
    if is_read and _is_record(body):
        return None
    if word in _FAILED:
        if is_wished(word, words):
            return FieldReading("ok", "status_field", 0.7, f"{key}: {value}")
        if words and any(body[name] is True and _shares_stem(words[0], name) for name in list(body)[:MAX_FIELDS]):
            # "archive_job" answers "archived": true, and that the job failed.
            return FieldReading("ok", "status_field", 0.7, f"{words[0]} is done")
        if is_read and word not in ("error", "errors", "failed", "failure", "fail", "exception"):
            return None
        return FieldReading("failed", "status_field", 0.9, f"{key}: {value}")
    if word in _PENDING or (
        word.startswith(("pending_", "awaiting_")) and not any(name == "pending" for name in words)
    ):
        return None if is_read else _read_wait(field, word)
    if word in _DONE:
        return FieldReading("ok", "status_field", 0.8, f"{key}: {value}")
    return None


def is_wished(word: str, deeds: Iterable[str]) -> bool:
    """True when the status ``word`` is what one of the ``deeds`` is to bring about: "declined" of "decline", "blocked" of "deny"."""
    wished = _WISHED.get(word, frozenset())
    return any(_shares_stem(deed, word) or deed in wished for deed in deeds)


def _shares_stem(name: str, word: str) -> bool:
    """``reject_offer`` that answers "rejected" did what it was asked."""
    return len(name) >= 4 and word.startswith(name[: max(4, len(name) - 1)])


def _read_wait(field: _Field, word: str) -> FieldReading | None:
    key, value, body, words = field.key, field.value, field.body, field.words
    wished = _WISHED.get(word, frozenset())
    if any(name in wished for name in words):
        return FieldReading("ok", "status_field", 0.7, f"{key}: {value}")
    if word == "scheduled" and any(name in body for name in _EVENT_KEYS):
        return FieldReading("ok", "status_field", 0.7, f"{key}: {value}")
    if word == "pending" and words and words[0] not in _WAITS:
        return None
    return FieldReading("pending", "status_field", 0.8, f"{key}: {value}")


def _read_issues(field: _Field) -> FieldReading | None:
    """FHIR ``OperationOutcome``: an issue of severity error or fatal is a failure."""
    if field.body.get("resourceType") != "OperationOutcome" or not isinstance(field.value, list):
        return None
    for issue in field.value[:MAX_PARTS]:
        if isinstance(issue, dict) and issue.get("severity") in ("error", "fatal"):
            return FieldReading(
                "failed", "body_error", 0.9, f"issue: {brief(issue.get('diagnostics') or issue.get('code'))}"
            )
    return None


def _read_failed_parts(field: _Field) -> FieldReading | None:
    key, value, body = field.key, field.value, field.body
    if field.is_read:
        return None
    if isinstance(value, bool):
        return (
            FieldReading("failed", "status_field", 0.9, f"{key} is true") if value and key.lower() == "failed" else None
        )
    count = value if isinstance(value, int) else len(value) if isinstance(value, list | dict) else 0
    if count <= 0:
        return None
    done = done_count(body)
    if done is not None and done[1] > 0:
        return FieldReading("partial", "status_field", 0.7, f"{key}: {count} of {count + done[1]} parts failed")
    return FieldReading("failed", "status_field", 0.7, f"{key}: {count} parts failed")


def _read_parts(field: _Field) -> FieldReading | None:
    parts = field.value
    if field.is_read or not isinstance(parts, list):
        return None
    bodies = [part for part in parts[:MAX_PARTS] if isinstance(part, dict)]
    states = [read_fields(part, field.words, is_read=False, depth=0) for part in bodies]
    failed = sum(state is not None and state.state == "failed" for state in states)
    if not failed:
        return None
    if failed == len(states):
        return FieldReading("failed", "body_error", 0.8, f"all {failed} parts failed")
    return FieldReading("partial", "body_error", 0.7, f"{failed} of {len(states)} parts failed")


_READERS: dict[str, Callable[[_Field], FieldReading | None]] = {
    "exit": _read_exit,
    "http": _read_http,
    "flag": _read_flag,
    "asks_back": _read_question,
    "bad_flag": _read_bad_flag,
    "refusal": _read_refusal,
    "error": _read_error,
    "conclusion": _read_conclusion,
    "status": _read_status,
    "code": _read_code,
    "issue": _read_issues,
    "aws": _read_aws_type,
    "failed_parts": _read_failed_parts,
    "parts": _read_parts,
}
"""Role of a field, as the word list names it -> what its value says. The role ``inner`` is a wrapper and says nothing."""
