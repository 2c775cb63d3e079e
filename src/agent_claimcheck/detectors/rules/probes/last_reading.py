"""The last state probe that read the record of a call: by its ids, by what it was told, by the words of its result.

A reader must not miss: a probe counts only when everything it asked for names that record, and when it was read afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agent_claimcheck.core.computed import computed
from agent_claimcheck.detectors.rules.probes.other_explanations import objects_of
from agent_claimcheck.detectors.rules.probes.reading import is_after
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.values.comparison import fold
from agent_claimcheck.evidence.values.held_json import parse_output
from agent_claimcheck.evidence.values.value_text import walk_fields
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.trace.model import Step

_LONGEST_RESULT = 2_000
_SHORT = 2
"""Characters up to which an id may be that of anything: 7, "B4"."""


def last_reading(write: Write, evidence: Evidence) -> Step | None:
    """Return the last probe that read the record of ``write``, and read it afterwards; looked for once a write."""
    known: dict[int, Step | None] = evidence.shared("last_readings", dict)
    at = write.pair.call.i
    if at not in known:
        known[at] = _find_last_reading(write, evidence)
    return known[at]


def _find_last_reading(write: Write, evidence: Evidence) -> Step | None:
    names = _Names(write, evidence)
    for probe, asked in evidence.shared("asked_of_probes", lambda: _asked_of_probes(evidence)):
        if (
            asked
            and names.hold_all(asked)
            and (all(len(value) > _SHORT for _, value in asked) or names.are_asked_alike(probe, asked))
            and is_after(probe, write.pair.result or write.pair.call, evidence)
        ):
            return probe
    return None


def _asked_of_probes(evidence: Evidence) -> list[tuple[Step, list[tuple[str, str]]]]:
    """Return the probes, the last one first, with the texts and whole numbers of their arguments."""
    return [(probe, list(_folded_fields(probe.args))) for probe in reversed(evidence.probes)]


def _folded_fields(args: Any) -> Iterator[tuple[str, str]]:
    return ((key, fold(str(value))) for key, value in walk_fields(args or {}) if isinstance(value, str | int))


class _Names:
    """What names the record of a write: its ids, its arguments, the words of its result. All but the ids are rarely read."""

    def __init__(self, write: Write, evidence: Evidence) -> None:
        self._write = write
        self._result = write.pair.result
        self._ids = set(evidence.argument_ids(write.pair.call).values())
        if self._result is not None:
            self._ids.update(evidence.output_ids(self._result).values())

    @computed
    def _fields(self) -> frozenset[tuple[str, str]]:
        return frozenset(_folded_fields(self._write.pair.call.args))

    @computed
    def _text(self) -> str:
        said = parse_output(self._result.output) if self._result is not None else None
        return fold(said[:_LONGEST_RESULT]) if isinstance(said, str) else ""

    def hold_all(self, asked: list[tuple[str, str]]) -> bool:
        """True when each value of ``asked`` is one of them."""
        for key, value in asked:  # noqa: SIM110 - a generator for ``all`` costs as much as the first look
            if not self.hold(key, value):
                return False
        return True

    def hold(self, key: str, value: str) -> bool:
        """True when ``value``, which a probe asked for under ``key``, is one of them."""
        return value in self._ids or (key, value) in self._fields or _is_word_of(value, self._text)

    def are_asked_alike(self, probe: Step, asked: list[tuple[str, str]]) -> bool:
        """True when call and probe give the same short ids under the same keys, and their tools are about the same thing."""
        about = objects_of(self._write.pair.call.name or "")
        return bool(about) and objects_of(probe.name or "") == about and self._fields.issuperset(asked)


def _is_word_of(value: str, text: str) -> bool:
    """True when the id ``value`` stands in a result of plain words: "created tkt-81: ok"."""
    if value not in text or not any(char.isdigit() for char in value):
        return False
    return re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", text) is not None
