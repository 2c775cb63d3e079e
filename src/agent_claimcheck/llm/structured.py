"""Reading a model's JSON answer against the small schemas this package asks for."""

from __future__ import annotations

import json
import re
from typing import Any

from agent_claimcheck.core.errors import ClaimcheckError

_FENCE = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(.*)\n```\Z", re.DOTALL)
_PYTHON_TYPES: dict[str, type] = {"string": str, "boolean": bool, "integer": int, "array": list, "object": dict}
_SHOWN = 120


class AnswerError(ClaimcheckError):
    """A model's answer is no JSON object of the asked form."""

    slug = "model_answer"


def read_answer(text: object, schema: dict[str, Any], *, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the answer as a dict that fits ``schema``. Raises ``AnswerError`` naming what is wrong.

    ``schema`` is an object schema whose properties are strings (perhaps with ``enum``), booleans,
    integers, or arrays and objects of these. A code fence
    around the JSON is taken off; keys that the schema does not name are dropped; ``optional`` keys may be missing.
    """
    if not isinstance(text, str):
        raise AnswerError(f"the client returned a {type(text).__name__}, not text")
    stripped = text.strip()
    fenced = _FENCE.match(stripped)
    try:
        value = json.loads(fenced[1] if fenced else stripped)
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"the answer is not JSON: {stripped[:_SHOWN]!a}") from error
    if not isinstance(value, dict):
        raise AnswerError(f"the answer is not a JSON object: {stripped[:_SHOWN]!a}")
    answer: dict[str, Any] = {}
    for key, rule in schema["properties"].items():
        if key not in value:
            if key not in optional:
                raise AnswerError(f'the answer has no "{key}"')
            continue
        given = value[key]
        allowed = rule.get("enum")
        if not _fits(given, rule) or (allowed and given not in allowed):
            raise AnswerError(f'"{key}" is {ascii(given)[:_SHOWN]}, not {_expected(rule)}')
        answer[key] = given
    return answer


def _fits(given: object, rule: dict[str, Any]) -> bool:
    if not isinstance(given, _PYTHON_TYPES[rule["type"]]) or (rule["type"] == "integer" and isinstance(given, bool)):
        return False
    if isinstance(given, list):
        return all(_fits(item, rule["items"]) for item in given)
    if isinstance(given, dict):
        return all(key in given and _fits(given[key], inner) for key, inner in rule["properties"].items())
    return "enum" not in rule or given in rule["enum"]


def _expected(rule: dict[str, Any]) -> str:
    allowed = rule.get("enum")
    if allowed:
        return "one of " + ", ".join(allowed)
    return (
        f"{'an' if rule['type'][0] in 'aio' else 'a'} {rule['type']} of the asked form"
        if "items" in rule
        else f"a {rule['type']}"
    )
