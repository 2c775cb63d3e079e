"""SARIF 2.1.0 for code scanning and CI dashboards: one result per accused run.

A reader must not miss: only accusations are results, because such tools show every result as an alert. What was not
decided stands in no SARIF file. With a baseline each result says whether it is new, so that a known one is shown apart.
"""

from __future__ import annotations

import hashlib
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import msgspec

from agent_claimcheck.core.text import printable, shorten
from agent_claimcheck.evidence.findings.catalog import FINDINGS, module_of
from agent_claimcheck.results.model import CheckResult
from agent_claimcheck.results.reasons import deciding_reason, words_of
from agent_claimcheck.results.summary import ExitDecision, Summary
from agent_claimcheck.results.writers.contract import Destination
from agent_claimcheck.trace.read import STDIN_NAME

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_RULES = {
    "contradicted": "A success was claimed that the record contradicts.",
    "unsupported": "A success was claimed that no recorded call could have brought about.",
    "false_success": "A success was claimed that is probably none.",
}
"""Outcome -> what it means. Findings are rules of their own."""

_HELP = (
    "The message names the run and the step that speaks against it. `agent-claimcheck explain INPUT ID` shows how "
    "the verdict came about; an accusation that is wrong or accepted is left out with `--suppressions` or `--baseline`."
)

_MESSAGE_LIMIT = 1000
_ID_LIMIT = 200


class SarifWriter:
    """Writes a log with one run. Results are written as they come, what names their rules at the end."""

    def __init__(self, to: Destination) -> None:
        self._sink = to.sink
        self._to = to
        self._rules: dict[str, None] = {}
        self._is_first = True

    def begin(self) -> None:
        """Open the log."""
        self._sink.write(f'{{"$schema":"{_SCHEMA}","version":"2.1.0","runs":[{{"results":['.encode())

    def write(self, result: CheckResult) -> None:
        """Write an accusation."""
        if result.verdict != "false_success":
            return
        rule = _rule(result)
        self._rules[rule] = None
        self._sink.write((b"\n" if self._is_first else b",\n") + msgspec.json.encode(self._result(result, rule)))
        self._is_first = False

    def end(self, summary: Summary, decision: ExitDecision) -> None:
        """Name the tool with the rules that were used, say how the run ended, and close the log."""
        rules = [_description(rule) for rule in self._rules]
        driver = {"name": "agent-claimcheck", "rules": rules}
        invocation: dict[str, Any] = {"executionSuccessful": decision.code != 2, "exitCode": decision.code}
        if decision.reasons:
            invocation["exitCodeDescription"] = printable("; ".join(decision.reasons))
        tail = msgspec.json.encode(
            {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints"}
        )
        self._sink.write(b"\n]," + tail[1:] + b"]}\n")

    def _result(self, result: CheckResult, rule: str) -> dict[str, Any]:
        name = shorten(printable(result.trace_id), _ID_LIMIT)
        made: dict[str, Any] = {
            "ruleId": rule,
            "level": "error",
            "message": {"text": _message(result, name)},
            "locations": [_location(result, name)],
            "partialFingerprints": {"claimcheckRun/v1": _fingerprint(result, rule)},
        }
        if self._to.is_known is not None:
            made["baselineState"] = "unchanged" if self._to.knows(result) else "new"
        return made


def _rule(result: CheckResult) -> str:
    """Return the finding that accuses, or else the outcome that does."""
    finding = next((found.id for found in result.findings if found.power == "accuse"), None)
    reason = deciding_reason(result)
    if finding is not None:
        return finding
    return reason.outcome if reason is not None and reason.outcome in _RULES else "false_success"


def _description(rule: str) -> dict[str, Any]:
    text = _RULES.get(rule) or f"The finding {rule} contradicts a success that was claimed."
    manual = module_of(rule).__doc__ if rule in FINDINGS else None
    full = text if manual is None else f"{text} {printable(' '.join(manual.replace('``', '`').split()))}"
    # GitHub's code scanning asks for all three texts of each rule.
    return {
        "id": rule,
        "name": "".join(word.capitalize() for word in rule.split("_")),
        "shortDescription": {"text": text},
        "fullDescription": {"text": shorten(full, _MESSAGE_LIMIT)},
        "help": {"text": _HELP},
        "defaultConfiguration": {"level": "error"},
    }


def _message(result: CheckResult, name: str) -> str:
    reason = deciding_reason(result)
    if reason is None:
        return f"False success in {name}.".replace("](", "] (")
    step = "" if reason.step is None else f" (step {reason.step})"
    detail = printable(shorten(reason.detail, _MESSAGE_LIMIT))
    said = words_of(result, reason)
    told = f' It said: "{printable(shorten(said, _MESSAGE_LIMIT))}".' if said else ""
    # A message may hold links, [text](target); text of a trace must make none.
    return f"False success in {name}: {detail}{step}.{told}".replace("](", "] (")


def _location(result: CheckResult, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"logicalLocations": [{"name": name, "kind": "resource"}]}
    if result.file not in (None, STDIN_NAME):
        place: dict[str, Any] = {"artifactLocation": {"uri": _uri(result.file)}}
        place["region"] = {"startLine": result.line or 1}
        made["physicalLocation"] = place
    return made


def _uri(file: str) -> str:
    """Return a relative path as a relative reference, an absolute one as a ``file`` URI, a remote name as it is."""
    if "://" in file:
        return printable(file)
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="replace")


def _fingerprint(result: CheckResult, rule: str) -> str:
    """Return what stays the same where the file moves: the run and the rule."""
    return hashlib.sha256(f"{result.trace_id}\n{rule}".encode("utf-8", "replace")).hexdigest()[:32]
