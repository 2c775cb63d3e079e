"""A model client whose calls go through the door for paid calls: cached, priced, within a budget, in the ledger.

A reader must not miss: it is only used where a budget was asked for. A client that a user hands in is never wrapped.
"""

from __future__ import annotations

import json
from typing import Any

from agent_claimcheck.core.text import storable
from agent_claimcheck.llm.openai_compatible import ModelCallError
from agent_claimcheck.llm.providers.contract import ModelRequest
from agent_claimcheck.llm.session import ModelSession, Question
from agent_claimcheck.llm.structured import AnswerError, read_answer

_MAX_TOKENS = 1000
"""Answers of the checks hold a word and a short reason; the whole of this is set aside for each."""


class MeteredClient:
    """Asks ``model`` through ``session``, at temperature 0. Safe to use from several threads."""

    def __init__(self, session: ModelSession, model: str) -> None:
        self._session = session
        self._model = model

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        """Return the model's answer text. Raises ``ModelCallError`` with a code, also when the budget forbids the call."""
        request = ModelRequest(
            model=self._model,
            system=f"{system}\n\nThe answer must fit this JSON Schema:\n{json.dumps(schema)}",
            text=storable(user),
            temperature=0.0,
            max_tokens=_MAX_TOKENS,
        )
        title = str(schema.get("title", ""))
        question = Question(request=request, trace_id="", prompt=title)

        def is_readable(text: str) -> bool:
            try:
                read_answer(text, schema)
            except AnswerError:
                return False
            return True

        answer = self._session.ask(question, is_readable)
        if answer.text is None:
            raise ModelCallError(f"the model gave no answer ({answer.code})")
        return answer.text

    def close(self) -> None:
        """Close connections and the ledger."""
        self._session.close()
