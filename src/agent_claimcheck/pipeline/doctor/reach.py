"""How far the claims of a trace file could be checked: by which probe, by which pack, and which tools stand in the way.

A reader must not miss: "could be verified" means that a reading of a record whose id is in the trace would settle it.
Whether the reading agrees is another question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from agent_claimcheck.core.globs import glob_match
from agent_claimcheck.core.text import shorten
from agent_claimcheck.evidence.candidates import candidates
from agent_claimcheck.evidence.case import Evidence
from agent_claimcheck.evidence.claims.contract import SuccessClaim
from agent_claimcheck.evidence.contract import ClaimVerdict
from agent_claimcheck.evidence.values.record_ids import record_ids
from agent_claimcheck.evidence.writes import Write
from agent_claimcheck.packs.select import rule_for
from agent_claimcheck.pipeline.doctor.model import Line, Section, Weight, counted, share
from agent_claimcheck.results.model import CheckResult

_MOST_SHOWN = 8
_NAME = 60


class ReachCount:
    """Counts over all claims and calls of the given files."""

    def __init__(self) -> None:
        self.claims = self.claiming_runs = self.unread_runs = 0
        self.ways: Counter[tuple[str, str]] = Counter()
        """(kind, text) to claims: ``probed``, ``pack``, ``probe``, ``shell``, ``nothing``."""
        self._unmapped: Counter[str] = Counter()
        self._unknown: Counter[str] = Counter()

    def add(self, evidence: Evidence, result: CheckResult) -> None:
        """Count one run."""
        self.unread_runs += result.record == "unread"
        self.claiming_runs += bool(result.claim_verdicts)
        for verdict in result.claim_verdicts:
            self.claims += 1
            self.ways[_way(evidence, evidence.claims[verdict.claim], verdict)] += 1
        actions = [rule.action for pack in evidence.packs for rule in pack.claims.values()]
        for write in evidence.writes:
            name = write.pair.call.name
            if not name or write.effect.is_shell:
                continue
            if write.effect.kind == "unknown":
                self._unknown[name] += 1
            elif not any(glob_match(action, name) for action in actions):
                self._unmapped[name] += 1

    def sections(self) -> list[Section]:
        """Return the findings in words."""
        return [
            Section(title="What could be verified", lines=tuple(self._claim_lines())),
            Section(title="Tools", lines=tuple(self._tool_lines())),
        ]

    def _claim_lines(self) -> Iterator[Line]:
        if self.unread_runs:
            text = f"{self.unread_runs} runs end in a text that is not understood, so a claim may stand in it"
            yield Line(weight="info", text=text, advice="declare claims in final_claim.claims, or add claim patterns")
        if not self.claims:
            yield Line(weight="info", text="no run claims a success", advice="")
            return
        yield Line(weight="good", text=f"{counted(self.claims, 'claim')} in {counted(self.claiming_runs, 'run')}")
        shown = sorted(self.ways.items(), key=lambda row: (-row[1], row[0]))
        for (kind, text), count in shown[:_MOST_SHOWN]:
            weight, advice = _ADVICE[kind]
            yield Line(weight=weight, text=f"{share(count, self.claims)} {text}", advice=advice)
        rest = sum(count for _, count in shown[_MOST_SHOWN:])
        if rest:
            yield Line(weight="info", text=f"{share(rest, self.claims)} in other ways")

    def _tool_lines(self) -> Iterator[Line]:
        for counts, noun, text, advice in (
            (self._unmapped, "writing tool", "mapped by no pack", "agent-claimcheck packs draft proposes rules"),
            (
                self._unknown,
                "tool",
                "of unknown effect",
                "say in a pack which of them only look (reads) and map the others; until then they keep claims undecided",
            ),
        ):
            if not counts:
                continue
            named = ", ".join(
                f"{shorten(name, _NAME)} ({calls})"
                for name, calls in sorted(counts.items(), key=lambda row: (-row[1], row[0]))[:_MOST_SHOWN]
            )
            more = f" and {len(counts) - _MOST_SHOWN} more" if len(counts) > _MOST_SHOWN else ""
            yield Line(weight="missing", text=f"{counted(len(counts), noun)} {text}: {named}{more}", advice=advice)
        if not self._unmapped and not self._unknown:
            yield Line(weight="good", text="every tool that changes something is known")


_ADVICE: dict[str, tuple[Weight, str]] = {
    "probed": ("good", ""),
    "pack": ("missing", "make that reading after the run: agent-claimcheck probes run, or --probes"),
    "probe": ("missing", "agent-claimcheck packs draft proposes the pack and the probe"),
    "shell": ("info", "a probe that runs the tests or reads the file would"),
    "nothing": ("info", ""),
}


def _way(evidence: Evidence, claim: SuccessClaim, verdict: ClaimVerdict) -> tuple[str, str]:
    """Return how this claim is or could be verified."""
    found = rule_for(evidence.packs, claim.type)
    if verdict.outcome == "probe_supported":
        return "probed", "are verified by a state probe"
    if verdict.outcome in ("contradicted", "unsupported"):
        return "probed", "are contradicted by the record"
    writes = [write for write in candidates(evidence.writes, claim) if not write.is_failed]
    if found is not None and found[1].probe is not None:
        pack, rule = found
        mapped = [write for write in writes if write.pair.call.name and glob_match(rule.action, write.pair.call.name)]
        name = _record_name(mapped or writes)
        on = f" on `{name}`" if name else ""
        return "pack", f"could be by the probe `{rule.probe}`{on} that the pack {pack.name} asks for"
    name = _record_name(writes)
    if name:
        return "probe", f"could be by a probe on `{name}`"
    if evidence.is_shell_run:
        return "shell", "rest on shell commands and files, which name no record"
    if not evidence.calls:
        return "nothing", "cannot be: the run holds no tool call"
    return "nothing", "cannot be told: no call that fits names a record"


def _record_name(writes: list[Write]) -> str:
    """Return the name of the id that the last fitting write gave back or was given, ``""`` without one."""
    for write in reversed(writes):
        made = record_ids(write.pair.result.output) if write.pair.result is not None else {}
        given = record_ids(write.pair.call.args)
        for names in (made, given):
            named = [name for name in names if name not in ("file", "path", "url", "code")]
            if named:
                return shorten(named[0], _NAME)
    return ""
