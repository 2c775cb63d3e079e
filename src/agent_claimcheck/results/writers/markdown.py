"""A Markdown report for people: totals, every accusation with its cited steps, the undecided by reason.

A reader must not miss: trace text is escaped, so it can neither format itself nor link, mention or embed anything. The
totals stand on top and are known last, so the accusations wait in a temporary file.
"""

from __future__ import annotations

import re
import tempfile

from agent_claimcheck.core.resources import short_name
from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.model import VERDICTS, CheckResult
from agent_claimcheck.results.reasons import deciding_reason, in_words, why_undecided
from agent_claimcheck.results.summary import ExitDecision, Summary, grouped, headline, last_line
from agent_claimcheck.results.writers.contract import Destination

_SPECIAL = re.compile(r"([\\`*_{}\[\]()#+!|<>~&$@:])")
_LEADING = re.compile(r"^(\s*)(\d+)?([-.=])")
_WWW = re.compile(r"(?i)\bwww\.")
_BACKTICKS = re.compile(r"`+")

_IN_MEMORY = 1 << 20
_EXAMPLES = 10
"""Trace ids named per reason for not deciding."""

_DETAIL_LIMIT = 300
_ID_LIMIT = 200


class MarkdownWriter:
    """Writes the report when the run has ended. ``max_bytes`` caps what the accusations may take in all."""

    def __init__(self, to: Destination, *, max_bytes: int | None = None) -> None:
        self._sink = to.sink
        self._knows = to.knows
        self._room = max_bytes
        self._left_out = 0
        self._accusations = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  # closed by ``end``
        self._examples: dict[str, list[str]] = {}

    def begin(self) -> None:
        """Nothing is written before the totals are known."""

    def write(self, result: CheckResult) -> None:
        """Keep an accusation, or an example of what was not decided."""
        if result.verdict == "false_success":
            self._keep(_accusation(result, is_known=self._knows(result)).encode("utf-8", "replace"))
        elif result.verdict == "unverifiable":
            examples = self._examples.setdefault(why_undecided(result), [])
            if len(examples) < _EXAMPLES:
                examples.append(code(result.trace_id))

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write the report."""
        put = self._sink.write
        put(_head(summary, decision).encode())
        if summary.accused:
            put(b"\n## Accused\n\n")
            self._accusations.seek(0)
            for chunk in iter(lambda: self._accusations.read(1 << 16), b""):
                put(chunk)
            if self._left_out:
                put(f"... and {self._left_out} more\n".encode())
        self._accusations.close()
        if summary.undecided:
            put(self._undecided(summary).encode("utf-8", "replace"))

    def _keep(self, accusation: bytes) -> None:
        if self._room is not None:
            if self._left_out or len(accusation) > self._room:
                self._left_out += 1
                return
            self._room -= len(accusation)
        self._accusations.write(accusation)

    def _undecided(self, summary: Summary) -> str:
        lines = ["", "## Not decided", "", "| why | traces | for example |", "| --- | ---: | --- |"]
        for reason, count in grouped(summary.undecided):
            examples = self._examples.get(reason, [])
            more = ", ..." if count > len(examples) else ""
            lines.append(f"| {escape(in_words(reason))} | {count} | {', '.join(examples)}{more} |")
        return "\n".join(lines) + "\n"


def escape(value: str) -> str:
    """Return ``value`` as Markdown that shows it literally, on one line."""
    value = _SPECIAL.sub(r"\\\1", printable(value))
    value = _LEADING.sub(r"\1\2\\\3", value)
    return _WWW.sub(lambda match: match[0][:-1] + "\\.", value)


def code(value: str) -> str:
    """Return ``value``, at most 200 characters of it, as a code span that is safe inside a table cell too."""
    shown = shorten(printable(value), _ID_LIMIT)
    if "|" in shown:
        # A table cell ends at a bar even inside a code span.
        return escape(shown)
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _head(summary: Summary, decision: ExitDecision) -> str:
    lines = ["# Claim check", "", f"**{escape(last_line(summary, decision))}**", "", headline(summary), ""]
    if summary.total:
        lines += ["| verdict | traces |", "| --- | ---: |"]
        lines += [f"| {escape(word)} | {summary.verdicts[word]} |" for word in VERDICTS if summary.verdicts[word]]
    if summary.problems:
        lines += ["", f"Invalid lines, not checked: {summary.problems}."]
    return "\n".join(lines) + "\n"


def _accusation(result: CheckResult, *, is_known: bool) -> str:
    place = ""
    if result.file is not None:
        name = short_name(result.file)
        place = f" ({code(name if result.line is None else f'{name}:{result.line}')})"
    lines = [f"### {code(result.trace_id)}{' - known from the baseline' if is_known else ''}", ""]
    p = "" if result.p_success is None else f", p(success) {result.p_success:.2f}"
    lines.append(f"Record: {escape(result.record)}{p}{place}")
    reason = deciding_reason(result)
    if reason is not None:
        lines += ["", escape(shorten(reason.detail, _DETAIL_LIMIT))]
    rows = list(_cited(result))
    if rows:
        lines += ["", *rows]
    return "\n".join(lines) + "\n\n"


def _cited(result: CheckResult) -> list[str]:
    rows = []
    for verdict in result.claim_verdicts[:50]:
        claim = result.claims[verdict.claim] if 0 <= verdict.claim < len(result.claims) else None
        quote = f' "{escape(shorten(claim.quote, _DETAIL_LIMIT))}"' if claim is not None and claim.quote else ""
        detail = escape(shorten(verdict.detail, _DETAIL_LIMIT))
        steps = verdict.steps or (() if verdict.step is None else (verdict.step,))
        rows.append(f"- {code(verdict.claim_type)}{quote}: **{escape(verdict.outcome)}** - {detail}{_steps(steps)}")
    rows += [
        f"- finding {code(finding.id)}: {escape(shorten(finding.reason, _DETAIL_LIMIT))}{_steps(finding.steps)}"
        for finding in result.findings[:50]
    ]
    return rows


def _steps(steps: tuple[int, ...]) -> str:
    if not steps:
        return ""
    shown = ", ".join(map(str, steps[:20])) + (", ..." if len(steps) > 20 else "")
    return f" ({'step' if len(steps) == 1 else 'steps'} {shown})"
