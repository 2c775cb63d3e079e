"""The exception tree. Every error of this package is a ``ClaimcheckError`` with a slug and, where it helps, a hint.

ClaimcheckError
├── UsageError          the command or call was used wrongly (exit 2)
├── InputError          a file, line or value that cannot be read (exit 2)
│   ├── TraceError      a trace line is invalid (raised only where the caller asked for strictness)
│   ├── PackError       one or more faults in a rule pack, all of them at once
│   ├── PatternError    a pattern written by a user cannot be used
│   └── ConfigError     a setting is unknown, of the wrong type or out of range
├── OutputError         a file or stream that cannot be written (exit 2)
└── MissingExtraError   an optional dependency is not installed
"""

from __future__ import annotations


class ClaimcheckError(Exception):
    """Base of every error raised on purpose.

    ``slug`` is a stable machine-readable name; ``hint`` says what to do next (may be empty).
    """

    slug = "error"

    def __init__(self, message: str, *, hint: str = "", slug: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if slug is not None:
            self.slug = slug

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class UsageError(ClaimcheckError):
    """The command or function was called wrongly."""

    slug = "usage"


class InputError(ClaimcheckError):
    """A file, line or value cannot be used."""

    slug = "input"


class TraceError(InputError):
    """A trace is invalid and the caller asked for strictness."""

    slug = "trace"


class PackError(InputError):
    """A rule pack has faults; the message lists all of them, one a line."""

    slug = "pack"


class PatternError(InputError):
    """A pattern written by a user is wrong, too large, or asks for what a linear-time engine cannot do."""

    slug = "pattern"


class ConfigError(InputError):
    """A setting is unknown, of the wrong type or out of range."""

    slug = "config"


class OutputError(ClaimcheckError):
    """A file or stream cannot be written."""

    slug = "output"


class MissingExtraError(ClaimcheckError):
    """An optional dependency is needed and not installed."""

    slug = "missing_extra"
