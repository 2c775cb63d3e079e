"""The records of a draft: rules with the reasons for each of their parts, before they are written as YAML.

A reader must not miss: a draft is a proposal. Every part carries a remark that says where it comes from, so that a person
can judge it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from agent_claimcheck.packs.language import FieldCheck, Normaliser, Operator
from agent_claimcheck.packs.paths import split_path


class DraftCheck(Struct, frozen=True, kw_only=True):
    """One proposed check. ``remark`` says what it rests on."""

    path: str
    op: Operator
    expected: Any
    normaliser: Normaliser | None = None
    remark: str = ""

    def as_field_check(self) -> FieldCheck:
        """Return the check as the rules detector reads it."""
        segments, from_args = split_path(self.path)
        return FieldCheck(
            path=self.path,
            segments=segments,
            from_args=from_args,
            op=self.op,
            expected=self.expected,
            normaliser=self.normaliser,
        )


class DraftRule(Struct, frozen=True, kw_only=True):
    """The proposed rule of one claim type.

    ``record_from`` says where a probe finds the id of the record (``call.output.desk_id``), ``""`` when nobody can tell.
    """

    claim_type: str
    action: str
    receipt: tuple[DraftCheck, ...] = ()
    probe: str | None = None
    probe_checks: tuple[DraftCheck, ...] = ()
    patterns: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    record_from: str = ""


class Draft(Struct, frozen=True, kw_only=True):
    """A whole draft. ``reads`` are (tool, remark) of tools taken for reads.

    ``skipped`` lists, in words, what no rule was proposed for and why.
    """

    name: str
    tools: tuple[str, ...]
    rules: tuple[DraftRule, ...]
    reads: tuple[tuple[str, str], ...] = ()
    sources: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
