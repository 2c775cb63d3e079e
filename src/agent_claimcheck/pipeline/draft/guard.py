"""Takes out of a draft whatever accuses a run that is labelled a success.

A reader must not miss: only what the draft itself brought about is taken out. An accusation that stands without the pack
is not its fault and is left to be looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from agent_claimcheck.core.errors import PackError
from agent_claimcheck.evidence.case import NON_SUCCESS_TYPES
from agent_claimcheck.evidence.contract import ClaimVerdict
from agent_claimcheck.packs.language import RulePack
from agent_claimcheck.packs.load import load_builtin_packs, parse_pack
from agent_claimcheck.pipeline.build import CheckerSpec
from agent_claimcheck.pipeline.checker import Checker
from agent_claimcheck.pipeline.draft.episodes import Episode
from agent_claimcheck.pipeline.draft.model import Draft, DraftRule
from agent_claimcheck.pipeline.draft.rendering import render_pack
from agent_claimcheck.results.reasons import ACCUSING
from agent_claimcheck.scoring.gate import Thresholds

_MOST_ROUNDS = 20


def spec_with(*packs: RulePack) -> CheckerSpec:
    """Return the specification of a checker that uses ``packs`` on top of the built-in ones, whatever the settings say."""
    return CheckerSpec(
        detector="rules",
        packs=(*load_builtin_packs(), *packs),
        thresholds=Thresholds(),
        non_success_types=NON_SUCCESS_TYPES,
    )


def without_accusations(draft: Draft, episodes: Sequence[Episode]) -> tuple[Draft, list[str]]:
    """Return the draft without the parts that accuse a labelled success, and what was taken out."""
    good = [episode for episode in episodes if episode.outcome == "success"]
    remarks: list[str] = []
    draft = _loadable(draft, remarks)
    for _ in range(_MOST_ROUNDS if good else 0):
        blamed = _blamed(draft, good)
        if not blamed:
            break
        if draft.reads and any(not verdict.checks for verdict in blamed.values()):
            # A call that was taken for a read may have done what was claimed.
            remarks.append("no tool is taken for a read: with them a run that went well was accused")
            draft = replace(draft, reads=())
            continue
        for claim_type, verdict in blamed.items():
            draft = _lighten(draft, claim_type, verdict, remarks)
    return draft, remarks


def _blamed(draft: Draft, good: Sequence[Episode]) -> dict[str, ClaimVerdict]:
    """Return the rules of the draft that accuse a labelled success, each with one verdict that shows how.

    Accusations that findings make count only if they are new with the draft.
    """
    checker = Checker(spec=spec_with(parse_pack(render_pack(draft), "draft")))
    bare = Checker(spec=spec_with())
    blamed: dict[str, ClaimVerdict] = {}
    for episode in good:
        for verdict in checker.check_one(episode.trace).claim_verdicts:
            if verdict.outcome not in ACCUSING:
                continue
            is_own = verdict.rule == f"{draft.name}.{verdict.claim_type}"
            if is_own or (draft.reads and bare.check_one(episode.trace).record != "contradicted"):
                blamed.setdefault(verdict.claim_type, verdict)
    return blamed


def _lighten(draft: Draft, claim_type: str, verdict: ClaimVerdict, remarks: list[str]) -> Draft:
    """Take the failing checks out of a rule, or its patterns where no check failed; else the whole rule."""
    failing = {check.path for check in verdict.checks if check.result == "fail"}
    rules: list[DraftRule] = []
    for rule in draft.rules:
        if rule.claim_type != claim_type:
            rules.append(rule)
            continue
        receipt = tuple(check for check in rule.receipt if check.path not in failing)
        probe_checks = tuple(check for check in rule.probe_checks if check.path not in failing)
        is_lighter = len(receipt) + len(probe_checks) < len(rule.receipt) + len(rule.probe_checks)
        if not failing and rule.patterns:
            remarks.append(f"{claim_type}: its claim patterns are left out, they found a claim in a run that went well")
            rules.append(replace(rule, patterns=()))
        elif is_lighter and probe_checks:
            remarks.append(f"{claim_type}: the checks of {', '.join(sorted(failing))} failed on a run that went well")
            rules.append(replace(rule, receipt=receipt, probe_checks=probe_checks))
        else:
            remarks.append(f"{claim_type}: left out, its rule accused a run that went well: {verdict.detail}")
    return replace(draft, rules=tuple(rules))


def _loadable(draft: Draft, remarks: list[str]) -> Draft:
    """Leave out the rules that would not load: a name or a path that the pack language cannot hold."""
    try:
        parse_pack(render_pack(draft), "draft")
    except PackError:
        kept = []
        for rule in draft.rules:
            try:
                parse_pack(render_pack(replace(draft, rules=(rule,))), "draft")
                kept.append(rule)
            except PackError as error:
                remarks.append(f"{rule.claim_type}: left out, it cannot be written as a rule: {error.message[:200]}")
        return replace(draft, rules=tuple(kept))
    return draft
