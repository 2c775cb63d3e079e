"""The API key: where it is looked for, and a wrapper that never shows it.

A reader must not miss: ``OPENROUTER_API_KEY`` is only ever used when the key goes to ``https://openrouter.ai``.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from agent_claimcheck.core.errors import UsageError

FALLBACK_VARIABLE = "OPENROUTER_API_KEY"
FALLBACK_HOST = "openrouter.ai"


class Secret:
    """A text that does not appear in ``repr``, ``str``, format strings or logs. ``reveal()`` gives it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself. Call it only where the text is sent."""
        return self._text

    def require_sendable(self, name: str) -> None:
        """Raise ``UsageError`` that speaks of ``name`` when no header can carry the text, as with a line end in it.

        Left to an HTTP library it would end in an error that quotes the header, each time something is asked.
        """
        if not (self._text.isascii() and self._text.isprintable()):
            raise UsageError(
                f"{name} holds a character that no key has, such as a line end, so nothing is sent",
                hint="copy the key again",
                slug="api_key",
            )

    def __repr__(self) -> str:
        return "Secret(hidden)"

    def __str__(self) -> str:
        return "hidden"

    def __format__(self, spec: str) -> str:
        return format("hidden", spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._text == other._text

    def __hash__(self) -> int:
        return hash((Secret, self._text))


def find_api_key(environ: Mapping[str, str], variable: str, base_url: str) -> tuple[Secret | None, str]:
    """Return the API key for ``base_url`` and the name of the variable it came from (``""`` when there is none).

    ``variable`` is looked at first, then ``OPENROUTER_API_KEY``, the latter only for ``https://openrouter.ai``.
    """
    for name in (variable, FALLBACK_VARIABLE):
        if name == FALLBACK_VARIABLE and name != variable and not _goes_to_openrouter(base_url):
            continue
        text = environ.get(name, "").strip()
        if text:
            return Secret(text), name
    return None, ""


def _goes_to_openrouter(base_url: str) -> bool:
    parts = urlsplit(base_url)
    return parts.scheme == "https" and parts.hostname == FALLBACK_HOST
