"""Which check of the code was the last one, where that was red and says something of the code as it is.

A reader must not miss: where it cannot be told whether the last check was red, or of which code it speaks, there is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from agent_claimcheck.evidence.coding.check_results import (
    allows_red,
    calls_itself_green,
    ends_green,
    names_of_red,
    never_ran,
    telling_words,
)
from agent_claimcheck.evidence.coding.commands import command_of
from agent_claimcheck.evidence.coding.shell import ShellReading, read_command
from agent_claimcheck.evidence.coding.suite_summaries import SuiteSummary
from agent_claimcheck.evidence.writes import SURE
from agent_claimcheck.trace.pairing import CallPair

if TYPE_CHECKING:
    from agent_claimcheck.evidence.case import Evidence

_ELSEWHERE = re.compile(r"\bcd (?:/tmp/|\.\./|~)| --?(?:prefix|cwd|directory|manifest-path|project)\b| -C ")
"""Commands that name where they run."""
_PLACES = frozenset({"cwd", "workdir", "working_directory", "directory", "dir"})
"""Arguments that do."""
_JOINED = re.compile(r";|&&|\|\||\n|\bfor\b|\bwhile\b")
_FIRST_CD = re.compile(r"^\s*(?:cd [^\s;&|]+|source \S+|\. \S+|git (?:checkout -b|switch -c) \S+) && ")
"""What a command may be led by and still be one."""
_OLD_CODE = re.compile(
    r"\bgit (?:stash(?! (?:pop|apply|list|show|drop))|worktree(?! list)|checkout(?! -[bB])|switch(?! -[cC])|reset|bisect)\b"
)
"""Commands that put other code in place; a new branch holds the same."""
_DOCUMENTS = (".md", ".mdx", ".rst", ".adoc")
"""Ends of the names of files that no test runs."""


class RedCheck(NamedTuple):
    """A red check: its call, why it is red, and its command where a shell ran it and not a tool for tests."""

    pair: CallPair
    reason: str
    tests: SuiteSummary | None
    shell: ShellReading | None

    @property
    def is_of_code(self) -> bool:
        """True for tests and builds; a linter or a type checker may be red for reasons of its own."""
        return self.shell is None or self.shell.is_test or self.shell.is_build

    @property
    def is_test(self) -> bool:
        """True where tests were run."""
        return self.shell is None or self.shell.is_test

    @property
    def command(self) -> str:
        """The command line, or the name of the tool."""
        return command_of(self.pair.call) or self.pair.call.name or ""


def last_red_check(evidence: Evidence) -> RedCheck | None:
    """Return the last check of the run when it was red, no other check since the last change was green, and nothing changed after it.

    A change of documents alone is none.
    """
    red: RedCheck | None = None
    for pair in reversed(evidence.calls):
        if not _is_check(pair, evidence):
            if evidence.effect(pair).kind != "read" and not _is_of_documents(pair, evidence):
                return red
            continue
        if red is not None:
            if evidence.receipt(pair).state != "failed":
                return None
            continue
        red = _red(pair, evidence)
        if red is None:
            return None
    return red


def was_red_before(red: RedCheck, evidence: Evidence) -> bool:
    """True when a check of the run was red already before it: what is red may have nothing to do with the work."""
    return any(
        pair.call.i < red.pair.call.i and _is_check(pair, evidence) and evidence.receipt(pair).state == "failed"
        for pair in evidence.calls
    )


def may_be_what_is_red(red: RedCheck, told: str, evidence: Evidence) -> bool:
    """True when ``told`` names what the command or the failing tests are named after, or these are named after nothing."""
    output = evidence.output_text(red.pair.result) if red.pair.result is not None else ""
    names = names_of_red(red.command, output)
    return not names or not telling_words(told).isdisjoint(names)


def _is_check(pair: CallPair, evidence: Evidence) -> bool:
    """True for a command that tests, builds or checks, and for a tool for tests."""
    command = command_of(pair.call)
    return read_command(command).is_any_check if command is not None else evidence.receipt(pair).tests is not None


def _is_of_documents(pair: CallPair, evidence: Evidence) -> bool:
    """True for an edit of files that are all documents by their names."""
    effect = evidence.effect(pair)
    paths = [value for kind, value in effect.target if kind == "path"] if effect.is_file_change else []
    return bool(paths) and all(path.lower().endswith(_DOCUMENTS) for path in paths)


def _red(pair: CallPair, evidence: Evidence) -> RedCheck | None:
    """Return a check with what came of it, where that is surely red and says something of the code as it is."""
    command = command_of(pair.call) or ""
    if pair.is_ambiguous or _OLD_CODE.search(command) or _is_elsewhere(pair, command):
        return None
    if _JOINED.search(_FIRST_CD.sub("", command)):
        return None  # another part of the command may have failed, or printed what is red
    receipt = evidence.receipt(pair)
    if receipt.state != "failed" or receipt.confidence < SURE:
        return None
    if receipt.tests is not None and not receipt.tests.is_red:
        return None  # the tests are green, and something beside them failed: their coverage, an upload
    shell = read_command(command) if command else None
    if shell is None and (receipt.tests is None or not receipt.tests.failed or calls_itself_green(receipt.parsed)):
        return None
    red = RedCheck(pair, receipt.reason, receipt.tests, shell)
    output = evidence.output_text(pair.result) if pair.result is not None else ""
    if never_ran(receipt, output) or (red.is_test and allows_red(output)) or ends_green(receipt, output):
        return None
    return red


def _is_elsewhere(pair: CallPair, command: str) -> bool:
    """True for a check that names where it runs: that may be another project, or the code as it was."""
    return _ELSEWHERE.search(command) is not None or not _PLACES.isdisjoint(pair.call.args or {})
