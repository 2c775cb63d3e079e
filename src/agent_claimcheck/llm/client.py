"""What a model client is: one method that takes text and a JSON schema and returns text.

A reader must not miss: a client that a user hands in is called exactly once a question. It is never cached, priced,
budgeted or retried here.
"""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class ModelClient(Protocol):
    """Anything with a ``complete`` method."""

    def complete(self, *, system: str, user: str, schema: dict[str, Any]) -> str:
        """Return the model's answer as JSON text that fits ``schema``. ``schema["title"]`` names the question.

        May raise anything; the question then counts as not answered.
        """
        ...
