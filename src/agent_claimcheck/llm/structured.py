"""Reading a model's JSON answer against the small schemas this package asks for."""

from __future__ import annotations

import json
import re
from typing import Any

from agent_claimcheck.core.errors import ClaimcheckError

_FENCE = re.compile(r"\A```[a-zA-Z]*[ \t]*\n(.*)\n```\Z", re.DOTALL)
_PYTHON_TYPES: dict[str, type] = {"string": str, "boolean": bool}
_SHOWN = 120


class AnswerError(ClaimcheckError):
    """A model's answer is no JSON object of the asked form."""

    slug = "model_answer"


def read_answer(text: object, schema: dict[str, Any], *, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the answer as a dict that fits ``schema``. Raises ``AnswerError`` naming what is wrong.

    ``schema`` is an object schema whose properties are strings (perhaps with ``enum``) or booleans. A code fence
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
        if not isinstance(given, _PYTHON_TYPES[rule["type"]]) or (allowed and given not in allowed):
            raise AnswerError(f'"{key}" is {ascii(given)[:_SHOWN]}, not {_expected(rule)}')
        answer[key] = given
    return answer


def _expected(rule: dict[str, Any]) -> str:
    allowed = rule.get("enum")
    return "one of " + ", ".join(allowed) if allowed else f"a {rule['type']}"
