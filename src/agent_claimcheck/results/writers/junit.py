"""JUnit XML for CI systems: one test case per trace.

A reader must not miss: a false success is a failure, and what was not decided or not claimed is *skipped*, never a
pass. An accusation that a baseline has is skipped as well. When the run fails for another reason than an accusation, a
last test case says so, so that the report and the exit code agree. The counts of the header are known only at the end,
so the cases wait in a temporary file.
"""

from __future__ import annotations

import re
import shutil
import tempfile

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason, in_words, why_undecided
from agent_claimcheck.results.summary import ExitDecision, Summary, headline
from agent_claimcheck.results.writers.contract import Destination

_SUITE = "agent-claimcheck"

# Everything XML 1.0 forbids, lone surrogates among it.
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TEXT_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_ATTRIBUTE_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)

_IN_MEMORY = 1 << 20
"""Bytes of test cases that are kept in memory before they move to disk."""

_MESSAGE_LIMIT = 1000
_ID_LIMIT = 1000


class JunitWriter:
    """Writes a ``testsuites`` document with one suite."""

    def __init__(self, to: Destination) -> None:
        self._sink = to.sink
        self._knows = to.knows
        self._cases = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  # closed by ``end``

    def begin(self) -> None:
        """Nothing is written before the counts are known."""

    def write(self, result: CheckResult) -> None:
        """Keep one test case."""
        self._cases.write(_case(result, is_known=self._knows(result)).encode())

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Write the document."""
        extra, failures, errors = _run_case(summary, decision)
        failures += summary.accused - decision.known
        skipped = summary.verdicts["unverifiable"] + summary.not_claimed + decision.known
        counts = f'tests="{summary.total + bool(extra)}" failures="{failures}" errors="{errors}"'
        head = (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<testsuites {counts}>\n"
            f'  <testsuite name="{_SUITE}" {counts} skipped="{skipped}">\n'
            f'    <properties><property name="summary" value="{attribute(headline(summary))}"/></properties>\n'
        )
        self._sink.write(head.encode())
        self._cases.seek(0)
        shutil.copyfileobj(self._cases, self._sink)
        self._cases.close()
        self._sink.write(f"{extra}  </testsuite>\n</testsuites>\n".encode())


def text(value: str) -> str:
    """Return ``value`` as XML character data; characters XML forbids are dropped."""
    return _ILLEGAL.sub("", value).translate(_TEXT_ESCAPES)


def attribute(value: str) -> str:
    """Return ``value`` for a double-quoted XML attribute; characters XML forbids are dropped."""
    return _ILLEGAL.sub("", value).translate(_ATTRIBUTE_ESCAPES)


def _case(result: CheckResult, *, is_known: bool) -> str:
    place = ""
    if result.file is not None:
        place = f' file="{_named(result.file)}"'
        if result.line is not None:
            place += f' line="{result.line}"'
    name = _named(result.trace_id)
    head = f'    <testcase classname="{_SUITE}.{_named(result.domain)}" name="{name}"{place}'
    body = _outcome(result, is_known=is_known)
    return f"{head}>\n{body}    </testcase>\n" if body else f"{head}/>\n"


def _outcome(result: CheckResult, *, is_known: bool) -> str:
    reason = deciding_reason(result)
    detail = _line(reason.detail) if reason is not None else ""
    if result.verdict == "false_success" and is_known:
        return f'      <skipped message="{attribute(f"known from the baseline: false success - {detail}")}"/>\n'
    if result.verdict == "false_success":
        return (
            f'      <failure type="false_success" message="{attribute(detail)}">{text(_accusation(result))}</failure>\n'
        )
    if result.verdict == "unverifiable":
        why = in_words(why_undecided(result))
        message = f"not decided: {why} - {detail}" if detail not in ("", why) else f"not decided: {why}"
        return f'      <skipped message="{attribute(message)}"/>\n'
    if result.verdict == "skipped":
        return '      <skipped message="nothing was claimed"/>\n'
    return ""


def _accusation(result: CheckResult) -> str:
    lines = [f"verdict: {result.verdict}, record: {result.record}"]
    for reason in result.reasons[:50]:
        cited = "" if reason.step is None else f" (step {reason.step})"
        claim = "" if reason.claim is None else f"{_line(reason.claim)}: "
        lines.append(f"{claim}{_line(reason.outcome)}: {_line(reason.detail)}{cited}")
    for finding in result.findings[:50]:
        steps = ", ".join(map(str, finding.steps[:20]))
        cited = f" ({'step' if len(finding.steps) == 1 else 'steps'} {steps})" if steps else ""
        lines.append(f"finding {_line(finding.id)}: {_line(finding.reason)}{cited}")
    return "\n".join(lines)


def _named(value: str) -> str:
    return attribute(printable(shorten(value, _ID_LIMIT)))


def _line(value: str) -> str:
    # One line each: a report may be printed to a log in which a line can be a command.
    return printable(shorten(value, _MESSAGE_LIMIT))


def _run_case(summary: Summary, decision: ExitDecision) -> tuple[str, int, int]:
    """Return the case that stands for the run itself with its failures and errors; empty when the cases say it all."""
    if decision.code == 0 or (decision.code == 1 and summary.accused > decision.known):
        return "", 0, 0
    kind = "error" if decision.code == 2 else "failure"
    message = attribute("; ".join(decision.reasons))
    case = (
        f'    <testcase classname="{_SUITE}" name="the whole run">\n'
        f'      <{kind} type="exit {decision.code}" message="{message}"/>\n'
        "    </testcase>\n"
    )
    return case, int(kind == "failure"), int(kind == "error")
